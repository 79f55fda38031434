/* core/store/log_view.h - reads the evidence for a screen: the newest entries judged, with what markers say merged in.
 *
 * Reads only. Keeps the newest BT_LOG_VIEW_MAX entries. Rules: dashboard.md 6.8; spec/context-handoff.md 12.6. */
#ifndef BATON_CORE_STORE_LOG_VIEW_H
#define BATON_CORE_STORE_LOG_VIEW_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/log_view.h"
#include "core/model/snapshot.h"

#define BT_LOG_VIEW_MAX 2000

/* `snapshot` is of the same ledger: its deny records give the derived rows. On BT_OK *view is the caller's. BT_UNSAFE,
 * BT_IO, BT_MISSING, BT_NOMEM. */
enum bt_code bt_log_view_load(const struct bt_env *env, const struct bt_snapshot *snapshot, struct bt_log_view **view,
                              struct bt_error *err) BT_NODISCARD;

#endif
