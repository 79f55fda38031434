/* cli/list_watch.h - `baton list --watch`: frames, the first at once, then one whenever the ledger, or what is shown of
 * a session, has changed.
 *
 * For scripts and logs (dashboard.md row 96). Runs the configured on_blocked command as the dashboard does. */
#ifndef BATON_CLI_LIST_WATCH_H
#define BATON_CLI_LIST_WATCH_H

#include "cli/look.h"

struct list_watch {
  const char *frames, *interval; /* as typed; NULL: no limit, no interval */
  bool watch, jsonl;
};

/* BT_USAGE when the flags do not fit together. */
enum bt_code list_watch_check(const struct list_watch *flags, const struct look *look,
                              struct bt_error *err) BT_NODISCARD;

/* Prints frames until there were enough of them or standard output is closed; `print` returns an exit status, `shown` a
 * number that is another one when something else would be printed, but for the passing of time. Takes look->snapshot
 * over and leaves the newest there. */
int list_watch_run(struct cli_env *cli, const struct list_watch *flags, struct look *look, unsigned load_flags,
                   int (*print)(const struct look *look, bool line),
                   uint64_t (*shown)(const struct look *look, bool line));

#endif
