/* core/model/triage.c - the state of a session and the order on the screen. */
#include "core/model/triage.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/str.h"

bool bt_session_brief_faulty(const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  if (!deny || deny->status == BT_DENY_INVALID || !bt_text_equals(deny->content_kind, "capture"))
    return false;
  return !session->capture || session->capture->status != BT_BRIEF_VERIFIED;
}

bool bt_session_refuses(const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  return deny && (deny->status != BT_DENY_CONSUMED || bt_session_brief_faulty(session));
}

bool bt_session_unbound(const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  return deny && (deny->status == BT_DENY_INVALID ||
                  (deny->status == BT_DENY_OPEN && !(deny->ticket_bound && deny->hash_bound)));
}

bool bt_session_auth_counts(const struct bt_session *session) {
  const struct bt_auth *auth = session->auth;
  const struct bt_deny *deny = session->auth_deny;
  if (!auth || !deny || auth->signature == BT_SIG_INVALID)
    return false;
  if (deny->status == BT_DENY_CONSUMED)
    return bt_text_equals(deny->consumed_by, session->id);
  return deny->status == BT_DENY_OPEN && deny->ticket_bound && deny->hash_bound &&
         bt_text_equals(deny->ticket_id, auth->ticket_id) && bt_text_equals(deny->content_hash, auth->content_hash);
}

/* Nothing of its own is there yet: it was let in and has not begun. */
static bool not_started(const struct bt_session *session) {
  return !session->deny && !session->final_ && !session->transcript && !session->running &&
         (!session->capture || session->capture->status == BT_BRIEF_NONE);
}

static bool brief_doubtful(const struct bt_session *session) {
  if (!session->capture)
    return false;
  switch (session->capture->status) {
  case BT_BRIEF_TAMPERED:
  case BT_BRIEF_MISSING:
  case BT_BRIEF_OVERSIZE:
  case BT_BRIEF_UNREADABLE:
    return true;
  default:
    return false;
  }
}

/* How full a session was matters no more once nobody goes on with it. */
static bool has_ended(const struct bt_session *session) {
  return session->transcript && session->transcript->state == BT_AGENT_ENDED && !session->running;
}

static enum bt_state state_of(const struct bt_session *session) {
  const struct bt_lock *lock = session->lock;
  if (bt_session_refuses(session))
    return BT_STATE_BLOCKED;
  if (lock && (lock->verdict == BT_LOCK_STALE || lock->verdict == BT_LOCK_PID_REUSE))
    return BT_STATE_STALE_LOCK;
  if (lock && lock->verdict == BT_LOCK_FOREIGN)
    return BT_STATE_FOREIGN;
  if (lock && lock->verdict != BT_LOCK_LIVE)
    return BT_STATE_WARN;
  if (session->deny)
    return BT_STATE_DONE;
  if (bt_session_auth_counts(session) && not_started(session))
    return BT_STATE_READY;
  if (session->auth && session->auth->signature == BT_SIG_INVALID)
    return BT_STATE_WARN;
  if (brief_doubtful(session) || (session->context.band >= BT_BAND_WARN && !has_ended(session)))
    return BT_STATE_WARN;
  return session->running ? BT_STATE_RUN : BT_STATE_IDLE;
}

static void later(int64_t *newest, int64_t time_ms) {
  if (time_ms > *newest) /* BT_TIME_UNKNOWN is the smallest there is */
    *newest = time_ms;
}

static int64_t newest_witness(const struct bt_session *session) {
  int64_t newest = BT_TIME_UNKNOWN;
  later(&newest, session->last_seen_ms);
  if (session->deny) {
    later(&newest, session->deny->since_ms);
    later(&newest, session->deny->consumed_at_ms);
  }
  if (session->final_)
    later(&newest, session->final_->written_at_ms);
  if (session->capture)
    later(&newest, session->capture->mtime_ms);
  if (session->lock)
    later(&newest, session->lock->started_at_ms);
  if (session->auth)
    later(&newest, session->auth->written_at_ms);
  if (session->grant)
    later(&newest, session->grant->written_at_ms);
  for (size_t i = 0; i < session->evidence_count; i++)
    later(&newest, session->evidence[i].ts_ms);
  return newest;
}

static int64_t since_of(const struct bt_session *session) {
  int64_t since = BT_TIME_UNKNOWN;
  switch (session->state) {
  case BT_STATE_BLOCKED:
    since = session->deny->since_ms;
    break;
  case BT_STATE_STALE_LOCK:
  case BT_STATE_FOREIGN:
    since = session->lock->started_at_ms;
    break;
  case BT_STATE_READY:
    since = session->auth->written_at_ms;
    break;
  case BT_STATE_DONE:
    since = session->deny->consumed_at_ms;
    break;
  default:
    break;
  }
  return since == BT_TIME_UNKNOWN ? session->last_seen_ms : since;
}

/* Others that this record refuses: all but the one that a verified resume-auth lets past an open deny. */
static size_t blocked_others(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  if (!bt_session_refuses(session) || snapshot->session_count == 0)
    return 0;
  size_t others = snapshot->session_count - 1;
  const struct bt_auth *auth = session->successor;
  if (auth && others > 0 && session->deny->status == BT_DENY_OPEN && auth->signature == BT_SIG_VERIFIED &&
      !bt_session_brief_faulty(session) && bt_text_equals(auth->ticket_id, session->deny->ticket_id) &&
      bt_text_equals(auth->content_hash, session->deny->content_hash))
    others--;
  return others;
}

static void set_gate(struct bt_session *session, const char *in_force, const char *why) {
  session->in_force = in_force;
  session->in_force_why = why;
}

/* Where the gate of this session's host runs: what the deny record says, else whose transcript it is. */
static const char *host_of(const struct bt_session *session) {
  const char *host = session->deny && session->deny->host ? session->deny->host : "";
  bool told = strcmp(host, "pi") == 0 || strcmp(host, "opencode") == 0 || strncmp(host, "claude", 6) == 0 ||
              strncmp(host, "codex", 5) == 0;
  return told || !session->harness ? host : session->harness;
}

/* Appendix A.1: since release 1.11.1 no plugin evaluates the deny unless it is switched on. */
static void set_in_force(const struct bt_snapshot *snapshot, struct bt_session *session) {
  const char *host = host_of(session);
  bool claude = strncmp(host, "claude", 6) == 0, codex = strncmp(host, "codex", 5) == 0;
  const struct bt_gate_state *gate = claude ? &snapshot->claude_gate : &snapshot->codex_gate;
  if (session->deny && session->deny->status == BT_DENY_INVALID)
    return;
  if (strcmp(host, "pi") == 0 || strcmp(host, "opencode") == 0)
    set_gate(session, snapshot->deny_switch_on ? "yes" : "no",
             snapshot->deny_switch_on
                 ? "ADLC_CONTEXT_ROT_HANDOFF_ENABLED is 1 in this environment"
                 : "since adlc 1.11.1 only where ADLC_CONTEXT_ROT_HANDOFF_ENABLED is 1; here it is not");
  else if ((claude || codex) && gate->in_force)
    set_gate(session, gate->in_force, gate->why);
  else if (claude || codex)
    set_gate(session, "unknown", "only where a hook enforces it; since adlc 1.11.1 the plugin wires none");
  else if (session->deny)
    set_gate(session, "unknown", "the record does not say which program the session runs in");
}

void bt_triage_session(const struct bt_snapshot *snapshot, struct bt_session *session) {
  if (session->lock && session->lock->verdict == BT_LOCK_LIVE)
    session->running = true;
  session->state = state_of(session);
  session->last_seen_ms = newest_witness(session);
  session->since_ms = since_of(session);
  session->blocks = blocked_others(snapshot, session);
  set_in_force(snapshot, session);
}

static int by_time_desc(int64_t a, int64_t b) {
  return a > b ? -1 : a < b;
}

int bt_triage_compare(const void *a, const void *b) {
  const struct bt_session *x = a, *y = b;
  if (x->state != y->state)
    return x->state < y->state ? -1 : 1;
  int order = by_time_desc(x->since_ms, y->since_ms);
  return order ? order : strcmp(x->id, y->id);
}

int bt_lock_compare(const void *a, const void *b) {
  const struct bt_lock *x = a, *y = b;
  if (x->verdict != y->verdict)
    return x->verdict < y->verdict ? -1 : 1;
  int64_t x_ms = x->started_at_ms == BT_TIME_UNKNOWN ? x->mtime_ms : x->started_at_ms;
  int64_t y_ms = y->started_at_ms == BT_TIME_UNKNOWN ? y->mtime_ms : y->started_at_ms;
  int order = by_time_desc(y_ms, x_ms);
  return order ? order : strcmp(x->path, y->path);
}
