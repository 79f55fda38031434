/* cli/config.c - defaults, file, environment, flags: the later goes before the earlier. */
#include "cli/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/user_file.h"

static const struct {
  const char *spelling, *fallback, *words, *variable, *help;
} rows[CONFIG_COUNT] = {
#define CONFIG_ROW(name, spelling, fallback, words, variable, help) {spelling, fallback, words, variable, help},
    CONFIG_VALUES(CONFIG_ROW)
#undef CONFIG_ROW
};

const char *config_spelling(enum config_name name) {
  return rows[name].spelling;
}

const char *config_help(enum config_name name) {
  return rows[name].help;
}

const char *config_words(enum config_name name) {
  return rows[name].words;
}

const char *config_origin_word(enum config_origin origin) {
  static const char *const words[] = {"default", "file", "environment", "flag"};
  return words[origin];
}

bool config_is(const struct config *config, enum config_name name, const char *word) {
  return strcmp(config->values[name].text, word) == 0;
}

static void note(struct config *config, const struct bt_error *problem) {
  if (config->problem_count < CONFIG_PROBLEMS_MAX)
    config->problems[config->problem_count] = *problem;
  config->problem_count++;
}

/* ---- setting ---- */

static bool is_word_of(const char *words, struct bt_slice value) {
  while (*words) {
    size_t length = strcspn(words, " ");
    if (length == value.length && memcmp(words, value.data, length) == 0)
      return true;
    words += length + strspn(words + length, " ");
  }
  return false;
}

static enum bt_code set(struct config *config, enum config_name name, struct bt_slice value, enum config_origin origin,
                        const char *where, enum bt_code wrong, struct bt_error *err) {
  struct config_value *slot = &config->values[name];
  const char *spelling = rows[name].spelling;
  if (value.length >= sizeof(slot->text))
    return bt_error_set(err, wrong, where, "the value of %s is too long", spelling);
  if (rows[name].words && !is_word_of(rows[name].words, value))
    return bt_error_set(err, wrong, where, "%s wants one of: %s", origin == CONFIG_FROM_FLAG ? where : spelling,
                        rows[name].words);
  memcpy(slot->text, value.data, value.length);
  slot->text[value.length] = '\0';
  slot->origin = origin;
  snprintf(slot->where, sizeof(slot->where), "%s", where);
  return BT_OK;
}

enum bt_code config_flag(struct config *config, enum config_name name, const char *flag, const char *value,
                         struct bt_error *err) {
  if (!value)
    return BT_OK;
  return set(config, name, bt_slice_of(value), CONFIG_FROM_FLAG, flag, BT_USAGE, err);
}

/* NO_COLOR says never; the others say on. Empty counts as unset. */
static void read_environment(struct config *config) {
  for (int name = 0; name < CONFIG_COUNT; name++) {
    const char *value = rows[name].variable ? getenv(rows[name].variable) : NULL;
    struct bt_error ignored;
    if (!value || !*value)
      continue;
    struct bt_slice word = bt_slice_of(name == CONFIG_COLOR ? "never" : "on");
    if (set(config, (enum config_name)name, word, CONFIG_FROM_ENVIRONMENT, rows[name].variable, BT_INPUT, &ignored) !=
        BT_OK)
      note(config, &ignored);
  }
}

/* ---- the file ---- */

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct bt_slice next_word(struct bt_slice *rest) {
  while (rest->length && is_blank(*rest->data))
    rest->data++, rest->length--;
  struct bt_slice word = {rest->data, 0};
  while (word.length < rest->length && !is_blank(word.data[word.length]))
    word.length++;
  rest->data += word.length;
  rest->length -= word.length;
  return word;
}

/* To the end of the line, without blanks around it and without a comment behind it. */
static struct bt_slice last_words(struct bt_slice rest) {
  while (rest.length && is_blank(*rest.data))
    rest.data++, rest.length--;
  for (size_t i = 0; i < rest.length; i++)
    if (rest.data[i] == '#' && (i == 0 || is_blank(rest.data[i - 1])))
      rest.length = i;
  while (rest.length && is_blank(rest.data[rest.length - 1]))
    rest.length--;
  return rest;
}

static int shown(struct bt_slice word) {
  return word.length > 40 ? 40 : (int)word.length;
}

static enum bt_code read_set(struct config *config, struct bt_slice rest, const char *where, struct bt_error *err) {
  struct bt_slice word = next_word(&rest);
  for (int name = 0; name < CONFIG_COUNT; name++)
    if (bt_slice_equals(word, rows[name].spelling)) {
      struct bt_slice value = last_words(rest);
      if (memchr(value.data, '\0', value.length))
        return bt_error_set(err, BT_INPUT, where, "the value of %s holds a NUL", rows[name].spelling);
      return set(config, (enum config_name)name, value, CONFIG_FROM_FILE, where, BT_INPUT, err);
    }
  return bt_error_set(err, BT_INPUT, where, "there is no setting '%.*s'", shown(word), word.data);
}

static void read_line(struct config *config, struct bt_slice line, const char *where) {
  struct bt_slice rest = line, word = next_word(&rest);
  struct bt_error problem = {.code = BT_OK};
  if (bt_slice_equals(word, "bind") || bt_slice_equals(word, "unbind"))
    bt_str_append(&config->binds, line.data, line.length);
  else if (bt_slice_equals(word, "set"))
    (void)read_set(config, rest, where, &problem);
  else if (word.length && *word.data != '#')
    (void)bt_error_set(&problem, BT_INPUT, where, "'%.*s' is neither set, bind nor unbind", shown(word), word.data);
  bt_str_putc(&config->binds, '\n'); /* so that a binding keeps its line number */
  if (problem.code != BT_OK)
    note(config, &problem);
}

static void read_file(struct config *config) {
  struct bt_str text;
  struct bt_error err = {.code = BT_OK};
  bt_str_init(&text, CONFIG_BYTES_MAX);
  enum bt_code code = user_file_read(config->path, &text, &err);
  config->file_read = code == BT_OK;
  if (code != BT_OK && code != BT_MISSING)
    note(config, &err);
  unsigned number = 0;
  for (size_t at = 0; code == BT_OK && at < text.length;) {
    const char *newline = memchr(text.data + at, '\n', text.length - at);
    size_t end = newline ? (size_t)(newline - text.data) : text.length;
    char where[192];
    snprintf(where, sizeof(where), "%.170s:%u", config->path, ++number);
    read_line(config, (struct bt_slice){text.data + at, end - at}, where);
    at = end + 1;
  }
  bt_str_dispose(&text);
}

void config_load(const struct cli_env *cli, struct config *config) {
  memset(config, 0, sizeof(*config));
  bt_str_init(&config->binds, 2 * CONFIG_BYTES_MAX);
  for (int name = 0; name < CONFIG_COUNT; name++)
    snprintf(config->values[name].text, sizeof(config->values[name].text), "%s", rows[name].fallback);
  if (cli->env.config_dir) {
    snprintf(config->path, sizeof(config->path), "%s/config", cli->env.config_dir);
    snprintf(config->keys_path, sizeof(config->keys_path), "%s/keys", cli->env.config_dir);
    read_file(config);
  }
  read_environment(config);
}

void config_dispose(struct config *config) {
  bt_str_dispose(&config->binds);
}

/* ---- keys ---- */

static bool is_builtin(const char *name) {
  size_t length;
  return bt_keymap_builtin_text(name, &length) != NULL;
}

static void add_keys_file(struct config *config, struct bt_keymap *keymap, const char *path, bool must_be_there) {
  struct bt_str text;
  struct bt_error err = {.code = BT_OK};
  bt_str_init(&text, BT_KEYMAP_BYTES_MAX);
  enum bt_code code = user_file_read(path, &text, &err);
  if (code == BT_OK)
    code = bt_keymap_read(keymap, path, text.data, text.length, &err);
  config->keys_read = code == BT_OK;
  if (code != BT_OK && (code != BT_MISSING || must_be_there))
    note(config, &err);
  bt_str_dispose(&text);
}

struct bt_keymap *config_keymap(struct config *config, struct bt_error *err) {
  const char *name = config->values[CONFIG_KEYMAP].text;
  bool builtin = is_builtin(name);
  struct bt_error problem;
  struct bt_keymap *keymap = bt_keymap_new_named(builtin ? name : "default", err);
  if (!keymap)
    return NULL;
  if (!builtin)
    snprintf(config->keys_path, sizeof(config->keys_path), "%s", name);
  if (config->keys_path[0])
    add_keys_file(config, keymap, config->keys_path, !builtin);
  if (strspn(config->binds.data, "\n") < config->binds.length &&
      bt_keymap_read(keymap, config->path, config->binds.data, config->binds.length, &problem) != BT_OK)
    note(config, &problem);
  return keymap;
}
