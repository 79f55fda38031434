/* views/form.h - what can be typed, chosen and pressed in a dialog.
 *
 * The focus is a glyph and a role, and the terminal's cursor stands on it. Rows 43-46 and 58 of dashboard.md. */
#ifndef BATON_VIEWS_FORM_H
#define BATON_VIEWS_FORM_H

#include "views/frame.h"

/* Rows the form wants; `compact`: the focused input (else the confirmation) and the buttons only. */
int bt_form_rows(const struct bt_dialog *dialog, bool compact);
void bt_form_draw(const struct bt_frame *frame, struct bt_pane pane, bool compact);

#endif
