/* core/ops/continue.h - what the planning and the running half of `continue` share.
 *
 * Inside core/ops only. Rules: spec/context-handoff.md 8.8. */
#ifndef BATON_CORE_OPS_CONTINUE_H
#define BATON_CORE_OPS_CONTINUE_H

#include "core/base/json.h"
#include "core/ops/planning.h"

#define BT_CONTINUE_GATE "context-handoff-continue"

/* The payload up to bootstrap_prompt. NULL: out of memory. */
struct bt_json *bt_continue_payload(const struct bt_env *env, const struct bt_request *request,
                                    const struct bt_op_details *details, bool dry_run) BT_NODISCARD;

/* The rows, steps, checks and sentences of the dialog. */
struct bt_brief;
struct bt_narrative;
void bt_continue_describe(struct bt_planner *planner, const struct bt_json *record, const struct bt_brief *brief,
                          const struct bt_narrative *narrative);

/* "degrade": BT_REFUSED, `handoff continue: ...`. */
enum bt_code bt_continue_degrade(struct bt_error *err, const char *session, const char *fmt, ...) BT_PRINTF(3, 4);

#endif
