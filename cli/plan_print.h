/* cli/plan_print.h - a plan for people and as JSON (`--plan`).
 *
 * The same words as the dialogs show. Text of sessions is in its visible form already. JSON: one object with
 * schema_version, and `plan`, the list of steps. */
#ifndef BATON_CLI_PLAN_PRINT_H
#define BATON_CLI_PLAN_PRINT_H

#include "core/model/plan.h"

/* Both return the exit status: 0, or 1 when memory or stdout fails. */
int plan_print_text(const struct bt_plan *plan);
int plan_print_json(const struct bt_plan *plan);

#endif
