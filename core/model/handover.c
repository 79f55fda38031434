/* core/model/handover.c - the words of the states, and finding a session's. */
#include "core/model/handover.h"

#include <string.h>

#include "core/model/snapshot.h"

const char *bt_ask_state_word(enum bt_ask_state state) {
  static const char *const words[BT_ASK_STATE_COUNT] = {"unsupervised", "written", "asked", "due",
                                                        "re-armed",     "unknown", "armed"};
  return words[state];
}

const struct bt_handover *bt_snapshot_handover(const struct bt_snapshot *snapshot, const char *session) {
  for (size_t i = 0; snapshot && session && i < snapshot->handover_count; i++)
    if (strcmp(snapshot->handovers[i].session, session) == 0)
      return &snapshot->handovers[i];
  return NULL;
}

bool bt_needs_somebody(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_handover *handover = bt_snapshot_handover(snapshot, session->id);
  return session->state <= BT_STATE_WARN || (handover && handover->state == BT_ASK_STATE_DUE);
}

size_t bt_snapshot_due(const struct bt_snapshot *snapshot) {
  size_t count = 0;
  for (size_t i = 0; snapshot && i < snapshot->handover_count; i++)
    count += snapshot->handovers[i].state == BT_ASK_STATE_DUE;
  return count;
}
