/* core/delivery/write.h - the one writer of delivery records and of what belongs to them.
 *
 * Owns: the exclusion line, the guards around a write, one lock per repository, replacing by rename. A process that
 * dies at any step leaves the old or the new record, and never one that git would commit. Rules:
 * spec/delivery-handoff.md 11. */
#ifndef BATON_CORE_DELIVERY_WRITE_H
#define BATON_CORE_DELIVERY_WRITE_H

#include "core/delivery/evaluate.h"

struct bt_delivery_outcome {
  const char *refusal;   /* "refused:…", static; NULL: written, or (dry run) it would be */
  bool exclusion_needed; /* the exclusion line was not there: added, or (dry run) it would be */
};

/* Guards and, with `write`, writes `bytes` as the record of the working tree; what is there must still be `expected`.
 * BT_OK with the answer in `outcome`; BT_BUSY when another baton writes here for too long; BT_IO, BT_UNSAFE, BT_NOMEM.
 */
enum bt_code bt_delivery_write_record(const struct bt_work *work, const struct bt_store_copy *expected,
                                      const char *bytes, size_t length, bool write, struct bt_delivery_outcome *outcome,
                                      struct bt_error *err) BT_NODISCARD;

/* Replaces (or makes, 0600) the file at an absolute path. `expected` NULL: whatever is there. */
enum bt_code bt_delivery_write_file(const struct bt_work *work, const char *path, const struct bt_store_copy *expected,
                                    const char *bytes, size_t length, struct bt_delivery_outcome *outcome,
                                    struct bt_error *err) BT_NODISCARD;

/* A copy in the working tree's own git folder, below `baton/`, 0600; *path (in the arena) says where. A copy of that
 * name that is there already gets a number behind it. */
enum bt_code bt_delivery_write_backup(const struct bt_work *work, const char *name, const char *bytes, size_t length,
                                      const char **path, struct bt_error *err) BT_NODISCARD;
/* Takes such a copy away again; `path` is what bt_delivery_write_backup said. One that stays does no harm. */
void bt_delivery_drop_backup(const char *path);

#endif
