/* core/text/continue_line.h - the one line that an operator runs to hand a denied session's work on.
 *
 * Pure text. Rules: spec/context-handoff.md 11.3, A.3. */
#ifndef BATON_CORE_TEXT_CONTINUE_LINE_H
#define BATON_CORE_TEXT_CONTINUE_LINE_H

#include "core/base/str.h"

/* Appends the command for `deny_session_id`; for an id that is not fit to be copied, words that say where to read it
 * instead. No line end. */
void bt_continue_line(struct bt_str *out, const char *deny_session_id);

#endif
