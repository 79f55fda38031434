/* cli/cmd_ui.c - `baton` and `baton ui`: the dashboard, or the table where there is no terminal for it.
 *
 * The only file of cli/ that sees tui/. Rules: dashboard.md rows 67, 76, 78, 81, 83, 84, 93. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_ui_plain.h"
#include "cli/config.h"
#include "cli/look.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/page_json.h"
#include "cli/ui.h"
#include "keymaps/keymap.h"
#include "tui/tui.h"

struct ui_flags {
  const char *dir, *colour, *theme, *keymap, *import;
  bool readonly, no_inotify, ascii, mouse, utc, plain, all, help;
};

/* With the flags of the dashboard that mean the same in a table. */
static int print_table(struct cli_env *cli, const struct ui_flags *flags) {
  enum { WORDS_MAX = 8 };
  const struct {
    const char *flag, *value;
  } given[] = {{"--import", flags->import}, {"--dir", flags->dir}, {"--color", flags->colour}};
  char word[] = "list", all[] = "--all", *argv[WORDS_MAX + 1] = {word}, *owned[WORDS_MAX];
  int argc = 1, status = 1;
  size_t count = 0;
  bool complete = true;
  for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
    if (given[i].value) {
      argv[argc++] = owned[count++] = strdup(given[i].flag);
      argv[argc++] = owned[count++] = strdup(given[i].value);
      complete = complete && argv[argc - 2] && argv[argc - 1];
    }
  if (flags->all)
    argv[argc++] = all;
  if (complete)
    status = cmd_list(cli, argc, argv);
  for (size_t i = 0; i < count; i++)
    free(owned[i]);
  return status;
}

void ui_terminal(struct ui_terminal *terminal) {
  struct term_facts facts;
  term_facts(&facts);
  *terminal = (struct ui_terminal){.usable = facts.usable, .colours = facts.colours, .utf8 = facts.utf8};
  memcpy(terminal->name, facts.name, sizeof(terminal->name));
  memcpy(terminal->library, facts.library, sizeof(terminal->library));
}

static enum term_colour colour_of(const struct config *config) {
  return config_is(config, CONFIG_COLOR, "always")  ? TERM_COLOUR_ALWAYS
         : config_is(config, CONFIG_COLOR, "never") ? TERM_COLOUR_NEVER
                                                    : TERM_COLOUR_AUTO;
}

/* The first thing that is wrong with the settings; the rest `baton info` tells. */
static const char *notice_of(const struct config *config, char out[1024]) {
  if (!config->problem_count)
    return NULL;
  snprintf(out, 1024, "%s: %s", config->problems[0].subject, config->problems[0].message);
  return out;
}

static int open_dashboard(struct cli_env *cli, struct config *config, const struct ui_flags *flags) {
  struct bt_error err;
  struct bt_snapshot *imported = NULL;
  if (config_is(config, CONFIG_PLAIN, "on") && !flags->import)
    return ui_plain(cli, config, flags->all);
  if (flags->import && strcmp(flags->import, "-") == 0) /* no keys can come from there any more */
    return print_table(cli, flags);
  if (flags->import && look_import(flags->import, &imported, &err) != BT_OK)
    return out_error(&err);
  char notice[1024];
  struct bt_keymap *keymap = config_keymap(config, &err);
  if (!keymap) {
    bt_snapshot_free(imported);
    return out_error(&err);
  }
  struct tui_options options = {
      .term = {.colour = colour_of(config),
               .ascii = config_is(config, CONFIG_ASCII, "on"),
               .mouse = config_is(config, CONFIG_MOUSE, "on"),
               .title = config_is(config, CONFIG_TITLE, "on"),
               .meta = bt_keymap_has_meta(keymap)},
      .inotify = config_is(config, CONFIG_INOTIFY, "on"),
      .page_json = page_json,
      .all = flags->all,
      .imported = imported,
      .utc = config_is(config, CONFIG_TIMES, "utc"),
      .keymap = keymap,
      .keymap_name = config->values[CONFIG_KEYMAP].text,
      .on_blocked = config->values[CONFIG_ON_BLOCKED].text,
      .notice = notice_of(config, notice),
  };
  (void)theme_parse(config->values[CONFIG_THEME].text, &options.term.theme);
  int status = 0;
  enum bt_code code = tui_run(&cli->env, &options, &status, &err);
  bt_keymap_free(keymap);
  if (code == BT_STATE)
    return print_table(cli, flags);
  if (code == BT_OK && err.message[0] != '\0')
    out_say("baton: %s", err.message);
  return code == BT_OK ? status : out_error(&err);
}

static enum bt_code take_flags(struct config *config, const struct ui_flags *flags, struct bt_error *err) {
  const struct {
    enum config_name name;
    const char *flag, *value;
  } given[] = {
      {CONFIG_COLOR, "--color", flags->colour},
      {CONFIG_THEME, "--theme", flags->theme},
      {CONFIG_KEYMAP, "--keymap", flags->keymap},
      {CONFIG_ASCII, "--ascii", flags->ascii ? "on" : NULL},
      {CONFIG_MOUSE, "--mouse", flags->mouse ? "on" : NULL},
      {CONFIG_PLAIN, "--plain", flags->plain ? "on" : NULL},
      {CONFIG_TIMES, "--utc", flags->utc ? "utc" : NULL},
      {CONFIG_INOTIFY, "--no-inotify", flags->no_inotify ? "off" : NULL},
  };
  enum bt_code code = BT_OK;
  for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && code == BT_OK; i++)
    code = config_flag(config, given[i].name, given[i].flag, given[i].value, err);
  return code;
}

/* Short forms of this command alone; the shared reader of flags has none. */
static void lengthen(int argc, char **argv, char *mouse, char *import) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "-M") == 0)
      argv[i] = mouse;
    else if (strcmp(argv[i], "-f") == 0)
      argv[i] = import;
}

int cmd_ui(struct cli_env *cli, int argc, char **argv) {
  struct ui_flags flags = {.help = false};
  const struct option_spec specs[] = {
      {"dir", &flags.dir, NULL, "PATH", "the ledger, ./.adlc by default"},
      {"readonly", NULL, &flags.readonly, NULL, "change nothing, whatever is asked for"},
      {"keymap", &flags.keymap, NULL, "NAME|FILE", "default, vim, emacs, or a file of your own"},
      {"theme", &flags.theme, NULL, "NAME", "dark, light, cb (colour-blind safe) or mono"},
      {"color", &flags.colour, NULL, "WHEN", "auto, always or never"},
      {"all", NULL, &flags.all, NULL, "the sessions of every repository, not only of this one"},
      {"ascii", NULL, &flags.ascii, NULL, "draw with ASCII only"},
      {"mouse", NULL, &flags.mouse, NULL, "take the mouse: rows, wheel, key hints (also -M)"},
      {"utc", NULL, &flags.utc, NULL, "show times in UTC"},
      {"import", &flags.import, NULL, "FILE",
       "look at what `baton scan --json` printed (also -f); nothing can be changed"},
      {"plain", NULL, &flags.plain, NULL, "numbered menus, line by line, for screen readers"},
      {"no-inotify", NULL, &flags.no_inotify, NULL, "look for changes every two seconds only"},
      {"help", NULL, &flags.help, NULL, "show this"},
  };
  const size_t spec_count = sizeof(specs) / sizeof(specs[0]);
  struct bt_error err;
  char mouse[] = "--mouse", import[] = "--import";
  lengthen(argc, argv, mouse, import);
  if (options_parse(argc, argv, specs, spec_count, NULL, &err) != BT_OK)
    return out_error(&err);
  if (flags.help) {
    puts("Usage: baton [ui] [FLAGS]\n\nThe dashboard; where there is no terminal, the table of `baton list`.\n");
    options_print_help(specs, spec_count);
    return out_flush();
  }
  if (cli_env_set_dir(cli, flags.dir, &err) != BT_OK)
    return out_error(&err);
  cli->env.readonly = cli->env.readonly || flags.readonly;
  struct config config;
  config_load(cli, &config);
  int status = take_flags(&config, &flags, &err) == BT_OK ? open_dashboard(cli, &config, &flags) : out_error(&err);
  config_dispose(&config);
  return status;
}
