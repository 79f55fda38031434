/* tui/watch.h - tells when the ledger may have changed. Must not know what changed, nor read a record.
 *
 * inotify on the ledger's folders, and behind it a poll that the caller makes every WATCH_POLL_MS: while inotify is
 * healthy it only stats the folders, else every file in them (dashboard.md 4.4, rows 84 and 87). */
#ifndef BATON_TUI_WATCH_H
#define BATON_TUI_WATCH_H

#include <stdbool.h>

#include "core/base/error.h"

#define WATCH_POLL_MS 2000
#define WATCH_COALESCE_MS 60 /* a burst of events is one change */

struct watch;

/* Watches `ledger_dir` (there or not yet) below `root`; both absolute, borrowed. Without `use_inotify`, or where the
 * system has none left, it only polls. NULL: out of memory. */
struct watch *watch_new(const char *root, const char *ledger_dir, bool use_inotify, struct bt_error *err) BT_NODISCARD;
void watch_free(struct watch *watch); /* NULL is allowed */

int watch_fd(const struct watch *watch);       /* has input when watch_read is due; -1: only polling */
bool watch_healthy(const struct watch *watch); /* events are to be trusted */

/* Takes all waiting events. True when the ledger may have changed. */
bool watch_read(struct watch *watch);

/* True when folders (or files) are not as at the last call. Also watches folders that are new. */
bool watch_poll(struct watch *watch);

#endif
