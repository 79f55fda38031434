/* views/record.h - a lock's whole record and what proves the verdict, as lines.
 *
 * The same on the locks screen (6.3 of dashboard.md) and in the unlock dialog (row 50). */
#ifndef BATON_VIEWS_RECORD_H
#define BATON_VIEWS_RECORD_H

#include "views/flow.h"
#include "views/frame.h"

/* One line in restic's shape: who, where, since, how long. */
void bt_record_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_lock *lock);
/* [ok] / [!!] lines. */
void bt_record_add_evidence(struct bt_flow *flow, const struct bt_lock *lock);

bool bt_lock_is_here(const struct bt_snapshot *snapshot, const struct bt_lock *lock); /* its host is this host */

#endif
