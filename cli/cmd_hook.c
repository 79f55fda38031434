/* cli/cmd_hook.c - `baton hook`: the gate inside a harness, and its wiring. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/hook.h"
#include "cli/out.h"
#include "core/base/digest.h"
#include "core/base/str.h"

static const struct {
  const char *word, *help;
  int (*run)(struct cli_env *cli, int argc, char **argv);
} subcommands[] = {
    {"pre-tool", "judge the tool call described on standard input (called by the harness)", hook_pre_tool},
    {"session-start", "tell a new session whose work it may go on with (called by the harness)", hook_session_start},
    {"install", "wire both into a harness's settings; a dry run without --write", hook_settings},
    {"remove", "take them out again; a dry run without --write", hook_settings},
    {"status", "say what is wired, and whether the gate is switched on here", hook_settings},
};
#define COUNT (sizeof subcommands / sizeof *subcommands)

static int print_help(void) {
  printf(
      "Usage: baton hook COMMAND [FLAGS]     baton hook COMMAND --help\n\n"
      "The gate in the harness. It judges only where ADLC_CONTEXT_ROT_HANDOFF_ENABLED is exactly 1 in the harness's\n"
      "environment; no file of a repository can switch it.\n\n");
  for (size_t i = 0; i < COUNT; i++)
    printf("  %-14s %s\n", subcommands[i].word, subcommands[i].help);
  return out_flush();
}

int cmd_hook(struct cli_env *cli, int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "--help";
  struct bt_error err = {0};
  for (size_t i = 0; i < COUNT; i++) {
    if (strcmp(word, subcommands[i].word) != 0)
      continue;
    if (subcommands[i].run == hook_settings && bt_digest_load(&err) != BT_OK)
      return out_error(&err);
    return subcommands[i].run(cli, argc - 1, argv + 1);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
    return print_help();
  struct bt_str names;
  bt_str_init(&names, 256);
  for (size_t i = 0; i < COUNT; i++)
    bt_str_printf(&names, "%s%s", i > 0 ? " " : "", subcommands[i].word);
  (void)bt_error_set(&err, BT_USAGE, word, "unknown command hook %s; known: %s", word, names.data);
  bt_str_dispose(&names);
  return out_error(&err);
}
