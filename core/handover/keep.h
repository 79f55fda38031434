/* core/handover/keep.h - what is remembered of a session's request between two runs.
 *
 * One small file a session, `ask/ID.json` below the program's state folder. Reading only; core/handover/write.c writes.
 * A file that cannot be used counts as none: the worst is that something is said once more.
 * Rules: spec/handover-request.md 6. */
#ifndef BATON_CORE_HANDOVER_KEEP_H
#define BATON_CORE_HANDOVER_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"

#define BT_ASK_KEEP_FOLDER "ask"
#define BT_ASK_KEEP_MAX 64 /* ordinals of each kind; the oldest go first */

struct bt_ask_keep {
  uint64_t window_ordinal;
  uint64_t notified[BT_ASK_KEEP_MAX], acked[BT_ASK_KEEP_MAX];
  size_t notified_count, acked_count;
};

/* `session` is fit for a file name (core/model/id.h). */
void bt_ask_keep_read(const char *state_dir, const char *session, struct bt_ask_keep *keep);

bool bt_ask_keep_has(const uint64_t *ordinals, size_t count, uint64_t ordinal);
void bt_ask_keep_add(uint64_t *ordinals, size_t *count, uint64_t ordinal); /* nothing when it is there already */
void bt_ask_keep_merge(struct bt_ask_keep *keep, const struct bt_ask_keep *other); /* what others have added */

void bt_ask_keep_print(struct bt_str *out, const char *session, const struct bt_ask_keep *keep);

#endif
