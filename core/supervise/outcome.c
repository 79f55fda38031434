/* core/supervise/outcome.c - how an end is called, and what it makes the exit status (spec/context-handoff.md 11.5). */
#include "core/supervise/machine.h"

static const struct {
  const char *word;
  int exit_status;
} reasons[] = {
    [BT_SUP_REASON_NONE] = {"unknown", 1},
    [BT_SUP_CHILD_EXITED] = {"child_exited", 0},
    [BT_SUP_INTERRUPTED] = {"interrupted", 0},
    [BT_SUP_UNSAFE_SESSION_ID] = {"unsafe_session_id", 1},
    [BT_SUP_DEGRADED] = {"degraded", 2},
    [BT_SUP_CHILD_FAILED] = {"child_failed", 3},
    [BT_SUP_CHILD_SIGNALLED] = {"child_signalled", 3},
    [BT_SUP_SPAWN_FAILED] = {"spawn_failed", 4},
};

const char *bt_sup_reason_word(enum bt_sup_reason reason) {
  return reasons[reason].word;
}

int bt_sup_exit_status(enum bt_sup_reason reason) {
  return reasons[reason].exit_status;
}

enum bt_sup_reason bt_sup_classify(const struct bt_sup_exit *exit) {
  if (exit->failed_to_start)
    return BT_SUP_SPAWN_FAILED;
  if (exit->signalled)
    return BT_SUP_CHILD_SIGNALLED;
  return exit->code != 0 ? BT_SUP_CHILD_FAILED : BT_SUP_CHILD_EXITED;
}

const char *bt_sup_state_word(enum bt_sup_state state) {
  static const char *const words[BT_SUP_STATE_COUNT] = {
      [BT_SUP_IDLE] = "idle",
      [BT_SUP_STARTING] = "starting",
      [BT_SUP_WATCHING] = "watching",
      [BT_SUP_QUIESCING] = "waiting for a quiet transcript",
      [BT_SUP_CONTINUING] = "handing on",
      [BT_SUP_VERIFYING] = "handing on",
      [BT_SUP_TERMINATING] = "ending the session",
      [BT_SUP_KILLING] = "ending the session",
      [BT_SUP_WAITING] = "waiting for the session to end",
      [BT_SUP_DONE] = "done",
  };
  return words[state];
}
