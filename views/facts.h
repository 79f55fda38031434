/* views/facts.h - the pieces of a plan as lines of a dialog, in the plan's own words. */
#ifndef BATON_VIEWS_FACTS_H
#define BATON_VIEWS_FACTS_H

#include "views/flow.h"
#include "views/scene.h"

#define BT_FACTS_TEXT_AT 13 /* column of what stands beside a label */

void bt_facts_table(struct bt_flow *flow, const struct bt_plan *plan); /* now and after */
void bt_facts_steps(struct bt_flow *flow, const struct bt_plan *plan);
void bt_facts_checks(struct bt_flow *flow, const struct bt_plan *plan);
/* Those that do not say [ok], worst first (`doubts`), or those that do. Returns how many. */
size_t bt_facts_checks_of(struct bt_flow *flow, const struct bt_plan *plan, bool doubts);
void bt_facts_check(struct bt_flow *flow, enum bt_check check, const char *text);
void bt_facts_sentences(struct bt_flow *flow, const char *label, enum bt_role role, const char *const *list,
                        size_t count);
void bt_facts_after(struct bt_flow *flow, const struct bt_plan *plan); /* what comes then, and how it is undone */
void bt_facts_gap(struct bt_flow *flow, size_t count);                 /* a blank line where something follows */
/* The same for a shell; nothing where there is no plan. */
void bt_facts_command(struct bt_flow *flow, const struct bt_dialog *dialog);

#endif
