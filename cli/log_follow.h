/* cli/log_follow.h - waits for new entries of the evidence and hands them on as they are appended.
 *
 * Owns: how far each chain has been read, the watch on the folders and the poll behind it (network file systems send
 * nothing). A file that was replaced or has shrunk is read from its front again, unless it holds the same history. */
#ifndef BATON_CLI_LOG_FOLLOW_H
#define BATON_CLI_LOG_FOLLOW_H

#include "cli/log_row.h"

#define LOG_FOLLOW_POLL_MS 2000

/* Who is told of the new entries. */
struct log_listener {
  /* For each, oldest first; false ends the following. */
  bool (*on_entry)(void *context, const struct bt_forest_chain *chain, const struct bt_log_entry *place,
                   const char *line, size_t length);
  void *context;
};

/* Goes on behind what `log` holds. Comes back when the listener says so, or on a failure. */
enum bt_code log_follow(int ledger, const char *ledger_dir, struct bt_key key, const struct bt_log *log,
                        const struct log_listener *listener, struct bt_error *err) BT_NODISCARD;

#endif
