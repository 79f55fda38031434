/* core/harness/windows.c - see windows.h. */
#include "core/harness/windows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/str.h"
#include "core/base/utf8.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define TOKENS_MAX INT64_C(9007199254740992)

void bt_windows_dispose(struct bt_windows *windows) {
  for (size_t i = 0; i < windows->count; i++)
    free(windows->list[i].name);
  free(windows->list);
  *windows = (struct bt_windows){NULL, 0};
}

/* Digits and `_` between them; 0 for anything else. */
static int64_t read_tokens(struct bt_slice text) {
  int64_t tokens = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '_' && i > 0)
      continue;
    if (text.data[i] < '0' || text.data[i] > '9' || tokens > TOKENS_MAX / 10)
      return 0;
    tokens = tokens * 10 + (text.data[i] - '0');
  }
  return tokens <= TOKENS_MAX ? tokens : 0;
}

static enum bt_code take_line(struct bt_windows *windows, struct bt_slice line, unsigned number, struct bt_error *err) {
  const char *hash = memchr(line.data, '#', line.length);
  line = bt_trim_w(line.data, hash ? (size_t)(hash - line.data) : line.length);
  if (line.length == 0)
    return BT_OK;
  size_t name = 0;
  while (name < line.length && line.data[name] != ' ' && line.data[name] != '\t')
    name++;
  int64_t tokens = read_tokens(bt_trim_w(line.data + name, line.length - name));
  if (tokens == 0)
    return bt_error_set(err, BT_CORRUPT, "windows", "line %u: a name and a number of tokens are wanted", number);
  struct bt_window *list = realloc(windows->list, (windows->count + 1) * sizeof *list);
  char *copy = strndup(line.data, name);
  if (list)
    windows->list = list;
  if (!list || !copy) {
    free(copy);
    return bt_error_set(err, BT_NOMEM, "windows", "out of memory");
  }
  list[windows->count++] = (struct bt_window){copy, tokens};
  return BT_OK;
}

enum bt_code bt_windows_load(struct bt_windows *windows, const char *config_dir, struct bt_error *err) {
  struct bt_str bytes, text;
  *windows = (struct bt_windows){NULL, 0};
  int dir = config_dir ? bt_fs_open_root(config_dir, NULL) : -1;
  if (dir < 0)
    return BT_OK;
  bt_str_init(&bytes, FILE_BYTES_MAX);
  bt_str_init(&text, FILE_BYTES_MAX * 3);
  enum bt_code code = bt_fs_read_at(dir, "windows", &bytes, err), result = BT_OK;
  close(dir);
  bt_utf8_decode8(&text, bytes.data, code == BT_OK ? bytes.length : 0);
  unsigned number = 1;
  for (size_t at = 0; code == BT_OK && at < text.length; number++) {
    const char *lf = memchr(text.data + at, '\n', text.length - at);
    size_t end = lf ? (size_t)(lf - text.data) : text.length;
    enum bt_code line =
        take_line(windows, (struct bt_slice){text.data + at, end - at}, number, result == BT_OK ? err : NULL);
    result = result == BT_OK ? line : result;
    at = end + 1;
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
  return code == BT_OK ? result : code == BT_MISSING ? BT_OK : code;
}

/* How well a line fits: 3 a session, 2 a model, 1 the beginning of a model, 0 not at all. */
static int rank(const char *name, const char *session_id, const char *model) {
  size_t length = strlen(name);
  if (session_id && strcmp(name, session_id) == 0)
    return 3;
  if (model && strcmp(name, model) == 0)
    return 2;
  return model && length && name[length - 1] == '*' && strncmp(name, model, length - 1) == 0;
}

int64_t bt_windows_find(const struct bt_windows *windows, const char *session_id, const char *model) {
  int best = 0;
  int64_t tokens = 0;
  for (size_t i = 0; i < windows->count; i++) {
    int fit = rank(windows->list[i].name, session_id, model);
    if (fit > 0 && fit >= best) {
      best = fit;
      tokens = windows->list[i].tokens;
    }
  }
  return tokens;
}
