/* cli/hook_settings.c - `baton hook install`, `remove` and `status`. */
#include "cli/hook.h"
#include "cli/out.h"

int hook_settings(struct cli_env *cli, int argc, char **argv) {
  (void)cli, (void)argc, (void)argv;
  return 1;
}
