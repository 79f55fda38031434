/* core/harness/scope.h - whether a working folder belongs to this repository.
 *
 * Owns: the folders of all worktrees of the repository that holds the root, read from git's own files (fast, no
 * libgit2), and what was answered before. Must not know transcripts. A folder that is gone is judged by its path, as
 * far as that is left resolved. A bare repository, and the folder around one that leads there, count as worktrees. */
#ifndef BATON_CORE_HARNESS_SCOPE_H
#define BATON_CORE_HARNESS_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

struct bt_scope;

/* `root`: where the ledger lies, absolute. NULL: out of memory. */
struct bt_scope *bt_scope_new(const char *root);
void bt_scope_free(struct bt_scope *scope);

/* `cwd` (internal text) inside the main worktree, a linked one, or, outside of any repository, the root itself. A
 * repository nested in one of them is another one. Not for several threads at once: it remembers its answers. */
bool bt_scope_has(struct bt_scope *scope, const char *cwd);

/* The worktrees' folders, as named and, where that differs, as resolved: bytes, absolute, borrowed. */
size_t bt_scope_root_count(const struct bt_scope *scope);
const char *bt_scope_root(const struct bt_scope *scope, size_t at);

#endif
