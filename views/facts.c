/* views/facts.c - tables, checks, steps and sentences of a plan. */
#include "views/facts.h"

#include <stdio.h>
#include <string.h>

#include "views/command.h"
#include "views/parts.h"
#include "views/text.h"

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

void bt_facts_table(struct bt_flow *flow, const struct bt_plan *plan) {
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

void bt_facts_steps(struct bt_flow *flow, const struct bt_plan *plan) {
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

void bt_facts_sentences(struct bt_flow *flow, const char *label, enum bt_role role, const char *const *list,
                        size_t count) {
  for (size_t i = 0; i < count; i++)
    bt_flow_labelled(flow, 0, i ? BT_ROLE_DEFAULT : role, i ? NULL : label, BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, list[i]);
}

void bt_facts_check(struct bt_flow *flow, enum bt_check check, const char *text) {
  bt_flow_labelled(flow, 0, bt_role_of_check(check), bt_check_mark(check), 5,
                   check == BT_CHECK_OK ? BT_ROLE_DEFAULT : BT_ROLE_BOLD, text);
}

void bt_facts_checks(struct bt_flow *flow, const struct bt_plan *plan) {
  for (size_t i = 0; i < plan->check_count; i++)
    bt_facts_check(flow, plan->checks[i].check, plan->checks[i].text);
}

size_t bt_facts_checks_of(struct bt_flow *flow, const struct bt_plan *plan, bool doubts) {
  static const enum bt_check order[] = {BT_CHECK_BAD, BT_CHECK_WARN, BT_CHECK_UNKNOWN, BT_CHECK_OK};
  size_t count = 0;
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    for (size_t i = 0; i < plan->check_count; i++)
      if (plan->checks[i].check == order[k] && doubts == (order[k] != BT_CHECK_OK)) {
        bt_facts_check(flow, order[k], plan->checks[i].text);
        count++;
      }
  return count;
}

void bt_facts_gap(struct bt_flow *flow, size_t count) {
  if (count)
    bt_flow_blank(flow);
}

void bt_facts_after(struct bt_flow *flow, const struct bt_plan *plan) {
  if (plan->after)
    bt_flow_labelled(flow, 0, BT_ROLE_LABEL, "afterwards", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, plan->after);
  if (plan->undo)
    bt_flow_labelled(flow, 0, BT_ROLE_LABEL, "undo", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, plan->undo);
}

/* The same for a shell: the last of the facts, or, where they have to be scrolled, always in sight below them. */
void bt_facts_command(struct bt_flow *flow, const struct bt_dialog *dialog) {
  const struct bt_plan *plan = dialog->phase == BT_DIALOG_REFUSED ? NULL : dialog->plan;
  if (!plan || !plan->command || !*plan->command || dialog->reading.text ||
      (dialog->wizard && dialog->step != BT_STEP_CONFIRM))
    return;
  bt_flow_blank(flow);
  bt_flow_command(flow, 0, "from a shell", BT_FACTS_TEXT_AT, plan->command);
}
