/* core/ops/marks.h - what the operator has marked and how they like to look; the one writer of those files.
 *
 * Below $XDG_STATE_HOME/baton: `order` (how the list is sorted) and `reviewed/` - one file for each brief that was read
 * and marked, named by session and by the hash of the brief, holding the text that was read. So a mark is bound to
 * exactly that text and is lost when the brief changes, and what was read can be held against what is there now
 * (dashboard.md rows 29, 36, 37). No part of the ledger. */
#ifndef BATON_CORE_OPS_MARKS_H
#define BATON_CORE_OPS_MARKS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/snapshot.h"


/* `order` is one word. BT_READONLY, BT_IO. */
enum bt_code bt_marks_keep_order(const struct bt_env *env, const char *order, bool reversed,
                                 struct bt_error *err) BT_NODISCARD;
/* The word into `order` (initialised), empty when nothing was kept. Never fails: an order is no fact. */
void bt_marks_order(const struct bt_env *env, struct bt_str *order, bool *reversed);

/* Marks the brief of `session` as read, or takes the mark away. BT_MISSING where there is no brief that can be read,
 * BT_READONLY, BT_IO, BT_NOMEM. */
enum bt_code bt_marks_review(const struct bt_env *env, const struct bt_session *session, bool reviewed,
                             struct bt_error *err) BT_NODISCARD;

#endif
