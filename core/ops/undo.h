/* core/ops/undo.h - puts the lock file that was removed last back, if its place is still free.
 *
 * The only thing that is ever undone: a continuation is not (dashboard.md, decisions and row 54). */
#ifndef BATON_CORE_OPS_UNDO_H
#define BATON_CORE_OPS_UNDO_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

/* Says what would be put back: `path` (initialised) receives it, relative to the ledger directory, and `removed_at`
 * when it was removed. With `write` it is done: BT_REFUSED when the place is taken. BT_MISSING when there is nothing to
 * undo; BT_READONLY. The action is logged; `warning` (initialised) receives what went wrong around it. */
enum bt_code bt_undo(const struct bt_env *env, bool write, struct bt_str *path, struct bt_str *removed_at,
                     struct bt_str *warning, struct bt_error *err) BT_NODISCARD;

#endif
