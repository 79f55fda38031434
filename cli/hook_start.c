/* cli/hook_start.c - `baton hook session-start`: whose work a new session may go on with. */
#include "cli/hook.h"

int hook_session_start(struct cli_env *cli, int argc, char **argv) {
  (void)cli, (void)argc, (void)argv;
  return 0;
}
