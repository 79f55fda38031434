/* tui/pager.h - a text in $PAGER, without a shell and without one byte that the terminal would obey. */
#ifndef BATON_TUI_PAGER_H
#define BATON_TUI_PAGER_H

#include <stddef.h>

#include "core/base/error.h"

#define PAGER_WORDS_MAX 16

/* Cuts `command` at blanks into at most PAGER_WORDS_MAX words (in place) and ends the list with NULL. Returns how many;
 * 0 for none. No quoting: a pager that needs it is to be wrapped in a script. */
size_t pager_split(char *command, char *words[PAGER_WORDS_MAX + 1]);

/* Lends the terminal to $PAGER (less where it is not set) with `text` on its standard input and waits for its end.
 * BT_INPUT when PAGER is blank, BT_IO when it cannot be started. */
enum bt_code pager_show(const char *text, size_t length, struct bt_error *err) BT_NODISCARD;

#endif
