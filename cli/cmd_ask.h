/* cli/cmd_ask.h - what the files of `baton ask` share.
 *
 * Exit statuses: 0 done, 1 error, 2 usage, 3 something is due or would change, 10 refused. */
#ifndef BATON_CLI_CMD_ASK_H
#define BATON_CLI_CMD_ASK_H

#include "cli/env.h"
#include "core/base/error.h"

#define ASK_EXIT_USAGE 2
#define ASK_EXIT_DUE 3
#define ASK_EXIT_REFUSED 10

/* Prints the error; its exit status. */
int ask_fail(const struct bt_error *err);

/* The verbs; argv[0] is the verb's word. Exit statuses. */
int ask_watch(struct cli_env *cli, int argc, char **argv);
int ask_ack(struct cli_env *cli, int argc, char **argv);
int ask_text(struct cli_env *cli, int argc, char **argv);
int ask_install(struct cli_env *cli, int argc, char **argv);
int ask_remove(struct cli_env *cli, int argc, char **argv);
int ask_status(struct cli_env *cli, int argc, char **argv);

#endif
