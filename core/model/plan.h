/* core/model/plan.h - what an operation would do, in words and facts, before it does it.
 *
 * A plan is a value: dialogs draw it, `--plan` prints it, tests compare it, execute takes it. It holds no
 * key. It lives in its own arena. Built by core/ops/op.h; drawn by views. */
#ifndef BATON_CORE_MODEL_PLAN_H
#define BATON_CORE_MODEL_PLAN_H

#include "core/base/digest.h"
#include "core/model/record.h"
#include "core/model/snapshot.h"

struct bt_arena;
struct bt_op_details;

/* What is asked for. NULL: flag absent. Strings borrowed, internal text. */
struct bt_request {
  enum bt_verb verb;
  const char *session;      /* --session; for continue the successor, NULL mints one */
  const char *deny_session; /* --deny-session */
  const char *ticket, *host, *content_hash;
  const char *unbound_reason;
  const char *capture_from;
  const char *pid, *started_at, *nonce; /* unlock proofs, with `host` */
  const char *ledger_lock;              /* unlock --ledger-lock NAME */
  bool pid_reused;                      /* unlock --pid-reused */
  const char *transcript, *harness;     /* record: the file of a harness's store, and the label of its adapter */
  const char *reason;                   /* operator's note, for the action log only */
  const char *subject;                  /* undo: the file that comes back, filled in by its plan; for the log only */
  const char *tree;                     /* reconcile, stop: the working tree, absolute */
  const char *pr_state; /* the same: what the forge said of the pull request, as its tool prints it; NULL: not asked */
  int64_t pr_taken_ms;  /* when */
  const char *detail;   /* stop: what stopped it */
  bool resumable;       /* stop: the record stays open */
  const char *projects; /* acknowledge: the folder of the provider's transcripts, absolute; NULL: this ledger's */
  int64_t window;       /* the same: tokens of every context window; 0: as the settings have it */
  bool own_hash;        /* repair, from a dialog: without a hash, that of the new checkpoint is bound */
  bool terse; /* only what the verb itself reads and prints: no rows, steps, checks, sentences (a plain dry run) */
};

/* Makes `request` the unlock of exactly this lock: its name and the four fields that prove it, copied into `arena`. False when
 * memory is short. */
bool bt_request_unlock(struct bt_request *request, struct bt_arena *arena, const struct bt_lock *lock);

struct bt_plan_row { /* now/after table and fact list */
  const char *label;
  const char *now; /* NULL: no such column */
  const char *after;
  bool differs;
};
struct bt_plan_step {
  const char *what; /* "write brief" */
  const char *path; /* relative to the root, NULL */
  const char *note;
};
struct bt_plan_check {
  enum bt_check check;
  const char *text;
};

/* The text that is handed on, internal text in the plan's arena. */
struct bt_plan_brief {
  const char *text; /* NULL: this verb hands nothing on */
  size_t length;
  const char *hash; /* what it will be recorded by */
  bool reviewed;    /* a mark is bound to exactly this text */
  int64_t reviewed_ms;
};

struct bt_plan {
  struct bt_arena *arena;
  struct bt_request request; /* resolved: successor minted, binds normalised; strings in the arena */
  const char *title;         /* "Unlock 91ab77e0" */
  const char *summary;       /* one or two sentences: what this does and does not do */
  const struct bt_plan_row *rows;
  size_t row_count;
  const struct bt_plan_step *steps;
  size_t step_count;
  const struct bt_plan_check *checks; /* [ok] / [!!] lines */
  size_t check_count;
  const char *const *will; /* sentences */
  size_t will_count;
  const char *const *will_not; /* sentences */
  size_t will_not_count;
  const char *after;          /* "start it with ..." or NULL */
  const char *undo;           /* how it can be undone, or that it cannot */
  const char *confirm_word;   /* must be typed; NULL: only the button */
  const char *confirm_label;  /* text of the acting button: "unlock", "bind", "grant", "continue" */
  const char *reason_for;     /* the dialogs want a typed reason, and why: "the brief is TAMPERED"; NULL: they do not */
  struct bt_plan_brief brief; /* continue */
  const char *disabled;       /* why execute would refuse now (no key, read-only); NULL when it would not */
  const char *command;        /* the same for a shell, one line, absolute --dir, quoted for sh, with --write */
  char fingerprint[BT_SHA256_HEX]; /* of every fact it rests on */

  const char *payload; /* the dry run's JSON document, pretty, without the final newline (spec 8) */
  const char *human;   /* the dry run's one human line, without newline */
  bool needs_key;
  const struct bt_op_details *details; /* core/ops' own: what execute needs again. In the arena. */
};
void bt_plan_free(struct bt_plan *plan); /* NULL is allowed */

struct bt_receipt { /* what was done */
  struct bt_arena *arena;
  const char *payload; /* the write's JSON document */
  const char *human;
  const char *evidence_gate; /* NULL: nothing recorded there */
  int64_t evidence_seq;
  const char *trash_path; /* where a removed file was kept, or NULL */
  const char *warning;    /* done, but not everything around it: one line for stderr or the message line; or NULL */
};
void bt_receipt_free(struct bt_receipt *receipt);

#endif
