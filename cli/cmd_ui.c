/* cli/cmd_ui.c - `baton` and `baton ui`: the dashboard, or the table where there is no terminal for it.
 *
 * The only file of cli/ that sees tui/. Rules: dashboard.md rows 67, 76, 78, 83, 84. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "keymaps/keymap.h"
#include "tui/tui.h"

struct ui_flags {
  const char *dir, *colour;
  bool readonly, no_inotify, ascii, all, help;
};

static enum bt_code read_colour(const char *word, enum term_colour *colour, struct bt_error *err) {
  static const struct {
    const char *word;
    enum term_colour colour;
  } words[] = {{"auto", TERM_COLOUR_AUTO}, {"always", TERM_COLOUR_ALWAYS}, {"never", TERM_COLOUR_NEVER}};
  *colour = TERM_COLOUR_AUTO;
  for (size_t i = 0; word && i < sizeof(words) / sizeof(words[0]); i++)
    if (strcmp(word, words[i].word) == 0) {
      *colour = words[i].colour;
      return BT_OK;
    }
  return word ? bt_error_set(err, BT_USAGE, "--color", "--color wants auto, always or never") : BT_OK;
}

static int print_table(struct cli_env *cli) {
  char word[] = "list";
  char *argv[] = {word, NULL};
  return cmd_list(cli, 1, argv);
}

static int open_dashboard(struct cli_env *cli, const struct ui_flags *flags, enum term_colour colour) {
  struct bt_error err;
  struct bt_keymap *keymap = bt_keymap_new(&err);
  if (!keymap)
    return out_error(&err);
  const struct tui_options options = {
      .term = {.colour = colour, .ascii = flags->ascii},
      .inotify = !flags->no_inotify,
      .all = flags->all,
      .keymap = keymap,
      .keymap_name = "default",
  };
  int status = 0;
  enum bt_code code = tui_run(&cli->env, &options, &status, &err);
  bt_keymap_free(keymap);
  if (code == BT_STATE)
    return print_table(cli);
  return code == BT_OK ? status : out_error(&err);
}

int cmd_ui(struct cli_env *cli, int argc, char **argv) {
  struct ui_flags flags = {.help = false};
  const struct option_spec specs[] = {
      {"dir", &flags.dir, NULL, "PATH", "the ledger, ./.adlc by default"},
      {"readonly", NULL, &flags.readonly, NULL, "change nothing, whatever is asked for"},
      {"no-inotify", NULL, &flags.no_inotify, NULL, "look for changes every two seconds only"},
      {"color", &flags.colour, NULL, "WHEN", "auto, always or never"},
      {"all", NULL, &flags.all, NULL, "the sessions of every repository, not only of this one"},
      {"ascii", NULL, &flags.ascii, NULL, "draw with ASCII only"},
      {"help", NULL, &flags.help, NULL, "show this"},
  };
  const size_t spec_count = sizeof(specs) / sizeof(specs[0]);
  struct bt_error err;
  enum term_colour colour = TERM_COLOUR_AUTO;
  if (options_parse(argc, argv, specs, spec_count, NULL, &err) != BT_OK)
    return out_error(&err);
  if (flags.help) {
    puts("baton [ui] [flags]: the dashboard; where there is no terminal, the table of `baton list`");
    options_print_help(specs, spec_count);
    return 0;
  }
  if (read_colour(flags.colour, &colour, &err) != BT_OK || cli_env_set_dir(cli, flags.dir, &err) != BT_OK)
    return out_error(&err);
  cli->env.readonly = cli->env.readonly || flags.readonly;
  return open_dashboard(cli, &flags, colour);
}
