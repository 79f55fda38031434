/* cli/cmd_ui_plain.h - the dashboard for screen readers, dumb terminals and pipes: it only ever adds lines.
 *
 * Numbered menus, one line for each change of the ledger, no redraw, no escape sequence (dashboard.md 4.5, row 101).
 * Everything that a key of the dashboard can do to the ledger can be done here, by the same plans. */
#ifndef BATON_CLI_CMD_UI_PLAIN_H
#define BATON_CLI_CMD_UI_PLAIN_H

#include "cli/config.h"
#include "cli/env.h"

/* Runs until `q` or the end of standard input; returns the exit status. */
int ui_plain(struct cli_env *cli, const struct config *config, bool all);

#endif
