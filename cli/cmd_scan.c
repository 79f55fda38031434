/* cli/cmd_scan.c - `baton scan`: everything known right now as one document, to be kept, sent and looked at elsewhere.
 *
 * `baton -f FILE` opens it (core/store/import.h, dashboard.md row 100). It holds no text of a brief and no key. */
#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/look.h"
#include "core/store/load.h"

int cmd_scan(struct cli_env *cli, int argc, char **argv) {
  struct look look;
  struct json_out json;
  int status;
  if (look_begin(cli, argc, argv, "baton scan [--all] [--json] [--dir PATH]",
                 "Everything known right now as one JSON document: sessions, locks, denies. `baton -f FILE` opens it,\n"
                 "on any host, to look at. It holds no text of a brief and no key.",
                 false, BT_LOAD_TICKETS | LOOK_TRANSCRIPTS, &look, &status) == LOOK_DONE)
    return status;
  const struct bt_snapshot *snapshot = look.snapshot;
  json_begin(&json);
  facts_head(&json, snapshot);
  facts_list(&json, snapshot, NULL);
  json_open(&json, "locks", '[');
  for (size_t i = 0; i < snapshot->lock_count; i++)
    facts_lock(&json, NULL, &snapshot->locks[i]);
  json_close(&json, ']');
  json_open(&json, "denies", '[');
  for (size_t i = 0; i < snapshot->deny_count; i++)
    facts_deny(&json, NULL, &snapshot->denies[i]);
  json_close(&json, ']');
  status = json_end(&json);
  bt_snapshot_free(look.snapshot);
  return status;
}
