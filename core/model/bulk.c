/* core/model/bulk.c - words and counts of a bulk unlock. */
#include "core/model/bulk.h"

#include <stdio.h>
#include <string.h>

const char *bt_bulk_fate_word(enum bt_bulk_fate fate) {
  static const char *const words[BT_BULK_FATE_COUNT] = {"would be removed", "refused", "removed", "failed",
                                                        "not tried"};
  return words[fate];
}

struct bt_bulk_counts bt_bulk_count(const struct bt_bulk_line *lines, size_t count) {
  struct bt_bulk_counts counts = {{0}};
  for (size_t i = 0; i < count; i++)
    counts.of[lines[i].fate]++;
  return counts;
}

void bt_bulk_summary(char out[BT_BULK_SUMMARY], const struct bt_bulk_line *lines, size_t count) {
  static const enum bt_bulk_fate order[] = {BT_BULK_REMOVED, BT_BULK_WOULD, BT_BULK_FAILED, BT_BULK_REFUSED,
                                            BT_BULK_NOT_TRIED};
  struct bt_bulk_counts counts = bt_bulk_count(lines, count);
  out[0] = '\0';
  for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
    if (counts.of[order[i]]) {
      size_t used = strlen(out);
      snprintf(out + used, BT_BULK_SUMMARY - used, "%s%zu %s", used ? ", " : "", counts.of[order[i]],
               bt_bulk_fate_word(order[i]));
    }
}
