/* views/command.h - a shell command over several rows that is still the same command when copied from the screen. */
#ifndef BATON_VIEWS_COMMAND_H
#define BATON_VIEWS_COMMAND_H

#include "views/flow.h"

/* `command` is one line as sh reads it. Rows break at blanks outside quotes and end in a backslash; a single word that
 * is wider than the row is cut into pieces (it can then only be copied by the copy key). */
void bt_flow_command(struct bt_flow *flow, int at, const char *label, int indent, const char *command);

#endif
