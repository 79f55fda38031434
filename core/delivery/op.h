/* core/delivery/op.h - the plan of a change to a delivery's record, and its execution: the dashboard's two calls.
 *
 * `baton delivery reconcile|close` and these share the evaluation, the change and the write; what the plan says is what
 * is written. Verbs: BT_VERB_RECONCILE, BT_VERB_STOP. The request names the working tree and, where the forge was
 * asked, what it said: nothing here asks it again. A record in a pull request's description is not written from here:
 * that plan is locked and names the command. Rules: spec/delivery-handoff.md 11, 13. */
#ifndef BATON_CORE_DELIVERY_OP_H
#define BATON_CORE_DELIVERY_OP_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"

/* Reads only. On BT_OK *plan is the caller's. BT_STATE where nothing would be written, with the code that
 * `baton delivery` gives; BT_USAGE, BT_IO, BT_NOMEM. */
enum bt_code bt_delivery_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                                 struct bt_error *err) BT_NODISCARD;

/* BT_STALE when what the plan rests on has changed; BT_REFUSED for the refusals of a write; BT_READONLY. On BT_OK
 * *receipt is the caller's. What was done or refused is in the action log. */
enum bt_code bt_delivery_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                                    struct bt_error *err) BT_NODISCARD;

#endif
