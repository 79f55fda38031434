/* tui/pager.h - a text in $PAGER or $EDITOR, without a shell and without one byte that the terminal would obey. */
#ifndef BATON_TUI_PAGER_H
#define BATON_TUI_PAGER_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/env.h"

/* Lends the terminal to $PAGER (less where it is not set) with `text` on its standard input and waits for its end.
 * BT_INPUT when PAGER is blank, BT_IO when it cannot be started. */
enum bt_code pager_show(const char *text, size_t length, struct bt_error *err) BT_NODISCARD;

/* The same in $VISUAL, else $EDITOR, else vi, which is given a read-only copy of the text called after `path`; the copy
 * is taken away afterwards and what was written into it is lost. With env->readonly no copy is made and the pager
 * shows it. */
enum bt_code editor_show(const struct bt_env *env, const char *path, const char *text, size_t length,
                         struct bt_error *err) BT_NODISCARD;

#endif
