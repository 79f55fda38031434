/* core/base/child.h - runs one program by argv, never through a shell, and watches it.
 *
 * Owns: the child's environment (the caller's without the ledger's keys), its standard streams, the time limit and the
 * ceiling of what it may say. Must not know: what the program is or means. */
#ifndef BATON_CORE_BASE_CHILD_H
#define BATON_CORE_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"

enum bt_child_end {
  BT_CHILD_EXITED,    /* `exit_status` is its own */
  BT_CHILD_ABSENT,    /* it was not started; `sys_errno`: ENOENT where there is no such program */
  BT_CHILD_TIMED_OUT, /* killed at the time limit */
  BT_CHILD_TOO_MUCH,  /* killed for saying too much */
  BT_CHILD_BROKEN     /* killed by a signal, or its end could not be learnt */
};

struct bt_child_result {
  enum bt_child_end end;
  int exit_status;
  int sys_errno; /* of BT_CHILD_ABSENT */
};

struct bt_child {
  const char *const *argv;     /* ends in NULL; argv[0] is looked up in PATH unless it holds a slash */
  const char *dir;             /* its working folder; a path in argv[0] is taken from there. NULL: the caller's */
  const char *const *withheld; /* names of variables it does not get, ends in NULL; NULL: none but the keys */
  const char *const *added;    /* NAME=VALUE, ends in NULL, in place of what was there; NULL: none */
  int64_t timeout_ms;
  size_t output_max;        /* bytes of stdout and stderr together */
  bool own_group;           /* at the time limit what it has started goes down with it */
  const int *give_up;       /* a descriptor: once it can be read the child is ended as at the time limit; NULL: none */
  struct bt_str *out, *err; /* initialised, with room for output_max; receive raw bytes; NULL: discarded */
};

/* The present environment without what `withheld` names, and with `added` in place of what was there; either may be
 * NULL. A list of the caller's (free) of borrowed strings; NULL: out of memory. */
const char **bt_child_environment(const char *const *added, const char *const *withheld);

/* BT_OK however the child ended, with the answer in `result`; BT_NOMEM; BT_IO (no pipe, no process). stdin is empty.
 * Blocks for at most the time limit. */
enum bt_code bt_child_run(const struct bt_child *child, struct bt_child_result *result,
                          struct bt_error *err) BT_NODISCARD;

#endif
