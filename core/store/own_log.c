/* core/store/own_log.c - the last lines of baton's own log. */
#include "core/store/own_log.h"

#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"

#define WINDOW ((size_t)256 * 1024)

static const char *keep(struct bt_arena *arena, const struct bt_json *line, const char *member, bool *failed) {
  const char *text = bt_json_get_string(line, member);
  const char *kept = bt_arena_strdup(arena, text);
  *failed = *failed || (text && !kept);
  return kept;
}

static bool is_wanted(const char *ledger_dir, const struct bt_json *line) {
  const char *verdict = bt_json_get_string(line, "verdict");
  return bt_json_get_string(line, "verb") && verdict && strcmp(verdict, "done") != 0 &&
         bt_text_equals(bt_json_get_string(line, "ledger"), ledger_dir);
}

/* False: memory is short. */
static bool take(struct bt_arena *arena, const struct bt_json *line, struct bt_own_refusal *out) {
  const char *ts = bt_json_get_string(line, "ts");
  bool failed = false;
  *out = (struct bt_own_refusal){.verb = keep(arena, line, "verb", &failed),
                                 .verdict = keep(arena, line, "verdict", &failed),
                                 .session = keep(arena, line, "session", &failed),
                                 .successor = keep(arena, line, "successor", &failed),
                                 .detail = keep(arena, line, "detail", &failed),
                                 .user = keep(arena, line, "user", &failed),
                                 .host = keep(arena, line, "host", &failed)};
  out->subject = keep(arena, line, bt_json_get_string(line, "ledger_lock") ? "ledger_lock" : "subject", &failed);
  if (!ts || !bt_time_parse(ts, strlen(ts), &out->ts_ms))
    out->ts_ms = BT_TIME_UNKNOWN;
  return !failed;
}

/* From the last line to the first whole one. */
bool bt_own_log_lines(const char *ledger_dir, struct bt_arena *arena, const char *bytes, size_t length, bool whole,
                      struct bt_own_refusal *list, size_t *count) {
  size_t end = length;
  while (end > 0 && *count < BT_OWN_LOG_MAX) {
    size_t start = end - 1;
    while (start > 0 && bytes[start - 1] != '\n')
      start--;
    if (start == 0 && !whole)
      return true;
    struct bt_json *line = bt_json_parse(bytes + start, end - start - (bytes[end - 1] == '\n'), NULL);
    bool kept = !line || !is_wanted(ledger_dir, line) || take(arena, line, &list[(*count)++]);
    bt_json_free(line);
    if (!kept)
      return false;
    end = start;
  }
  return true;
}

enum bt_code bt_own_log_refusals(const struct bt_env *env, struct bt_arena *arena, struct bt_own_refusal *list,
                                 size_t *count, struct bt_error *err) {
  struct bt_str tail;
  int64_t offset = 0;
  *count = 0;
  int dir = bt_fs_open_root(env->state_dir, NULL);
  if (dir < 0)
    return BT_OK;
  bt_str_init(&tail, WINDOW + 1);
  enum bt_code code = bt_fs_read_tail_at(dir, BT_ACTIONLOG_NAME, WINDOW, &tail, &offset, NULL);
  bool enough = code != BT_NOMEM && (code != BT_OK || bt_own_log_lines(env->ledger_dir, arena, tail.data, tail.length,
                                                                       offset == 0, list, count));
  bt_str_dispose(&tail);
  close(dir);
  return enough ? BT_OK : bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
}
