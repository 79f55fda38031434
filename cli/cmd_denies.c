/* cli/cmd_denies.c - `baton denies`: every deny record, broken ones too, and the health of their store. */
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/look.h"
#include "cli/table.h"

static int print_json(const struct bt_snapshot *snapshot) {
  struct json_out json;
  json_begin(&json);
  facts_head(&json, snapshot);
  json_open(&json, "denies", '[');
  for (size_t i = 0; i < snapshot->deny_count; i++)
    facts_deny(&json, NULL, &snapshot->denies[i]);
  json_close(&json, ']');
  facts_store(&json, snapshot);
  facts_problems(&json, snapshot);
  return json_end(&json);
}

static unsigned char paint_of(const struct bt_deny *deny) {
  return table_paint_state(deny->status == BT_DENY_CONSUMED ? BT_STATE_DONE : BT_STATE_BLOCKED);
}

static const char *status_word(const struct bt_deny *deny) {
  return deny->status == BT_DENY_OPEN ? "open" : deny->status == BT_DENY_CONSUMED ? "consumed" : deny->reason;
}

static int print_table(const struct bt_snapshot *snapshot, bool colour) {
  static const char *const heads[] = {"CLASS", "SESSION",      "STATUS",      "TICKET", "HOST",
                                      "AGE",   "CONTENT HASH", "CONSUMED BY", NULL};
  struct table table;
  table_init(&table, heads, colour);
  for (size_t i = 0; i < snapshot->deny_count; i++) {
    const struct bt_deny *deny = &snapshot->denies[i];
    char age[16];
    const char *cells[] = {bt_deny_class_word(deny->class_),
                           deny->session_id,
                           status_word(deny),
                           deny->ticket_id,
                           deny->host,
                           table_age(age, snapshot->taken_at_ms, deny->since_ms),
                           deny->content_hash,
                           deny->consumed_by};
    table_add(&table, cells, paint_of(deny));
  }
  int status = table_print(&table);
  table_dispose(&table);
  return status ? status : table_notes(snapshot);
}

int cmd_denies(struct cli_env *cli, int argc, char **argv) {
  struct look look;
  int status;
  if (look_begin(cli, argc, argv, "baton denies [--json] [--dir PATH]",
                 "Every deny record, also those that cannot be read, and whether their store is sound.", false, 0,
                 &look, &status) == LOOK_DONE)
    return status;
  status = look.json ? print_json(look.snapshot) : print_table(look.snapshot, look.colour);
  bt_snapshot_free(look.snapshot);
  return status;
}
