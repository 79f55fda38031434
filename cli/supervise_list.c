/* cli/supervise_list.c - one supervisor a line. */
#include "cli/supervise_list.h"

#include <stdio.h>

#include "cli/facts.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/base/arena.h"
#include "core/store/supervised.h"

#define ARENA_MAX ((size_t)64 * 1024 * 1024)

void supervise_put_json(struct json_out *json, const struct bt_supervised *list, size_t count) {
  json_open(json, "supervised", '[');
  for (size_t i = 0; i < count; i++) {
    json_open(json, NULL, '{');
    json_number(json, "pid", list[i].pid);
    json_time(json, "started", list[i].started_ms);
    json_time(json, "updated", list[i].updated_ms);
    json_text(json, "root", list[i].root);
    json_text(json, "ledger_dir", list[i].ledger_dir);
    json_text(json, "program", list[i].program);
    json_text(json, "state", list[i].state);
    json_open(json, "sessions", '[');
    for (size_t s = 0; s < list[i].session_count; s++)
      json_text(json, NULL, list[i].sessions[s]);
    json_close(json, ']');
    json_integer(json, "continuations", (int64_t)list[i].continuations);
    if (list[i].child_known)
      json_number(json, "child_pid", list[i].child_pid);
    else
      json_null(json, "child_pid");
    json_close(json, '}');
  }
  json_close(json, ']');
}

static int print_table(const struct cli_env *cli, const struct bt_supervised *list, size_t count) {
  static const char *const heads[] = {"PID", "SINCE", "STATE", "PROGRAM", "ROOT", "SESSIONS", NULL};
  struct table table;
  table_init(&table, heads, false);
  for (size_t i = 0; i < count; i++) {
    char age[16], pid[32];
    struct bt_str chain;
    bt_str_init(&chain, 65536);
    for (size_t s = 0; s < list[i].session_count; s++)
      bt_str_printf(&chain, "%s%s", s > 0 ? " > " : "", list[i].sessions[s]);
    (void)snprintf(pid, sizeof pid, "%.0f", list[i].pid);
    const char *cells[] = {pid,           table_age(age, bt_env_now(&cli->env), list[i].started_ms),
                           list[i].state, list[i].program,
                           list[i].root,  chain.data};
    table_add(&table, cells, 0);
    bt_str_dispose(&chain);
  }
  int status = table_print(&table);
  table_dispose(&table);
  return status;
}

int supervise_list(struct cli_env *cli, bool as_json) {
  struct bt_error err = {0};
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  const struct bt_supervised *list = NULL;
  size_t count = 0;
  int status;
  enum bt_code code = arena != NULL ? bt_supervised_load(&cli->env, arena, &list, &count, &err)
                                    : bt_error_set(&err, BT_NOMEM, "supervise", "out of memory");
  if (code != BT_OK) {
    status = out_error(&err);
  } else if (as_json) {
    struct json_out json;
    json_begin(&json);
    json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
    supervise_put_json(&json, list, count);
    status = json_end(&json);
  } else {
    status = print_table(cli, list, count);
  }
  bt_arena_free(arena);
  return status;
}
