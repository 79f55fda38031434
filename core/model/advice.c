/* core/model/advice.c - the safest next step for a session, and what else is possible.
 *
 * Steps are added from the safest to the least safe; the first becomes `next`. */
#include <stdarg.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/model/explain.h"
#include "core/model/id.h"
#include "core/model/triage.h"

#define STEP_MAX 5 /* next and four others */

struct step_list {
  struct bt_arena *arena;
  const struct bt_snapshot *snapshot;
  const char *lock_note; /* the session's lock stops every verb that takes it; NULL */
  struct bt_next_step items[STEP_MAX];
  size_t count;
  bool failed;
};

static void add(struct step_list *list, enum bt_verb verb, const char *fmt, ...) BT_PRINTF(3, 4);

static void add(struct step_list *list, enum bt_verb verb, const char *fmt, ...) {
  va_list args;
  if (list->failed || list->count == STEP_MAX)
    return;
  struct bt_next_step *step = &list->items[list->count];
  step->verb = verb;
  va_start(args, fmt);
  step->text = bt_words_vprintf(list->arena, fmt, args);
  va_end(args);
  step->blocked_by = bt_snapshot_verb_blocked(list->snapshot, verb);
  bool takes_lock = verb != BT_VERB_NONE && verb != BT_VERB_UNLOCK && verb != BT_VERB_BYPASS;
  if (!step->blocked_by && takes_lock)
    step->blocked_by = list->lock_note;
  if (step->text)
    list->count++;
  else
    list->failed = true;
}

/* The lock comes first: what is held stops write, repair, resume and continue (spec 7). A dead local lock does not:
 * they take it over, but an operator should have seen that it is dead. */
static void advise_lock(struct step_list *list, const struct bt_lock *lock) {
  if (!lock)
    return;
  switch (lock->verdict) {
  case BT_LOCK_STALE:
    if (bt_lock_names_process(lock))
      add(list, BT_VERB_UNLOCK, "unlock: remove the lock of pid %s, which is gone", lock->pid_text);
    else
      add(list, BT_VERB_NONE, "look: the lock names no process; the next write, repair or continue takes it over");
    break;
  case BT_LOCK_PID_REUSE:
    list->lock_note = "its lock names a pid that is in use again";
    add(list, BT_VERB_UNLOCK, "unlock, accepting that pid %s is another process now", lock->pid_text);
    break;
  case BT_LOCK_FOREIGN:
    list->lock_note = "its lock belongs to another host";
    add(list, BT_VERB_NONE, "look from %s: only that host can tell whether its lock is held", lock->host);
    break;
  case BT_LOCK_UNREADABLE:
    list->lock_note = "its lock cannot be read";
    add(list, BT_VERB_NONE, "by hand: when nobody works on it, remove %s, which cannot be read", lock->path);
    break;
  case BT_LOCK_LIVE:
    list->lock_note = "its lock is held";
    add(list, BT_VERB_NONE, "wait: %s%spid %s holds the lock", lock->process_name ? lock->process_name : "",
        lock->process_name ? " " : "", lock->pid_text);
    break;
  default:
    list->lock_note = "whether its lock is held cannot be proved";
    add(list, BT_VERB_NONE, "look: whether the lock is held cannot be proved from here");
    break;
  }
}

static void advise_invalid(struct step_list *list, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  if (!bt_text_equals(deny->reason, "missing_registered_marker") && list->snapshot->store.unavailable) {
    add(list, BT_VERB_NONE, "by hand: put handoffs/denies back as it was (%s)", deny->reason);
    return;
  }
  bool replaced = bt_text_equals(deny->reason, "corrupt_json") || bt_text_equals(deny->reason, "invalid_shape");
  if (replaced) {
    add(list, BT_VERB_NONE, "by hand: look at %s and put a sound copy back", deny->path);
    add(list, BT_VERB_WRITE, "write: moves the broken record into quarantine and opens a fresh one");
  } else if (bt_text_equals(deny->reason, "missing_registered_marker")) {
    add(list, BT_VERB_NONE, "by hand: put %s back from a copy", deny->path);
    add(list, BT_VERB_WRITE, "write: opens a fresh record in place of the lost one");
  } else {
    add(list, BT_VERB_NONE, "by hand: correct or move %s; no verb touches it as it is", deny->path);
  }
}

/* A brief that is not what was recorded is looked at before anything builds on it. */
static bool advise_brief(struct step_list *list, const struct bt_session *session) {
  const struct bt_capture *brief = session->capture;
  if (!brief)
    return false;
  switch (brief->status) {
  case BT_BRIEF_TAMPERED:
    add(list, BT_VERB_NONE, "look: read %s, it is not the text that was recorded", brief->path);
    return true;
  case BT_BRIEF_MISSING:
    add(list, BT_VERB_NONE, "look: put %s back, or go on without what it said", brief->path);
    return true;
  case BT_BRIEF_OVERSIZE:
  case BT_BRIEF_UNREADABLE:
    add(list, BT_VERB_NONE, "by hand: look at %s (%s)", brief->path, brief->error ? brief->error : "unreadable");
    return true;
  default:
    return false;
  }
}

static bool final_usable(const struct bt_session *session) {
  return session->final_ && !session->final_->error && bt_bind_is_bound(session->final_->content_hash);
}

/* Somebody was authorised and the deny never flipped: the same resume completes it. */
static bool interrupted(const struct bt_session *session) {
  const struct bt_auth *auth = session->successor;
  return auth && auth->signature != BT_SIG_INVALID && final_usable(session) &&
         bt_text_equals(auth->ticket_id, session->deny->ticket_id) &&
         bt_text_equals(auth->content_hash, session->deny->content_hash);
}

static void advise_continue(struct step_list *list, const struct bt_session *session) {
  const struct bt_ticket_pointer *active = &list->snapshot->active_ticket;
  bool ask = active->error || (active->id && !bt_text_equals(active->id, session->ticket_id));
  bool verified = session->capture && session->capture->status == BT_BRIEF_VERIFIED;
  if (!bt_id_is_prompt_safe(session->id) || !bt_id_is_prompt_safe(session->ticket_id)) {
    if (final_usable(session))
      add(list, BT_VERB_RESUME, "resume: into an existing session (%s cannot stand in a prompt, so continue refuses)",
          bt_id_is_prompt_safe(session->id) ? "the ticket" : "the id");
    else
      add(list, BT_VERB_WRITE, "write --ticket %s, then resume: %s cannot stand in a prompt, so continue refuses",
          session->ticket_id, bt_id_is_prompt_safe(session->id) ? "the ticket" : "the id");
    return;
  }
  add(list, BT_VERB_CONTINUE, "continue%s%s: hand this work to one new session (%s, ticket %s bound)",
      ask ? " --ticket " : "", ask ? session->ticket_id : "",
      verified ? "brief verified, and composed anew" : "the brief is composed anew", session->ticket_id);
}

static void advise_open(struct step_list *list, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  bool looked = advise_brief(list, session);
  if (!deny->plain_binds) {
    add(list, BT_VERB_WRITE, "write%s%s: its bind fields are stored in a form that no other verb accepts",
        session->ticket_id ? " --ticket " : "", session->ticket_id ? session->ticket_id : "");
    return;
  }
  if (!deny->ticket_bound) {
    add(list, BT_VERB_REPAIR, "repair: bind a ticket and a content hash to the open deny, then continue");
    return;
  }
  if (interrupted(session) && !looked)
    add(list, BT_VERB_RESUME, "resume into %s again: it was authorised, but the deny was never consumed",
        session->successor->consumer_session_id);
  advise_continue(list, session);
  if (looked && session->capture->status == BT_BRIEF_TAMPERED)
    add(list, BT_VERB_REPAIR, "repair: accept the brief as it is now, by binding its hash");
}

static void advise_consumed(struct step_list *list, const struct bt_session *session) {
  if (bt_session_brief_faulty(session)) {
    if (!advise_brief(list, session))
      add(list, BT_VERB_NONE, "by hand: look at %s; it lacks the hash of its brief", session->deny->path);
    return;
  }
  add(list, BT_VERB_NONE, "nothing to do: the work went to %s",
      session->deny->consumed_by ? session->deny->consumed_by : "a successor");
}

static void advise_free(struct step_list *list, const struct bt_session *session) {
  const struct bt_auth *auth = session->auth;
  if (auth && auth->signature == BT_SIG_INVALID) {
    add(list, BT_VERB_NONE, "look: the signature of %s does not verify with this key", auth->path);
  } else if (session->state == BT_STATE_READY && session->auth_deny->status == BT_DENY_CONSUMED) {
    add(list, BT_VERB_NONE, "start it: it may go on with the work of %s", auth->deny_session_id);
  } else if (session->state == BT_STATE_READY) {
    add(list, BT_VERB_RESUME, "resume it for %s again: it was authorised, but that deny was never consumed",
        auth->deny_session_id);
  } else if (advise_brief(list, session)) {
    return;
  } else if (session->context.band >= BT_BAND_HANDOFF && session->state == BT_STATE_WARN) {
    add(list, BT_VERB_NONE, "let it finish what it is doing: its context is at %s",
        bt_band_word(session->context.band));
  }
}

/* A grant gets one call past records, not past a brief that does not verify: there it is spent for nothing (6.8). */
static void advise_bypass(struct step_list *list, const struct bt_session *session) {
  const struct bt_snapshot *snapshot = list->snapshot;
  bool own_unbound = session->deny && session->deny->status == BT_DENY_OPEN && bt_session_unbound(session);
  bool needs_reason = snapshot->unbound_count > (own_unbound ? 1u : 0u);
  if (snapshot->refusing_count == 0 || session->state == BT_STATE_DONE || session->state == BT_STATE_STALE_LOCK ||
      session->state == BT_STATE_FOREIGN)
    return;
  if (list->count == 0)
    add(list, BT_VERB_NONE, "nothing here: other records refuse its changes, see the blocked sessions");
  size_t before = list->count;
  add(list, BT_VERB_BYPASS, "one-shot bypass%s: spent by the next gated call, whatever it is, even `pwd`",
      needs_reason ? " (unbound, with a reason)" : "");
  if (list->count > before && !list->items[before].blocked_by && snapshot->faulty_brief_count > 0)
    list->items[before].blocked_by = "in vain while a brief does not verify: the grant would be spent for nothing";
}

bool bt_advise_session(struct bt_arena *arena, const struct bt_snapshot *snapshot, struct bt_session *session) {
  struct step_list list = {.arena = arena, .snapshot = snapshot};
  const struct bt_deny *deny = session->deny;
  advise_lock(&list, session->lock);
  if (deny && deny->status == BT_DENY_INVALID)
    advise_invalid(&list, session);
  else if (deny && deny->status == BT_DENY_OPEN)
    advise_open(&list, session);
  else if (deny)
    advise_consumed(&list, session);
  else
    advise_free(&list, session);
  advise_bypass(&list, session);
  if (list.count == 0)
    add(&list, BT_VERB_NONE, "nothing to do");
  if (list.failed)
    return false;
  session->next = list.items[0];
  session->other_count = list.count - 1;
  for (size_t i = 1; i < list.count; i++)
    session->others[i - 1] = list.items[i];
  return true;
}
