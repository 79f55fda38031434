/* core/store/repo_lines.h - the lines that `git status --porcelain` prints.
 *
 * Owns: quoting of paths and the order of lines, as git does them. Must not know: where the states come from. */
#ifndef BATON_CORE_STORE_REPO_LINES_H
#define BATON_CORE_STORE_REPO_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/str.h"

struct bt_status_line {
  char index, worktree; /* git's letters, '?' '?' for an untracked path */
  const char *path;     /* borrowed, raw bytes */
};

/* Appends the lines in git's order: changes by path, then untracked paths by path. Sorts `lines` in place.
 * `quote_high` is core.quotePath. */
void bt_status_lines_print(struct bt_str *out, struct bt_status_line *lines, size_t count, bool quote_high);

/* A path as git quotes it in a status line: in C's manner where it has to, in quotes where it holds a blank. */
void bt_status_path_print(struct bt_str *out, const char *path, bool quote_high);

/* The status as the brief lists it: non-blank lines of `status` (each ended by LF), the first `most`, then a line that
 * counts the rest if there are any (spec/context-handoff.md 9.3). */
void bt_status_brief(struct bt_str *out, const char *status, size_t length, size_t most);

#endif
