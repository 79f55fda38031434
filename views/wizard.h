/* views/wizard.h - a dialog in steps: which step it stands on, and what that step shows (dashboard.md 6.5). */
#ifndef BATON_VIEWS_WIZARD_H
#define BATON_VIEWS_WIZARD_H

#include "views/flow.h"
#include "views/frame.h"

/* "[x] 1 check   [x] 2 brief   [>] 3 ticket ..." into the first row; where that does not fit, the step alone. */
void bt_wizard_bar(struct bt_pane pane, const struct bt_dialog *dialog);
void bt_wizard_add(struct bt_flow *flow, const struct bt_frame *frame);

#endif
