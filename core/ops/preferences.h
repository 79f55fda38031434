/* core/ops/preferences.h - how the operator likes to look: the order of the list, and where its preview is.
 *
 * One line a file below $XDG_STATE_HOME/baton, `order` and `preview` (dashboard.md row 29). A preference is no fact: one that
 * is absent or cannot be read is simply not there. */
#ifndef BATON_CORE_OPS_PREFERENCES_H
#define BATON_CORE_OPS_PREFERENCES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

/* `order` is one word. BT_READONLY, BT_IO, BT_UNSAFE, BT_NOMEM: the former one stays. */
enum bt_code bt_preferences_keep_order(const struct bt_env *env, const char *order, bool reversed,
                                       struct bt_error *err) BT_NODISCARD;
/* The word into `order` (initialised), empty when nothing was kept. Never fails. */
void bt_preferences_order(const struct bt_env *env, struct bt_str *order, bool *reversed);

/* The same for where the preview of the list is. */
enum bt_code bt_preferences_keep_preview(const struct bt_env *env, const char *preview,
                                         struct bt_error *err) BT_NODISCARD;
void bt_preferences_preview(const struct bt_env *env, struct bt_str *preview);

#endif
