/* tui/confirm.c - the dialogs' rules. */
#include "tui/confirm.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "tui/edit.h"

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
  if (confirm->form.dialog->phase != BT_DIALOG_READY || !plan)
    return "locked: no plan";
  if (plan->disabled)
    return plan->disabled;
  if (confirm->outdated)
    return "locked until the form is left";
  if (confirm->unread)
    return "locked: the facts changed";
  const char *reason = form_text(&confirm->form, FORM_REASON);
  if (confirm->form.fixed.verb == BT_VERB_CONTINUE && reason && !reason[strspn(reason, " ")])
    return "locked: read the brief and mark it, or say why not";
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
  dialog->focus = (dialog->focus + (forward ? 1 : count - 1)) % count;
  confirm->unread = false;
  update_buttons(confirm);
  return confirm->outdated ? CONFIRM_PLAN : CONFIRM_CHANGED;
}

static enum confirm_answer choose(struct confirm *confirm, bool next) {
  struct bt_dialog *dialog = confirm->form.dialog;
  struct bt_item *item = &dialog->items[dialog->focus];
  if (item->option_count > 0) {
    item->option = (item->option + (next ? 1 : item->option_count - 1)) % item->option_count;
    confirm->outdated = true;
    update_buttons(confirm);
    return CONFIRM_PLAN;
  }
  return next ? CONFIRM_SCROLL_DOWN : CONFIRM_SCROLL_UP;
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
  default:
    return move_focus(confirm, true);
  }
}

enum confirm_answer confirm_act(struct confirm *confirm, enum bt_action action) {
  struct bt_dialog *dialog = confirm->form.dialog;
  if (dialog->phase == BT_DIALOG_BUSY)
    return CONFIRM_NOTHING;
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
  default:
    break;
  }
  if (confirm_mode(confirm) != BT_MODE_FIELD)
    return CONFIRM_NOTHING;
  struct bt_field *field = &dialog->items[dialog->focus].field;
  size_t length = field->length;
  if (!edit_act(field, action))
    return CONFIRM_NOTHING;
  confirm->outdated = confirm->outdated || (form_focused(&confirm->form) != FORM_WORD && field->length != length);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_type(struct confirm *confirm, uint32_t code_point) {
  struct bt_dialog *dialog = confirm->form.dialog;
  if (dialog->phase == BT_DIALOG_BUSY || confirm_mode(confirm) != BT_MODE_FIELD ||
      !edit_type(&dialog->items[dialog->focus].field, code_point))
    return CONFIRM_NOTHING;
  confirm->outdated = confirm->outdated || form_focused(&confirm->form) != FORM_WORD;
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_paste(struct confirm *confirm, const char *text, size_t length) {
  struct bt_dialog *dialog = confirm->form.dialog;
  struct bt_item *item = &dialog->items[dialog->focus];
  if (dialog->phase == BT_DIALOG_BUSY || item->kind != BT_ITEM_TEXT || !edit_paste(&item->field, text, length))
    return CONFIRM_NOTHING;
  confirm->outdated = true;
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
  confirm->compare = !confirm->outdated;
  return dialog->phase != BT_DIALOG_BUSY;
}

/* Whatever was about to be confirmed is not what is on show any more. */
static void step_back(struct confirm *confirm) {
  confirm->unread = true;
  clear_word(confirm);
  form_focus(&confirm->form, FORM_CANCEL);
}

static void facts_moved(struct confirm *confirm, const char *what) {
  snprintf(confirm->stale, sizeof(confirm->stale), "changed while you were looking: %s", what);
  confirm->form.dialog->stale = confirm->stale;
  step_back(confirm);
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
  if (confirm->form.fixed.verb == BT_VERB_CONTINUE && !confirm->form.fixed.session) /* the successor is minted once */
    (void)form_keep(&confirm->form, &confirm->form.fixed.session, plan->request.session);
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
  confirm->outdated = false;
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
    show_error(confirm, err);
  }
  confirm->compare = false;
  update_buttons(confirm);
}

void confirm_failed(struct confirm *confirm, const struct bt_error *err) {
  confirm->form.dialog->phase = BT_DIALOG_PLANNING;
  snprintf(confirm->failure, sizeof(confirm->failure), "%s", words_of(err));
  show_error(confirm, NULL);
  if (err->code == BT_STALE)
    facts_moved(confirm, "nothing was written");
  else
    step_back(confirm);
  confirm->compare = true;
  update_buttons(confirm);
}
