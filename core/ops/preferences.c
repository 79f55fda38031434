/* core/ops/preferences.c - one line a file. */
#include "core/ops/preferences.h"

#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/ops/state_file.h"

#define ORDER_NAME "order"
#define PREVIEW_NAME "preview"
#define REVERSED " reversed"
#define LINE_MAX_BYTES 64

static enum bt_code keep_line(const struct bt_env *env, const char *name, const char *word, const char *more,
                              struct bt_error *err) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_str_printf(&line, "%s%s\n", word, more);
  enum bt_code code = line.failed ? bt_error_set(err, BT_NOMEM, name, "out of memory")
                                  : bt_state_file_replace(env, name, line.data, line.length, err);
  bt_str_dispose(&line);
  return code;
}

/* Its first word into `word`; true when `more` follows it. */
static bool read_line(const struct bt_env *env, const char *name, struct bt_str *word, const char *more) {
  struct bt_str bytes;
  bool follows = false;
  bt_str_clear(word);
  bt_str_init(&bytes, LINE_MAX_BYTES);
  int root = bt_fs_open_root(env->state_dir, NULL);
  if (root >= 0 && bt_fs_read_at(root, name, &bytes, NULL) == BT_OK) {
    size_t length = strcspn(bytes.data, " \n");
    bt_str_append(word, bytes.data, length);
    follows = bt_starts_with(bytes.data + length, more);
  }
  if (root >= 0)
    close(root);
  bt_str_dispose(&bytes);
  return follows;
}

enum bt_code bt_preferences_keep_order(const struct bt_env *env, const char *order, bool reversed,
                                       struct bt_error *err) {
  return keep_line(env, ORDER_NAME, order, reversed ? REVERSED : "", err);
}

void bt_preferences_order(const struct bt_env *env, struct bt_str *order, bool *reversed) {
  *reversed = read_line(env, ORDER_NAME, order, REVERSED);
}

enum bt_code bt_preferences_keep_preview(const struct bt_env *env, const char *preview, struct bt_error *err) {
  return keep_line(env, PREVIEW_NAME, preview, "", err);
}

void bt_preferences_preview(const struct bt_env *env, struct bt_str *preview) {
  (void)read_line(env, PREVIEW_NAME, preview, REVERSED);
}
