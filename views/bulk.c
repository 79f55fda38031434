/* views/bulk.c - the box in which several locks are looked at before they are removed, and what became of each.
 *
 * Rows 43, 50, 63 and 64 of dashboard.md: every item has its verdict, what would happen to it, and the lock's own record. */
#include "views/frame.h"

#include <stdio.h>

#include "views/flow.h"
#include "views/form.h"
#include "views/parts.h"

#define BOX_COLUMNS_MAX 110

enum { GLYPH_AT = 0, VERDICT_AT = 2, NAME_AT = 13, NAME_COLUMNS = 24, TEXT_AT = 4 };

static enum bt_role fate_role(enum bt_bulk_fate fate) {
  static const enum bt_role roles[BT_BULK_FATE_COUNT] = {[BT_BULK_WOULD] = BT_ROLE_BOLD,
                                                         [BT_BULK_REFUSED] = BT_ROLE_WARNING,
                                                         [BT_BULK_REMOVED] = BT_ROLE_VERIFIED,
                                                         [BT_BULK_FAILED] = BT_ROLE_BAD,
                                                         [BT_BULK_NOT_TRIED] = BT_ROLE_WARNING};
  return roles[fate];
}

static void add_item(struct bt_flow *flow, const struct bt_bulk_line *line) {
  enum bt_role verdict = line->has_lock ? bt_role_of_verdict(line->verdict) : BT_ROLE_DIM;
  char glyph[2] = {line->has_lock ? bt_verdict_glyph(line->verdict) : ' ', 0};
  struct bt_pane head = bt_flow_line(flow);
  bool wide = flow->columns >= 60;
  int fate_at = NAME_AT + (wide ? NAME_COLUMNS + 1 : flow->columns - NAME_AT);
  bt_pane_text(head, 0, GLYPH_AT, verdict, glyph);
  bt_pane_text(head, 0, VERDICT_AT, verdict, line->has_lock ? bt_lock_verdict_word(line->verdict) : "no lock");
  bt_pane_field(head, 0, NAME_AT, fate_at - NAME_AT - 1, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, line->name);
  if (wide)
    bt_pane_text(head, 0, fate_at, fate_role(line->fate), bt_bulk_fate_word(line->fate));
  else
    bt_pane_text(bt_flow_line(flow), 0, TEXT_AT, fate_role(line->fate), bt_bulk_fate_word(line->fate));
  bt_flow_wrap(flow, TEXT_AT, BT_ROLE_DEFAULT, line->words);
  bt_flow_wrap(flow, TEXT_AT, BT_ROLE_DIM, line->record);
}

/* What there is most to know about first: done or to be done, then what failed, then what was refused. */
static void add_items(struct bt_flow *flow, const struct bt_scene *scene) {
  static const enum bt_bulk_fate order[] = {BT_BULK_REMOVED, BT_BULK_WOULD, BT_BULK_FAILED, BT_BULK_NOT_TRIED,
                                            BT_BULK_REFUSED};
  for (size_t pass = 0; pass < sizeof order / sizeof *order; pass++)
    for (size_t i = 0; i < scene->bulk_count; i++)
      if (scene->bulk[i].fate == order[pass])
        add_item(flow, &scene->bulk[i]);
}

static void add_facts(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  char summary[BT_BULK_SUMMARY];
  if (scene->dialog.stale)
    bt_flow_labelled(flow, 0, BT_ROLE_WARNING, "[!!]", 5, BT_ROLE_BOLD, scene->dialog.stale);
  if (scene->bulk_phase == BT_BULK_PLANNING) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM, "Looking at the ledger ...");
    return;
  }
  bt_bulk_summary(summary, scene->bulk, scene->bulk_count);
  if (scene->bulk_count == 0) {
    bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT, "Nothing of what was marked is there any more.");
    return;
  }
  bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, 0, BT_ROLE_BOLD, "%zu marked: %s.", scene->bulk_count, summary);
  if (scene->bulk_phase == BT_BULK_READY)
    bt_flow_wrap(
        flow, 0, BT_ROLE_DEFAULT,
        "Removes the stale lock files, one after the other, each checked again; three failures in a row end it. "
        "It does NOT clear a deny, change a brief or touch the working tree.");
  else if (scene->bulk_phase == BT_BULK_BUSY)
    bt_flow_wrap(flow, 0, BT_ROLE_BOLD, "Writing ...");
  bt_flow_blank(flow);
  add_items(flow, scene);
}

struct box {
  int row, column, rows, columns, facts_rows;
  size_t lines;
};

static struct box box_of(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  struct box box = {.columns = layout->columns};
  struct bt_flow flow;
  int most = layout->rows >= 14 ? layout->hints_row - 1 : layout->rows;
  if (layout->columns >= 90)
    box.columns = layout->columns - 4 < BOX_COLUMNS_MAX ? layout->columns - 4 : BOX_COLUMNS_MAX;
  bt_flow_count(&flow, box.columns - 4, frame->scene->unicode);
  add_facts(&flow, frame);
  box.lines = flow.line;
  int gap = most > 10, room = most - 2 - gap - 1;
  if (room < 1)
    room = 1;
  box.facts_rows = box.lines < (size_t)room ? (int)box.lines : room;
  box.rows = box.facts_rows + gap + 3 < most ? box.facts_rows + gap + 3 : most;
  box.column = (layout->columns - box.columns) / 2;
  box.row = layout->rows >= 14 ? 1 + (most - box.rows) / 2 : (layout->rows - box.rows) / 2;
  return box;
}

size_t bt_bulk_lines(const struct bt_frame *frame, size_t *visible) {
  struct box box = box_of(frame);
  *visible = (size_t)box.facts_rows;
  return box.lines;
}

void bt_bulk_draw(const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  struct box box = box_of(frame);
  struct bt_pane pane = bt_pane_cut(frame->screen, box.row, box.column, box.rows, box.columns);
  char caption[2 * BT_PART_BYTES] = "";
  struct bt_flow flow;
  if (box.lines > (size_t)box.facts_rows) {
    size_t last = scene->dialog.top + (size_t)box.facts_rows;
    snprintf(caption, sizeof caption, "lines %zu-%zu of %zu, scroll for more", scene->dialog.top + 1,
             last < box.lines ? last : box.lines, box.lines);
  } else if (scene->bulk_phase == BT_BULK_READY) {
    snprintf(caption, sizeof caption, "nothing has been written");
  }
  bt_pane_box(pane, BT_ROLE_BOX_TITLE,
              scene->bulk_phase == BT_BULK_DONE ? "Unlock what is marked: done" : "Unlock what is marked", caption);
  struct bt_pane inside = bt_pane_cut(pane, 1, 2, pane.rows - 2, pane.columns - 4);
  *frame->cursor = (struct bt_view_cursor){inside.row, inside.column, false};
  bt_flow_start(&flow, bt_pane_cut(inside, 0, 0, box.facts_rows, inside.columns), scene->dialog.top);
  add_facts(&flow, frame);
  bt_form_draw(frame, bt_pane_cut(inside, inside.rows - 1, 0, 1, inside.columns), false);
}
