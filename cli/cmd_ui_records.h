/* cli/cmd_ui_records.h - the session records by questions and answers, for the plain mode.
 *
 * The same view of the store as the dashboard's page (core/records/view.h); building one is the dialog's plan (ui_act).
 */
#ifndef BATON_CLI_CMD_UI_RECORDS_H
#define BATON_CLI_CMD_UI_RECORDS_H

#include "cli/cmd_ui_line.h"
#include "cli/env.h"

/* Says every record with a number, and reads out the brief of the one that is chosen, until 0. False: input has ended,
 * or q was typed. */
bool ui_records(struct cli_env *cli, struct line_reader *reader);

#endif
