/* core/store/log_view.h - reads the evidence for a screen: the newest entries judged, with what markers say merged in.
 *
 * Reads only. Keeps the newest BT_LOG_VIEW_MAX entries. What files beside the manifest tell: denies that were opened and
 * consumed, grants that are gone, verbs that were refused. Rules: dashboard.md 6.8; spec/context-handoff.md 6.4, 12.6. */
#ifndef BATON_CORE_STORE_LOG_VIEW_H
#define BATON_CORE_STORE_LOG_VIEW_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/log_view.h"
#include "core/model/snapshot.h"

#define BT_LOG_VIEW_MAX 2000

/* What was checked, kept between two readings: the chains are read and checked again only when a file of theirs is another
 * one than it was (name, inode, size, times). Belongs to one ledger. */
struct bt_log_source;
struct bt_log_source *bt_log_source_new(void); /* NULL: out of memory */
void bt_log_source_free(struct bt_log_source *source); /* NULL is allowed */

/* `snapshot` is of the same ledger: its records give the derived rows. On BT_OK *view is the caller's; it is NULL where
 * `have` says that the last one is still there and nothing it rests on has changed. BT_UNSAFE, BT_IO, BT_MISSING, BT_NOMEM. */
enum bt_code bt_log_view_load(const struct bt_env *env, const struct bt_snapshot *snapshot, struct bt_log_source *source,
                              bool have, struct bt_log_view **view, struct bt_error *err) BT_NODISCARD;

#endif
