/* tui/steady.c - holding one snapshot back. */
#include "tui/steady.h"

#include "core/model/changes.h"

/* Short of memory they count as the same: showing is never wrong. */
static bool same_states(const struct bt_snapshot *one, const struct bt_snapshot *other) {
  struct bt_changes changes;
  bool same = bt_changes_between(one, other, &changes, NULL) != BT_OK || changes.count == 0;
  bt_changes_dispose(&changes);
  return same;
}

static void hold(struct steady *steady, struct bt_snapshot *snapshot) {
  bt_snapshot_free(steady->held);
  steady->held = snapshot;
  steady->disturbed = false;
}

struct bt_snapshot *steady_take(struct steady *steady, const struct bt_snapshot *shown, struct bt_snapshot *next,
                                int64_t now_ms) {
  bool first = !steady->held;
  bool agreed = !first && !steady->disturbed && same_states(steady->held, next);
  bool overdue = !first && now_ms - steady->since_ms >= STEADY_MOST_MS;
  if (steady->at_once || !shown || agreed || overdue || same_states(shown, next)) {
    steady->at_once = false;
    hold(steady, NULL);
    return next;
  }
  if (first)
    steady->since_ms = now_ms;
  hold(steady, next);
  return NULL;
}

void steady_disturb(struct steady *steady) {
  steady->disturbed = true;
}

void steady_dispose(struct steady *steady) {
  hold(steady, NULL);
}
