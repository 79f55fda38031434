/* core/supervise/machine.h - the loop of `supervise` as a function: one event in, actions out.
 *
 * Owns: which session is current, what is waited for, what becomes of the run. Must not know: processes, files, signals,
 * the clock, the key. Times are milliseconds of any clock that does not jump. core/supervise/run.h carries the actions
 * out and reports what came of them. Rules: spec/context-handoff.md 11.3-11.5. */
#ifndef BATON_CORE_SUPERVISE_MACHINE_H
#define BATON_CORE_SUPERVISE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"
#include "core/supervise/payload.h"

struct bt_sup_config {
  int64_t poll_ms, quiescence_ms, grace_ms;
};
struct bt_sup_config bt_sup_defaults(void); /* the numbers of 3.1 */

struct bt_sup_exit { /* how a child ended; zero: exited with 0 */
  bool failed_to_start;
  const char *error; /* of a start that failed */
  bool signalled;
  int code, signal;
};

enum bt_sup_event_kind {
  BT_SUP_BEGIN,           /* text: the first session's id */
  BT_SUP_SPAWNED,         /* the child runs */
  BT_SUP_EXITED,          /* exit; also for a child that could not be started */
  BT_SUP_TICK,            /* deny_open, transcript_there, transcript_ns */
  BT_SUP_INTERRUPT,       /* SIGINT came */
  BT_SUP_GONE,            /* a signal could not be delivered: no such process */
  BT_SUP_CONTINUED,       /* payload: valid by 11.2; its strings are copied */
  BT_SUP_CONTINUE_FAILED, /* text: why; also for a payload that is not valid */
  BT_SUP_VERIFIED,        /* the capture is what the payload says */
  BT_SUP_VERIFY_FAILED    /* text: why */
};
struct bt_sup_event {
  enum bt_sup_event_kind kind;
  int64_t now_ms;
  const char *text;
  struct bt_sup_exit exit;
  bool deny_open, transcript_there;
  bool consumed;         /* of CONTINUE_FAILED and VERIFY_FAILED: the deny is consumed all the same */
  int64_t transcript_ns; /* mtime */
  const struct bt_sup_payload *payload;
};

enum bt_sup_action_kind {
  BT_SUP_DO_SPAWN,    /* session and prompt of the machine; answered by SPAWNED or EXITED */
  BT_SUP_DO_LOG,      /* text: one event */
  BT_SUP_DO_TELL,     /* text: several lines for the operator */
  BT_SUP_DO_SIGNAL,   /* signal to the child; GONE when it is not there */
  BT_SUP_DO_CONTINUE, /* the continue step for the session, with its transcript where with_transcript */
  BT_SUP_DO_VERIFY    /* the capture of the session against content_hash */
};
struct bt_sup_action {
  enum bt_sup_action_kind kind;
  char *text; /* owned by the machine, until the next event */
  int signal;
  bool with_transcript;
};

enum bt_sup_state {
  BT_SUP_IDLE,
  BT_SUP_STARTING,
  BT_SUP_WATCHING,
  BT_SUP_QUIESCING,
  BT_SUP_CONTINUING,
  BT_SUP_VERIFYING,
  BT_SUP_TERMINATING,
  BT_SUP_KILLING,
  BT_SUP_WAITING, /* for the child to end by itself, for as long as it takes */
  BT_SUP_DONE,
  BT_SUP_STATE_COUNT
};
const char *bt_sup_state_word(enum bt_sup_state state); /* starting, watching, quiescing, ... */

enum bt_sup_reason {
  BT_SUP_REASON_NONE,
  BT_SUP_CHILD_EXITED,
  BT_SUP_INTERRUPTED,
  BT_SUP_UNSAFE_SESSION_ID,
  BT_SUP_DEGRADED,
  BT_SUP_CHILD_FAILED,
  BT_SUP_CHILD_SIGNALLED,
  BT_SUP_SPAWN_FAILED
};
const char *bt_sup_reason_word(enum bt_sup_reason reason);
int bt_sup_exit_status(enum bt_sup_reason reason); /* 0-4 */
enum bt_sup_reason bt_sup_classify(const struct bt_sup_exit *exit);

struct bt_sup_abnormal {
  char *session;
  bool signalled;
  int code, signal;
};

#define BT_SUP_ACTIONS_MAX 8
#define BT_SUP_NEVER INT64_MAX

struct bt_sup_machine { /* read by its caller, changed by bt_sup_step only */
  struct bt_sup_config config;
  enum bt_sup_state state;
  enum bt_sup_reason reason; /* what the run ends with, once that is known */
  int64_t wake_ms;           /* when a tick is due at the latest; BT_SUP_NEVER */

  char **sessions; /* in order; the last one is current */
  size_t session_count;
  struct bt_str prompt; /* of the current session; empty for the first */
  struct bt_sup_abnormal *abnormal;
  size_t abnormal_count, continuations;
  bool child_known; /* `child` tells how the last child ended */
  struct bt_sup_exit child;

  bool running, interrupted, signalled, sampled, seen_there;
  int64_t seen_ns, quiet_since_ms, grace_end_ms;
  struct bt_str successor, successor_prompt, ticket, content_hash, content_path, start_error;
  struct bt_sup_action actions[BT_SUP_ACTIONS_MAX];
  size_t action_count;
  bool no_memory; /* something is missing: the run must be given up */
};

void bt_sup_init(struct bt_sup_machine *machine, struct bt_sup_config config);
void bt_sup_dispose(struct bt_sup_machine *machine);

/* Takes one event; machine->actions are to be carried out in order, then machine->wake_ms is when the next tick is due.
 * An event that the state does not wait for changes nothing but what it reports; one after the end changes nothing. */
void bt_sup_step(struct bt_sup_machine *machine, const struct bt_sup_event *event);

const char *bt_sup_session(const struct bt_sup_machine *machine); /* the current one; NULL before the first */

#endif
