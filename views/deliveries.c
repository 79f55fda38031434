/* views/deliveries.c - every working tree's delivery: may it go on, with what, and what does not hold any more.
 *
 * spec/delivery-handoff.md 14. What nobody has asked about is shown as unknown. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/delivery_words.h"
#include "views/flow.h"
#include "views/parts.h"
#include "views/table.h"

enum column { TREE, VERDICT, NEXT, PR, SOURCE, UPDATED, WATCHERS, COLUMN_COUNT };

/* clang-format off */
static const struct bt_column columns[COLUMN_COUNT] = {
  /*             head          least wished rank grow_to align */
  [TREE]     = {"TREE",         10,   14,   0,   40, BT_ALIGN_LEFT},
  [VERDICT]  = {"VERDICT",      16,   22,   0,   24, BT_ALIGN_LEFT},
  [NEXT]     = {"NEXT STEP",    12,   17,   4,   30, BT_ALIGN_LEFT},
  [PR]       = {"PR",           10,   12,   3,   16, BT_ALIGN_LEFT},
  [SOURCE]   = {"SOURCE",        6,    6,   2,    0, BT_ALIGN_LEFT},
  [UPDATED]  = {"UPDATED",       7,    7,   0,    0, BT_ALIGN_RIGHT},
  [WATCHERS] = {"WATCHERS",      9,   10,   1,    0, BT_ALIGN_LEFT},
};
/* clang-format on */

#define TABLE_AT 2
#define TEXT_AT 13

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static enum bt_role verdict_role(const struct bt_delivery_row *row) {
  if (row->error || begins(row->verdict, "stale:") || begins(row->verdict, "corrupt"))
    return BT_ROLE_BAD;
  if (begins(row->verdict, "usable"))
    return BT_ROLE_VERIFIED;
  if (begins(row->verdict, "absent") && !row->governed)
    return BT_ROLE_DIM;
  return begins(row->verdict, "closed") ? BT_ROLE_DIM : BT_ROLE_WARNING;
}

static void pr_shown(char out[BT_PART_BYTES], const struct bt_delivery_row *row) {
  if (!row->pr_number)
    snprintf(out, BT_PART_BYTES, "%s", "");
  else
    snprintf(out, BT_PART_BYTES, "#%.12s %s", row->pr_number, row->pr_state ? row->pr_state : "?");
}

/* Those that are not known to be dead count as running. */
static void watchers_shown(char out[BT_PART_BYTES], const struct bt_delivery_row *row) {
  size_t running = row->watcher_count - row->dead_count;
  if (row->dead_count)
    snprintf(out, BT_PART_BYTES, "%zu, %zu dead", running, row->dead_count);
  else if (row->watcher_count)
    snprintf(out, BT_PART_BYTES, "%zu", running);
  else
    out[0] = '\0';
}

static void draw_row(const struct bt_row *row, const struct bt_frame *frame, const struct bt_delivery_row *delivery) {
  char text[BT_PART_BYTES];
  bt_row_cell(row, TREE, BT_ROLE_DEFAULT, delivery->name);
  bt_row_cell(row, VERDICT, verdict_role(delivery), delivery->error ? "?" : delivery->verdict);
  if (delivery->error) {
    bt_row_cell(row, NEXT, BT_ROLE_DIM, delivery->error);
    return;
  }
  bt_row_cell(row, NEXT, BT_ROLE_BOLD, delivery->next_step);
  pr_shown(text, delivery);
  bt_row_cell(row, PR, delivery->pr_state ? BT_ROLE_DEFAULT : BT_ROLE_UNKNOWN, text);
  bt_row_cell(row, SOURCE, BT_ROLE_DIM, delivery->source);
  bt_age_of(text, delivery->updated_ms, frame->now_ms);
  bt_row_cell(row, UPDATED, BT_ROLE_DEFAULT, delivery->governed ? text : NULL);
  watchers_shown(text, delivery);
  bt_row_cell(row, WATCHERS, BT_ROLE_DEFAULT, text);
}

/* ---- one of them ---- */

static void add(struct bt_flow *flow, const char *label, enum bt_role role, const char *text) {
  if (text && *text)
    bt_flow_labelled(flow, 2, BT_ROLE_LABEL, label, TEXT_AT, role, text);
}

static void add_words(struct bt_flow *flow, const char *label, enum bt_role role,
                      const struct bt_delivery_words *words) {
  for (size_t i = 0; i < words->count; i++)
    bt_flow_labelled(flow, 2, BT_ROLE_LABEL, i ? NULL : label, TEXT_AT, role, words->items[i]);
}

/* Each with what it means, where that is more than it says. */
static void add_codes(struct bt_flow *flow, const char *label, enum bt_role role,
                      const struct bt_delivery_words *codes) {
  for (size_t i = 0; i < codes->count; i++) {
    const char *means = bt_delivery_code_means(codes->items[i]);
    bt_flow_printf(flow, 2, BT_ROLE_LABEL, i ? NULL : label, TEXT_AT, role, "%s%s%s", codes->items[i],
                   means ? ": " : "", means ? means : "");
  }
}

static void add_evidence(struct bt_flow *flow, const struct bt_delivery_row *row, bool invalid) {
  bool first = true;
  for (size_t i = 0; i < row->done_count; i++) {
    const struct bt_delivery_mark *mark = &row->done[i];
    if (mark->invalid != invalid)
      continue;
    bt_flow_printf(flow, 2, BT_ROLE_LABEL,
                   !first    ? NULL
                   : invalid ? "INVALID"
                             : "done",
                   TEXT_AT, invalid ? BT_ROLE_WARNING : BT_ROLE_DEFAULT, "%s %s: %s", mark->gate, mark->verdict,
                   mark->evidence);
    first = false;
  }
}

static void add_watchers(struct bt_flow *flow, const struct bt_delivery_row *row) {
  for (size_t i = 0; i < row->watcher_count; i++)
    bt_flow_printf(flow, 2, BT_ROLE_LABEL, i ? NULL : "watchers", TEXT_AT, BT_ROLE_DEFAULT, "%s: %s%s",
                   row->watchers[i].id, row->watchers[i].liveness,
                   row->watchers[i].dead ? "" : ", wait for it or supersede it");
}

static const char *why_unknown(const struct bt_scene *scene) {
  if (scene->forge_pending)
    return "the forge is being asked";
  return scene->deliveries->forge_asked ? "the forge gave no answer" : "the forge was not asked";
}

static void add_pr(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_delivery_row *row) {
  char age[BT_PART_BYTES];
  if (!row->pr_number)
    return;
  bt_age_of(age, row->pr_taken_ms, frame->now_ms);
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "PR", TEXT_AT, row->pr_state ? BT_ROLE_DEFAULT : BT_ROLE_UNKNOWN,
                 row->pr_state ? "#%s %s, as the forge said %s ago" : "#%s, state unknown: %s%s", row->pr_number,
                 row->pr_state ? row->pr_state : why_unknown(frame->scene), row->pr_state ? age : "");
  add(flow, "forge", BT_ROLE_WARNING, row->forge_note);
}

static void add_delivery(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_delivery_row *row) {
  char age[BT_PART_BYTES];
  add_evidence(flow, row, true);
  add_watchers(flow, row);
  add_words(flow, "pending", BT_ROLE_DEFAULT, &row->pending);
  add_pr(flow, frame, row);
  bt_age_of(age, row->updated_ms, frame->now_ms);
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "updated", TEXT_AT, BT_ROLE_DEFAULT, "%s ago, stopped by %s%s%s", age,
                 row->stop_reason, row->stop_detail ? ": " : "", row->stop_detail ? row->stop_detail : "");
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "branch", TEXT_AT, BT_ROLE_DEFAULT, "%s of %s", row->branch, row->repository);
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "head", TEXT_AT, BT_ROLE_DEFAULT, "%.12s recorded, %.12s live", row->head,
                 row->live_head ? row->live_head : "?");
  add_words(flow, "directive", BT_ROLE_QUOTED, &row->directive_lines);
  add(flow, "granted", BT_ROLE_WARNING, row->authorized.count ? NULL : "nothing");
  add_words(flow, "granted", BT_ROLE_DEFAULT, &row->authorized);
  add_words(flow, "withheld", BT_ROLE_DEFAULT, &row->withheld);
  add_evidence(flow, row, false);
}

static void add_row(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_delivery_row *row) {
  if (row->error) {
    bt_flow_labelled(flow, 2, BT_ROLE_LABEL, "unknown", TEXT_AT, BT_ROLE_WARNING, row->error);
    return;
  }
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "verdict", TEXT_AT, verdict_role(row), "%s: %s", row->verdict,
                 bt_delivery_verdict_means(row->verdict));
  add(flow, "next step", BT_ROLE_NEXT_STEP, row->next_step);
  add_codes(flow, "reason", BT_ROLE_BOLD, &row->reasons);
  if (row->governed)
    add_delivery(flow, frame, row);
  add_codes(flow, "warning", BT_ROLE_WARNING, &row->warnings);
  if (row->path)
    add(flow, "record", BT_ROLE_DIM, row->path);
  add(flow, "tree", BT_ROLE_DIM, row->tree);
}

size_t bt_deliveries_lines(const struct bt_frame *frame) {
  const struct bt_delivery_row *row = bt_view_delivery(frame->scene);
  struct bt_flow flow;
  bt_flow_count(&flow, frame->screen.columns - 1, frame->scene->unicode);
  if (row)
    add_row(&flow, frame, row);
  return flow.line;
}

/* ---- the whole ---- */

static void draw_totals(const struct bt_frame *frame, const struct bt_delivery_view *view) {
  struct bt_pane row = bt_pane_cut(frame->screen, 1, 0, 1, frame->screen.columns);
  char right[2 * BT_PART_BYTES], age[BT_PART_BYTES];
  int at = 1 + bt_pane_printf(row, 0, 1, BT_ROLE_DEFAULT, "open %zu", view->open_count);
  at += 2;
  at += bt_pane_printf(row, 0, at, BT_ROLE_DIM, "of %zu working tree%s", view->count, view->count == 1 ? "" : "s");
  if (view->cut)
    at += bt_pane_printf(row, 0, at, BT_ROLE_WARNING, ", %zu not looked at", view->cut);
  bt_age_of(age, view->taken_at_ms, frame->now_ms);
  if (frame->scene->deliveries_pending)
    snprintf(right, sizeof right, frame->scene->forge_pending ? "asking the forge ..." : "looking ...");
  else
    snprintf(right, sizeof right, "%s, %s ago", view->forge_asked ? "git and the forge" : "git only", age);
  if (at + (int)strlen(right) + 3 < row.columns)
    bt_pane_text(row, 0, row.columns - (int)strlen(right) - 1, BT_ROLE_DIM, right);
}

static void draw_rows(const struct bt_frame *frame, struct bt_pane list, const struct bt_table *table) {
  const struct bt_delivery_view *view = frame->scene->deliveries;
  for (int at = 0; at < list.rows; at++) {
    size_t index = frame->scene->delivery_rows.top + (size_t)at;
    if (index >= view->count)
      break;
    struct bt_row row = {.pane = list, .row = at, .table = table, .selected = index == frame->scene->delivery_rows.row};
    if (row.selected) {
      bt_row_mark(&row);
      *frame->cursor = (struct bt_view_cursor){list.row + at, list.column, false};
    }
    draw_row(&row, frame, &view->rows[index]);
  }
}

static void draw_nothing(const struct bt_frame *frame, struct bt_pane body) {
  const struct bt_scene *scene = frame->scene;
  const char *text = scene->deliveries_error ? scene->deliveries_error
                     : scene->deliveries     ? "There is no working tree here."
                                             : "asking git about every working tree ...";
  bt_pane_field(body, body.rows > 2, 2, body.columns - 3, BT_ALIGN_LEFT,
                scene->deliveries_error ? BT_ROLE_WARNING : BT_ROLE_DIM, text);
}

static void draw_one(const struct bt_frame *frame, struct bt_pane pane, const struct bt_delivery_row *row, size_t top) {
  struct bt_flow flow;
  bt_flow_start(&flow, bt_pane_cut(pane, 0, 0, pane.rows, pane.columns - 1), top);
  add_row(&flow, frame, row);
}

void bt_deliveries_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_delivery_view *view = frame->scene->deliveries;
  const struct bt_delivery_row *chosen = bt_view_delivery(frame->scene);
  struct bt_pane body = bt_frame_body(frame);
  struct bt_table table;
  *frame->cursor = (struct bt_view_cursor){body.row, body.column, false};
  if (view)
    draw_totals(frame, view);
  if (!view || !view->count) {
    draw_nothing(frame, body);
    return;
  }
  if (frame->scene->delivery_open && chosen) {
    draw_one(frame, body, chosen, frame->scene->delivery_top);
    return;
  }
  struct bt_pane list = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  char right[BT_PART_BYTES];
  snprintf(right, sizeof right, "%zu working tree%s", view->count, view->count == 1 ? "" : "s");
  if (layout->caption_row >= 0)
    bt_pane_rule(body, layout->caption_row, "as git lists them", right);
  bt_table_fit(&table, columns, COLUMN_COUNT, TABLE_AT, body.columns - 1);
  if (layout->head_row >= 0)
    bt_table_heads(body, layout->head_row, &table, COLUMN_COUNT);
  draw_rows(frame, list, &table);
  if (layout->detail_rows <= 0 || !chosen)
    return;
  bt_pane_rule(body, layout->detail_rule, chosen->name, NULL);
  draw_one(frame, bt_pane_cut(body, layout->detail_top, 0, layout->detail_rows, body.columns), chosen, 0);
}
