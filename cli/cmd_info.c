/* cli/cmd_info.c - `baton info`: what to look at, and to send along, when something is not as expected.
 *
 * Rules: dashboard.md row 92. Says whether a key is loaded, never which. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cmd.h"
#include "cli/config.h"
#include "cli/facts.h"
#include "cli/libraries.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/ui.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/source.h"
#include "core/ops/actionlog.h"

struct path {
  const char *name;
  char text[512];
};

enum { PATH_COUNT = 8 };

static void add(struct path *path, const char *name, const char *folder, const char *rest) {
  path->name = name;
  snprintf(path->text, sizeof(path->text), "%.480s%s", folder ? folder : "?", rest);
}

static void gather_paths(const struct cli_env *cli, const struct config *config, struct path paths[PATH_COUNT]) {
  const struct bt_env *env = &cli->env;
  add(&paths[0], "ledger", env->ledger_dir, "");
  add(&paths[1], "config", config->path, "");
  add(&paths[2], "keys", config->keys_path, "");
  add(&paths[3], "log", env->state_dir, "/" BT_ACTIONLOG_NAME);
  add(&paths[4], "trash", env->state_dir, "/trash");
  add(&paths[5], "cache", env->cache_dir, "");
  add(&paths[6], "data", env->data_dir, "");
  add(&paths[7], "program", env->self_path, "");
}

/* ---- JSON ---- */

static void json_stores(struct json_out *json, const struct bt_sources *sources) {
  json_open(json, "stores", '[');
  for (size_t i = 0; i < sources->store_count; i++) {
    const struct bt_store *store = &sources->stores[i];
    json_open(json, NULL, '{');
    json_text(json, "harness", bt_harness_word(store->harness));
    json_text(json, "root", store->root);
    json_text(json, "moved_by", store->variable);
    json_bool(json, "sample", store->is_sample);
    json_integer(json, "files", (int64_t)store->files);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void json_value_row(struct json_out *json, const struct config *config, enum config_name name) {
  const struct config_value *value = &config->values[name];
  json_open(json, config_spelling(name), '{');
  json_text(json, "value", value->text);
  json_text(json, "origin", config_origin_word(value->origin));
  json_text(json, "where", value->where[0] ? value->where : NULL);
  json_text(json, "words", config_words(name));
  json_text(json, "help", config_help(name));
  json_close(json, '}');
}

static int print_json(const struct cli_env *cli, const struct config *config, const struct ui_terminal *terminal,
                      const struct bt_sources *sources) {
  struct path paths[PATH_COUNT];
  struct json_out json;
  char library[96];
  gather_paths(cli, config, paths);
  json_begin(&json);
  json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  json_text(&json, "version", BATON_VERSION);
  json_open(&json, "libraries", '[');
  for (size_t i = 0; library_at(i, library, sizeof(library)); i++)
    json_text(&json, NULL, library);
  json_close(&json, ']');
  json_open(&json, "paths", '{');
  for (size_t i = 0; i < PATH_COUNT; i++)
    json_text(&json, paths[i].name, paths[i].text);
  json_close(&json, '}');
  json_stores(&json, sources);
  json_open(&json, "settings", '{');
  for (int name = 0; name < CONFIG_COUNT; name++)
    json_value_row(&json, config, (enum config_name)name);
  json_close(&json, '}');
  json_open(&json, "problems", '[');
  for (size_t i = 0; i < config->problem_count && i < CONFIG_PROBLEMS_MAX; i++) {
    json_open(&json, NULL, '{');
    json_text(&json, "where", config->problems[i].subject);
    json_text(&json, "what", config->problems[i].message);
    json_close(&json, '}');
  }
  json_close(&json, ']');
  json_open(&json, "terminal", '{');
  json_text(&json, "name", terminal->name);
  json_bool(&json, "usable", terminal->usable);
  json_integer(&json, "colours", terminal->colours);
  json_bool(&json, "utf8", terminal->utf8);
  json_bool(&json, "stdin", cli->stdin_tty);
  json_bool(&json, "stdout", cli->stdout_tty);
  json_close(&json, '}');
  json_text(&json, "host", cli->env.host);
  json_text(&json, "user", cli->env.user);
  json_bool(&json, "key_loaded", cli->env.key != NULL);
  return json_end(&json);
}

/* ---- for people ---- */

static void line(const char *label, const char *text, const char *note) {
  struct bt_str out;
  bt_str_init(&out, (size_t)64 * 1024);
  bt_text_visible(&out, text, strlen(text));
  if (note && *note) {
    bt_str_printf(&out, "%*s  ", out.length < 24 ? (int)(24 - out.length) : 0, "");
    bt_text_visible(&out, note, strlen(note));
  }
  printf("  %-12s %s\n", label, out.data);
  bt_str_dispose(&out);
}

static void print_settings(const struct config *config) {
  printf("\nsettings\n");
  for (int name = 0; name < CONFIG_COUNT; name++) {
    const struct config_value *value = &config->values[name];
    line(config_spelling((enum config_name)name), value->text[0] ? value->text : "-",
         value->where[0] ? value->where : "(default)");
  }
  for (size_t i = 0; i < config->problem_count && i < CONFIG_PROBLEMS_MAX; i++)
    line("problem", config->problems[i].subject, config->problems[i].message);
}

static bool is_there(const char *path) {
  struct stat st;
  return stat(path, &st) == 0;
}

static void print_stores(const struct bt_sources *sources) {
  char files[96], count[32];
  printf("\ntranscripts\n");
  for (size_t i = 0; i < sources->store_count; i++) {
    const struct bt_store *store = &sources->stores[i];
    const char *why = store->variable ? store->variable : store->is_sample ? "the sample's" : NULL;
    snprintf(count, sizeof(count), "%zu file%s", store->files, store->files == 1 ? "" : "s");
    snprintf(files, sizeof(files), "%s%s%s%s", store->files || is_there(store->root) ? count : "absent",
             why ? " (" : "", why ? why : "", why ? ")" : "");
    line(bt_harness_word(store->harness), store->root, files);
  }
  for (size_t i = 0; i < sources->note_count; i++)
    line("problem", sources->notes[i].path, sources->notes[i].text);
  if (sources->cut)
    line("problem", "more files than are listed", NULL);
}

static int print_text(const struct cli_env *cli, const struct config *config, const struct ui_terminal *terminal,
                      const struct bt_sources *sources) {
  struct path paths[PATH_COUNT];
  char text[96];
  gather_paths(cli, config, paths);
  printf("baton %s\n", BATON_VERSION);
  for (size_t i = 0; library_at(i, text, sizeof(text)); i++)
    line(i == 0 ? "runs with" : "", text, NULL);
  printf("\npaths\n");
  for (size_t i = 0; i < PATH_COUNT; i++)
    line(paths[i].name, paths[i].text, NULL);
  print_stores(sources);
  print_settings(config);
  printf("\nterminal\n");
  line("TERM", terminal->name[0] ? terminal->name : "-", terminal->usable ? "" : "no dashboard fits on it");
  snprintf(text, sizeof(text), "%d", terminal->colours);
  line("colours", text, NULL);
  line("encoding", terminal->utf8 ? "UTF-8" : "not UTF-8: drawn with ASCII", NULL);
  printf("\nhere\n");
  line("host", cli->env.host, NULL);
  line("user", cli->env.user, NULL);
  line("key", cli->env.key == NULL ? "missing" : cli->env.key_is_sample ? "the sample ledger's" : "loaded", NULL);
  return out_flush();
}

int cmd_info(struct cli_env *cli, int argc, char **argv) {
  const char *dir = NULL;
  bool json = false, help = false;
  const struct option_spec specs[] = {
      {"dir", &dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &json, NULL, "print one JSON document"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  const size_t count = sizeof(specs) / sizeof(*specs);
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, NULL, &err);
  if (code == BT_OK && help) {
    printf("Usage: baton info [--json] [--dir PATH]\n\nWhere baton reads and writes, the stores of transcripts, each "
           "setting and where it comes from, the terminal, versions.\n\n");
    options_print_help(specs, count);
    printf("\nExit status: 0 read, 1 failed.\n");
    return out_flush();
  }
  if (code == BT_OK)
    code = cli_env_set_dir(cli, dir, &err);
  if (code != BT_OK)
    return out_error(&err);
  struct ui_terminal terminal;
  struct config config;
  struct bt_sources sources;
  bt_sources_init(&sources);
  if (bt_stores_list(&sources, &cli->env) != BT_OK) {
    bt_sources_dispose(&sources);
    (void)bt_error_set(&err, BT_NOMEM, "transcripts", "out of memory");
    return out_error(&err);
  }
  ui_terminal(&terminal);
  config_load(cli, &config);
  bt_keymap_free(config_keymap(&config, &err)); /* for its problems */
  int status = json ? print_json(cli, &config, &terminal, &sources) : print_text(cli, &config, &terminal, &sources);
  bt_sources_dispose(&sources);
  config_dispose(&config);
  return status;
}
