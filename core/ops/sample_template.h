/* core/ops/sample_template.h - the sample ledger's template: its entries, and their text with everything filled in.
 *
 * Pure: reads the embedded text (sample/ledger.template) and facts that are handed in. Must not know: files, keys. */
#ifndef BATON_CORE_OPS_SAMPLE_TEMPLATE_H
#define BATON_CORE_OPS_SAMPLE_TEMPLATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"

/* Processes that the sample's locks name. Times are ms since 1970, BT_TIME_UNKNOWN where not known. */
struct bt_sample_world {
  int64_t now_ms;
  const char *host, *root; /* root: the folder that holds the ledger, internal text */
  double live_pid, dead_pid, reused_pid;
  int64_t live_started_ms, reused_started_ms;
};

enum bt_sample_kind { BT_SAMPLE_FILE, BT_SAMPLE_CHAIN, BT_SAMPLE_SEGMENT };

struct bt_sample_entry {
  enum bt_sample_kind kind;
  struct bt_slice path, branch, text; /* borrowed from the template */
  int64_t age_ms;                     /* how old the file is to look */
};

#define BT_SAMPLE_ENTRY_MAX 96

/* Splits the template. BT_CORRUPT when it is not one; `count` entries are filled. */
enum bt_code bt_sample_split(struct bt_slice text, struct bt_sample_entry entries[BT_SAMPLE_ENTRY_MAX], size_t *count,
                             struct bt_error *err) BT_NODISCARD;

/* Appends `text` with every ${placeholder} filled in. BT_CORRUPT for one that is not known, BT_NOMEM. */
enum bt_code bt_sample_expand(struct bt_str *out, struct bt_slice text, const struct bt_sample_entry *entries,
                              size_t count, const struct bt_sample_world *world, struct bt_error *err) BT_NODISCARD;

#endif
