/* cli/log_actions.c - one line of the log after the other, from the end. */
#include "cli/log_actions.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/facts.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/ops/actionlog.h"

#define WINDOW ((size_t)4 * 1024 * 1024)

struct printing {
  const struct log_actions *wanted;
  struct json_out json;
  struct table table;
  size_t shown, unreadable;
};

static const char *subject_of(const struct bt_json *entry) {
  static const char *const keys[] = {"session", "ledger_lock", "subject"};
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
    if (bt_json_get_string(entry, keys[i]))
      return bt_json_get_string(entry, keys[i]);
  return NULL;
}

static bool is_wanted(const struct log_actions *wanted, const struct bt_json *entry) {
  const char *stamp = bt_json_get_string(entry, "ts");
  int64_t ts;
  if (wanted->since_ms != BT_TIME_UNKNOWN &&
      (!stamp || !bt_time_parse(stamp, strlen(stamp), &ts) || ts < wanted->since_ms))
    return false;
  return !wanted->session || bt_text_equals(wanted->session, bt_json_get_string(entry, "session")) ||
         bt_text_equals(wanted->session, bt_json_get_string(entry, "successor"));
}

static void add_row(struct printing *printing, const struct bt_json *entry) {
  char by[128];
  const char *user = bt_json_get_string(entry, "user"), *host = bt_json_get_string(entry, "host");
  snprintf(by, sizeof(by), "%.60s@%.60s", user ? user : "?", host ? host : "?");
  const char *cells[] = {bt_json_get_string(entry, "ts"),
                         bt_json_get_string(entry, "verb"),
                         subject_of(entry),
                         bt_json_get_string(entry, "verdict"),
                         by,
                         bt_json_get_string(entry, "detail")};
  table_add(&printing->table, cells, 0);
}

static void print_line(const struct bt_json *entry) {
  struct bt_str text;
  bt_str_init(&text, WINDOW);
  bt_json_print_compact(&text, entry);
  puts(text.data);
  bt_str_dispose(&text);
}

/* False: there were enough. */
static bool take(struct printing *printing, const char *line, size_t length) {
  const struct log_actions *wanted = printing->wanted;
  if (wanted->limit && printing->shown == wanted->limit)
    return false;
  struct bt_json *entry = bt_json_parse(line, length, NULL);
  if (!entry) {
    printing->unreadable++;
  } else if (is_wanted(wanted, entry)) {
    printing->shown++;
    if (wanted->jsonl)
      print_line(entry);
    else if (wanted->json)
      json_value(&printing->json, NULL, entry);
    else
      add_row(printing, entry);
  }
  bt_json_free(entry);
  return true;
}

/* From the last line to the first whole one. */
static void each_line(struct printing *printing, const struct bt_str *tail, bool whole) {
  size_t end = tail->length;
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && tail->data[start - 1] != '\n')
      start--;
    if (start == 0 && !whole)
      return;
    size_t length = end - start - (tail->data[end - 1] == '\n');
    if (length > 0 && !take(printing, tail->data + start, length))
      return;
    end = start;
  }
}

static enum bt_code read_log(const struct cli_env *cli, struct bt_str *tail, bool *whole, struct bt_error *err) {
  int64_t offset = 0;
  int dir = bt_fs_open_root(cli->env.state_dir, err);
  if (dir < 0)
    return err->code;
  enum bt_code code = bt_fs_read_tail_at(dir, BT_ACTIONLOG_NAME, WINDOW, tail, &offset, err);
  *whole = offset == 0;
  close(dir);
  return code;
}

int log_actions_print(const struct cli_env *cli, const struct log_actions *wanted) {
  static const char *const heads[] = {"TIME", "VERB", "SUBJECT", "VERDICT", "BY", "DETAIL", NULL};
  struct printing printing = {.wanted = wanted};
  struct bt_error err = {.code = BT_OK};
  struct bt_str tail;
  bool whole = true;
  bt_str_init(&tail, WINDOW + 1);
  enum bt_code code = read_log(cli, &tail, &whole, &err);
  if (code != BT_OK && code != BT_MISSING) {
    bt_str_dispose(&tail);
    return out_error(&err);
  }
  if (wanted->json) {
    json_begin(&printing.json);
    json_integer(&printing.json, "schema_version", FACTS_SCHEMA_VERSION);
    json_open(&printing.json, "actions", '[');
  } else if (!wanted->jsonl) {
    table_init(&printing.table, heads, false);
  }
  each_line(&printing, &tail, whole);
  bt_str_dispose(&tail);
  if (printing.unreadable)
    out_warning("some lines of the log cannot be read");
  if (wanted->jsonl)
    return out_flush();
  if (wanted->json) {
    json_close(&printing.json, ']');
    return json_end(&printing.json);
  }
  int status = table_print(&printing.table);
  table_dispose(&printing.table);
  return status;
}
