/* core/delivery/view.h - every working tree of a repository, its delivery evaluated, for a screen.
 *
 * Reads only; runs git several times a tree, and gh only where asked: not for a thread that draws. */
#ifndef BATON_CORE_DELIVERY_VIEW_H
#define BATON_CORE_DELIVERY_VIEW_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/delivery_view.h"

#define BT_DELIVERY_TREES_MAX 40

/* Where there are more than BT_DELIVERY_TREES_MAX, the tree of `env->root` and those with a record come first.
 * The working trees of the repository that `env->root` lies in. On BT_OK *view is the caller's. A tree that cannot be
 * looked at is a row with its error. BT_STATE: no repository, or no git. BT_IO, BT_NOMEM. */
enum bt_code bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                   struct bt_error *err) BT_NODISCARD;

#endif
