/* core/env.h - everything core is told about the outside: place, clock, host, processes, key.
 *
 * core never reads the environment, the clock or the tty (design rule 3): the caller fills this in
 * once (cli/main.c, or a test with fixed values) and passes it down. All strings are internal text,
 * borrowed, and outlive the env's users. The key reaches signing and verifying only. */
#ifndef BATON_CORE_ENV_H
#define BATON_CORE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum bt_alive {
  BT_ALIVE_NO,    /* ESRCH, or a pid that cannot exist */
  BT_ALIVE_YES,   /* it answers */
  BT_ALIVE_DENIED /* EPERM: alive, another user's */
};

/* How core asks about processes of this host. A test fixes the answers. */
struct bt_proc_probe {
  void *context;
  /* Signal 0 (spec/context-handoff.md 7). `pid` is already known to be an integer > 0. */
  enum bt_alive (*alive)(void *context, double pid);
  /* Start of the process in ms since 1970, from /proc; false when it cannot be proved. */
  bool (*started_ms)(void *context, double pid, int64_t *started_ms);
  /* Command name into `name` (visible text); false when unknown. */
  bool (*name)(void *context, double pid, char *name, size_t size);
  /* Has it ended, and only its parent does not know yet? NULL: that is never said. */
  bool (*is_zombie)(void *context, double pid);
};

struct bt_env {
  const char *cwd;        /* absolute working directory */
  const char *root;       /* absolute; holds the ledger directory */
  const char *ledger_dir; /* absolute; its last segment is .adlc */
  const char *host;       /* gethostname */
  pid_t pid;              /* ours */
  unsigned uid;
  const char *user; /* login name, or the number */

  const char *key; /* ADLC_MANIFEST_KEY after decode8+encode8; NULL when unset or empty */
  size_t key_length;
  bool key_is_sample; /* the published sample key of the sample ledger */

  const char *ticket;    /* ADLC_TICKET, NULL when unset */
  const char *home;      /* home directory */
  const char *state_dir; /* $XDG_STATE_HOME/baton, absolute: action log, trash, marks */
  const char *cache_dir; /* $XDG_CACHE_HOME/baton, absolute: transcript index */
  const char *data_dir;  /* $XDG_DATA_HOME/baton, absolute */
  const char *config_dir;
  const char *claude_dir; /* CLAUDE_CONFIG_DIR or ~/.claude; the other stores read `getenv_fn` */
  const char *sample_dir; /* the transcripts that the sample ledger brings along, absolute; NULL on any other ledger */
  const char *self_path;  /* /proc/self/exe */
  bool readonly;          /* --readonly: every write is BT_READONLY */

  void *clock_context;
  int64_t (*now_ms)(void *context);                          /* wall clock, ms since 1970 */
  const char *(*getenv_fn)(void *context, const char *name); /* for store override variables; may be NULL */
  void *getenv_context;

  const int *give_up; /* a descriptor: once it can be read nobody waits for a long job any more; NULL: none */

  struct bt_proc_probe proc;
};

static inline int64_t bt_env_now(const struct bt_env *env) {
  return env->now_ms(env->clock_context);
}

#endif
