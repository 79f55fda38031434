/* cli/config.h - what the user has set, and where each value came from.
 *
 * $XDG_CONFIG_HOME/baton/config: `set NAME VALUE`, and `bind`/`unbind` lines as in a keymap file; `#` begins a comment.
 * A flag goes before the environment, the environment before the file, the file before the default. A line that is not
 * understood is a problem that is named and passed over: a dashboard with a typo in its settings still opens.
 * Rules: dashboard.md rows 89, 92, 93, 102. */
#ifndef BATON_CLI_CONFIG_H
#define BATON_CLI_CONFIG_H

#include "cli/env.h"
#include "core/base/str.h"
#include "keymaps/keymap.h"

/* clang-format off */
/*  name         spelling       default    words                  environment    what it is */
#define CONFIG_VALUES(X)                                                                                                \
  X(KEYMAP,      "keymap",      "default", NULL,                  NULL,          "default, vim, emacs, or a file of your own") \
  X(THEME,       "theme",       "dark",    "dark light cb mono",  NULL,          "colours; cb is safe for colour-blind eyes") \
  X(COLOR,       "color",       "auto",    "auto always never",   "NO_COLOR",    "whether there are colours at all")      \
  X(ASCII,       "ascii",       "off",     "on off",              "BATON_ASCII", "draw with ASCII only")                  \
  X(PLAIN,       "plain",       "off",     "on off",              "BATON_PLAIN", "numbered menus, line by line, for screen readers") \
  X(MOUSE,       "mouse",       "off",     "on off",              NULL,          "take the mouse: rows, wheel, key hints") \
  X(TITLE,       "title",       "on",      "on off",              NULL,          "say in the window's title what is stuck") \
  X(TIMES,       "times",       "local",   "local utc",           NULL,          "which clock times are shown in")        \
  X(INOTIFY,     "inotify",     "on",      "on off",              NULL,          "be told of changes; off: look every two seconds") \
  X(ON_BLOCKED,  "on_blocked",  "",        NULL,                  NULL,          "command to run when a session becomes BLOCKED")
/* clang-format on */

enum config_name {
#define CONFIG_ENUM(name, spelling, fallback, words, variable, help) CONFIG_##name,
  CONFIG_VALUES(CONFIG_ENUM)
#undef CONFIG_ENUM
      CONFIG_COUNT
};

enum config_origin { CONFIG_FROM_DEFAULT, CONFIG_FROM_FILE, CONFIG_FROM_ENVIRONMENT, CONFIG_FROM_FLAG };

#define CONFIG_BYTES_MAX ((size_t)64 * 1024)
#define CONFIG_PROBLEMS_MAX 16 /* subject: "FILE:LINE", message: what is wrong there */

struct config_value {
  char text[512];
  enum config_origin origin;
  char where[192]; /* "FILE:LINE", the variable, or the flag; empty for the default */
};

struct config {
  struct config_value values[CONFIG_COUNT];
  char path[512];      /* of the file, there or not */
  char keys_path[512]; /* of the user's keymap file */
  bool file_read, keys_read;
  struct bt_str binds; /* its bind and unbind lines, each at its own line number */
  struct bt_error problems[CONFIG_PROBLEMS_MAX];
  size_t problem_count; /* may be more than are kept */
};

/* Reads file and environment. Never fails: what went wrong is in `problems`. Dispose in every case. */
void config_load(const struct cli_env *cli, struct config *config);
void config_dispose(struct config *config);

const char *config_spelling(enum config_name name);
const char *config_help(enum config_name name);
const char *config_words(enum config_name name); /* allowed ones, separated by blanks; NULL: any text */
const char *config_origin_word(enum config_origin origin);

/* A flag's value; NULL changes nothing. BT_USAGE when it is not one of the words. */
enum bt_code config_flag(struct config *config, enum config_name name, const char *flag, const char *value,
                         struct bt_error *err) BT_NODISCARD;

bool config_is(const struct config *config, enum config_name name, const char *word);

/* The keymap that is in force: the built-in of that name, then the user's keys file (or the file that `keymap` names),
 * then the config's own bind lines. A file with a problem is left out, and the problem is added to the config's. NULL only
 * when memory is short. The caller frees it. */
struct bt_keymap *config_keymap(struct config *config, struct bt_error *err) BT_NODISCARD;

#endif
