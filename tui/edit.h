/* tui/edit.h - editing of one line of text. Pure; steps over whole grapheme clusters.
 *
 * What does not fit into BT_FIELD_BYTES is left out. Only printable characters ever get in. */
#ifndef BATON_TUI_EDIT_H
#define BATON_TUI_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keymaps/action.h"
#include "views/scene.h"

void edit_clear(struct bt_field *field);
void edit_set(struct bt_field *field, const char *text); /* cursor at the end; NULL is empty */

/* One typed character. False when it is not printable or does not fit. */
bool edit_type(struct bt_field *field, uint32_t code_point);

/* A pasted text; runs of line breaks, tabs and other controls become one blank. False when nothing got in. */
bool edit_paste(struct bt_field *field, const char *text, size_t length);

/* The TYPING actions. True when the field or its cursor changed. */
bool edit_act(struct bt_field *field, enum bt_action action);

#endif
