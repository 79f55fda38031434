/* tui/bulk.h - one bulk unlock as a state machine: what is asked, what may be tried next, when to stop.
 *
 * Pure but for the two loops at the end, which take each step through core/ops/op.h: every item has its own plan and its own
 * execution, so it is checked again when it is done, keeps its copy in the trash and its line in the action log. Refused
 * items are never tried; three failures in a row end it. Rules: dashboard.md rows 51, 53, 63, 64. */
#ifndef BATON_TUI_BULK_H
#define BATON_TUI_BULK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/bulk.h"
#include "core/model/plan.h"
#include "core/model/snapshot.h"

#define BULK_FAILURES_MAX 3 /* in a row */

struct bulk_item {
  struct bt_request request; /* of a stale lock; strings in the arena */
  struct bt_plan *plan;      /* owned; NULL: none */
  bool session;              /* what is marked: a session's id, or the path of a lock */
  const char *mark;
};
struct bulk { /* zeroed: none is open */
  struct bt_arena *arena;
  struct bulk_item *items;
  struct bt_bulk_line *lines; /* one for each item */
  size_t count, next, failures;
};

/* Opens one about the sessions and locks whose flag is set, one for each of the snapshot's; either may be NULL. Locks first,
 * in their order. False, and none is open, when memory is short. Copies what it needs of the snapshot. */
bool bulk_open(struct bulk *bulk, const struct bt_snapshot *snapshot, const bool *sessions, const bool *locks);
void bulk_close(struct bulk *bulk);

/* What a plan is wanted for; NULL: nothing can be done to that item. */
const struct bt_request *bulk_wants_plan(const struct bulk *bulk, size_t at);
void bulk_planned(struct bulk *bulk, size_t at, struct bt_plan *plan,
                  const struct bt_error *err); /* moves in, or NULL */

/* Every fact that is on show, so that two lists can be held against each other. */
void bulk_facts(const struct bulk *bulk, struct bt_str *out);

/* The plan to execute next and its item; NULL when all is done or enough has failed. */
const struct bt_plan *bulk_next(struct bulk *bulk, size_t *at);
void bulk_executed(struct bulk *bulk, size_t at, const struct bt_receipt *receipt, const struct bt_error *err);

/* With the real core. */
void bulk_plan_all(struct bulk *bulk, const struct bt_env *env);
void bulk_execute_all(struct bulk *bulk, const struct bt_env *env);

#endif
