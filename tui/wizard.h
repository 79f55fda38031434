/* tui/wizard.h - the steps of a dialog that is gone through one by one: which has something to decide, and which is
 * next.
 *
 * Pure. Steps with nothing to decide are skipped; `<` goes back to any of them. A step that is not settled is never
 * passed (dashboard.md 6.5, rows 60, 61). */
#ifndef BATON_TUI_WIZARD_H
#define BATON_TUI_WIZARD_H

#include <stdbool.h>

#include "tui/confirm.h"

/* Why `step` cannot be passed: one short line, static or of the plan; NULL when it can. */
const char *wizard_blocked(const struct confirm *confirm, enum bt_wizard_step step);
/* The first step that cannot be passed; BT_STEP_CONFIRM when all can. */
enum bt_wizard_step wizard_open_step(const struct confirm *confirm);

void wizard_go(struct confirm *confirm, enum bt_wizard_step step);
bool wizard_forward(
    struct confirm *confirm);              /* to the next step that wants something; false: this one is not settled */
bool wizard_back(struct confirm *confirm); /* to the step before; false: this is the first */

/* After a plan was made or refused: on the first step that has something to decide when the dialog opens, later back to
 * one that is not settled any more. */
void wizard_planned(struct confirm *confirm);

#endif
