/* core/store/load_join.c - hangs every record on its session and gives words to all of it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/explain.h"
#include "core/model/id.h"
#include "core/model/triage.h"
#include "core/store/deny.h"
#include "core/store/evidence.h"
#include "core/store/load.h"
#include "core/store/loading.h"
#include "core/store/tickets.h"

static struct bt_joint *joints_of(const struct bt_loading *load) {
  return load->sessions.items;
}

/* The better of two authorizations for one denied session: rightly signed first, then the newer one. */
static const struct bt_auth *better(const struct bt_auth *a, const struct bt_auth *b) {
  if (!a || !b)
    return a ? a : b;
  if (a->signature != b->signature)
    return a->signature == BT_SIG_VERIFIED || b->signature == BT_SIG_INVALID ? a : b;
  return b->written_at_ms > a->written_at_ms ? b : a;
}

static bool freeze(struct bt_loading *load, struct bt_deny **denies) {
  struct bt_snapshot *snapshot = load->snapshot;
  struct bt_lock *locks = bt_list_freeze(&load->locks, sizeof(struct bt_lock), load->arena);
  *denies = bt_list_freeze(&load->denies, sizeof(struct bt_deny), load->arena);
  snapshot->denies = *denies;
  snapshot->deny_count = load->denies.count;
  snapshot->locks = locks;
  snapshot->lock_count = load->locks.count;
  snapshot->auths = bt_list_freeze(&load->auths, sizeof(struct bt_auth), load->arena);
  snapshot->auth_count = load->auths.count;
  snapshot->grants = bt_list_freeze(&load->grants, sizeof(struct bt_grant), load->arena);
  snapshot->grant_count = load->grants.count;
  if (!snapshot->denies || !locks || !snapshot->auths || !snapshot->grants)
    return false;
  qsort(locks, load->locks.count, sizeof(*locks), bt_lock_compare);
  for (size_t i = 0; i < load->locks.count; i++)
    snapshot->lock_counts[locks[i].verdict]++;
  return true;
}

static void hang_records(struct bt_loading *load) {
  const struct bt_snapshot *snapshot = load->snapshot;
  struct bt_joint *joint;
  for (size_t i = 0; i < snapshot->deny_count; i++)
    if ((joint = bt_loading_find(load, snapshot->denies[i].session_id)))
      joint->session.deny = &snapshot->denies[i];
  for (size_t i = 0; i < snapshot->lock_count; i++)
    if (snapshot->locks[i].kind == BT_LOCK_SESSION && (joint = bt_loading_find(load, snapshot->locks[i].name)))
      joint->session.lock = &snapshot->locks[i];
  for (size_t i = 0; i < snapshot->grant_count; i++)
    if ((joint = bt_loading_find(load, snapshot->grants[i].session_id)))
      joint->session.grant = &snapshot->grants[i];
  for (size_t i = 0; i < snapshot->auth_count; i++) {
    const struct bt_auth *auth = &snapshot->auths[i];
    struct bt_joint *denied = bt_loading_find(load, auth->deny_session_id);
    if (denied)
      denied->session.successor = better(denied->session.successor, auth);
    if ((joint = bt_loading_find(load, auth->consumer_session_id))) {
      joint->session.auth = auth;
      joint->session.auth_deny = denied ? denied->session.deny : NULL;
    }
  }
}

static void classify_denies(struct bt_loading *load, struct bt_deny *denies) {
  for (size_t i = 0; i < load->snapshot->deny_count; i++) {
    const struct bt_joint *joint = bt_loading_find(load, denies[i].session_id);
    const struct bt_capture *capture = joint ? joint->session.capture : NULL;
    bool there = capture && capture->status != BT_BRIEF_NONE && capture->status != BT_BRIEF_MISSING;
    denies[i].class_ = bt_deny_classify(&denies[i], there, load->snapshot->taken_at_ms);
  }
}

/* Entries of the tail, newest last, gathered for each session that they name. */
static enum bt_code hang_evidence(struct bt_loading *load) {
  const struct bt_evidence_summary *evidence = &load->snapshot->evidence;
  for (size_t i = 0; i < evidence->tail_count; i++) {
    const char *id = evidence->tail[i].session_id;
    if (!bt_id_is_safe(id))
      continue;
    struct bt_joint *joint = bt_loading_session(load, id);
    if (!joint)
      return bt_loading_no_memory(load);
    if (joint->session.evidence)
      continue;
    struct bt_evidence *entries = BT_ARENA_ARRAY(load->arena, struct bt_evidence, evidence->tail_count - i);
    if (!entries)
      return bt_loading_no_memory(load);
    for (size_t k = i; k < evidence->tail_count; k++)
      if (bt_text_equals(evidence->tail[k].session_id, id))
        entries[joint->session.evidence_count++] = evidence->tail[k];
    joint->session.evidence = entries;
  }
  return BT_OK;
}

static const char *ticket_of(const struct bt_session *session) {
  if (session->deny && session->deny->ticket_bound)
    return session->deny->ticket_id;
  if (session->final_ && bt_bind_is_bound(session->final_->ticket_id))
    return session->final_->ticket_id;
  if (session->auth && bt_bind_is_bound(session->auth->ticket_id))
    return session->auth->ticket_id;
  for (size_t i = session->evidence_count; i > 0; i--)
    if (bt_bind_is_bound(session->evidence[i - 1].ticket))
      return session->evidence[i - 1].ticket;
  return NULL;
}

static const char *harness_of(const struct bt_session *session) {
  static const char *const known[] = {"claude", "codex", "opencode", "pi"};
  const char *host = session->deny && session->deny->host       ? session->deny->host
                     : session->final_ && session->final_->host ? session->final_->host
                                                                : NULL;
  for (size_t i = 0; host && i < sizeof(known) / sizeof(*known); i++) {
    size_t length = strlen(known[i]);
    if (strncmp(host, known[i], length) == 0 && (host[length] == '\0' || host[length] == '-'))
      return known[i];
  }
  return NULL;
}

/* What a dialog lets one choose from. */
static bool keep_tickets(struct bt_loading *load, const struct bt_tickets *tickets) {
  size_t count = bt_tickets_count(tickets);
  if (count > BT_KNOWN_TICKETS_MAX)
    count = BT_KNOWN_TICKETS_MAX;
  struct bt_known_ticket *known = count ? BT_ARENA_ARRAY(load->arena, struct bt_known_ticket, count) : NULL;
  for (size_t i = 0; known && i < count; i++) {
    const char *title, *id = bt_tickets_at(tickets, i, &title);
    known[i] = (struct bt_known_ticket){bt_arena_strdup(load->arena, id), bt_arena_strdup(load->arena, title)};
    if (!known[i].id || !known[i].title)
      return false;
  }
  load->snapshot->tickets = known;
  load->snapshot->ticket_count = known ? count : 0;
  return known || !count;
}

static enum bt_code name_tickets(struct bt_loading *load) {
  struct bt_tickets *tickets = NULL;
  struct bt_error why = {0};
  enum bt_code code = bt_ticket_active(load->env, load->dir, load->arena, &load->snapshot->active_ticket, load->err);
  if (code == BT_OK && (load->flags & BT_LOAD_TICKETS)) {
    enum bt_code loaded = bt_tickets_load(load->env, load->dir, &tickets, &why);
    if (loaded == BT_CORRUPT)
      load->snapshot->tickets_error = bt_arena_printf(load->arena, "%s: %s", why.subject, why.message);
    if (loaded == BT_NOMEM || (loaded == BT_CORRUPT && !load->snapshot->tickets_error))
      code = bt_loading_no_memory(load);
  }
  if (code == BT_OK && !keep_tickets(load, tickets))
    code = bt_loading_no_memory(load);
  for (size_t i = 0; i < load->sessions.count && code == BT_OK; i++) {
    struct bt_session *session = &joints_of(load)[i].session;
    session->ticket_id = ticket_of(session);
    session->harness = harness_of(session);
    const char *title = bt_tickets_title(tickets, session->ticket_id);
    session->ticket_title = bt_arena_strdup(load->arena, title);
    if (title && !session->ticket_title)
      code = bt_loading_no_memory(load);
  }
  bt_tickets_free(tickets);
  return code;
}

/* A lock of the manifest that is not just being held for a moment stops every signed verb (spec 12.1). */
static enum bt_code note_ledger_lock(struct bt_loading *load) {
  struct bt_snapshot *snapshot = load->snapshot;
  const char *target = snapshot->evidence.segmented ? "manifest.d/.lineage" : "manifest.jsonl";
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    const struct bt_lock *lock = &snapshot->locks[i];
    if (lock->kind != BT_LOCK_LEDGER || lock->verdict == BT_LOCK_LIVE || strcmp(lock->name, target) != 0)
      continue;
    snapshot->ledger_lock_note = bt_arena_printf(load->arena, "the manifest is locked (%s): unlock --ledger-lock %s",
                                                 bt_lock_verdict_word(lock->verdict), lock->name);
    return snapshot->ledger_lock_note ? BT_OK : bt_loading_no_memory(load);
  }
  return BT_OK;
}

static enum bt_code give_words(struct bt_loading *load) {
  struct bt_snapshot *snapshot = load->snapshot;
  snapshot->session_count = load->sessions.count;
  for (size_t i = 0; i < load->sessions.count; i++) {
    const struct bt_session *session = &joints_of(load)[i].session;
    snapshot->refusing_count += bt_session_refuses(session);
    snapshot->faulty_brief_count += bt_session_brief_faulty(session);
    snapshot->unbound_count += bt_session_unbound(session);
  }
  struct bt_session *sessions = BT_ARENA_ARRAY(load->arena, struct bt_session, load->sessions.count + 1);
  if (!sessions)
    return bt_loading_no_memory(load);
  for (size_t i = 0; i < load->sessions.count; i++) {
    sessions[i] = joints_of(load)[i].session;
    bt_triage_session(snapshot, &sessions[i]);
    if (!bt_explain_session(load->arena, snapshot, &sessions[i]) ||
        !bt_advise_session(load->arena, snapshot, &sessions[i]))
      return bt_loading_no_memory(load);
    snapshot->state_counts[sessions[i].state]++;
  }
  if (!bt_triage_short_ids(load->arena, sessions, snapshot->session_count))
    return bt_loading_no_memory(load);
  qsort(sessions, snapshot->session_count, sizeof(*sessions), bt_triage_compare);
  snapshot->sessions = sessions;
  return BT_OK;
}

enum bt_code bt_load_join(struct bt_loading *load) {
  struct bt_deny *denies = NULL;
  enum bt_code code = bt_evidence_summarise(load->env, load->dir, load->arena, &load->snapshot->evidence, load->err);
  if (code == BT_OK && !freeze(load, &denies))
    code = bt_loading_no_memory(load);
  if (code == BT_OK)
    code = hang_evidence(load);
  if (code == BT_OK) {
    hang_records(load);
    code = bt_load_captures(load);
  }
  if (code == BT_OK) {
    classify_denies(load, denies);
    code = name_tickets(load);
  }
  if (code == BT_OK)
    code = bt_load_transcripts(load);
  if (code == BT_OK)
    code = note_ledger_lock(load);
  return code == BT_OK ? give_words(load) : code;
}
