/* core/model/bulk.h - what a bulk unlock would do and did, one line for each marked row.
 *
 * Plain data: tui/bulk.c fills it, views draw it, the plain mode says it. Only a lock that is proved STALE may be acted on
 * in bulk; everything else is refused by name before anything is tried (dashboard.md rows 53, 63, 64). Strings are
 * internal text, borrowed from whoever filled it. */
#ifndef BATON_CORE_MODEL_BULK_H
#define BATON_CORE_MODEL_BULK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/model/record.h"

enum bt_bulk_fate {
  BT_BULK_WOULD,   /* stale: would be removed */
  BT_BULK_REFUSED, /* known beforehand: nothing is tried */
  BT_BULK_REMOVED,
  BT_BULK_FAILED,    /* tried, and not removed */
  BT_BULK_NOT_TRIED, /* the attempts before it failed in a row */
  BT_BULK_FATE_COUNT
};
const char *bt_bulk_fate_word(enum bt_bulk_fate fate); /* "would be removed", "refused", ... */

struct bt_bulk_line {
  const char *name; /* session id, or the lock's own name */
  bool has_lock;
  enum bt_lock_verdict verdict; /* where it has one */
  const char *record;           /* "build-07, pid 48211, since ..., nonce ...": as the lock says it; NULL: no lock */
  enum bt_bulk_fate fate;
  const char *words; /* the verdict's evidence, why it is refused or failed, where the copy is; may be NULL */
};

struct bt_bulk_counts {
  size_t of[BT_BULK_FATE_COUNT];
};
struct bt_bulk_counts bt_bulk_count(const struct bt_bulk_line *lines, size_t count);

/* "2 removed, 1 refused, 3 not tried"; what there is none of is left out. */
#define BT_BULK_SUMMARY 160
void bt_bulk_summary(char out[BT_BULK_SUMMARY], const struct bt_bulk_line *lines, size_t count);

#endif
