/* tests/support/sweep.h - the junk sweep of the deny folder (spec/context-handoff.md 5.3), as the cases ask for it.
 *
 * The program has no verb for it: made of what it has, bt_quarantine_move and bt_marker_read. */
#ifndef BATON_TESTS_SUPPORT_SWEEP_H
#define BATON_TESTS_SUPPORT_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/ops/txn.h"

struct bt_json;

struct sweep { /* arrays of file names as text; never NULL on BT_OK */
  bool ok;
  char reason[64]; /* "" when ok; readdir_failed:ERRNO, quarantine_failed:ERRNO */
  struct bt_json *quarantined, *kept, *retained, *failed;
};
/* BT_OK with a verdict, or BT_NOMEM. Dispose in every case. */
enum bt_code sweep_denies(struct bt_txn *txn, int64_t now_ms, struct sweep *out, struct bt_error *err) BT_NODISCARD;
void sweep_dispose(struct sweep *sweep);

#endif
