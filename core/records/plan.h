/* core/records/plan.h - building a record from a harness's own transcript, as a plan that is confirmed and then done.
 *
 * The plan is a build that writes nothing (build.h, look_only), told in words. Executing it is `baton records build
 * --from TRANSCRIPT --harness LABEL`. Shaped like core/ops/op.h, for the same dialogs. The ledger has no part in it. */
#ifndef BATON_CORE_RECORDS_PLAN_H
#define BATON_CORE_RECORDS_PLAN_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/model/snapshot.h"

/* Why no record can be built of this session; NULL when one can. */
const char *bt_record_off(const struct bt_session *session);

/* `request`: verb BT_VERB_RECORD, `session`, `transcript` (absolute path, internal text) and `harness` (a label of
 * core/records/adapt.h). Reads the whole transcript. On BT_OK *plan is the caller's; errors are bt_build's, and
 * BT_USAGE where the request lacks something. */
enum bt_code bt_record_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                            struct bt_error *err) BT_NODISCARD;

/* BT_STALE, and nothing is changed, when the record is not the one of the plan; a transcript that has grown meanwhile
 * is taken as it is now. Else bt_build's errors. On BT_OK *receipt is the caller's. */
enum bt_code bt_record_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                               struct bt_error *err) BT_NODISCARD;

#endif
