/* core/ops/trash.h - what was removed is kept first; the one writer of baton's trash.
 *
 * $XDG_STATE_HOME/baton/trash: for every removed lock file its bytes as they were (NAME) and a note where it
 * belongs (NAME.json: {ledger, path, removed_at, host}). `undo` puts the newest one back if its place is still
 * free. Rules: dashboard.md "Showing and breaking locks" 6, rows 54 and 106. */
#ifndef BATON_CORE_OPS_TRASH_H
#define BATON_CORE_OPS_TRASH_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

/* Keeps a copy of what lies at `path` of the ledger; `kept` (initialised) receives the copy's absolute path. */
enum bt_code bt_trash_keep(const struct bt_env *env, const char *path, const void *bytes, size_t length,
                           struct bt_str *kept, struct bt_error *err) BT_NODISCARD;

struct bt_trash_item {
  struct bt_str name; /* inside the trash folder */
  struct bt_str path; /* where it belongs, relative to the ledger directory */
  struct bt_str bytes;
  struct bt_str removed_at;
};
void bt_trash_item_dispose(struct bt_trash_item *item);

/* The newest copy that came from env->ledger_dir. BT_MISSING when there is none. Dispose in every case. */
enum bt_code bt_trash_newest(const struct bt_env *env, struct bt_trash_item *item, struct bt_error *err) BT_NODISCARD;

/* Takes the copy called `name` out of the trash: it was put back, or never removed. */
enum bt_code bt_trash_forget(const struct bt_env *env, const char *name, struct bt_error *err) BT_NODISCARD;

#endif
