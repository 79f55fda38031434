/* core/ops/op.h - the one path by which the ledger changes: plan, then execute.
 *
 * bt_op_plan makes every check that spec/context-handoff.md 8 puts before "no --write", in that order, and
 * reads only. bt_op_execute repeats them under the session lock, refuses with BT_STALE when the facts are not
 * those of the plan, writes, appends the signed evidence, and on failure undoes by compare-and-swap
 * (8.10, 15.1). CLI and dashboard both use exactly these two calls. */
#ifndef BATON_CORE_OPS_OP_H
#define BATON_CORE_OPS_OP_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"

/* The checks that need no ledger: ids and required flags, in the verb's order. The command line makes them before it
 * looks at --dir, as spec/context-handoff.md 8.8 wants; bt_op_plan makes them again. */
enum bt_code bt_op_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;

/* On BT_OK *plan is the caller's (bt_plan_free). On failure *plan is NULL and the error is the verb's own: its
 * exit status is bt_code_exit_status(err->code). */
enum bt_code bt_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                        struct bt_error *err) BT_NODISCARD;

/* `plan` stays the caller's. On BT_OK *receipt is the caller's (bt_receipt_free). */
enum bt_code bt_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                           struct bt_error *err) BT_NODISCARD;

/* Writes into the action log that `request`, meant to be done, was refused before it came to bt_op_execute (which
 * logs by itself). Never fails: a log that cannot be written changes nothing. */
void bt_op_log_refusal(const struct bt_env *env, const struct bt_request *request, const struct bt_error *err);

#endif
