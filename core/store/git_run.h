/* core/store/git_run.h - runs `git` by argv, never through a shell, for at most ten seconds.
 *
 * Owns: the child's environment (the caller's without the signing key), stdin and stderr discarded, the time limit,
 * the ceiling of the output. Must not know: what the output means. Rules: spec/context-handoff.md 9.3, 12.5. */
#ifndef BATON_CORE_STORE_GIT_RUN_H
#define BATON_CORE_STORE_GIT_RUN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define BT_GIT_TIMEOUT_MS 10000
#define BT_GIT_OUTPUT_MAX ((size_t)1024 * 1024)
#define BT_GIT_ARGS_MAX 32

enum bt_git_end {
  BT_GIT_EXITED,    /* `exit_status` is git's own */
  BT_GIT_ABSENT,    /* there is no git to run */
  BT_GIT_TIMED_OUT, /* killed after BT_GIT_TIMEOUT_MS */
  BT_GIT_TOO_MUCH,  /* killed for more than BT_GIT_OUTPUT_MAX bytes */
  BT_GIT_BROKEN     /* killed by a signal, or its end could not be learnt */
};
struct bt_git_result {
  enum bt_git_end end;
  int exit_status;
};

/* Runs `git -C root ARGS...`; `args` ends in NULL. `output` (initialised, its ceiling at least BT_GIT_OUTPUT_MAX; NULL:
 * discarded) receives stdout as raw bytes. With `own_repository` the variables that point git at another
 * repository (GIT_DIR, GIT_WORK_TREE and the like) are taken away too. BT_OK however git ended; BT_NOMEM, BT_IO
 * (no pipe, no process). Blocks for at most the time limit. */
enum bt_code bt_git_run(const char *root, const char *const *args, bool own_repository, struct bt_str *output,
                        struct bt_git_result *result, struct bt_error *err) BT_NODISCARD;

/* The same for what git says on stderr, raw and in whatever language it speaks; stdout is discarded. For words only. */
enum bt_code bt_git_complaint(const char *root, const char *const *args, bool own_repository, struct bt_str *complaint,
                              struct bt_error *err) BT_NODISCARD;

#endif
