/* core/ops/session_lock.h - one writer at a time for a session's deny marker.
 *
 * Rules: spec/context-handoff.md 7. Released on every orderly way out, after the undo; a death by signal leaves the
 * lock behind, and the next run on this host takes it over once the process is gone. Not re-entrant. */
#ifndef BATON_CORE_OPS_SESSION_LOCK_H
#define BATON_CORE_OPS_SESSION_LOCK_H

#include <stdbool.h>

#include "core/base/str.h"
#include "core/env.h"
#include "core/ops/txn.h"

struct bt_session_lock {
  bool held;
  struct bt_str path;
  char nonce[17];
};

/* BT_BUSY (exit 2): held, another host's, unreadable or contended. BT_IO, BT_INPUT, BT_NOMEM. Release in every case. */
enum bt_code bt_session_lock_acquire(struct bt_session_lock *lock, struct bt_txn *txn, const struct bt_env *env,
                                     const char *session, struct bt_error *err) BT_NODISCARD;

/* Removes the lock file if it is still ours. */
void bt_session_lock_release(struct bt_session_lock *lock, struct bt_txn *txn);

#endif
