/* core/handover/settings.c - ask.json. */
#include "core/handover/settings.h"

#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/handover/command.h"

#define FILE_NAME "ask.json"
#define FILE_MAX ((size_t)1024 * 1024)

enum bt_code bt_ask_settings_load(struct bt_ask_settings *settings, const char *config_dir, struct bt_error *err) {
  struct bt_str text;
  *settings = (struct bt_ask_settings){.json = NULL};
  int folder = config_dir != NULL ? bt_fs_open_root(config_dir, NULL) : -1;
  if (folder < 0)
    return BT_OK;
  bt_str_init(&text, FILE_MAX);
  enum bt_code code = bt_fs_read_at(folder, FILE_NAME, &text, err);
  if (code == BT_OK) {
    struct bt_error problem = {0};
    settings->json = bt_json_parse(text.data, text.length, &problem);
    bool usable = settings->json != NULL && bt_json_type(settings->json) == BT_JSON_OBJECT;
    if (problem.code == BT_NOMEM)
      code = bt_error_set(err, BT_NOMEM, FILE_NAME, "out of memory");
    else
      code = usable ? BT_OK : bt_error_set(err, BT_CORRUPT, FILE_NAME, "%s is not one JSON object", FILE_NAME);
  }
  bt_str_dispose(&text);
  close(folder);
  if (code == BT_MISSING || code == BT_NOMEM || code == BT_OK)
    return code == BT_MISSING ? BT_OK : code;
  return BT_CORRUPT;
}

void bt_ask_settings_dispose(struct bt_ask_settings *settings) {
  bt_json_free(settings->json);
  settings->json = NULL;
}

static void take(const struct bt_json *object, const char *key, double most, uint64_t *value) {
  double number = 0;
  if (bt_json_is_integer(bt_json_get(object, key), &number) && number >= 0 && number <= most)
    *value = (uint64_t)number;
}

static void take_all(const struct bt_json *object, struct bt_ask_limits *limits) {
  take(object, "headroom_tokens", (double)BT_ASK_TOKENS_MAX, &limits->headroom_tokens);
  take(object, "max_fill_permille", 1000, &limits->max_fill_permille);
  take(object, "rearm_permille", 1000, &limits->rearm_permille);
}

struct bt_ask_limits bt_ask_settings_limits(const struct bt_ask_settings *settings, const char *root) {
  struct bt_ask_limits limits = bt_ask_limits_usual();
  const struct bt_json *json = settings != NULL ? settings->json : NULL;
  take_all(json, &limits);
  if (root != NULL)
    take_all(bt_json_get(bt_json_get(json, "roots"), root), &limits);
  return limits;
}

bool bt_ask_settings_writes(const struct bt_ask_settings *settings, const char *command, size_t length) {
  const struct bt_json *writers = bt_json_get(settings != NULL ? settings->json : NULL, "writers");
  bool writes = bt_command_kind_of(command, length) == BT_COMMAND_WRITE;
  for (const struct bt_json *item = bt_json_first(writers); !writes && item != NULL; item = bt_json_next(item)) {
    const char *writer = bt_json_string(item);
    writes = writer != NULL && bt_command_kind_with(writer, command, length) == BT_COMMAND_WRITE;
  }
  return writes;
}
