/* core/model/changes.h - which sessions are in another state than before: what a change line, a watcher and a
 * notification tell.
 *
 * Pure. Compares states and who is there, and briefs where that is asked for, nothing else. */
#ifndef BATON_CORE_MODEL_CHANGES_H
#define BATON_CORE_MODEL_CHANGES_H

#include "core/base/error.h"
#include "core/model/snapshot.h"

struct bt_change {
  const struct bt_session *before; /* NULL: it is new */
  const struct bt_session *after;  /* NULL: it is gone */
};
struct bt_changes {
  struct bt_change *items; /* in the order of the later snapshot; then what is gone */
  size_t count;
};

/* Either may be NULL: then nothing was or is there. The sessions are borrowed from the snapshots. BT_NOMEM; dispose in
 * every case. */
enum bt_code bt_changes_between(const struct bt_snapshot *before, const struct bt_snapshot *after,
                                struct bt_changes *changes, struct bt_error *err) BT_NODISCARD;
/* The same, and whose brief has another status. */
enum bt_code bt_changes_with_briefs(const struct bt_snapshot *before, const struct bt_snapshot *after,
                                    struct bt_changes *changes, struct bt_error *err) BT_NODISCARD;
void bt_changes_dispose(struct bt_changes *changes);

/* True when it has just become BLOCKED. */
bool bt_change_blocks(const struct bt_change *change);

#endif
