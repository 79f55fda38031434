/* core/ops/quarantine.h - moves what is no marker out of the deny folder, keeping every byte.
 *
 * Rules: spec/context-handoff.md 5.3. Its sweep of everything that is no marker is no verb: what it would move is passed over
 * by whoever reads the folder (5.5), so it is in nobody's way. */
#ifndef BATON_CORE_OPS_QUARANTINE_H
#define BATON_CORE_OPS_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/ops/txn.h"

/* Moves handoffs/denies/`name` (bytes of the file name) to quarantine/NAME.REASON.MS[.N]. */
enum bt_code bt_quarantine_move(struct bt_txn *txn, const char *name, const char *reason, int64_t now_ms,
                                struct bt_error *err) BT_NODISCARD;

/* Symbolic errno of a failure for a reason code: the system's, else the one that fits the code best. */
const char *bt_reason_errno(const struct bt_error *err);

#endif
