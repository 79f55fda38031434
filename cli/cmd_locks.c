/* cli/cmd_locks.c - `baton locks`: every lock of the ledger with its verdict and the evidence for it. */
#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/look.h"
#include "cli/table.h"
#include "core/base/clock.h"

static int print_json(const struct bt_snapshot *snapshot) {
  struct json_out json;
  json_begin(&json);
  facts_head(&json, snapshot);
  facts_lock_totals(&json, snapshot);
  json_open(&json, "locks", '[');
  for (size_t i = 0; i < snapshot->lock_count; i++)
    facts_lock(&json, NULL, &snapshot->locks[i]);
  json_close(&json, ']');
  facts_problems(&json, snapshot);
  return json_end(&json);
}

static int print_table(const struct bt_snapshot *snapshot, bool colour) {
  static const char *const heads[] = {"VERDICT",    "LOCK", "KIND",  "HOST",     "PID",
                                      "STARTED AT", "AGE",  "NONCE", "EVIDENCE", NULL};
  struct table table;
  table_init(&table, heads, colour);
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    const struct bt_lock *lock = &snapshot->locks[i];
    char age[16];
    int64_t began_ms = lock->started_at_ms == BT_TIME_UNKNOWN ? lock->mtime_ms : lock->started_at_ms;
    const char *cells[] = {bt_lock_verdict_word(lock->verdict),
                           lock->name,
                           bt_lock_kind_word(lock->kind),
                           lock->host,
                           lock->pid_text,
                           lock->started_at,
                           table_age(age, snapshot->taken_at_ms, began_ms),
                           lock->nonce,
                           lock->why};
    table_add(&table, cells, table_paint_verdict(lock->verdict));
  }
  int status = table_print(&table);
  table_dispose(&table);
  return status ? status : table_notes(snapshot);
}

int cmd_locks(struct cli_env *cli, int argc, char **argv) {
  struct look look;
  int status;
  if (look_begin(cli, argc, argv, "baton locks [--json] [--dir PATH]",
                 "Every lock of the ledger, with a verdict from evidence. `baton unlock` removes a dead local one.",
                 false, 0, &look, &status) == LOOK_DONE)
    return status;
  status = look.json ? print_json(look.snapshot) : print_table(look.snapshot, look.colour);
  bt_snapshot_free(look.snapshot);
  return status;
}
