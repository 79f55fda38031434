/* tui/act.h - the plan of a verb and its execution, whichever part of core has it.
 *
 * The ledger's verbs are core/ops/op.h's; what is beside the ledger, a delivery, a handover request and a session record, has plans of its
 * own of the same form. */
#ifndef BATON_TUI_ACT_H
#define BATON_TUI_ACT_H

#include "core/env.h"
#include "core/model/plan.h"

/* As bt_op_plan and bt_op_execute. */
enum bt_code act_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                      struct bt_error *err) BT_NODISCARD;
enum bt_code act_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                         struct bt_error *err) BT_NODISCARD;
/* Whose plan reads a whole transcript or asks git a dozen times: nothing for the thread that reads keys. */
bool act_is_slow(enum bt_verb verb);

#endif
