/* views/field.h - a one-line text field, scrolled so that its cursor is in sight. */
#ifndef BATON_VIEWS_FIELD_H
#define BATON_VIEWS_FIELD_H

#include "views/surface.h"
#include "views/view.h"

/* Into the first row of `pane`, all of its columns. When `focused`, `cursor` is put where the next character goes. */
void bt_field_draw(struct bt_pane pane, const struct bt_field *field, bool focused, struct bt_view_cursor *cursor);

#endif
