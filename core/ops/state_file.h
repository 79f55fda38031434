/* core/ops/state_file.h - the files of baton's own state folder that are replaced whole; their one writer.
 *
 * Below $XDG_STATE_HOME/baton; `path` is relative to it. Must not know what is in them (core/ops/marks.h,
 * core/ops/preferences.h do). No part of the ledger. */
#ifndef BATON_CORE_OPS_STATE_FILE_H
#define BATON_CORE_OPS_STATE_FILE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/env.h"

/* Makes the folders too; nobody else can read the file. BT_READONLY, BT_IO, BT_UNSAFE, BT_NOMEM: what was there stays. */
enum bt_code bt_state_file_replace(const struct bt_env *env, const char *path, const void *bytes, size_t length,
                                   struct bt_error *err) BT_NODISCARD;

/* When it was kept is when the file changed: by the clock that everything else is shown by. BT_READONLY, BT_IO. */
enum bt_code bt_state_file_stamp(const struct bt_env *env, const char *path, struct bt_error *err) BT_NODISCARD;

/* BT_READONLY, BT_MISSING where it is not there, BT_IO. */
enum bt_code bt_state_file_remove(const struct bt_env *env, const char *path, struct bt_error *err) BT_NODISCARD;

#endif
