/* core/store/evidence_log.h - every entry of the evidence, newest first.
 *
 * Owns: the merge of the root and the segments by time, each chain in its own order; for each entry where it lies and
 * whether it holds. Keeps no text: an entry is read again from its place when it is shown. Memory: some 40 bytes a
 * line. Must not know: how entries are shown. */
#ifndef BATON_CORE_STORE_EVIDENCE_LOG_H
#define BATON_CORE_STORE_EVIDENCE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/store/chain_forest.h"

struct bt_log_entry {
  uint32_t chain;     /* index into forest.chains */
  uint32_t length;    /* of the raw line; 0 for one past the ceiling */
  int64_t offset;     /* of the raw line in its file */
  uint64_t line;      /* counted from 1 */
  int64_t ts_ms;      /* BT_TIME_UNKNOWN */
  const char *reason; /* the rule that this line breaks, or the next line's that breaks on it. Static; NULL: holds */
  bool chain_ok;      /* breaks no rule, and the next line's `prev` is its hash */
  enum bt_entry_signed signed_;
};

struct bt_log {
  struct bt_forest forest;      /* checked to the end, whatever is broken */
  struct bt_log_entry *entries; /* newest first */
  size_t count;
  int fd;              /* the chain read last, kept open; -1: none */
  uint32_t open_chain; /* which one that is */
};

/* BT_OK whatever the chains say; BT_UNSAFE, BT_IO, BT_NOMEM. Dispose in every case. */
enum bt_code bt_log_load(int ledger, struct bt_key key, struct bt_log *log, struct bt_error *err) BT_NODISCARD;
/* The same, left off with BT_STATE once the descriptor *give_up can be read or has hung up; NULL: never. */
enum bt_code bt_log_load_until(int ledger, struct bt_key key, const int *give_up, struct bt_log *log,
                               struct bt_error *err) BT_NODISCARD;
void bt_log_dispose(struct bt_log *log);

/* Closes the file that was read last; the rest stays. */
void bt_log_close(struct bt_log *log);

/* The raw line of an entry into `line` (cleared first). BT_STALE when the file is not what it was. Also BT_IO,
 * BT_NOMEM. */
enum bt_code bt_log_read(int ledger, struct bt_log *log, const struct bt_log_entry *entry, struct bt_str *line,
                         struct bt_error *err) BT_NODISCARD;

/* The time stamp of a raw line, BT_TIME_UNKNOWN where it has none. */
int64_t bt_line_time(const char *line, size_t length);

#endif
