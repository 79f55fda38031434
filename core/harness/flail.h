/* core/harness/flail.h - signs that a session goes in circles: the same file edited again, the same error met again.
 *
 * Rules: spec/transcripts.md 9, over the last BT_FLAIL_WINDOW bytes of a transcript. Owns its texts; knows no record
 * format. */
#ifndef BATON_CORE_HARNESS_FLAIL_H
#define BATON_CORE_HARNESS_FLAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

#define BT_FLAIL_WINDOW ((size_t)262144)

struct bt_flail_entry {
  char *text; /* a path, or the signature of an error; internal text */
  int64_t count;
};

struct bt_flail_list { /* in order of first appearance */
  struct bt_flail_entry *entries;
  size_t count;
};

struct bt_flail {
  struct bt_flail_list repeated_errors; /* met at least twice */
  struct bt_flail_list edit_churn;      /* paths written at least three times */
};

/* The verdict: anything was found. */
static inline bool bt_flail_is(const struct bt_flail *flail) {
  return flail->repeated_errors.count > 0 || flail->edit_churn.count > 0;
}

/* `bytes` are the whole file, or its last BT_FLAIL_WINDOW bytes with `is_tail`. BT_OK or BT_NOMEM (`flail` needs no
 * disposing then). */
enum bt_code bt_flail_find(struct bt_flail *flail, const char *bytes, size_t length, bool is_tail) BT_NODISCARD;
void bt_flail_dispose(struct bt_flail *flail);

#endif
