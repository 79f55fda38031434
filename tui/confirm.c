/* tui/confirm.c - the dialogs' rules. */
#include "tui/confirm.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "tui/edit.h"
#include "tui/wizard.h"

void confirm_close(struct confirm *confirm) {
  form_close(&confirm->form);
  bt_plan_free(confirm->plan);
  memset(confirm, 0, sizeof(*confirm));
}

bool confirm_open(struct confirm *confirm, struct bt_dialog *dialog, enum bt_verb verb,
                  const struct bt_snapshot *snapshot, const struct bt_session *session, const struct bt_lock *lock) {
  confirm_close(confirm);
  return form_open(&confirm->form, dialog, verb, snapshot, session, lock);
}

bool confirm_open_request(struct confirm *confirm, struct bt_dialog *dialog, const struct bt_request *request,
                          const char *subject) {
  confirm_close(confirm);
  return form_open_request(&confirm->form, dialog, request, subject);
}

bool confirm_is_open(const struct confirm *confirm) {
  return confirm->form.dialog != NULL;
}

struct bt_request confirm_request(const struct confirm *confirm) {
  return form_request(&confirm->form);
}

/* ---------------------------------------------------------------- what locks the button -------- */

static bool needs_word(enum bt_verb verb, const struct bt_request *request) {
  return verb == BT_VERB_CONTINUE || verb == BT_VERB_BYPASS || request->pid_reused;
}

/* Why the acting button cannot be pressed; NULL when it can. */
static const char *lock_reason(struct confirm *confirm) {
  const struct bt_plan *plan = confirm->plan;
  const char *typed = form_text(&confirm->form, FORM_WORD);
  if (confirm->form.dialog->phase == BT_DIALOG_BUSY)
    return confirm->stopping                            ? "stopping ..."
           : confirm->form.fixed.verb == BT_VERB_RECORD ? "at work; leaving stops it"
                                                        : "at work ...";
  if (confirm->form.dialog->phase == BT_DIALOG_PLANNING)
    return "locked: the plan is being made";
  if (confirm->form.dialog->phase != BT_DIALOG_READY || !plan)
    return "locked: no plan";
  if (plan->disabled)
    return plan->disabled;
  if (confirm->outdated)
    return "locked until the form is left";
  if (confirm->unread)
    return "locked: the facts changed";
  if (confirm->form.dialog->wizard && wizard_open_step(confirm) != BT_STEP_CONFIRM)
    return wizard_blocked(confirm, wizard_open_step(confirm));
  if (plan->reason_for && form_blank(&confirm->form, FORM_REASON))
    return "locked: say why";
  if (!plan->confirm_word)
    return needs_word(confirm->form.fixed.verb, &confirm->form.fixed) ? "locked: no word to type" : NULL;
  return typed && strcmp(typed, plan->confirm_word) == 0 ? NULL : "locked until typed";
}

static void update_buttons(struct confirm *confirm) {
  struct bt_item *act = form_find(&confirm->form, FORM_ACT), *dry_run = form_find(&confirm->form, FORM_DRY_RUN);
  const char *reason = lock_reason(confirm);
  snprintf(confirm->note, sizeof(confirm->note), "%s", reason ? reason : "");
  act->locked = reason != NULL;
  act->note = reason ? confirm->note : NULL;
  act->label = confirm->plan && confirm->plan->confirm_label ? confirm->plan->confirm_label
                                                             : bt_verb_word(confirm->form.fixed.verb);
  dry_run->locked = !confirm->plan || !confirm->plan->payload || confirm->outdated;
  if (!confirm->form.dialog->wizard)
    return;
  struct bt_item *next = form_find(&confirm->form, FORM_NEXT);
  enum bt_wizard_step step = confirm->form.dialog->step;
  bool untold = confirm->outdated && step != BT_STEP_BRIEF; /* only the plan of what is typed tells */
  next->note = untold ? NULL : wizard_blocked(confirm, step);
  next->locked = next->note != NULL;
  form_hide(&confirm->form, FORM_REASON, confirm->plan && confirm->plan->brief.reviewed);
}

/* The plan that is there, or on its way, is not of this form. */
static void form_changed(struct confirm *confirm) {
  confirm->outdated = true;
  confirm->edits++;
}

/* A plan is to be made of the form as it is, and is not on its way yet. */
static bool wants_plan(const struct confirm *confirm) {
  return confirm->outdated && !(confirm->planning && confirm->edits == confirm->asked_edits);
}

static void clear_word(struct confirm *confirm) {
  struct bt_item *word = form_find(&confirm->form, FORM_WORD);
  if (word)
    edit_clear(&word->field);
}

/* ---------------------------------------------------------------- keys ------------------------- */

enum bt_mode confirm_mode(const struct confirm *confirm) {
  enum bt_item_kind kind = confirm->form.dialog->items[confirm->form.dialog->focus].kind;
  return kind == BT_ITEM_TEXT || kind == BT_ITEM_CONFIRM ? BT_MODE_FIELD : BT_MODE_CONFIRM;
}

static enum confirm_answer move_focus(struct confirm *confirm, bool forward) {
  struct bt_dialog *dialog = confirm->form.dialog;
  size_t count = dialog->item_count;
  do /* Cancel is never hidden */
    dialog->focus = (dialog->focus + (forward ? 1 : count - 1)) % count;
  while (dialog->items[dialog->focus].hidden);
  confirm->unread = false;
  update_buttons(confirm);
  return wants_plan(confirm) ? CONFIRM_PLAN : CONFIRM_CHANGED;
}

/* A field with known values takes the next of them after what stands in it. */
static void take_known(struct bt_item *item, bool next) {
  size_t at = item->option_count;
  for (size_t i = 0; i < item->option_count; i++)
    if (strcmp(item->options[i].text, item->field.text) == 0)
      at = i;
  if (at == item->option_count)
    item->option = next ? 0 : item->option_count - 1;
  else
    item->option = (at + (next ? 1 : item->option_count - 1)) % item->option_count;
  edit_set(&item->field, item->options[item->option].text);
}

static enum confirm_answer choose(struct confirm *confirm, bool next) {
  struct bt_dialog *dialog = confirm->form.dialog;
  struct bt_item *item = &dialog->items[dialog->focus];
  if (item->option_count > 0 && item->kind == BT_ITEM_TEXT) {
    take_known(item, next);
    form_changed(confirm);
    update_buttons(confirm);
    return CONFIRM_PLAN;
  }
  if (item->option_count > 0) {
    item->option = (item->option + (next ? 1 : item->option_count - 1)) % item->option_count;
    form_changed(confirm);
    update_buttons(confirm);
    return CONFIRM_PLAN;
  }
  return next ? CONFIRM_SCROLL_DOWN : CONFIRM_SCROLL_UP;
}

/* To the next step; where the form says something new, once the plan for that is there. */
static enum confirm_answer next_step(struct confirm *confirm) {
  if (confirm->outdated) {
    confirm->advance = true;
    return CONFIRM_PLAN;
  }
  (void)wizard_forward(confirm);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

static enum confirm_answer previous_step(struct confirm *confirm) {
  if (!confirm->form.dialog->wizard || !wizard_back(confirm))
    return CONFIRM_NOTHING;
  confirm->unread = false;
  update_buttons(confirm);
  return wants_plan(confirm) ? CONFIRM_PLAN : CONFIRM_CHANGED;
}

/* Enter in a field of a step goes to the button that leads on, where that is open. */
static enum confirm_answer leave_field(struct confirm *confirm) {
  update_buttons(confirm);
  if (!confirm->form.dialog->wizard || form_find(&confirm->form, FORM_NEXT)->locked)
    return move_focus(confirm, true);
  confirm->unread = false;
  form_focus(&confirm->form, FORM_NEXT);
  return wants_plan(confirm) ? CONFIRM_PLAN : CONFIRM_CHANGED;
}

static enum confirm_answer press(struct confirm *confirm) {
  struct bt_item *item = &confirm->form.dialog->items[confirm->form.dialog->focus];
  switch (form_focused(&confirm->form)) {
  case FORM_CANCEL:
    return CONFIRM_LEAVE;
  case FORM_DRY_RUN:
    return item->locked ? CONFIRM_NOTHING : CONFIRM_SHOW_DRY_RUN;
  case FORM_ACT:
    update_buttons(confirm);
    if (item->locked)
      return CONFIRM_CHANGED;
    confirm->form.dialog->phase = BT_DIALOG_BUSY;
    update_buttons(confirm);
    return CONFIRM_EXECUTE;
  case FORM_WORD: /* Enter alone never confirms: it only goes to the button, once that is unlocked */
    if (lock_reason(confirm))
      return CONFIRM_NOTHING;
    form_focus(&confirm->form, FORM_ACT);
    return CONFIRM_CHANGED;
  case FORM_BACK:
    return previous_step(confirm);
  case FORM_NEXT:
    return item->locked ? CONFIRM_NOTHING : next_step(confirm);
  case FORM_REPAIR:
    return CONFIRM_REPAIR;
  default:
    return leave_field(confirm);
  }
}

const char *confirm_locked(struct confirm *confirm) {
  const struct bt_item *item = &confirm->form.dialog->items[confirm->form.dialog->focus];
  const char *word = confirm->plan ? confirm->plan->confirm_word : NULL;
  enum form_part role = form_focused(&confirm->form);
  const char *reason = role == FORM_WORD || role == FORM_ACT ? lock_reason(confirm)
                       : item->locked                        ? (item->note ? item->note : "locked: no plan")
                                                             : NULL;
  if (!reason || confirm->form.dialog->phase == BT_DIALOG_BUSY)
    return NULL;
  if (word && strcmp(reason, "locked until typed") == 0)
    snprintf(confirm->told, sizeof(confirm->told), "locked: type %.80s into its field first", word);
  else
    snprintf(confirm->told, sizeof(confirm->told), "%s", reason);
  return confirm->told;
}

bool confirm_misses_field(const struct confirm *confirm) {
  const struct bt_item *word = form_find(&confirm->form, FORM_WORD);
  return word && !word->hidden && confirm_mode(confirm) == BT_MODE_CONFIRM &&
         confirm->form.dialog->phase == BT_DIALOG_READY;
}

bool confirm_begin_word(struct confirm *confirm, uint32_t code_point) {
  struct bt_dialog *dialog = confirm->form.dialog;
  const char *wanted = confirm->plan ? confirm->plan->confirm_word : NULL;
  struct bt_item *word = form_find(&confirm->form, FORM_WORD);
  bool first = confirm->word_begun;
  confirm->word_begun = false;
  if (!confirm_misses_field(confirm) || !wanted || word->field.length > 0)
    return false;
  confirm->word_begun = (unsigned char)wanted[0] == code_point;
  if (!first || (unsigned char)wanted[1] != code_point)
    return false;
  confirm->word_begun = false;
  dialog->focus = (size_t)(word - dialog->items);
  (void)confirm_type(confirm, (unsigned char)wanted[0]);
  return confirm_type(confirm, code_point) == CONFIRM_CHANGED;
}

enum confirm_answer confirm_act(struct confirm *confirm, enum bt_action action) {
  struct bt_dialog *dialog = confirm->form.dialog;
  if (dialog->phase == BT_DIALOG_BUSY) { /* only a build takes so long that somebody may want out */
    if (action != BT_ACTION_CANCEL || confirm->form.fixed.verb != BT_VERB_RECORD || confirm->stopping)
      return CONFIRM_NOTHING;
    confirm->stopping = true;
    update_buttons(confirm);
    return CONFIRM_STOP;
  }
  switch (action) {
  case BT_ACTION_CANCEL:
    return CONFIRM_LEAVE;
  case BT_ACTION_FOCUS_NEXT:
  case BT_ACTION_FOCUS_PREV:
    return move_focus(confirm, action == BT_ACTION_FOCUS_NEXT);
  case BT_ACTION_CHOOSE_NEXT:
  case BT_ACTION_CHOOSE_PREV:
    return choose(confirm, action == BT_ACTION_CHOOSE_NEXT);
  case BT_ACTION_PRESS:
    return press(confirm);
  case BT_ACTION_STEP_BACK:
    return previous_step(confirm);
  case BT_ACTION_DRY_RUN:
    return form_find(&confirm->form, FORM_DRY_RUN)->locked ? CONFIRM_NOTHING : CONFIRM_SHOW_DRY_RUN;
  case BT_ACTION_REVIEW: /* only what is on the screen can have been read */
    return dialog->wizard && dialog->step == BT_STEP_BRIEF && dialog->reading.text && !confirm->outdated &&
                   !confirm->plan->brief.reviewed
               ? CONFIRM_REVIEW
               : CONFIRM_NOTHING;
  default:
    break;
  }
  if (confirm_mode(confirm) != BT_MODE_FIELD)
    return CONFIRM_NOTHING;
  struct bt_field *field = &dialog->items[dialog->focus].field;
  size_t length = field->length;
  if (!edit_act(field, action))
    return CONFIRM_NOTHING;
  if (form_focused(&confirm->form) != FORM_WORD && field->length != length)
    form_changed(confirm);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_type(struct confirm *confirm, uint32_t code_point) {
  struct bt_dialog *dialog = confirm->form.dialog;
  if (dialog->phase == BT_DIALOG_BUSY || confirm_mode(confirm) != BT_MODE_FIELD ||
      !edit_type(&dialog->items[dialog->focus].field, code_point))
    return CONFIRM_NOTHING;
  if (form_focused(&confirm->form) != FORM_WORD)
    form_changed(confirm);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_paste(struct confirm *confirm, const char *text, size_t length) {
  struct bt_dialog *dialog = confirm->form.dialog;
  struct bt_item *item = &dialog->items[dialog->focus];
  if (dialog->phase == BT_DIALOG_BUSY || item->kind != BT_ITEM_TEXT || !edit_paste(&item->field, text, length))
    return CONFIRM_NOTHING;
  form_changed(confirm);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

/* ---------------------------------------------------------------- answers ---------------------- */

bool confirm_recheck(struct confirm *confirm, const struct bt_snapshot *snapshot) {
  struct bt_dialog *dialog = confirm->form.dialog;
  dialog->lock = NULL; /* it was the old snapshot's */
  for (size_t i = 0; dialog->verb == BT_VERB_UNLOCK && i < snapshot->lock_count; i++)
    if (bt_text_equals(snapshot->locks[i].name, dialog->subject) &&
        (snapshot->locks[i].kind == BT_LOCK_LEDGER) == (confirm->form.fixed.ledger_lock != NULL))
      dialog->lock = &snapshot->locks[i];
  form_recheck(&confirm->form, snapshot);
  confirm->compare = !confirm->outdated;
  confirm->again = confirm->planning;
  return dialog->phase != BT_DIALOG_BUSY && !confirm->planning;
}

void confirm_asked(struct confirm *confirm) {
  confirm->planning = true;
  confirm->again = false;
  confirm->asked_edits = confirm->edits;
}

/* Whatever was about to be confirmed is not what is on show any more. */
static void step_back(struct confirm *confirm) {
  confirm->unread = true;
  clear_word(confirm);
  form_focus(&confirm->form, FORM_CANCEL);
}

void confirm_reviewed(struct confirm *confirm) {
  confirm->advance = true;
}

static void facts_moved(struct confirm *confirm, const char *what) {
  snprintf(confirm->stale, sizeof(confirm->stale), "changed while you were looking: %s", what);
  confirm->form.dialog->stale = confirm->stale;
  step_back(confirm);
}

/* What the command line says of its flags, for somebody who sees fields. */
static const char *words_for_fields(const struct confirm *confirm, const struct bt_error *err) {
  bool ticket = confirm->form.fixed.verb == BT_VERB_REPAIR && strcmp(err->subject, "--ticket") == 0;
  return ticket ? "which ticket? choose one or type it" : NULL;
}

static const char *words_of(const struct bt_error *err) {
  return err->message[0] ? err->message : bt_code_words(err->code);
}

/* What the last attempt failed with, and behind it why the plan would be refused now (NULL: it would not). */
static void show_error(struct confirm *confirm, const struct bt_error *refusal) {
  const char *between = confirm->failure[0] && refusal ? "; now: " : "";
  snprintf(confirm->error, sizeof(confirm->error), "%s%s%s", confirm->failure, between,
           refusal ? words_of(refusal) : "");
  confirm->form.dialog->error = confirm->error[0] ? confirm->error : NULL;
}

static void take_plan(struct confirm *confirm, struct bt_plan *plan) {
  struct bt_dialog *dialog = confirm->form.dialog;
  bool moved = confirm->compare && confirm->fingerprint[0] && strcmp(confirm->fingerprint, plan->fingerprint) != 0;
  bt_plan_free(confirm->plan);
  confirm->plan = plan;
  dialog->plan = plan;
  dialog->phase = BT_DIALOG_READY;
  memcpy(confirm->fingerprint, plan->fingerprint, sizeof(confirm->fingerprint));
  struct bt_item *successor = form_find(&confirm->form, FORM_SUCCESSOR); /* minted once, then kept */
  if (successor && form_blank(&confirm->form, FORM_SUCCESSOR))
    edit_set(&successor->field, plan->request.session);
  if (plan->confirm_word && !form_find(&confirm->form, FORM_WORD))
    (void)form_add_word(&confirm->form);
  if (moved)
    facts_moved(confirm, "read the plan again");
}

void confirm_planned(struct confirm *confirm, struct bt_plan *plan, const struct bt_error *err) {
  struct bt_dialog *dialog = confirm->form.dialog;
  if (!confirm->compare) { /* the form changed: what was said about the old one is settled */
    dialog->stale = NULL;
    confirm->failure[0] = '\0';
  }
  confirm->planning = false;
  confirm->outdated = confirm->edits != confirm->asked_edits; /* somebody went on typing */
  if (plan) {
    take_plan(confirm, plan);
    show_error(confirm, NULL);
  } else {
    if (confirm->compare && confirm->plan)
      facts_moved(confirm, "this is no longer possible");
    bt_plan_free(confirm->plan);
    confirm->plan = NULL;
    dialog->plan = NULL;
    dialog->phase = BT_DIALOG_REFUSED;
    snprintf(confirm->refused, sizeof(confirm->refused), "%s", err->subject);
    show_error(confirm, err);
    const char *words = words_for_fields(confirm, err);
    if (words && !confirm->failure[0])
      dialog->error = words;
  }
  confirm->compare = false;
  if (dialog->wizard)
    wizard_planned(confirm);
  else
    dialog->reading = (struct bt_reading){NULL, 0, false};
  update_buttons(confirm);
}

void confirm_failed(struct confirm *confirm, const struct bt_error *err) {
  confirm->form.dialog->phase = BT_DIALOG_PLANNING;
  confirm->stopping = false;
  snprintf(confirm->failure, sizeof(confirm->failure), "%s", words_of(err));
  show_error(confirm, NULL);
  if (err->code == BT_STALE)
    facts_moved(confirm, "nothing was written");
  else
    step_back(confirm);
  confirm->compare = true;
  update_buttons(confirm);
}
