/* tui/form.c - the items of each dialog, what stands in them at first, and the request they make. */
#include "tui/form.h"

#include <assert.h>
#include <string.h>

#include "core/base/arena.h"
#include "tui/edit.h"

#define REQUEST_BYTES_MAX ((size_t)256 * 1024)

static const struct bt_option scopes[] = {
    {"bound", "bound denies, and this session's own"},
    {"unbound", "also foreign and broken records; needs a reason"},
};
enum { SCOPE_BOUND, SCOPE_UNBOUND };

/* ---------------------------------------------------------------- items ------------------------ */

struct bt_item *form_find(const struct form *form, enum form_part part) {
  for (size_t i = 0; i < form->dialog->item_count; i++)
    if (form->parts[i] == part)
      return &form->dialog->items[i];
  return NULL;
}

enum form_part form_focused(const struct form *form) {
  return form->parts[form->dialog->focus];
}

void form_focus(struct form *form, enum form_part part) {
  for (size_t i = 0; i < form->dialog->item_count; i++)
    if (form->parts[i] == part)
      form->dialog->focus = i;
}

static struct bt_item *insert(struct form *form, size_t at, enum form_part part, enum bt_item_kind kind,
                              const char *label) {
  struct bt_dialog *dialog = form->dialog;
  assert(dialog->item_count < BT_DIALOG_ITEMS && at <= dialog->item_count);
  memmove(&dialog->items[at + 1], &dialog->items[at], (dialog->item_count - at) * sizeof(dialog->items[0]));
  memmove(&form->parts[at + 1], &form->parts[at], (dialog->item_count - at) * sizeof(form->parts[0]));
  dialog->items[at] = (struct bt_item){.kind = kind, .label = label};
  form->parts[at] = part;
  dialog->item_count++;
  return &dialog->items[at];
}

struct bt_item *form_add_word(struct form *form) {
  size_t cancel = (size_t)(form_find(form, FORM_CANCEL) - form->dialog->items);
  form->dialog->focus += form->dialog->focus >= cancel;
  return insert(form, cancel, FORM_WORD, BT_ITEM_CONFIRM, "Type to confirm");
}

static struct bt_item *append(struct form *form, enum form_part part, enum bt_item_kind kind, const char *label) {
  return insert(form, form->dialog->item_count, part, kind, label);
}

static void append_field(struct form *form, enum form_part part, const char *label, const char *text) {
  edit_set(&append(form, part, BT_ITEM_TEXT, label)->field, text);
}

/* ---------------------------------------------------------------- forms ------------------------ */

static void repair_form(struct form *form, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  const char *ticket = session->ticket_id ? session->ticket_id : snapshot->active_ticket.id;
  const char *hash = session->capture ? session->capture->actual_hash : NULL;
  if (!hash)
    hash = deny && deny->hash_bound ? deny->content_hash : session->final_ ? session->final_->content_hash : NULL;
  append_field(form, FORM_TICKET, "ticket", ticket);
  append_field(form, FORM_HASH, "content hash", hash);
  append_field(form, FORM_HOST, "host", deny && deny->host ? deny->host : "local");
}

static void bypass_form(struct form *form) {
  struct bt_item *scope = append(form, FORM_SCOPE, BT_ITEM_RADIO, "scope");
  scope->options = scopes;
  scope->option_count = sizeof(scopes) / sizeof(scopes[0]);
  append_field(form, FORM_REASON, "reason", NULL);
}

/* The ticket is asked for only where the ledger's active one would refuse the bound one (spec/context-handoff.md 8.9).
 */
static void continue_form(struct form *form, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_ticket_pointer *active = &snapshot->active_ticket;
  const char *bound = session->deny ? session->deny->ticket_id : NULL;
  if (bound && (active->error || (active->id && strcmp(active->id, bound) != 0)))
    append_field(form, FORM_TICKET, "ticket", bound);
  /* An unread brief goes on only with a reason, which the action log keeps (dashboard.md row 61). */
  const struct bt_capture *brief = session->capture;
  if (brief && brief->actual_hash && !brief->reviewed)
    append_field(form, FORM_REASON, "brief not read: why go on", NULL);
}

bool form_keep(struct form *form, const char **slot, const char *text) {
  *slot = bt_arena_strdup(form->arena, text);
  return *slot || !text;
}

static bool unlock_request(struct form *form, const struct bt_lock *lock) {
  struct bt_request *fixed = &form->fixed;
  fixed->pid_reused = lock->verdict == BT_LOCK_PID_REUSE;
  return form_keep(form, lock->kind == BT_LOCK_LEDGER ? &fixed->ledger_lock : &fixed->session, lock->name) &&
         form_keep(form, &fixed->pid, lock->pid_text) && form_keep(form, &fixed->started_at, lock->started_at) &&
         form_keep(form, &fixed->host, lock->host) && form_keep(form, &fixed->nonce, lock->nonce);
}

/* The transcript whose last words go into the brief; only Claude Code's have such words (spec/transcripts.md 8). */
static const char *last_words_of(const struct bt_session *session) {
  bool usable =
      session->transcript && session->transcript->harness == BT_HARNESS_CLAUDE && !session->transcript_problem;
  return usable ? session->transcript_path : NULL;
}

static bool fixed_request(struct form *form, const struct bt_session *session, const struct bt_lock *lock) {
  struct bt_request *fixed = &form->fixed;
  if (fixed->verb == BT_VERB_UNLOCK)
    return unlock_request(form, lock);
  if (fixed->verb == BT_VERB_UNDO)
    return true;
  if (fixed->verb != BT_VERB_CONTINUE)
    return form_keep(form, &fixed->session, session->id);
  return form_keep(form, &fixed->deny_session, session->id) &&
         form_keep(form, &fixed->capture_from, last_words_of(session));
}

static const char *subject_of(enum bt_verb verb, const struct bt_session *session, const struct bt_lock *lock) {
  if (verb == BT_VERB_UNDO)
    return "the last unlock";
  return verb == BT_VERB_UNLOCK ? lock->name : session->id;
}

bool form_open(struct form *form, struct bt_dialog *dialog, enum bt_verb verb, const struct bt_snapshot *snapshot,
               const struct bt_session *session, const struct bt_lock *lock) {
  form_close(form);
  memset(dialog, 0, sizeof(*dialog));
  form->arena = bt_arena_new(REQUEST_BYTES_MAX);
  form->fixed.verb = verb;
  if (!form->arena || !fixed_request(form, session, lock) ||
      !form_keep(form, &dialog->subject, subject_of(verb, session, lock))) {
    bt_arena_free(form->arena);
    memset(form, 0, sizeof(*form));
    memset(dialog, 0, sizeof(*dialog));
    return false;
  }
  form->dialog = dialog;
  dialog->verb = verb;
  dialog->lock = verb == BT_VERB_UNLOCK ? lock : NULL;
  dialog->phase = BT_DIALOG_PLANNING;
  if (verb == BT_VERB_REPAIR)
    repair_form(form, snapshot, session);
  else if (verb == BT_VERB_BYPASS)
    bypass_form(form);
  else if (verb == BT_VERB_CONTINUE)
    continue_form(form, snapshot, session);
  append(form, FORM_CANCEL, BT_ITEM_BUTTON, "Cancel");
  append(form, FORM_DRY_RUN, BT_ITEM_BUTTON, "dry run")->locked = true;
  append(form, FORM_ACT, BT_ITEM_BUTTON, bt_verb_word(verb))->locked = true;
  form_focus(form, FORM_CANCEL);
  return true;
}

void form_close(struct form *form) {
  if (form->dialog)
    memset(form->dialog, 0, sizeof(*form->dialog));
  bt_arena_free(form->arena);
  memset(form, 0, sizeof(*form));
}

const char *form_text(const struct form *form, enum form_part part) {
  const struct bt_item *item = form_find(form, part);
  return item ? item->field.text : NULL;
}

struct bt_request form_request(const struct form *form) {
  struct bt_request request = form->fixed;
  switch (request.verb) {
  case BT_VERB_REPAIR:
    request.ticket = form_text(form, FORM_TICKET);
    request.content_hash = form_text(form, FORM_HASH);
    request.host = form_text(form, FORM_HOST);
    break;
  case BT_VERB_CONTINUE:
    request.ticket = form_text(form, FORM_TICKET);
    request.reason = form_text(form, FORM_REASON);
    break;
  case BT_VERB_BYPASS:
    request.reason = form_text(form, FORM_REASON);
    if (form_find(form, FORM_SCOPE)->option == SCOPE_UNBOUND)
      request.unbound_reason = request.reason;
    break;
  default:
    break;
  }
  return request;
}
