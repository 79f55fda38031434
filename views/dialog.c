/* views/dialog.c - the box in which an action is looked at before it is taken.
 *
 * Screens 6.5-6.7 of dashboard.md and rows 43-50, 55, 56, 58-60. The words are the plan's own: the command line prints
 * the same. Facts scroll; inputs and buttons stay in sight. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "views/command.h"
#include "views/flow.h"
#include "views/form.h"
#include "views/parts.h"
#include "views/record.h"
#include "views/text.h"

#define BOX_COLUMNS_MAX 100
#define TEXT_AT 13

/* ---- facts ---- */

/* A hash is told from another by its ends; the whole of it is in the command and in the raw files. */
static const char *cell_text(char out[BT_PART_BYTES], const char *text) {
  size_t length = text ? strlen(text) : 0;
  if (length != 64 || strspn(text, "0123456789abcdef") != 64)
    return text ? text : "";
  snprintf(out, BT_PART_BYTES, "%.12s..%s", text, text + 52);
  return out;
}

/* Columns of "now": as the widest that is no wider than half of what there is. */
static int now_columns(const struct bt_flow *flow, const struct bt_plan *plan, int room) {
  int widest = 4;
  for (size_t i = 0; i < plan->row_count; i++) {
    char buffer[BT_PART_BYTES];
    const char *now = cell_text(buffer, plan->rows[i].now);
    int width = bt_text_width(now, strlen(now), flow->unicode, room / 2);
    if (width > widest && width <= room / 2)
      widest = width;
  }
  return widest + 3;
}

static void add_table(struct bt_flow *flow, const struct bt_plan *plan) {
  bool has_now = false;
  for (size_t i = 0; i < plan->row_count; i++)
    has_now = has_now || plan->rows[i].now;
  int label = flow->columns >= 60 ? 18 : 13, room = flow->columns - label;
  int now_width = now_columns(flow, plan, room);
  if (has_now) {
    struct bt_pane line = bt_flow_line(flow);
    bt_pane_text(line, 0, label, BT_ROLE_HEAD, "now");
    bt_pane_text(line, 0, label + now_width, BT_ROLE_HEAD, "after");
  }
  for (size_t i = 0; i < plan->row_count; i++) {
    const struct bt_plan_row *row = &plan->rows[i];
    char buffers[2][BT_PART_BYTES];
    const char *now = cell_text(buffers[0], row->now), *after = cell_text(buffers[1], row->after);
    enum bt_role role = row->differs ? BT_ROLE_BOLD : BT_ROLE_DEFAULT;
    if (!has_now) {
      bt_flow_labelled(flow, 0, BT_ROLE_LABEL, row->label, label, role, after);
    } else if (bt_text_width(now, strlen(now), flow->unicode, now_width) >= now_width ||
               bt_text_width(after, strlen(after), flow->unicode, room) > room - now_width) {
      bt_flow_labelled(flow, 0, BT_ROLE_LABEL, row->label, label, BT_ROLE_DIM, now);
      bt_flow_labelled(flow, 0, BT_ROLE_LABEL, row->differs ? "  becomes" : "  stays", label, role, after);
    } else {
      struct bt_pane line = bt_flow_line(flow);
      bt_pane_field(line, 0, 0, label - 1, BT_ALIGN_LEFT, BT_ROLE_LABEL, row->label);
      bt_pane_text(line, 0, label, BT_ROLE_DIM, now);
      bt_pane_text(line, 0, label + now_width, role, after);
    }
  }
}

static void add_steps(struct bt_flow *flow, const struct bt_plan *plan) {
  for (size_t i = 0; i < plan->step_count; i++) {
    const struct bt_plan_step *step = &plan->steps[i];
    char number[32];
    struct bt_flow before = *flow;
    bool wide = flow->columns >= 64;
    snprintf(number, sizeof number, "%2zu", i + 1);
    bt_flow_printf(flow, 0, BT_ROLE_DIM, number, wide ? 20 : 4, BT_ROLE_DEFAULT, "%s%s%s%s%s%s",
                   wide || !step->what ? "" : step->what, wide || !step->what ? "" : " ", step->path ? step->path : "",
                   step->path && step->note ? "   " : "", step->note ? step->note : "", wide ? " " : "");
    if (wide) {
      struct bt_pane line = bt_flow_line(&before);
      bt_pane_field(line, 0, 4, 15, BT_ALIGN_LEFT, BT_ROLE_BOLD, step->what);
    }
  }
}

static void add_sentences(struct bt_flow *flow, const char *label, enum bt_role role, const char *const *list,
                          size_t count) {
  for (size_t i = 0; i < count; i++)
    bt_flow_labelled(flow, 0, i ? BT_ROLE_DEFAULT : role, i ? NULL : label, TEXT_AT, BT_ROLE_DEFAULT, list[i]);
}

static void add_checks(struct bt_flow *flow, const struct bt_plan *plan) {
  for (size_t i = 0; i < plan->check_count; i++)
    bt_flow_labelled(flow, 0, bt_role_of_check(plan->checks[i].check), bt_check_mark(plan->checks[i].check), 5,
                     plan->checks[i].check == BT_CHECK_OK ? BT_ROLE_DEFAULT : BT_ROLE_BOLD, plan->checks[i].text);
}

static void gap(struct bt_flow *flow, size_t count) {
  if (count)
    bt_flow_blank(flow);
}

static void add_plan(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan *plan) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT, plan->summary);
  if (plan->disabled)
    bt_flow_labelled(flow, 0, BT_ROLE_BAD, "[no]", 5, BT_ROLE_BOLD, plan->disabled);
  if (dialog->lock) {
    bt_flow_blank(flow);
    bt_record_add(flow, frame, dialog->lock);
    if (!plan->check_count) { /* else the plan's own checks say it */
      gap(flow, dialog->lock->evidence_count);
      bt_record_add_evidence(flow, dialog->lock);
    }
  } else {
    gap(flow, plan->row_count);
    add_table(flow, plan);
  }
  gap(flow, plan->check_count);
  add_checks(flow, plan);
  gap(flow, plan->will_count + plan->will_not_count);
  add_sentences(flow, "will", BT_ROLE_BOLD, plan->will, plan->will_count);
  add_sentences(flow, "will NOT", BT_ROLE_WARNING, plan->will_not, plan->will_not_count);
  gap(flow, plan->step_count);
  add_steps(flow, plan);
  gap(flow, plan->after || plan->undo);
  if (plan->after)
    bt_flow_labelled(flow, 0, BT_ROLE_LABEL, "afterwards", TEXT_AT, BT_ROLE_DEFAULT, plan->after);
  if (plan->undo)
    bt_flow_labelled(flow, 0, BT_ROLE_LABEL, "undo", TEXT_AT, BT_ROLE_DEFAULT, plan->undo);
}

/* The same for a shell: the last of the facts, or, where they have to be scrolled, always in sight below them. */
static void add_command(struct bt_flow *flow, const struct bt_dialog *dialog) {
  const struct bt_plan *plan = dialog->phase == BT_DIALOG_REFUSED ? NULL : dialog->plan;
  if (!plan || !plan->command || !*plan->command)
    return;
  bt_flow_blank(flow);
  bt_flow_command(flow, 0, "from a shell", TEXT_AT, plan->command);
}

static void add_facts(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  if (dialog->stale)
    bt_flow_labelled(flow, 0, BT_ROLE_WARNING, "[!!]", 5, BT_ROLE_BOLD, dialog->stale);
  if (dialog->error)
    bt_flow_labelled(flow, 0, BT_ROLE_BAD, "[no]", 5, BT_ROLE_BOLD, dialog->error);
  if (dialog->phase == BT_DIALOG_BUSY)
    bt_flow_wrap(flow, 0, BT_ROLE_BOLD, "Writing ...");
  if (dialog->plan && dialog->phase != BT_DIALOG_REFUSED) {
    gap(flow, flow->line);
    add_plan(flow, frame, dialog->plan);
  } else if (dialog->phase == BT_DIALOG_PLANNING) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM, "Looking at the ledger ...");
  } else if (!dialog->error) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM, "There is nothing to show.");
  }
}

/* ---- geometry ---- */

struct box {
  int row, column, rows, columns; /* the box with its border */
  int facts_rows, command_rows, form_rows;
  bool compact;
  size_t lines; /* of the facts */
};

static struct box box_of(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_dialog *dialog = &frame->scene->dialog;
  struct box box = {0};
  struct bt_flow flow;
  int screen_rows = layout->rows, most = screen_rows;
  box.columns = layout->columns;
  if (layout->columns >= 90) /* narrower ones have no columns to spare for what is behind */
    box.columns = layout->columns - 4 < BOX_COLUMNS_MAX ? layout->columns - 4 : BOX_COLUMNS_MAX;
  if (screen_rows >= 14) /* the header and the hints stay */
    most = layout->hints_row - 1;
  int inner = most - 2;
  box.form_rows = bt_form_rows(dialog, false);
  if (box.form_rows + 1 > inner / 2) {
    box.compact = true;
    box.form_rows = bt_form_rows(dialog, true);
  }
  int room = inner - box.form_rows - (inner > 8);
  if (room < 1)
    room = 1;
  bt_flow_count(&flow, box.columns - 4, frame->scene->unicode);
  add_command(&flow, dialog);
  size_t command = flow.line;
  bt_flow_count(&flow, box.columns - 4, frame->scene->unicode);
  add_facts(&flow, frame);
  box.lines = flow.line + command;
  if (box.lines > (size_t)room && command + 6 < (size_t)room) {
    box.command_rows = (int)command;
    box.lines -= command;
    room -= box.command_rows;
  }
  box.facts_rows = box.lines < (size_t)room ? (int)box.lines : room;
  box.rows = box.facts_rows + box.command_rows + (inner > 8) + box.form_rows + 2;
  if (box.rows > most)
    box.rows = most;
  box.column = (layout->columns - box.columns) / 2;
  box.row = screen_rows >= 14 ? 1 + (most - box.rows) / 2 : (screen_rows - box.rows) / 2;
  return box;
}

size_t bt_dialog_lines(const struct bt_frame *frame, size_t *visible) {
  struct box box = box_of(frame);
  *visible = (size_t)box.facts_rows;
  return box.lines;
}

void bt_dialog_draw(const struct bt_frame *frame) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  struct box box = box_of(frame);
  struct bt_pane pane = bt_pane_cut(frame->screen, box.row, box.column, box.rows, box.columns);
  char title[512], caption[2 * BT_PART_BYTES];
  struct bt_flow flow;
  if (dialog->plan && dialog->plan->title)
    snprintf(title, sizeof title, "%s", dialog->plan->title);
  else
    snprintf(title, sizeof title, "%s %s", bt_verb_word(dialog->verb), dialog->subject ? dialog->subject : "");
  if (box.lines > (size_t)box.facts_rows) {
    size_t last = dialog->top + (size_t)box.facts_rows;
    snprintf(caption, sizeof caption, "facts %zu-%zu of %zu, scroll for more", dialog->top + 1,
             last < box.lines ? last : box.lines, box.lines);
  } else {
    /* After a failure the error says what is so: an undo may not have put everything back. */
    bool untouched = dialog->phase == BT_DIALOG_READY && !dialog->error;
    snprintf(caption, sizeof caption, "%s", untouched ? "nothing has been written" : "");
  }
  bt_pane_box(pane, dialog->verb == BT_VERB_BYPASS ? BT_ROLE_BOX_TITLE_RISKY : BT_ROLE_BOX_TITLE, title, caption);
  struct bt_pane inside = bt_pane_cut(pane, 1, 2, pane.rows - 2, pane.columns - 4);
  *frame->cursor = (struct bt_view_cursor){inside.row, inside.column, false};
  bt_flow_start(&flow, bt_pane_cut(inside, 0, 0, box.facts_rows, inside.columns), dialog->top);
  add_facts(&flow, frame);
  if (box.command_rows)
    bt_flow_start(&flow, bt_pane_cut(inside, box.facts_rows, 0, box.command_rows, inside.columns), 0);
  add_command(&flow, dialog);
  bt_form_draw(frame, bt_pane_cut(inside, inside.rows - box.form_rows, 0, box.form_rows, inside.columns), box.compact);
}
