/* tui/act.c - which part of core has which verb. */
#include "tui/act.h"

#include "core/delivery/op.h"
#include "core/handover/op.h"
#include "core/ops/op.h"
#include "core/records/plan.h"

enum bt_code act_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                      struct bt_error *err) {
  switch (request->verb) {
  case BT_VERB_ACK:
    return bt_ask_op_plan(env, request, plan, err);
  case BT_VERB_RECONCILE:
  case BT_VERB_STOP:
    return bt_delivery_op_plan(env, request, plan, err);
  case BT_VERB_RECORD:
    return bt_record_plan(env, request, plan, err);
  default:
    return bt_op_plan(env, request, plan, err);
  }
}

bool act_is_slow(enum bt_verb verb) {
  return verb == BT_VERB_RECORD || verb == BT_VERB_RECONCILE || verb == BT_VERB_STOP;
}

enum bt_code act_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                         struct bt_error *err) {
  switch (plan->request.verb) {
  case BT_VERB_ACK:
    return bt_ask_op_execute(env, plan, receipt, err);
  case BT_VERB_RECONCILE:
  case BT_VERB_STOP:
    return bt_delivery_op_execute(env, plan, receipt, err);
  case BT_VERB_RECORD:
    return bt_record_execute(env, plan, receipt, err);
  default:
    return bt_op_execute(env, plan, receipt, err);
  }
}
