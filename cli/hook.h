/* cli/hook.h - the halves of `baton hook`: the two that a harness calls, and the three that wire them. */
#ifndef BATON_CLI_HOOK_H
#define BATON_CLI_HOOK_H

#include "cli/env.h"
#include "core/base/error.h"

/* argv[0] is the subcommand's word. Each returns the exit status. */
int hook_pre_tool(struct cli_env *cli, int argc, char **argv);
int hook_session_start(struct cli_env *cli, int argc, char **argv);
int hook_settings(struct cli_env *cli, int argc, char **argv);

/* Denies the call whose judging could not even begin: a harness takes every exit status but 2 as leave to go on. */
int hook_refuse(const struct cli_env *cli, const struct bt_error *err);

/* Is this the command line of a gate that is switched on? For failures before the command is reached. */
bool hook_is_gate_call(int argc, char **argv);

/* For a gate that is switched on, before anything else: it must not die of a pipe without a reader or a limit of file
 * sizes, but answer. */
void hook_outlive_signals(void);

#endif
