/* cli/cmd_keys.c - `baton keys`: what each key does, where that is written, and whether a keymap file is sound.
 *
 * Rules: dashboard.md rows 89 and 90. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/config.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/table.h"
#include "cli/user_file.h"
#include "core/base/utf8.h"

#define KEYS_EACH 8 /* keys of one action in one mode */
#define LINE_MAX_BYTES ((size_t)64 * 1024)

struct flags {
  const char *keymap, *print;
  bool check, json, help;
  const char *file; /* of --check */
};

/* ---- checking ---- */

static void print_problem(const struct bt_error *problem) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_text_visible(&line, problem->subject, strlen(problem->subject));
  bt_str_puts(&line, ": ");
  bt_text_visible(&line, problem->message, strlen(problem->message));
  fprintf(stderr, "%s\n", line.data);
  bt_str_dispose(&line);
}

static void json_problem(struct json_out *json, const struct bt_error *problem) {
  json_open(json, NULL, '{');
  json_text(json, "where", problem->subject);
  json_text(json, "what", problem->message);
  json_close(json, '}');
}

struct report {
  struct json_out *json; /* NULL: to standard error */
  size_t count;
};

static void take_problem(void *context, const struct bt_error *problem) {
  struct report *report = context;
  report->count++;
  if (report->json)
    json_problem(report->json, problem);
  else
    print_problem(problem);
}

/* A file on top of the keymap that is set, without the user's own. */
static void check_file(struct config *config, const char *path, struct report *report) {
  struct bt_str text;
  struct bt_error err = {.code = BT_OK};
  const char *name = config->values[CONFIG_KEYMAP].text;
  size_t length;
  struct bt_keymap *keymap = bt_keymap_new_named(bt_keymap_builtin_text(name, &length) ? name : "default", &err);
  bt_str_init(&text, BT_KEYMAP_BYTES_MAX);
  if (!keymap || user_file_read(path, &text, &err) != BT_OK)
    take_problem(report, &err);
  else
    (void)bt_keymap_check(keymap, path, text.data, text.length, take_problem, report);
  bt_str_dispose(&text);
  bt_keymap_free(keymap);
}

/* The user's own files: first the keys, which `config_keymap` reads only up to the first problem, then the rest. */
static void check_own(struct config *config, struct report *report) {
  struct bt_error err;
  struct bt_keymap *keymap = config_keymap(config, &err);
  if (!keymap)
    take_problem(report, &err);
  if (config->keys_path[0] && !config->keys_read) {
    struct bt_str text;
    bt_str_init(&text, BT_KEYMAP_BYTES_MAX);
    enum bt_code code = user_file_read(config->keys_path, &text, &err);
    bt_str_dispose(&text);
    if (code != BT_MISSING)
      check_file(config, config->keys_path, report);
  }
  for (size_t i = 0; i < config->problem_count && i < CONFIG_PROBLEMS_MAX; i++)
    if (!config->keys_path[0] || !bt_starts_with(config->problems[i].subject, config->keys_path))
      take_problem(report, &config->problems[i]);
  bt_keymap_free(keymap);
}

static int check(struct config *config, const struct flags *flags) {
  struct json_out json;
  struct report report = {flags->json ? &json : NULL, 0};
  if (flags->json) {
    json_begin(&json);
    json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
    json_open(&json, "problems", '[');
  }
  if (flags->file)
    check_file(config, flags->file, &report);
  else
    check_own(config, &report);
  int status = 0;
  if (flags->json) {
    json_close(&json, ']');
    json_bool(&json, "ok", report.count == 0);
    status = json_end(&json);
  } else if (report.count == 0) {
    status = out_line("no problem found");
  }
  return report.count ? 1 : status;
}

/* ---- listing ---- */

static void json_binding(struct json_out *json, const struct bt_keymap *keymap, enum bt_mode mode,
                         enum bt_action action, uint32_t key) {
  char name[BT_KEY_NAME];
  struct bt_keymap_origin origin;
  if (!bt_keymap_origin(keymap, mode, key, &origin))
    return;
  bt_key_name(key, name);
  json_open(json, NULL, '{');
  json_text(json, "mode", bt_mode_spelling(mode));
  json_text(json, "key", name);
  json_text(json, "action", bt_action_info(action)->spelling);
  json_text(json, "group", bt_action_group_title(bt_action_info(action)->group));
  json_text(json, "help", bt_action_info(action)->words);
  json_text(json, "file", origin.file);
  json_integer(json, "line", origin.line);
  json_bool(json, "rebound", bt_keymap_rebound(keymap, mode, key));
  json_close(json, '}');
}

static void table_binding(struct table *table, const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action action,
                          const uint32_t *keys, size_t count) {
  char names[KEYS_EACH * BT_KEY_NAME] = "", where[200] = "";
  struct bt_keymap_origin origin;
  for (size_t i = 0; i < count; i++) {
    char name[BT_KEY_NAME];
    bt_key_name(keys[i], name);
    snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? " " : "", name);
    if (bt_keymap_rebound(keymap, mode, keys[i]) && bt_keymap_origin(keymap, mode, keys[i], &origin))
      snprintf(where, sizeof(where), "%s:%u", origin.file, origin.line);
  }
  const char *cells[] = {bt_mode_spelling(mode), names, bt_action_info(action)->spelling, bt_action_info(action)->words,
                         where[0] ? where : NULL};
  table_add(table, cells, 0);
}

static void each_binding(const struct bt_keymap *keymap, struct json_out *json, struct table *table) {
  for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++)
    for (int action = 1; action < BT_ACTION_COUNT; action++) {
      uint32_t keys[KEYS_EACH];
      size_t count = bt_keymap_keys(keymap, (enum bt_mode)mode, (enum bt_action)action, keys, KEYS_EACH);
      if (count > KEYS_EACH)
        count = KEYS_EACH;
      for (size_t i = 0; json && i < count; i++)
        json_binding(json, keymap, (enum bt_mode)mode, (enum bt_action)action, keys[i]);
      if (table && count)
        table_binding(table, keymap, (enum bt_mode)mode, (enum bt_action)action, keys, count);
    }
}

/* The words of the language: for people who write a file, and for the manual. */
static void json_vocabulary(struct json_out *json) {
  json_open(json, "modes", '[');
  for (int mode = 0; mode < BT_MODE_COUNT; mode++) {
    json_open(json, NULL, '{');
    json_text(json, "name", bt_mode_spelling((enum bt_mode)mode));
    json_text(json, "help", bt_mode_words((enum bt_mode)mode));
    json_bool(json, "typing", bt_mode_typing((enum bt_mode)mode));
    json_close(json, '}');
  }
  json_close(json, ']');
  json_open(json, "actions", '[');
  for (int action = 1; action < BT_ACTION_COUNT; action++) {
    const struct bt_action_info *info = bt_action_info((enum bt_action)action);
    json_open(json, NULL, '{');
    json_text(json, "name", info->spelling);
    json_text(json, "group", bt_action_group_title(info->group));
    json_text(json, "help", info->words);
    json_open(json, "in", '[');
    for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++)
      if (bt_action_in_mode((enum bt_action)action, (enum bt_mode)mode))
        json_text(json, NULL, bt_mode_spelling((enum bt_mode)mode));
    json_close(json, ']');
    json_close(json, '}');
  }
  json_close(json, ']');
  json_open(json, "key_names", '[');
  for (uint32_t key = BT_KEY_FIRST_NAMED + 1; key < BT_KEY_END_OF_NAMED; key++) {
    char name[BT_KEY_NAME];
    bt_key_name(key, name);
    json_text(json, NULL, name);
  }
  json_close(json, ']');
}

static int list_json(const struct config *config, const struct bt_keymap *keymap) {
  struct json_out json;
  json_begin(&json);
  json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  json_text(&json, "keymap", config->values[CONFIG_KEYMAP].text);
  json_text(&json, "keys_file", config->keys_read ? config->keys_path : NULL);
  json_open(&json, "bindings", '[');
  each_binding(keymap, &json, NULL);
  json_close(&json, ']');
  json_vocabulary(&json);
  json_open(&json, "problems", '[');
  for (size_t i = 0; i < config->problem_count && i < CONFIG_PROBLEMS_MAX; i++)
    json_problem(&json, &config->problems[i]);
  json_close(&json, ']');
  return json_end(&json);
}

static int list_table(const struct config *config, const struct bt_keymap *keymap) {
  static const char *const heads[] = {"MODE", "KEYS", "ACTION", "WHAT IT DOES", "YOUR OWN", NULL};
  struct table table;
  table_init(&table, heads, false);
  each_binding(keymap, NULL, &table);
  int status = table_print(&table);
  table_dispose(&table);
  for (size_t i = 0; i < config->problem_count && i < CONFIG_PROBLEMS_MAX; i++)
    print_problem(&config->problems[i]);
  return status;
}

static int list(struct config *config, const struct flags *flags) {
  struct bt_error err;
  struct bt_keymap *keymap = config_keymap(config, &err);
  if (!keymap)
    return out_error(&err);
  int status = flags->json ? list_json(config, keymap) : list_table(config, keymap);
  bt_keymap_free(keymap);
  return flags->keymap != NULL && config->problem_count > 0 ? 1 : status; /* it is not the keymap that was asked for */
}

static int print_builtin(const char *name) {
  size_t length;
  struct bt_error err;
  const char *text = bt_keymap_builtin_text(name, &length);
  if (!text) {
    (void)bt_error_set(&err, BT_USAGE, "--print", "--print wants default, vim or emacs");
    return out_error(&err);
  }
  fwrite(text, 1, length, stdout);
  return out_flush();
}

int cmd_keys(struct cli_env *cli, int argc, char **argv) {
  struct flags flags = {.keymap = NULL};
  const struct option_spec specs[] = {
      {"keymap", &flags.keymap, NULL, "NAME|FILE", "default, vim, emacs, or a file of your own"},
      {"check", NULL, &flags.check, NULL, "name every problem of FILE, or of your own files"},
      {"print", &flags.print, NULL, "NAME", "print a keymap that comes with baton, to begin your own with"},
      {"json", NULL, &flags.json, NULL, "print one JSON document"},
      {"help", NULL, &flags.help, NULL, "print this help"},
  };
  const size_t count = sizeof(specs) / sizeof(*specs);
  struct option_rest rest = {.positionals = &flags.file, .positional_max = 1};
  struct bt_error err = {0};
  if (options_parse(argc, argv, specs, count, &rest, &err) != BT_OK)
    return out_error(&err);
  if (flags.help) {
    printf(
        "Usage: baton keys [--keymap NAME|FILE] [--json]\n       baton keys --check [FILE]\n       baton keys --print NAME\n\n"
        "What each key does in the dashboard. Your own keys are read from the file `keys` of baton's config folder:\n"
        "`bind MODE KEY ACTION` and `unbind MODE KEY`, as in what --print shows.\n\n");
    options_print_help(specs, count);
    printf("\nExit status: 0 read or no problem, 1 a problem was found, or failed.\n");
    return out_flush();
  }
  if (flags.print)
    return print_builtin(flags.print);
  struct config config;
  config_load(cli, &config);
  int status = config_flag(&config, CONFIG_KEYMAP, "--keymap", flags.keymap, &err) == BT_OK
                   ? (flags.check ? check : list)(&config, &flags)
                   : out_error(&err);
  config_dispose(&config);
  return status;
}
