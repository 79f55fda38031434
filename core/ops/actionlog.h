/* core/ops/actionlog.h - baton's own log of what was done and what was refused; the one writer of that file.
 *
 * $XDG_STATE_HOME/baton/log: JSON Lines, append only, mode 0600, one write a line. It never holds the key and is no
 * evidence: that is the signed manifest's part. A line: {ts, verb, session, successor, ledger_lock, subject,
 * verdict, detail, uid, user, host, pid, ledger, evidence, trash, reason}; what does not apply is absent. `verdict` is
 * done, refused, stale, busy or failed. Rules: dashboard.md rows 65, 68. */
#ifndef BATON_CORE_OPS_ACTIONLOG_H
#define BATON_CORE_OPS_ACTIONLOG_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/store/own_log.h" /* its name, and the reading half */

/* `outcome` NULL or BT_OK: done, told by `receipt` (may be NULL). BT_IO, BT_NOMEM; the caller decides how loud that is.
 */
enum bt_code bt_actionlog_add(const struct bt_env *env, const struct bt_request *request,
                              const struct bt_error *outcome, const struct bt_receipt *receipt,
                              struct bt_error *err) BT_NODISCARD;

/* The same for an action that is no request: `verb` (as "undo") on `subject`. */
enum bt_code bt_actionlog_note(const struct bt_env *env, const char *verb, const char *subject,
                               const struct bt_error *outcome, struct bt_error *err) BT_NODISCARD;

#endif
