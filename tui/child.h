/* tui/child.h - other people's programs: started by their words, never through a shell.
 *
 * A child starts with no signal blocked or ignored, and without the signing key, which left the environment long ago. */
#ifndef BATON_TUI_CHILD_H
#define BATON_TUI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define CHILD_WORDS_MAX 16
#define CHILD_COMMAND_MAX 512

/* Cuts `command` at blanks into at most CHILD_WORDS_MAX words (in place) and ends the list with NULL; none where it is
 * blank. '...', "..." and a backslash hold a word together as in a shell; nothing else of a shell is done. False when a
 * quote is not closed or there are more words. */
bool child_split(char *command, char *words[CHILD_WORDS_MAX + 1]) BT_NODISCARD;

/* Lends the terminal to the command in the environment's `variable` (`fallback` where it is not set), with `argument`
 * as its last word where that is not NULL, and `input` on its standard input where that is not NULL; waits for its
 * end. BT_INPUT when the command is blank, too long or badly quoted, BT_IO when it cannot be started or says that it failed. */
enum bt_code child_in_front(const char *variable, const char *fallback, char *argument, const struct bt_str *input,
                            struct bt_error *err) BT_NODISCARD;

/* Starts a command without a terminal: nothing on its input, its output goes nowhere; `facts` are NAME=VALUE pairs added
 * to its environment and end with NULL. Does not wait. BT_INPUT, BT_MISSING where there is no such command, BT_IO, BT_NOMEM. */
enum bt_code child_behind(const char *command, char *const facts[], pid_t *pid, struct bt_error *err) BT_NODISCARD;

#endif
