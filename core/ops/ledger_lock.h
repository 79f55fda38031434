/* core/ops/ledger_lock.h - the lock of the manifest's own files.
 *
 * Owns: spec/context-handoff.md 12.1: `<target>.lock`, exclusive create, 5 ms between attempts, 401 attempts in all,
 * release only of our own token. There is no stale-lock recovery here (`unlock --ledger-lock` is another matter). */
#ifndef BATON_CORE_OPS_LEDGER_LOCK_H
#define BATON_CORE_OPS_LEDGER_LOCK_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/ops/txn.h"

#define BT_LEDGER_LOCK_ATTEMPTS 401
#define BT_LEDGER_LOCK_PAUSE_MS 5

struct bt_ledger_lock {
  char *path;     /* NULL: not held */
  char token[37]; /* uuid v4 */
};

/* Takes the lock of `target` (below the ledger dir; its folder must be there). Waits about two seconds, then BT_BUSY
 * naming the lock file; BT_IO, BT_UNSAFE, BT_NOMEM at once. *lock is set in every case and may be released. */
enum bt_code bt_ledger_lock_take(struct bt_ledger_lock *lock, const struct bt_env *env, struct bt_txn *txn,
                                 const char *target, struct bt_error *err) BT_NODISCARD;

/* Removes the lock file if it still holds our token; whatever goes wrong is left alone. */
void bt_ledger_lock_release(struct bt_ledger_lock *lock, struct bt_txn *txn);

#endif
