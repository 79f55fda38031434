/* core/model/snapshot.h - everything that was true at one instant, joined per session, immutable.
 *
 * Owns: nothing itself; the whole of it, strings included, lives in one arena (`arena`), freed by
 * bt_snapshot_free. Built by core/store/load.c; drawn by views; printed by cli. Views must be able to
 * draw from it without I/O, allocation or the clock: the time is `taken_at_ms`.
 * Sorting and reasons: dashboard.md 5.1 and screens 6.1-6.3, 6.11. */
#ifndef BATON_CORE_MODEL_SNAPSHOT_H
#define BATON_CORE_MODEL_SNAPSHOT_H

#include "core/model/handover.h"
#include "core/model/record.h"
#include "core/model/supervised.h"
#include "core/model/wiring.h"
#include "core/model/transcript.h"

struct bt_arena;

/* Triage order. */
enum bt_state {
  BT_STATE_BLOCKED,
  BT_STATE_STALE_LOCK,
  BT_STATE_FOREIGN,
  BT_STATE_READY,
  BT_STATE_WARN,
  BT_STATE_RUN,
  BT_STATE_IDLE,
  BT_STATE_DONE,
  BT_STATE_COUNT
};
const char *bt_state_word(enum bt_state state); /* "BLOCKED", "STALE-LOCK", ...: same on every screen and in JSON */
char bt_state_glyph(enum bt_state state);       /* ! x ~ * ^ and space */

enum bt_band { BT_BAND_UNKNOWN, BT_BAND_OK, BT_BAND_WARN, BT_BAND_HANDOFF, BT_BAND_HARD };
const char *bt_band_word(enum bt_band band); /* "?", "ok", "WARN", "HANDOFF", "HARD" */

/* How full the session is; every member unknown until a transcript says so (spec/transcripts.md 4, 6). */
struct bt_context {
  enum bt_band band;     /* the worse of host band and fill band */
  const char *host_band; /* what the host itself would judge by: clear, warn, incomplete, handoff, hard; NULL: nothing
                            it could see */
  const char *band_by;   /* depth, scan, fill; with "(invalid)" for a malformed signal; NULL unknown */
  bool used_known, window_known, depth_known;
  double used_tokens, window_tokens, used_pct; /* pct: hundredths cut off, at most 100 */
  bool window_is_guess;                        /* a default: the true window may be larger */
  bool over_window;                            /* more is used than the window holds: the window is probably wrong */
  bool trend_known;
  double trend_tokens; /* a minute, over the last ten */
  const char *used_source, *window_source;
  int64_t depth;
  bool truncated; /* depth is a lower bound */
};
#define BT_PERCENT_BYTES 16
/* "83.1%" as every screen and table shows it, "?" when it is not known. */
void bt_percent_text(char out[BT_PERCENT_BYTES], const struct bt_context *context);

/* One thing that holds a session up, worst first. */
struct bt_reason {
  const char *code; /* "D3 unauthorized_open", "brief TAMPERED", "lock STALE" */
  const char *text; /* one short line */
};

/* What a key or a command can do to the ledger, and the last three to what is beside it: acknowledge a handover request,
 * let a delivery's record follow what is true, stop a delivery. `undo` is of a removed lock; nothing else is ever
 * undone. */
enum bt_verb {
  BT_VERB_NONE,
  BT_VERB_WRITE,
  BT_VERB_RESUME,
  BT_VERB_BYPASS,
  BT_VERB_REPAIR,
  BT_VERB_UNLOCK,
  BT_VERB_CONTINUE,
  BT_VERB_UNDO,
  BT_VERB_ACK,
  BT_VERB_RECONCILE,
  BT_VERB_STOP,
  BT_VERB_RECORD, /* a session record is built; the ledger is not touched */
  BT_VERB_COUNT
};
const char *bt_verb_word(enum bt_verb verb); /* "write", ... */

struct bt_next_step {
  enum bt_verb verb;      /* BT_VERB_NONE: only look, or wait */
  const char *text;       /* "continue: hand this work to one new session (brief verified, ticket T-118 bound)" */
  const char *blocked_by; /* why it would be refused or in vain now ("no signing key"), NULL when it would not */
};

struct bt_session {
  const char *id;
  const char *id_short; /* for a narrow column; never ambiguous inside the snapshot */
  enum bt_state state;
  int64_t since_ms;     /* of the state; BT_TIME_UNKNOWN */
  int64_t last_seen_ms; /* newest witness of any kind */

  const struct bt_deny *deny; /* NULL: none */
  const struct bt_final *final_;
  const struct bt_capture *capture; /* NULL: no capture and none expected */
  const struct bt_lock *lock;
  const struct bt_auth *auth;      /* this session is the consumer */
  const struct bt_deny *auth_deny; /* the record `auth` speaks of; NULL: no such record */
  const struct bt_auth *successor; /* this session's deny is the subject */
  const struct bt_grant *grant;
  struct bt_context context;

  const char *ticket_id, *ticket_title;
  const char *harness; /* claude, codex, pi, ...; NULL unknown */
  const char *cwd, *branch, *model, *title;
  const struct bt_transcript_facts *transcript; /* NULL until one is known */
  const char *transcript_path;                  /* NULL: none */
  const char *transcript_problem;               /* why it cannot be read; NULL */
  bool transcript_pending;                      /* it is still to be read, or to be read again */
  bool transcript_unread;                       /* nothing of it was read: its state and counts are unknown */
  size_t subagents;                             /* transcripts of sub-agents that name it as their parent */
  const char *const *flags; /* double_writer, registry_stale, unreadable, compressed, window_exceeded, partial_tail,
                             * undated (no record has a time: the file's own is taken) */
  size_t flag_count;

  const struct bt_reason *reasons;
  size_t reason_count;
  struct bt_next_step next;
  struct bt_next_step others[4];
  size_t other_count;
  size_t blocks; /* other sessions that this one's record keeps from changing files */

  bool running;             /* a living process works on it, as far as a lock or a transcript proves it */
  const char *in_force;     /* is the gate enforced in its host: "yes", "no", "unknown"; NULL: no host is known */
  const char *in_force_why; /* by whom and how we know, one sentence; NULL: no host is known */

  const struct bt_evidence *evidence; /* entries of the tail that name it, newest last */
  size_t evidence_count;
};

/* Is the gate in force in a harness that baton can be wired into? */
struct bt_gate_state {
  struct bt_wiring wiring;
  const char *in_force, *why; /* as in a session; NULL: not looked at, or nothing is wired and nobody can tell */
};

struct bt_problem {    /* a record or file that cannot be used, never skipped silently */
  const char *subject; /* path relative to the ledger dir */
  const char *text;
};

#define BT_KNOWN_TICKETS_MAX 512
struct bt_snapshot {
  struct bt_arena *arena;
  int64_t taken_at_ms;
  const char *root, *ledger_dir, *ledger_short; /* short: home as ~ */
  const char *project;                          /* last segment of root */
  const char *host, *user;
  bool ledger_present;
  bool foreign_owner; /* .adlc belongs to another user */
  unsigned owner_uid;
  const char *ledger_error; /* could not be read at all; NULL */
  bool key_loaded, key_is_sample, readonly;
  bool sample;   /* the bundled sample ledger */
  bool imported; /* from a file: nothing of it can be looked up or changed here */

  const struct bt_session *sessions; /* in triage order */
  size_t session_count;
  size_t state_counts[BT_STATE_COUNT];

  const struct bt_deny *denies; /* byte order of file names, invalid ones included */
  size_t deny_count;
  struct bt_deny_store store;

  const struct bt_lock *locks; /* by verdict, then age */
  size_t lock_count;
  size_t lock_counts[BT_LOCK_VERDICT_COUNT];

  const struct bt_auth *auths;
  size_t auth_count;
  const struct bt_grant *grants;
  size_t grant_count;
  const struct bt_problem *problems;
  size_t problem_count;

  size_t refusing_count;        /* records that keep every other session from changing files */
  size_t faulty_brief_count;    /* of these: a brief that does not verify, which no bypass gets past (6.8) */
  size_t unbound_count;         /* of these: invalid or unbound records, which only an unbound bypass gets past */
  const char *ledger_lock_note; /* a lock of the manifest that stops every signed verb, in words; NULL */
  bool deny_switch_on;          /* ADLC_CONTEXT_ROT_HANDOFF_ENABLED is 1 here (spec appendix A.1) */
  struct bt_gate_state claude_gate, codex_gate;

  const struct bt_supervised *supervised; /* of this host, whatever ledger they work on */
  size_t supervised_count;

  const struct bt_handover *handovers; /* of the sessions here whose transcript is read; none until then */
  size_t handover_count;
  bool handovers_shown; /* a session here is supervised: a screen has a column for it */
  struct bt_handover_mod handover_mod;

  struct bt_evidence_summary evidence;
  struct bt_repo repo;
  struct bt_ticket_pointer active_ticket;
  const char *tickets_error;             /* the ticket store does not validate; NULL */
  const struct bt_known_ticket *tickets; /* sorted by id; none where there is no store or it does not validate */
  size_t ticket_count;                   /* the first BT_KNOWN_TICKETS_MAX of them */

  void *kept; /* what else the snapshot points at, given to `release` when it is freed; NULL: nothing */
  void (*release)(void *kept);
  size_t transcripts_known, transcripts_pending; /* session files read, and still to be read */
  bool all_sessions;                             /* not only this repository's */
};

void bt_snapshot_free(struct bt_snapshot *snapshot); /* NULL is allowed */

/* Why `verb` would refuse whatever it is about (no key, read-only, the manifest is locked); NULL when it would not.
 * Borrowed or static. */
const char *bt_snapshot_verb_blocked(const struct bt_snapshot *snapshot, enum bt_verb verb);

/* The supervisor that carries `id`, as its current session or an earlier one; NULL: none. Borrowed. */
const struct bt_supervised *bt_snapshot_supervised(const struct bt_snapshot *snapshot, const char *id);

/* A session that waits for a person: its state says so, or a handover is due. */
bool bt_needs_somebody(const struct bt_snapshot *snapshot, const struct bt_session *session);

/* Borrowed; NULL when no such session. */
const struct bt_session *bt_snapshot_session(const struct bt_snapshot *snapshot, const char *id);

#endif
