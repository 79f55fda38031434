/* core/store/log_view.h - reads the evidence for a screen: the newest entries judged, with what markers say merged in.
 *
 * Reads only. Keeps the newest BT_LOG_VIEW_MAX entries. What files beside the manifest tell: denies that were opened and
 * consumed, grants that are gone, verbs that were refused. Rules: dashboard.md 6.8; spec/context-handoff.md 6.4, 12.6. */
#ifndef BATON_CORE_STORE_LOG_VIEW_H
#define BATON_CORE_STORE_LOG_VIEW_H

#include <stdbool.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/env.h"
#include "core/model/log_view.h"
#include "core/model/snapshot.h"

#define BT_LOG_VIEW_MAX 2000

/* What was checked, kept between two readings: the chains are read and checked again only when a file of theirs is another
 * one than it was (name, inode, size, times). Belongs to one ledger, and to one thread at a time. */
struct bt_log_source;
struct bt_log_source *bt_log_source_new(void);         /* NULL: out of memory */
void bt_log_source_free(struct bt_log_source *source); /* NULL is allowed */

#define BT_LOG_STAMP BT_SHA256_HEX
/* Of the files as they were when they were checked; empty: nothing has been checked yet. Borrowed. */
const char *bt_log_source_stamp(const struct bt_log_source *source);
/* True when the files are still those that were checked. Costs a look at each file, not at what is in it. */
bool bt_log_source_is_current(const struct bt_env *env, const struct bt_log_source *source);
/* Checks the chains of a new source, whatever they say; it stays empty where the files' stamp is `known`. May be done on a
 * thread of its own. Failures as below. */
enum bt_code bt_log_source_check(const struct bt_env *env, struct bt_log_source *source, const char *known,
                                 struct bt_error *err) BT_NODISCARD;

enum bt_log_view_flags {
  BT_LOG_HAVE = 1,       /* the last view is still there: *view is NULL where nothing it rests on has changed */
  BT_LOG_AS_CHECKED = 2, /* a source that was checked is not checked again, even where it is not current */
};
/* `snapshot` is of the same ledger: its records give the derived rows. On BT_OK *view is the caller's, or NULL (see the
 * flags). BT_UNSAFE, BT_IO, BT_MISSING, BT_NOMEM. */
enum bt_code bt_log_view_load(const struct bt_env *env, const struct bt_snapshot *snapshot,
                              struct bt_log_source *source, unsigned flags, struct bt_log_view **view,
                              struct bt_error *err) BT_NODISCARD;

#endif
