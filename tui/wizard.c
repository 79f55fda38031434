/* tui/wizard.c - what each step of the continue wizard waits for. */
#include "tui/wizard.h"

#include <string.h>

#include "core/base/str.h"

/* Which step a refusal is about. */
static enum bt_wizard_step refused_step(const struct confirm *confirm) {
  const struct form *form = &confirm->form;
  const struct bt_dialog *dialog = form->dialog;
  const char *successor = form_text(form, FORM_SUCCESSOR);
  if (successor && *successor &&
      (strcmp(confirm->refused, successor) == 0 || strcmp(confirm->refused, "--session") == 0))
    return BT_STEP_SUCCESSOR;
  return dialog->unbound || dialog->ticket_asked ? BT_STEP_TICKET : BT_STEP_CHECK;
}

const char *wizard_blocked(const struct confirm *confirm, enum bt_wizard_step step) {
  const struct bt_plan *plan = confirm->plan;
  if (!plan)
    return step == BT_STEP_CONFIRM || refused_step(confirm) == step ? "locked: this would be refused" : NULL;
  if (step == BT_STEP_BRIEF && plan->brief.text && !plan->brief.reviewed && form_blank(&confirm->form, FORM_REASON))
    return "locked: read it and mark it, or say why not";
  return NULL;
}

enum bt_wizard_step wizard_open_step(const struct confirm *confirm) {
  int step = BT_STEP_CHECK;
  while (step < BT_STEP_CONFIRM && !wizard_blocked(confirm, (enum bt_wizard_step)step))
    step++;
  return (enum bt_wizard_step)step;
}

/* Worth a look before anything else: what would refuse, and a ticket that has to be told. */
static bool wants_a_look(const struct confirm *confirm, enum bt_wizard_step step) {
  const struct bt_plan *plan = confirm->plan;
  if (wizard_blocked(confirm, step))
    return true;
  if (step == BT_STEP_TICKET)
    return confirm->form.dialog->ticket_asked;
  if (step != BT_STEP_CHECK || !plan)
    return false;
  bool bad = plan->disabled != NULL;
  for (size_t i = 0; i < plan->check_count; i++)
    bad = bad || plan->checks[i].check == BT_CHECK_BAD;
  return bad;
}

void wizard_go(struct confirm *confirm, enum bt_wizard_step step) {
  struct bt_dialog *dialog = confirm->form.dialog;
  const struct bt_plan *plan = confirm->plan;
  if (dialog->step != step)
    dialog->top = 0;
  dialog->step = step;
  dialog->reading = (struct bt_reading){NULL, 0, false};
  if (step == BT_STEP_BRIEF && plan && plan->brief.text)
    dialog->reading = (struct bt_reading){plan->brief.text, plan->brief.length, false};
  form_show_step(&confirm->form);
}

static enum bt_wizard_step next_with_something(const struct confirm *confirm, int from) {
  while (from < BT_STEP_CONFIRM && !wants_a_look(confirm, (enum bt_wizard_step)from))
    from++;
  return (enum bt_wizard_step)from;
}

bool wizard_forward(struct confirm *confirm) {
  enum bt_wizard_step step = confirm->form.dialog->step;
  if (step == BT_STEP_CONFIRM || wizard_blocked(confirm, step))
    return false;
  wizard_go(confirm, next_with_something(confirm, (int)step + 1));
  return true;
}

bool wizard_back(struct confirm *confirm) {
  enum bt_wizard_step step = confirm->form.dialog->step;
  if (step == BT_STEP_CHECK)
    return false;
  wizard_go(confirm, (enum bt_wizard_step)(step - 1));
  return true;
}

void wizard_planned(struct confirm *confirm) {
  struct bt_dialog *dialog = confirm->form.dialog;
  enum bt_wizard_step unsettled = wizard_open_step(confirm);
  size_t focus = dialog->focus;
  if (!confirm->placed)
    wizard_go(confirm, next_with_something(confirm, BT_STEP_CHECK));
  else if (unsettled < dialog->step)
    wizard_go(confirm, unsettled);
  else if (!confirm->advance || !wizard_forward(confirm)) {
    wizard_go(confirm, dialog->step); /* the text on show is the new plan's */
    dialog->focus = focus;
  }
  confirm->placed = true;
  confirm->advance = false;
}
