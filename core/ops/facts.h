/* core/ops/facts.h - what several dialogs show about a session: its marker, lock, brief, and who else blocks.
 *
 * Inside core/ops only. Reads only, and only when the plan is for a dialog or `--plan` (not terse): nothing here
 * changes a verb's exit status or payload. */
#ifndef BATON_CORE_OPS_FACTS_H
#define BATON_CORE_OPS_FACTS_H

#include "core/ops/planning.h"

/* Text of a bind for a now/after table, visible; "(none)" where it is not there. */
const char *bt_fact_text(struct bt_planner *planner, const struct bt_json *record, const char *key);

/* A check line where the marker's binds are stored in a form that no verb but `write` accepts (5.8). */
void bt_fact_binds(struct bt_planner *planner, const struct bt_json *record);

/* A check line about the session's lock, if there is one. */
void bt_fact_lock(struct bt_planner *planner, const char *session);

/* Check lines about the capture on disk against what the marker says; warns when binding `binding_hash` (may be
 * NULL) would accept an edited text. True when it is TAMPERED. */
bool bt_fact_brief(struct bt_planner *planner, const char *session, const struct bt_json *record,
                   const char *binding_hash);

/* A check line for every other open deny that goes on blocking after `session` is dealt with. */
void bt_fact_other_denies(struct bt_planner *planner, const char *session);

/* The steps around every locked verb. */
void bt_step_take_lock(struct bt_planner *planner, const char *session);
void bt_step_record(struct bt_planner *planner, const char *gate);
void bt_step_release_lock(struct bt_planner *planner);

#endif
