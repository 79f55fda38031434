/* cli/out.h - what commands print, and how a failure leaves the program.
 *
 * Data goes to stdout, words about failures to stderr. Messages carry text of other programs only in its visible
 * form. A gate failure (exit 2) has no prefix, every other one starts with `error: ` (spec/context-handoff.md 0). */
#ifndef BATON_CLI_OUT_H
#define BATON_CLI_OUT_H

#include "core/base/error.h"
#include "core/base/str.h"

/* Prints the error and returns its exit status. stdout stays as it is. */
int out_error(const struct bt_error *err);

/* Warning on stderr: `warning: ...`, visible form. */
void out_warning(const char *text);
/* One line on stderr, in its visible form whatever it names; cut at 16 KiB. */
void out_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes `text` and a newline to stdout and flushes. Returns 0, or 1 with a message when stdout cannot be written
 * (a closed pipe is not an error: 0). */
int out_line(const char *text);
int out_text(const struct bt_str *text);         /* the same, without a newline added */
int out_text_visible(const struct bt_str *text); /* the same, every line in its visible form: for a terminal */
int out_flush(void);                             /* the same for what printf has written */

#endif
