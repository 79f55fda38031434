/* core/model/record.h - what one record of the ledger means, as plain data.
 *
 * Every struct lives in a snapshot's arena. Strings are internal text (core/base/utf8.h); NULL means
 * absent, null or of the wrong type. Times are ms since 1970, BT_TIME_UNKNOWN where not readable.
 * Shapes: spec/context-handoff.md 1.2; verdicts: 5.1, 7, 9.7 and dashboard.md rows 11-22. */
#ifndef BATON_CORE_MODEL_RECORD_H
#define BATON_CORE_MODEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- deny markers ---- */
enum bt_deny_status { BT_DENY_OPEN, BT_DENY_CONSUMED, BT_DENY_INVALID };
/* The word on the screen and in `denies --json`. */
enum bt_deny_class {
  BT_DENY_CLASS_BOUND,
  BT_DENY_CLASS_UNBOUND,
  BT_DENY_CLASS_ORPHAN,   /* open, unbound, no brief, older than 24 h */
  BT_DENY_CLASS_CAPTURED, /* open, bound, content_kind capture */
  BT_DENY_CLASS_CONSUMED,
  BT_DENY_CLASS_INVALID,
  BT_DENY_CLASS_COUNT
};
const char *bt_deny_class_word(enum bt_deny_class class_);

struct bt_deny {
  const char *session_id;
  const char *path;   /* relative to the ledger dir */
  const char *reason; /* "ok", or a code of spec 5.1/5.5 without the `invalid:` prefix */
  enum bt_deny_status status;
  enum bt_deny_class class_;
  const char *ticket_id, *content_hash, *content_kind, *host, *since, *consumed_by, *consumed_at;
  int64_t since_ms, consumed_at_ms;
  bool ticket_bound, hash_bound; /* gate's sense: non-blank string */
  bool registered;               /* listed in the sentinel */
  bool plain_binds; /* both bind fields are stored as null or as trimmed text; else `repair`, `resume` and `continue`
                       never get past their re-check (5.8) and only `write` helps */
};

/* ---- deny store ---- */
struct bt_deny_store {
  bool ok;
  const char *reason; /* NULL when ok; else missing_deny_store, emptied_deny_store, readdir_failed:<errno> */
  bool expected, legacy, unavailable;
  const char *heal_due; /* one sentence naming the self-heal that is due, or NULL */
  const char **registered;
  size_t registered_count;
};

/* ---- final checkpoint ---- */
struct bt_final {
  const char *path;
  const char
      *error; /* NULL when readable; else missing, corrupt_json, invalid_shape, invalid_final, unsafe, errno name */
  const char *ticket_id, *content_hash, *content_kind, *host, *written_at;
  int64_t written_at_ms;
};

/* ---- capture ("brief" is its text) ---- */
enum bt_brief_status {
  BT_BRIEF_NONE,     /* no capture file and none expected */
  BT_BRIEF_VERIFIED, /* hashes to what the deny (else the final) says */
  BT_BRIEF_TAMPERED,
  BT_BRIEF_MISSING, /* expected, not there */
  BT_BRIEF_OVERSIZE,
  BT_BRIEF_UNREADABLE, /* refused or not readable; `error` says why */
  BT_BRIEF_UNCHECKED,  /* there, but nothing says what it should hash to */
  BT_BRIEF_COUNT
};
const char *bt_brief_word(enum bt_brief_status status);

struct bt_capture {
  const char *path;
  enum bt_brief_status status;
  const char *error;         /* code, or NULL */
  const char *expected_hash; /* NULL when nothing expects one */
  const char *actual_hash;   /* NULL when not readable */
  const char *text;          /* decode8 text; NULL when not readable, or when `text_left_out` */
  bool text_left_out;        /* readable, but the snapshot was full: core/store/capture.h reads it on demand */
  size_t text_length;
  size_t size_bytes;
  int64_t mtime_ms;
  unsigned line_count, redaction_count, fence_violations;
  bool reviewed; /* a review mark is bound to exactly this hash */
  int64_t reviewed_ms;
};

/* ---- locks ---- */
enum bt_lock_kind { BT_LOCK_SESSION, BT_LOCK_LEDGER, BT_LOCK_GIT, BT_LOCK_FLEET, BT_LOCK_TICKETS };
const char *bt_lock_kind_word(enum bt_lock_kind kind); /* "session", "ledger", "git", ... */
/* In the order of the locks screen. */
enum bt_lock_verdict {
  BT_LOCK_STALE,
  BT_LOCK_PID_REUSE,
  BT_LOCK_FOREIGN,
  BT_LOCK_UNREADABLE,
  BT_LOCK_UNKNOWN, /* cannot be proved from here: another pid namespace, another user's process with no start time */
  BT_LOCK_LIVE,
  BT_LOCK_VERDICT_COUNT
};
const char *bt_lock_verdict_word(enum bt_lock_verdict verdict); /* "STALE", "PID-REUSE", ... */

enum bt_check { BT_CHECK_OK, BT_CHECK_WARN, BT_CHECK_BAD, BT_CHECK_UNKNOWN };
const char *bt_check_word(enum bt_check check); /* "ok", "warn", "bad", "unknown" */
struct bt_evidence_line {
  enum bt_check check;
  const char *what;  /* "owner pid" */
  const char *found; /* "48211 is not running" */
  const char *how;   /* "kill(48211, 0) = ESRCH" */
};

struct bt_lock {
  enum bt_lock_kind kind;
  const char *name; /* session id, or the ledger lock's target ("manifest.jsonl", "manifest.d/.lineage", ...) */
  const char *path; /* relative to the ledger dir (git locks: to the root) */
  enum bt_lock_verdict verdict;
  const char *why;   /* one line: "no such process (ESRCH); host matches" */
  const char *error; /* loader error of an UNREADABLE one */
  /* the four proofs as text, JavaScript-style; started_at/nonce are startedAt/token in a ledger lock */
  const char *pid_text, *started_at, *host, *nonce;
  double pid;
  int64_t started_at_ms, mtime_ms;
  const char *process_name; /* of a live pid, NULL unknown */
  int64_t process_started_ms;
  uint64_t inode;
  int64_t size_bytes;
  unsigned mode;
  bool view_only; /* never unlocked from here */
  const struct bt_evidence_line *evidence;
  size_t evidence_count;
};

/* Its pid is one that `unlock --pid` accepts: an integer above 0. */
bool bt_lock_names_process(const struct bt_lock *lock);

/* ---- resume-auth and bypass grant ---- */
enum bt_signature { BT_SIG_VERIFIED, BT_SIG_INVALID, BT_SIG_UNVERIFIABLE /* no key */ };
const char *bt_signature_word(enum bt_signature signature);

struct bt_auth {
  const char *path;
  const char *consumer_session_id, *deny_session_id, *ticket_id, *content_hash, *written_at;
  int64_t written_at_ms;
  enum bt_signature signature;
};

enum bt_grant_state { BT_GRANT_LIVE, BT_GRANT_EXPIRED, BT_GRANT_UNREADABLE };
const char *bt_grant_state_word(enum bt_grant_state state); /* "live", "expired", "unreadable" */
struct bt_grant {
  const char *path;
  const char *session_id;
  enum bt_grant_state state;
  const char *error;
  const char *unbound_reason; /* NULL: bound only */
  int64_t written_at_ms, expires_at_ms;
  enum bt_signature signature;
};

/* ---- evidence ---- */
struct bt_evidence {
  int64_t seq;                                         /* -1 unknown */
  const char *gate, *ts, *ticket, *session_id, *chain; /* chain: "root" or the segment's file name */
  int64_t ts_ms;
  enum bt_signature signature;
  bool is_signed;
};
struct bt_evidence_summary {
  bool present, segmented;
  const char *newest_chain; /* file of the newest chain, relative to the ledger dir */
  uint64_t size_bytes;
  const struct bt_evidence *tail; /* newest last, at most 64, from the newest chain's tail */
  size_t tail_count;
  size_t
      accepted_count; /* of the tail: signatures that the loaded key makes: where there are any, it is no wrong key */
  size_t
      refused_count; /* of the tail: signatures that the loaded key does not make, so nothing can be recorded with it */
  const char *problem; /* a malformed tail, a folder that cannot be read; NULL */
};

/* ---- repository and tickets ---- */
struct bt_repo {
  bool known; /* false until asked, or where neither libgit2 nor git could say */
  bool is_repository;
  const char *branch; /* NULL: git says there is none */
  size_t dirty_count;
  const char *problem;
};
struct bt_known_ticket { /* of the ledger's own ticket store */
  const char *id, *title;
};
struct bt_ticket_pointer {
  const char *id;    /* active ticket or NULL */
  const char *error; /* INVALID_CURRENT_TICKET, ACTIVE_TICKET_CONFLICT */
};

#endif
