/* views/dialog.c - the box in which an action is looked at before it is taken.
 *
 * Screens 6.5-6.7 of dashboard.md and rows 43-50, 55, 56, 58-60. The words are the plan's own: the command line prints
 * the same. Facts scroll; inputs and buttons stay in sight. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "views/facts.h"
#include "views/flow.h"
#include "views/form.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/reader.h"
#include "views/record.h"
#include "views/wizard.h"

static void add_plan(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan *plan) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  bool worst_first = dialog->verb == BT_VERB_REPAIR; /* it can bless an edited text: that is in sight on any screen */
  if (worst_first)
    bt_facts_gap(flow, bt_facts_checks_of(flow, plan, true));
  bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT, plan->summary);
  if (plan->disabled)
    bt_flow_labelled(flow, 0, BT_ROLE_BAD, "[no]", 5, BT_ROLE_BOLD, plan->disabled);
  if (dialog->lock) {
    bt_flow_blank(flow);
    bt_record_add(flow, frame, dialog->lock);
    if (!plan->check_count) { /* else the plan's own checks say it */
      bt_facts_gap(flow, dialog->lock->evidence_count);
      bt_record_add_evidence(flow, dialog->lock);
    }
  } else {
    bt_facts_gap(flow, plan->row_count);
    bt_facts_table(flow, plan);
  }
  bt_facts_gap(flow, plan->check_count);
  if (worst_first)
    (void)bt_facts_checks_of(flow, plan, false);
  else
    bt_facts_checks(flow, plan);
  bt_facts_gap(flow, plan->will_count + plan->will_not_count);
  bt_facts_sentences(flow, "will", BT_ROLE_BOLD, plan->will, plan->will_count);
  bt_facts_sentences(flow, "will NOT", BT_ROLE_WARNING, plan->will_not, plan->will_not_count);
  bt_facts_gap(flow, plan->step_count);
  bt_facts_steps(flow, plan);
  bt_facts_gap(flow, plan->after || plan->undo);
  bt_facts_after(flow, plan);
}

static void add_facts(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  if (dialog->stale)
    bt_flow_labelled(flow, 0, BT_ROLE_WARNING, "[!!]", 5, BT_ROLE_BOLD, dialog->stale);
  if (dialog->error)
    bt_flow_labelled(flow, 0, BT_ROLE_BAD, "[no]", 5, BT_ROLE_BOLD, dialog->error);
  if (dialog->phase == BT_DIALOG_BUSY)
    bt_flow_wrap(flow, 0, BT_ROLE_BOLD,
                 dialog->verb == BT_VERB_RECORD ? "Building: nothing is sealed before the end, and stopping takes back "
                                                  "what was added ..."
                                                : "Writing ...");
  if (dialog->wizard) {
    bt_facts_gap(flow, flow->line);
    bt_wizard_add(flow, frame);
  } else if (dialog->reading.text) {
    bt_facts_gap(flow, flow->line);
    bt_reader_add(flow, &frame->scene->prepared->dialog, &dialog->reading);
  } else if (dialog->plan && dialog->phase != BT_DIALOG_REFUSED) {
    bt_facts_gap(flow, flow->line);
    add_plan(flow, frame, dialog->plan);
  } else if (dialog->phase == BT_DIALOG_PLANNING) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM,
                 dialog->verb == BT_VERB_RECORD                                      ? "Reading the transcript ..."
                 : dialog->verb == BT_VERB_RECONCILE || dialog->verb == BT_VERB_STOP ? "Asking git ..."
                                                                                     : "Looking at the ledger ...");
  } else if (!dialog->error) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM, "There is nothing to show.");
  }
}

/* ---- geometry ---- */

struct box {
  int row, column, rows, columns;                    /* the box with its border */
  int bar_rows, facts_rows, command_rows, form_rows; /* bar: the steps of a wizard */
  bool compact;
  size_t lines; /* of the facts */
};

static struct box box_of(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_dialog *dialog = &frame->scene->dialog;
  struct box box = {0};
  struct bt_flow flow;
  int screen_rows = layout->rows, most = screen_rows;
  box.columns = bt_layout_dialog_columns(frame->scene);
  if (screen_rows >= 14) /* the header and the hints stay */
    most = layout->hints_row - 1;
  int inner = most - 2;
  box.form_rows = bt_form_rows(dialog, false);
  if (box.form_rows + 1 > inner / 2) {
    box.compact = true;
    box.form_rows = bt_form_rows(dialog, true);
  }
  box.bar_rows = dialog->wizard ? 1 + (inner > 12) : 0;
  int room = inner - box.bar_rows - box.form_rows - (inner > 8);
  if (room < 1)
    room = 1;
  bt_flow_count(&flow, box.columns - 4, frame->scene->unicode);
  bt_facts_command(&flow, dialog);
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
  box.rows = box.bar_rows + box.facts_rows + box.command_rows + (inner > 8) + box.form_rows + 2;
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
  if (title[0] >= 'a' && title[0] <= 'z') /* as the titles of plans begin */
    title[0] = (char)(title[0] - 'a' + 'A');
  const struct bt_item *focused = dialog->focus < dialog->item_count ? &dialog->items[dialog->focus] : NULL;
  if (box.columns < 60 && focused && focused->kind == BT_ITEM_BUTTON && focused->locked) {
    snprintf(caption, sizeof caption, "%s", focused->note ? focused->note : "locked"); /* no room beside the button */
  } else if (box.lines > (size_t)box.facts_rows) {
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
  if (box.bar_rows)
    bt_wizard_bar(inside, dialog);
  bt_flow_start(&flow, bt_pane_cut(inside, box.bar_rows, 0, box.facts_rows, inside.columns), dialog->top);
  add_facts(&flow, frame);
  if (box.command_rows)
    bt_flow_start(&flow, bt_pane_cut(inside, box.bar_rows + box.facts_rows, 0, box.command_rows, inside.columns), 0);
  bt_facts_command(&flow, dialog);
  bt_form_draw(frame, bt_pane_cut(inside, inside.rows - box.form_rows, 0, box.form_rows, inside.columns), box.compact);
}
