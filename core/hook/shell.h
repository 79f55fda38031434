/* core/hook/shell.h - what a shell command might touch, judged without running or understanding it.
 *
 * Pure. Text is internal text. Rules: spec/context-handoff.md 6.6. */
#ifndef BATON_CORE_HOOK_SHELL_H
#define BATON_CORE_HOOK_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* More than this is not looked at: the command is then denied as a whole. */
#define BT_SHELL_MAX_CANDIDATES 65536
#define BT_SHELL_MAX_CANDIDATE_BYTES ((size_t)8 * 1024 * 1024)

struct bt_candidates { /* path candidates, first-seen order, no duplicates */
  char **items;
  size_t count, capacity;
  size_t bytes;
  size_t *buckets; /* hash of the items, index + 1; 0 is empty */
  size_t bucket_count;
};

/* BT_OK, BT_NOMEM, or BT_TOO_LARGE past the limits. Dispose in every case. */
enum bt_code bt_shell_candidates(const char *command, struct bt_candidates *out, struct bt_error *err) BT_NODISCARD;
void bt_candidates_dispose(struct bt_candidates *candidates);

/* Does the command run one of the handoff verbs that write? */
bool bt_shell_runs_mutating_cli(const char *command);

#endif
