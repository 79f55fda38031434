/* cli/cmd_ui_beside.h - what lies beside the ledger by questions and answers, for the plain mode: the deliveries of the
 * working trees, and the handovers that are due.
 *
 * The same view, requests and plans as the dashboard's (core/delivery/view.h, tui/form.h); the forge is asked only when
 * f is typed. */
#ifndef BATON_CLI_CMD_UI_BESIDE_H
#define BATON_CLI_CMD_UI_BESIDE_H

#include "cli/cmd_ui_line.h"
#include "cli/env.h"

/* Says every working tree with a number, and for the one that is chosen all that is known and what can be done, until
 * 0. False: input has ended, or q was typed. */
bool ui_deliveries(struct cli_env *cli, struct line_reader *reader);

void ui_handovers(struct cli_env *cli); /* says how full each window is, those that are due first */
void ui_handover_request(struct cli_env *cli, const char *session); /* says the text that is to be passed on */
void ui_handover_passed_on(struct cli_env *cli, struct line_reader *reader, const char *session);

#endif
