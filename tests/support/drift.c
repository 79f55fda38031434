/* tests/support/drift.c - the ledger that changes at random. */
#include "tests/support/drift.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "tests/support/still.h"

enum what { ABSENT, BOUND, UNBOUND, TAMPERED, INVALID, STALE, REUSED, FOREIGN, READY, RUNNING, IDLE, DONE, WHAT_COUNT };

static const enum bt_state states[WHAT_COUNT] = {
    [BOUND] = BT_STATE_BLOCKED,   [UNBOUND] = BT_STATE_BLOCKED,  [TAMPERED] = BT_STATE_BLOCKED,
    [INVALID] = BT_STATE_BLOCKED, [STALE] = BT_STATE_STALE_LOCK, [REUSED] = BT_STATE_STALE_LOCK,
    [FOREIGN] = BT_STATE_FOREIGN, [READY] = BT_STATE_READY,      [RUNNING] = BT_STATE_RUN,
    [IDLE] = BT_STATE_IDLE,       [DONE] = BT_STATE_DONE,
};
/* clang-format off */
static const char *const ids[DRIFT_SESSIONS] = {
    "7f3a91c2-auth", "sess-alpha", "sess-beta", "sess-gamma", "sess-delta", "91ab77e0", "c0de4471", "d00dfeed", "5d20fe13",
    "2b77aa90", "e4419d02", "0aa1bb2c", "66cc01fe", "0f1e2d3c", "a81f3c55", "77bb99dd", "12ab34cd", "99ff88ee",
    "\033[2Jwipe", "漢字漢字漢字漢字漢字漢字漢字漢字-wide", "e\xcc\x81\xcc\x81\xcc\x81 combining", "שלום right", "line\nbreak",
    "a-very-long-id-that-fits-no-column-of-any-screen-there-is-and-goes-on-0123456789-0123456789-0123456789",
};
/* clang-format on */
static const char brief_text[] =
    "## Ticket\n- id: T-1\n\nrotate \033[2J the keys\r\n漢字 \xe2\x80\xae rtl\n\n\n\nrotate again\nlast line";

uint32_t drift_dice(struct drift *drift, uint32_t sides) {
  drift->random ^= drift->random << 13;
  drift->random ^= drift->random >> 7;
  drift->random ^= drift->random << 17;
  return (uint32_t)(drift->random >> 16) % sides;
}

void drift_init(struct drift *drift, uint64_t seed) {
  memset(drift, 0, sizeof(*drift));
  drift->random = seed ? seed : 1;
  for (int i = 0; i < DRIFT_SESSIONS; i++)
    drift->is[i] = (unsigned char)drift_dice(drift, WHAT_COUNT);
}

void drift_step(struct drift *drift) {
  uint32_t changes = 1 + drift_dice(drift, 3);
  if (drift_dice(drift, 200) == 0)
    memset(drift->is, ABSENT, sizeof(drift->is)); /* the whole ledger is gone */
  if (drift_dice(drift, 100) == 0)
    changes = DRIFT_SESSIONS;
  for (uint32_t i = 0; i < changes; i++)
    drift->is[drift_dice(drift, DRIFT_SESSIONS)] = (unsigned char)drift_dice(drift, WHAT_COUNT);
  drift->reviewed = drift_dice(drift, 2);
  drift->keyless = drift_dice(drift, 8) == 0;
  drift->readonly = drift_dice(drift, 12) == 0;
}

static void add_deny(struct bt_snapshot *snapshot, struct bt_session *session, enum what is) {
  struct bt_deny *deny = (struct bt_deny *)(uintptr_t)&snapshot->denies[snapshot->deny_count++];
  bool bound = is == BOUND || is == TAMPERED;
  *deny = (struct bt_deny){
      .session_id = session->id, .path = "handoffs/denies/x.json", .reason = "ok", .since_ms = STILL_NOW_MS};
  deny->status = is == INVALID ? BT_DENY_INVALID : is == DONE ? BT_DENY_CONSUMED : BT_DENY_OPEN;
  deny->class_ = is == INVALID ? BT_DENY_CLASS_INVALID
                 : is == DONE  ? BT_DENY_CLASS_CONSUMED
                 : bound       ? BT_DENY_CLASS_BOUND
                               : BT_DENY_CLASS_UNBOUND;
  deny->ticket_id = bound ? "T-1" : NULL;
  deny->content_hash = bound ? "aaaa" : NULL;
  deny->ticket_bound = deny->hash_bound = bound;
  session->deny = deny;
  session->ticket_id = deny->ticket_id;
}

static bool add_brief(struct bt_snapshot *snapshot, struct bt_session *session, const struct drift *drift,
                      enum what is) {
  struct bt_capture *brief = BT_ARENA_NEW(snapshot->arena, struct bt_capture);
  if (!brief)
    return false;
  *brief = (struct bt_capture){.path = "handoffs/content/x.md",
                               .status = is == TAMPERED ? BT_BRIEF_TAMPERED : BT_BRIEF_VERIFIED,
                               .expected_hash = "aaaa",
                               .actual_hash = is == TAMPERED ? "bbbb" : "aaaa",
                               .text = brief_text,
                               .text_length = sizeof(brief_text) - 1,
                               .reviewed = drift->reviewed};
  session->capture = brief;
  return true;
}

static void add_lock(struct bt_snapshot *snapshot, struct bt_session *session, enum bt_lock_verdict verdict) {
  struct bt_lock *lock = (struct bt_lock *)(uintptr_t)&snapshot->locks[snapshot->lock_count++];
  *lock = (struct bt_lock){.kind = BT_LOCK_SESSION,
                           .name = session->id,
                           .verdict = verdict,
                           .why = "no such process",
                           .pid_text = "48211",
                           .pid = 48211,
                           .started_at = "2026-10-09T12:20:14.031Z",
                           .host = "build-07",
                           .nonce = "8e1f0c44a9d2b310",
                           .started_at_ms = STILL_NOW_MS - 7200000,
                           .mtime_ms = STILL_NOW_MS};
  lock->path = bt_arena_printf(snapshot->arena, "handoffs/%s.lock", session->id);
  session->lock = lock;
  snapshot->lock_counts[verdict]++;
}

static bool add_session(struct bt_snapshot *snapshot, const struct drift *drift, int at) {
  enum what is = (enum what)drift->is[at];
  struct bt_session *session = (struct bt_session *)(uintptr_t)&snapshot->sessions[snapshot->session_count++];
  session->id = session->id_short = ids[at];
  session->state = states[is];
  session->since_ms = session->last_seen_ms = STILL_NOW_MS - 60000 * (1 + at);
  session->harness = at % 3 ? "claude" : NULL;
  session->next = (struct bt_next_step){.verb = is == BOUND     ? BT_VERB_CONTINUE
                                                : is == UNBOUND ? BT_VERB_REPAIR
                                                : is == STALE   ? BT_VERB_UNLOCK
                                                                : BT_VERB_NONE,
                                        .text = "the next \033[31mstep\nof it"};
  if (is == RUNNING || at % 2)
    session->context = (struct bt_context){.band = BT_BAND_WARN,
                                           .used_known = true,
                                           .window_known = true,
                                           .used_pct = 4.5 * at,
                                           .used_tokens = 9000.0 * at,
                                           .window_tokens = 200000};
  snapshot->state_counts[session->state]++;
  if (is == BOUND || is == UNBOUND || is == TAMPERED || is == INVALID || is == DONE)
    add_deny(snapshot, session, is);
  if (is == STALE || is == REUSED || is == FOREIGN)
    add_lock(snapshot, session, is == STALE ? BT_LOCK_STALE : is == REUSED ? BT_LOCK_PID_REUSE : BT_LOCK_FOREIGN);
  return (is != BOUND && is != TAMPERED) || add_brief(snapshot, session, drift, is);
}

struct bt_snapshot *drift_snapshot(const struct drift *drift) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  struct bt_snapshot *snapshot = arena ? BT_ARENA_NEW(arena, struct bt_snapshot) : NULL;
  bool whole = snapshot != NULL;
  if (whole) {
    snapshot->arena = arena;
    snapshot->taken_at_ms = STILL_NOW_MS;
    snapshot->root = "/home/op/w/payments-api";
    snapshot->ledger_dir = "/home/op/w/payments-api/.adlc";
    snapshot->ledger_short = "~/w/payments-api/.adlc";
    snapshot->project = "payments-api";
    snapshot->host = "build-07";
    snapshot->user = "op";
    snapshot->ledger_present = snapshot->store.ok = true;
    snapshot->key_loaded = !drift->keyless;
    snapshot->readonly = drift->readonly;
    snapshot->sessions = BT_ARENA_ARRAY(arena, struct bt_session, DRIFT_SESSIONS);
    snapshot->locks = BT_ARENA_ARRAY(arena, struct bt_lock, DRIFT_SESSIONS);
    snapshot->denies = BT_ARENA_ARRAY(arena, struct bt_deny, DRIFT_SESSIONS);
    whole = snapshot->sessions && snapshot->locks && snapshot->denies;
  }
  for (int state = 0; whole && state < BT_STATE_COUNT; state++) /* triage order */
    for (int i = 0; whole && i < DRIFT_SESSIONS; i++)
      if (drift->is[i] != ABSENT && states[drift->is[i]] == (enum bt_state)state)
        whole = add_session(snapshot, drift, i);
  if (whole)
    return snapshot;
  bt_arena_free(arena);
  return NULL;
}
