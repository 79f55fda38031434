/* core/ops/marks.h - which briefs the operator has read.
 *
 * Below $XDG_STATE_HOME/baton: `reviewed/` - one file for each brief that was read and marked, named by session and by the
 * hash of the brief, holding the text that was read; `verified/` - for each session the last brief that was verified when
 * it was kept. So a mark is bound to exactly that text and is lost when the brief changes, and what is there now can be
 * held against what was (dashboard.md rows 36, 37). No part of the ledger. */
#ifndef BATON_CORE_OPS_MARKS_H
#define BATON_CORE_OPS_MARKS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/model/snapshot.h"

/* Marks the brief of `session` as read, or takes the mark away; one that is verified is also kept as such.
 * BT_MISSING where there is no brief that can be read, BT_READONLY, BT_IO, BT_NOMEM. */
enum bt_code bt_marks_review(const struct bt_env *env, const struct bt_session *session, bool reviewed,
                             struct bt_error *err) BT_NODISCARD;

/* The same for the text that `continue` would hand on, which lies in no file yet. */
enum bt_code bt_marks_review_brief(const struct bt_env *env, const char *session, const struct bt_plan_brief *brief,
                                   bool reviewed, struct bt_error *err) BT_NODISCARD;

/* Keeps the text as the session's verified copy, in the place of an earlier one. Only for a text that hashes to what
 * the session's records say now. */
enum bt_code bt_marks_keep_verified(const struct bt_env *env, const char *session, const struct bt_plan_brief *brief,
                                    struct bt_error *err) BT_NODISCARD;

#endif
