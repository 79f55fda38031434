/* core/handover/op.h - the plan of an acknowledgement, and its execution.
 *
 * The dialog and `baton ask ack SESSION` both come through here. Notes in baton's own state that the operator has passed
 * the request on. Writes nothing into the repository and nothing into the transcript. Rules: spec/handover-request.md 3,
 * 6. */
#ifndef BATON_CORE_HANDOVER_OP_H
#define BATON_CORE_HANDOVER_OP_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/plan.h"

/* Reads the session's transcript only. On BT_OK *plan is the caller's. BT_STATE where nothing is due, BT_MISSING where
 * there is no transcript; BT_IO, BT_NOMEM. */
enum bt_code bt_ask_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                            struct bt_error *err) BT_NODISCARD;

/* BT_STALE when the session's window is another one than the plan was made for; BT_READONLY. On BT_OK *receipt is the
 * caller's. What was done or refused is in the action log. */
enum bt_code bt_ask_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                               struct bt_error *err) BT_NODISCARD;

/* Where the provider's transcripts of this ledger are: "DIR/projects". Appends to `out`. */
void bt_ask_projects(struct bt_str *out, const struct bt_env *env);

#endif
