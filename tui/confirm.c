/* tui/confirm.c - the dialogs' rules. */
#include "tui/confirm.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/str.h"
#include "tui/edit.h"

#define REQUEST_BYTES_MAX ((size_t)256 * 1024)

static const struct bt_option scopes[] = {
    {"bound", "this session's own deny only"},
    {"unbound", "also foreign and broken records; needs a reason"},
};
enum { SCOPE_BOUND, SCOPE_UNBOUND };

/* ---------------------------------------------------------------- items ------------------------ */

static struct bt_item *find(const struct confirm *confirm, enum confirm_part part) {
  for (size_t i = 0; i < confirm->dialog->item_count; i++)
    if (confirm->parts[i] == part)
      return &confirm->dialog->items[i];
  return NULL;
}

static enum confirm_part focused_part(const struct confirm *confirm) {
  return confirm->parts[confirm->dialog->focus];
}

static void focus(struct confirm *confirm, enum confirm_part part) {
  for (size_t i = 0; i < confirm->dialog->item_count; i++)
    if (confirm->parts[i] == part)
      confirm->dialog->focus = i;
}

static struct bt_item *insert(struct confirm *confirm, size_t at, enum confirm_part part, enum bt_item_kind kind,
                              const char *label) {
  struct bt_dialog *dialog = confirm->dialog;
  assert(dialog->item_count < BT_DIALOG_ITEMS && at <= dialog->item_count);
  memmove(&dialog->items[at + 1], &dialog->items[at], (dialog->item_count - at) * sizeof(dialog->items[0]));
  memmove(&confirm->parts[at + 1], &confirm->parts[at], (dialog->item_count - at) * sizeof(confirm->parts[0]));
  dialog->items[at] = (struct bt_item){.kind = kind, .label = label};
  confirm->parts[at] = part;
  dialog->item_count++;
  return &dialog->items[at];
}

static struct bt_item *append(struct confirm *confirm, enum confirm_part part, enum bt_item_kind kind,
                              const char *label) {
  return insert(confirm, confirm->dialog->item_count, part, kind, label);
}

static void append_field(struct confirm *confirm, enum confirm_part part, const char *label, const char *text) {
  edit_set(&append(confirm, part, BT_ITEM_TEXT, label)->field, text);
}

/* ---------------------------------------------------------------- forms ------------------------ */

static void repair_form(struct confirm *confirm, const struct bt_snapshot *snapshot,
                        const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  const char *ticket = session->ticket_id ? session->ticket_id : snapshot->active_ticket.id;
  const char *hash = session->capture ? session->capture->actual_hash : NULL;
  if (!hash)
    hash = deny && deny->hash_bound ? deny->content_hash : session->final_ ? session->final_->content_hash : NULL;
  append_field(confirm, CONFIRM_TICKET, "ticket", ticket);
  append_field(confirm, CONFIRM_HASH, "content hash", hash);
  append_field(confirm, CONFIRM_HOST, "host", deny && deny->host ? deny->host : "local");
}

static void bypass_form(struct confirm *confirm) {
  struct bt_item *scope = append(confirm, CONFIRM_SCOPE, BT_ITEM_RADIO, "scope");
  scope->options = scopes;
  scope->option_count = sizeof(scopes) / sizeof(scopes[0]);
  append_field(confirm, CONFIRM_REASON, "reason", NULL);
}

/* The ticket is asked for only where the ledger's active one would refuse the bound one (spec/context-handoff.md 8.9). */
static void continue_form(struct confirm *confirm, const struct bt_snapshot *snapshot,
                          const struct bt_session *session) {
  const struct bt_ticket_pointer *active = &snapshot->active_ticket;
  const char *bound = session->deny ? session->deny->ticket_id : NULL;
  if (bound && (active->error || (active->id && strcmp(active->id, bound) != 0)))
    append_field(confirm, CONFIRM_TICKET, "ticket", bound);
}

static bool keep(struct confirm *confirm, const char **slot, const char *text) {
  *slot = bt_arena_strdup(confirm->arena, text);
  return *slot || !text;
}

static bool unlock_request(struct confirm *confirm, const struct bt_lock *lock) {
  struct bt_request *fixed = &confirm->fixed;
  fixed->pid_reused = lock->verdict == BT_LOCK_PID_REUSE;
  return keep(confirm, lock->kind == BT_LOCK_LEDGER ? &fixed->ledger_lock : &fixed->session, lock->name) &&
         keep(confirm, &fixed->pid, lock->pid_text) && keep(confirm, &fixed->started_at, lock->started_at) &&
         keep(confirm, &fixed->host, lock->host) && keep(confirm, &fixed->nonce, lock->nonce);
}

static bool fixed_request(struct confirm *confirm, const struct bt_session *session, const struct bt_lock *lock) {
  struct bt_request *fixed = &confirm->fixed;
  if (fixed->verb == BT_VERB_UNLOCK)
    return unlock_request(confirm, lock);
  return keep(confirm, fixed->verb == BT_VERB_CONTINUE ? &fixed->deny_session : &fixed->session, session->id);
}

bool confirm_open(struct confirm *confirm, struct bt_dialog *dialog, enum bt_verb verb,
                  const struct bt_snapshot *snapshot, const struct bt_session *session, const struct bt_lock *lock) {
  confirm_close(confirm);
  memset(dialog, 0, sizeof(*dialog));
  confirm->arena = bt_arena_new(REQUEST_BYTES_MAX);
  confirm->fixed.verb = verb;
  if (!confirm->arena || !fixed_request(confirm, session, lock) ||
      !keep(confirm, &dialog->subject, verb == BT_VERB_UNLOCK ? lock->name : session->id)) {
    bt_arena_free(confirm->arena);
    memset(confirm, 0, sizeof(*confirm));
    memset(dialog, 0, sizeof(*dialog));
    return false;
  }
  confirm->dialog = dialog;
  dialog->verb = verb;
  dialog->lock = verb == BT_VERB_UNLOCK ? lock : NULL;
  dialog->phase = BT_DIALOG_PLANNING;
  if (verb == BT_VERB_REPAIR)
    repair_form(confirm, snapshot, session);
  else if (verb == BT_VERB_BYPASS)
    bypass_form(confirm);
  else if (verb == BT_VERB_CONTINUE)
    continue_form(confirm, snapshot, session);
  append(confirm, CONFIRM_CANCEL, BT_ITEM_BUTTON, "Cancel");
  append(confirm, CONFIRM_DRY_RUN, BT_ITEM_BUTTON, "dry run")->locked = true;
  append(confirm, CONFIRM_ACT, BT_ITEM_BUTTON, bt_verb_word(verb))->locked = true;
  focus(confirm, CONFIRM_CANCEL);
  return true;
}

void confirm_close(struct confirm *confirm) {
  if (confirm->dialog)
    memset(confirm->dialog, 0, sizeof(*confirm->dialog));
  bt_plan_free(confirm->plan);
  bt_arena_free(confirm->arena);
  memset(confirm, 0, sizeof(*confirm));
}

static const char *field_text(const struct confirm *confirm, enum confirm_part part) {
  const struct bt_item *item = find(confirm, part);
  return item ? item->field.text : NULL;
}

struct bt_request confirm_request(const struct confirm *confirm) {
  struct bt_request request = confirm->fixed;
  switch (request.verb) {
  case BT_VERB_REPAIR:
    request.ticket = field_text(confirm, CONFIRM_TICKET);
    request.content_hash = field_text(confirm, CONFIRM_HASH);
    request.host = field_text(confirm, CONFIRM_HOST);
    break;
  case BT_VERB_CONTINUE:
    request.ticket = field_text(confirm, CONFIRM_TICKET);
    break;
  case BT_VERB_BYPASS:
    request.reason = field_text(confirm, CONFIRM_REASON);
    if (find(confirm, CONFIRM_SCOPE)->option == SCOPE_UNBOUND)
      request.unbound_reason = request.reason;
    break;
  default:
    break;
  }
  return request;
}

/* ---------------------------------------------------------------- what locks the button -------- */

static bool needs_word(enum bt_verb verb, const struct bt_request *request) {
  return verb == BT_VERB_CONTINUE || verb == BT_VERB_BYPASS || request->pid_reused;
}

/* Why the acting button cannot be pressed; NULL when it can. */
static const char *lock_reason(struct confirm *confirm) {
  const struct bt_plan *plan = confirm->plan;
  const char *typed = field_text(confirm, CONFIRM_WORD);
  if (confirm->dialog->phase != BT_DIALOG_READY || !plan)
    return "locked: no plan";
  if (plan->disabled)
    return plan->disabled;
  if (confirm->outdated)
    return "locked until the form is left";
  if (confirm->unread)
    return "locked: the facts changed";
  if (!plan->confirm_word)
    return needs_word(confirm->fixed.verb, &confirm->fixed) ? "locked: no word to type" : NULL;
  return typed && strcmp(typed, plan->confirm_word) == 0 ? NULL : "locked until typed";
}

static void update_buttons(struct confirm *confirm) {
  struct bt_item *act = find(confirm, CONFIRM_ACT), *dry_run = find(confirm, CONFIRM_DRY_RUN);
  const char *reason = lock_reason(confirm);
  snprintf(confirm->note, sizeof(confirm->note), "%s", reason ? reason : "");
  act->locked = reason != NULL;
  act->note = reason ? confirm->note : NULL;
  act->label = confirm->plan && confirm->plan->confirm_label ? confirm->plan->confirm_label
                                                             : bt_verb_word(confirm->fixed.verb);
  dry_run->locked = !confirm->plan || !confirm->plan->payload || confirm->outdated;
}

static void clear_word(struct confirm *confirm) {
  struct bt_item *word = find(confirm, CONFIRM_WORD);
  if (word)
    edit_clear(&word->field);
}

/* ---------------------------------------------------------------- keys ------------------------- */

enum bt_mode confirm_mode(const struct confirm *confirm) {
  enum bt_item_kind kind = confirm->dialog->items[confirm->dialog->focus].kind;
  return kind == BT_ITEM_TEXT || kind == BT_ITEM_CONFIRM ? BT_MODE_FIELD : BT_MODE_CONFIRM;
}

static enum confirm_answer move_focus(struct confirm *confirm, bool forward) {
  struct bt_dialog *dialog = confirm->dialog;
  size_t count = dialog->item_count;
  dialog->focus = (dialog->focus + (forward ? 1 : count - 1)) % count;
  confirm->unread = false;
  update_buttons(confirm);
  return confirm->outdated ? CONFIRM_PLAN : CONFIRM_CHANGED;
}

static enum confirm_answer choose(struct confirm *confirm, bool next) {
  struct bt_dialog *dialog = confirm->dialog;
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
  struct bt_item *item = &confirm->dialog->items[confirm->dialog->focus];
  switch (focused_part(confirm)) {
  case CONFIRM_CANCEL:
    return CONFIRM_LEAVE;
  case CONFIRM_DRY_RUN:
    return item->locked ? CONFIRM_NOTHING : CONFIRM_SHOW_DRY_RUN;
  case CONFIRM_ACT:
    update_buttons(confirm);
    if (item->locked)
      return CONFIRM_CHANGED;
    confirm->dialog->phase = BT_DIALOG_BUSY;
    update_buttons(confirm);
    return CONFIRM_EXECUTE;
  case CONFIRM_WORD: /* Enter alone never confirms: it only goes to the button, once that is unlocked */
    if (lock_reason(confirm))
      return CONFIRM_NOTHING;
    focus(confirm, CONFIRM_ACT);
    return CONFIRM_CHANGED;
  default:
    return move_focus(confirm, true);
  }
}

enum confirm_answer confirm_act(struct confirm *confirm, enum bt_action action) {
  struct bt_dialog *dialog = confirm->dialog;
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
  confirm->outdated = confirm->outdated || (focused_part(confirm) != CONFIRM_WORD && field->length != length);
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_type(struct confirm *confirm, uint32_t code_point) {
  struct bt_dialog *dialog = confirm->dialog;
  if (dialog->phase == BT_DIALOG_BUSY || confirm_mode(confirm) != BT_MODE_FIELD ||
      !edit_type(&dialog->items[dialog->focus].field, code_point))
    return CONFIRM_NOTHING;
  confirm->outdated = confirm->outdated || focused_part(confirm) != CONFIRM_WORD;
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

enum confirm_answer confirm_paste(struct confirm *confirm, const char *text, size_t length) {
  struct bt_dialog *dialog = confirm->dialog;
  struct bt_item *item = &dialog->items[dialog->focus];
  if (dialog->phase == BT_DIALOG_BUSY || item->kind != BT_ITEM_TEXT || !edit_paste(&item->field, text, length))
    return CONFIRM_NOTHING;
  confirm->outdated = true;
  update_buttons(confirm);
  return CONFIRM_CHANGED;
}

/* ---------------------------------------------------------------- answers ---------------------- */

bool confirm_recheck(struct confirm *confirm, const struct bt_snapshot *snapshot) {
  struct bt_dialog *dialog = confirm->dialog;
  dialog->lock = NULL; /* it was the old snapshot's */
  for (size_t i = 0; dialog->verb == BT_VERB_UNLOCK && i < snapshot->lock_count; i++)
    if (bt_text_equals(snapshot->locks[i].name, dialog->subject) &&
        (snapshot->locks[i].kind == BT_LOCK_LEDGER) == (confirm->fixed.ledger_lock != NULL))
      dialog->lock = &snapshot->locks[i];
  confirm->compare = !confirm->outdated;
  return dialog->phase != BT_DIALOG_BUSY;
}

/* Whatever was about to be confirmed is not what is on show any more. */
static void step_back(struct confirm *confirm) {
  confirm->unread = true;
  clear_word(confirm);
  focus(confirm, CONFIRM_CANCEL);
}

static void facts_moved(struct confirm *confirm, const char *what) {
  snprintf(confirm->stale, sizeof(confirm->stale), "changed while you were looking: %s", what);
  confirm->dialog->stale = confirm->stale;
  step_back(confirm);
}

static const char *words_of(const struct bt_error *err) {
  return err->message[0] ? err->message : bt_code_words(err->code);
}

/* What the last attempt failed with, and behind it why the plan would be refused now (NULL: it would not). */
static void show_error(struct confirm *confirm, const struct bt_error *refusal) {
  const char *between = confirm->failure[0] && refusal ? "; now: " : "";
  snprintf(confirm->error, sizeof(confirm->error), "%s%s%s", confirm->failure, between, refusal ? words_of(refusal) : "");
  confirm->dialog->error = confirm->error[0] ? confirm->error : NULL;
}

static void take_plan(struct confirm *confirm, struct bt_plan *plan) {
  struct bt_dialog *dialog = confirm->dialog;
  bool moved = confirm->compare && confirm->fingerprint[0] && strcmp(confirm->fingerprint, plan->fingerprint) != 0;
  bt_plan_free(confirm->plan);
  confirm->plan = plan;
  dialog->plan = plan;
  dialog->phase = BT_DIALOG_READY;
  memcpy(confirm->fingerprint, plan->fingerprint, sizeof(confirm->fingerprint));
  if (confirm->fixed.verb == BT_VERB_CONTINUE && !confirm->fixed.session) /* the successor is minted once */
    (void)keep(confirm, &confirm->fixed.session, plan->request.session);
  if (plan->confirm_word && !find(confirm, CONFIRM_WORD)) {
    size_t cancel = (size_t)(find(confirm, CONFIRM_CANCEL) - dialog->items);
    dialog->focus += dialog->focus >= cancel;
    insert(confirm, cancel, CONFIRM_WORD, BT_ITEM_CONFIRM, "Type to confirm");
  }
  if (moved)
    facts_moved(confirm, "read the plan again");
}

void confirm_planned(struct confirm *confirm, struct bt_plan *plan, const struct bt_error *err) {
  struct bt_dialog *dialog = confirm->dialog;
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
  confirm->dialog->phase = BT_DIALOG_PLANNING;
  snprintf(confirm->failure, sizeof(confirm->failure), "%s", words_of(err));
  show_error(confirm, NULL);
  if (err->code == BT_STALE)
    facts_moved(confirm, "nothing was written");
  else
    step_back(confirm);
  confirm->compare = true;
  update_buttons(confirm);
}
