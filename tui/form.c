/* tui/form.c - the items of each dialog, what stands in them at first, and the request they make. */
#include "tui/form.h"

#include <assert.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/records/locate.h"
#include "tui/edit.h"

#define REQUEST_BYTES_MAX ((size_t)256 * 1024)

static const struct bt_option endings[] = {
    {"closed", "nothing opens it again"},
    {"kept open", "it can be resumed once somebody allows it"},
};
enum { ENDING_CLOSED, ENDING_OPEN };

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

enum { EVERY_STEP = (1 << BT_STEP_COUNT) - 1 };

static void show_items(struct form *form) {
  struct bt_dialog *dialog = form->dialog;
  for (size_t i = 0; dialog->wizard && i < dialog->item_count; i++)
    dialog->items[i].hidden = !(form->steps[i] & 1u << dialog->step);
}

void form_show_step(struct form *form) {
  show_items(form);
  form_focus(form, FORM_CANCEL);
}

static unsigned steps_of(enum form_part part) {
  switch (part) {
  case FORM_TICKET:
  case FORM_REPAIR:
    return 1u << BT_STEP_TICKET;
  case FORM_SUCCESSOR:
    return 1u << BT_STEP_SUCCESSOR;
  case FORM_REASON:
    return 1u << BT_STEP_BRIEF;
  case FORM_BACK:
    return 1u << BT_STEP_BRIEF | 1u << BT_STEP_TICKET | 1u << BT_STEP_SUCCESSOR;
  case FORM_NEXT:
    return EVERY_STEP & ~(1u << BT_STEP_CONFIRM);
  case FORM_WORD:
  case FORM_DRY_RUN:
  case FORM_ACT:
    return 1u << BT_STEP_CONFIRM;
  default:
    return EVERY_STEP;
  }
}

void form_hide(struct form *form, enum form_part part, bool hidden) {
  for (size_t i = 0; i < form->dialog->item_count; i++)
    if (form->parts[i] == part)
      form->steps[i] = hidden ? 0 : steps_of(part);
  show_items(form);
  if (form->dialog->items[form->dialog->focus].hidden)
    form_focus(form, FORM_CANCEL);
}

static struct bt_item *insert(struct form *form, size_t at, enum form_part part, enum bt_item_kind kind,
                              const char *label) {
  struct bt_dialog *dialog = form->dialog;
  size_t behind = dialog->item_count - at;
  assert(dialog->item_count < BT_DIALOG_ITEMS && at <= dialog->item_count);
  memmove(&dialog->items[at + 1], &dialog->items[at], behind * sizeof(dialog->items[0]));
  memmove(&form->parts[at + 1], &form->parts[at], behind * sizeof(form->parts[0]));
  memmove(&form->steps[at + 1], &form->steps[at], behind * sizeof(form->steps[0]));
  dialog->items[at] = (struct bt_item){.kind = kind, .label = label};
  form->parts[at] = part;
  form->steps[at] = steps_of(part);
  dialog->item_count++;
  return &dialog->items[at];
}

struct bt_item *form_add_word(struct form *form) {
  size_t cancel = (size_t)(form_find(form, FORM_CANCEL) - form->dialog->items);
  form->dialog->focus += form->dialog->focus >= cancel;
  insert(form, cancel, FORM_WORD, BT_ITEM_CONFIRM, "Type to confirm");
  show_items(form);
  return &form->dialog->items[cancel];
}

static struct bt_item *append(struct form *form, enum form_part part, enum bt_item_kind kind, const char *label) {
  return insert(form, form->dialog->item_count, part, kind, label);
}

static struct bt_item *append_field(struct form *form, enum form_part part, const char *label, const char *text) {
  struct bt_item *item = append(form, part, BT_ITEM_TEXT, label);
  edit_set(&item->field, text);
  return item;
}

/* ---------------------------------------------------------------- forms ------------------------ */

/* The tickets of the ledger's own store, to choose from; another one may be typed. Without memory there are none. */
static void offer_tickets(struct form *form, struct bt_item *item, const struct bt_snapshot *snapshot) {
  size_t count = snapshot->ticket_count;
  struct bt_option *options = count ? BT_ARENA_ARRAY(form->arena, struct bt_option, count) : NULL;
  for (size_t i = 0; options && i < count; i++) {
    options[i].text = bt_arena_strdup(form->arena, snapshot->tickets[i].id);
    options[i].note = bt_arena_strdup(form->arena, snapshot->tickets[i].title);
    if (!options[i].text || !options[i].note)
      return;
  }
  item->options = options;
  item->option_count = options ? count : 0;
}

static void repair_form(struct form *form, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  const char *ticket = session->ticket_id ? session->ticket_id : snapshot->active_ticket.id;
  const char *hash = session->capture ? session->capture->actual_hash : NULL;
  if (!hash)
    hash = deny && deny->hash_bound ? deny->content_hash : session->final_ ? session->final_->content_hash : NULL;
  offer_tickets(form, append_field(form, FORM_TICKET, "ticket", ticket), snapshot);
  append_field(form, FORM_HASH, "content hash", hash);
  append_field(form, FORM_HOST, "host", deny && deny->host ? deny->host : "local");
  append_field(form, FORM_REASON, "why (logged)", NULL);
}

static void bypass_form(struct form *form) {
  struct bt_item *scope = append(form, FORM_SCOPE, BT_ITEM_RADIO, "scope");
  scope->options = scopes;
  scope->option_count = sizeof(scopes) / sizeof(scopes[0]);
  append_field(form, FORM_REASON, "reason", NULL);
}

/* The ticket is asked for only where the ledger's active one would refuse the bound one (spec/context-handoff.md 8.9);
 * where none is bound, only repair helps. */
static void look_at_ticket(struct form *form, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_ticket_pointer *active = &snapshot->active_ticket;
  const char *bound = session->deny && session->deny->ticket_bound ? session->deny->ticket_id : NULL;
  form->dialog->unbound = !bound;
  form->dialog->ticket_asked = bound && (active->error || (active->id && strcmp(active->id, bound) != 0));
  form_hide(form, FORM_TICKET, !form->dialog->ticket_asked);
  form_hide(form, FORM_REPAIR, bound != NULL);
}

/* The transcript whose last words go into the brief; only Claude Code's have such words (spec/transcripts.md 8). */
static const char *last_words_of(const struct bt_session *session) {
  bool usable =
      session->transcript && session->transcript->harness == BT_HARNESS_CLAUDE && !session->transcript_problem;
  return usable ? session->transcript_path : NULL;
}

void form_recheck(struct form *form, const struct bt_snapshot *snapshot) {
  const struct bt_session *session = form->dialog->wizard ? bt_snapshot_session(snapshot, form->dialog->subject) : NULL;
  struct bt_item *ticket = form_find(form, FORM_TICKET);
  if (session)
    look_at_ticket(form, snapshot, session);
  if (session && form->fixed.verb == BT_VERB_CONTINUE &&
      !form->fixed.capture_from) /* transcripts come after the list */
    (void)form_keep(form, &form->fixed.capture_from, last_words_of(session));
  if (ticket && ticket->option_count == 0) /* the first look at the ledger leaves the ticket store out */
    offer_tickets(form, ticket, snapshot);
}

/* An unread brief goes on only with a reason, which the action log keeps (dashboard.md row 61). */
static void continue_form(struct form *form, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const char *bound = session->deny && session->deny->ticket_bound ? session->deny->ticket_id : NULL;
  form->dialog->wizard = true;
  offer_tickets(form, append_field(form, FORM_TICKET, "ticket", bound), snapshot);
  append_field(form, FORM_SUCCESSOR, "successor", NULL);
  append_field(form, FORM_REASON, "not read: why", NULL);
}

bool form_keep(struct form *form, const char **slot, const char *text) {
  *slot = bt_arena_strdup(form->arena, text);
  return *slot || !text;
}

static bool fixed_request(struct form *form, const struct bt_session *session, const struct bt_lock *lock) {
  struct bt_request *fixed = &form->fixed;
  if (fixed->verb == BT_VERB_UNLOCK)
    return bt_request_unlock(fixed, form->arena, lock);
  if (fixed->verb == BT_VERB_UNDO)
    return true;
  if (fixed->verb == BT_VERB_RECORD)
    return form_keep(form, &fixed->session, session->id) &&
           form_keep(form, &fixed->transcript, session->transcript_path) &&
           form_keep(form, &fixed->harness, bt_locate_label(session->transcript->harness));
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
  if (dialog->wizard) {
    append(form, FORM_BACK, BT_ITEM_BUTTON, "< back");
    append(form, FORM_NEXT, BT_ITEM_BUTTON, "next >");
    append(form, FORM_REPAIR, BT_ITEM_BUTTON, "repair");
  }
  append(form, FORM_DRY_RUN, BT_ITEM_BUTTON, "dry run")->locked = true;
  append(form, FORM_ACT, BT_ITEM_BUTTON, bt_verb_word(verb))->locked = true;
  if (dialog->wizard)
    look_at_ticket(form, snapshot, session);
  form_show_step(form);
  return true;
}

bool form_open_request(struct form *form, struct bt_dialog *dialog, const struct bt_request *request,
                       const char *subject) {
  form_close(form);
  memset(dialog, 0, sizeof(*dialog));
  form->arena = bt_arena_new(REQUEST_BYTES_MAX + (request->pr_state ? strlen(request->pr_state) + 1 : 0));
  form->fixed = *request;
  if (!form->arena || !form_keep(form, &form->fixed.session, request->session) ||
      !form_keep(form, &form->fixed.tree, request->tree) ||
      !form_keep(form, &form->fixed.pr_state, request->pr_state) || !form_keep(form, &dialog->subject, subject)) {
    bt_arena_free(form->arena);
    memset(form, 0, sizeof(*form));
    memset(dialog, 0, sizeof(*dialog));
    return false;
  }
  form->dialog = dialog;
  dialog->verb = request->verb;
  dialog->phase = BT_DIALOG_PLANNING;
  if (request->verb == BT_VERB_STOP) {
    struct bt_item *ending = append(form, FORM_KEEP_OPEN, BT_ITEM_RADIO, "the record is");
    ending->options = endings;
    ending->option_count = sizeof(endings) / sizeof(endings[0]);
    append_field(form, FORM_REASON, "what stopped it", NULL);
  }
  append(form, FORM_CANCEL, BT_ITEM_BUTTON, "Cancel");
  append(form, FORM_DRY_RUN, BT_ITEM_BUTTON, "dry run")->locked = true;
  append(form, FORM_ACT, BT_ITEM_BUTTON, bt_verb_word(request->verb))->locked = true;
  form_show_step(form);
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

bool form_blank(const struct form *form, enum form_part part) {
  const char *text = form_text(form, part);
  return !text || !text[strspn(text, " ")];
}

static const char *unless_blank(const struct form *form, enum form_part part) {
  return form_blank(form, part) ? NULL : form_text(form, part);
}

struct bt_request form_request(const struct form *form) {
  struct bt_request request = form->fixed;
  switch (request.verb) {
  case BT_VERB_REPAIR:
    request.ticket = form_text(form, FORM_TICKET);
    request.content_hash = unless_blank(form, FORM_HASH);
    request.own_hash = true;
    request.host = form_text(form, FORM_HOST);
    request.reason = unless_blank(form, FORM_REASON);
    break;
  case BT_VERB_CONTINUE:
    request.ticket = form->dialog->ticket_asked ? form_text(form, FORM_TICKET) : NULL;
    request.session = unless_blank(form, FORM_SUCCESSOR); /* NULL: one is minted */
    request.reason = unless_blank(form, FORM_REASON);
    break;
  case BT_VERB_STOP:
    request.detail = form_text(form, FORM_REASON);
    request.resumable = form_find(form, FORM_KEEP_OPEN)->option == ENDING_OPEN;
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
