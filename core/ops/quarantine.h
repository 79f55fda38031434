/* core/ops/quarantine.h - moves what is no marker out of the deny folder, keeping every byte.
 *
 * Rules: spec/context-handoff.md 5.3. */
#ifndef BATON_CORE_OPS_QUARANTINE_H
#define BATON_CORE_OPS_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/ops/txn.h"

struct bt_json;

/* Moves handoffs/denies/`name` (bytes of the file name) to quarantine/NAME.REASON.MS[.N]. */
enum bt_code bt_quarantine_move(struct bt_txn *txn, const char *name, const char *reason, int64_t now_ms,
                                struct bt_error *err) BT_NODISCARD;

struct bt_sweep { /* arrays of file names as text; never NULL on BT_OK */
  bool ok;
  char reason[64]; /* "" when ok; readdir_failed:ERRNO, quarantine_failed:ERRNO */
  struct bt_json *quarantined, *kept, *retained, *failed;
};
/* The junk sweep. BT_OK with a verdict, or BT_NOMEM. Dispose in every case. */
enum bt_code bt_quarantine_sweep(struct bt_txn *txn, int64_t now_ms, struct bt_sweep *out, struct bt_error *err)
    BT_NODISCARD;
void bt_sweep_dispose(struct bt_sweep *sweep);

/* Symbolic errno of a failure for a reason code: the system's, else the one that fits the code best. */
const char *bt_reason_errno(const struct bt_error *err);

#endif
