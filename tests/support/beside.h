/* tests/support/beside.h - made-up deliveries and handovers, for tests that need neither git nor transcripts. */
#ifndef BATON_TESTS_SUPPORT_BESIDE_H
#define BATON_TESTS_SUPPORT_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/delivery_view.h"
#include "core/model/snapshot.h"

/* Six working trees: to reconcile, usable with a known pull request, one whose forge was not asked (`forge`: it was,
 * and the request is merged), corrupt, nothing recorded, not readable. With hostile text in it. */
struct bt_delivery_view *beside_deliveries(int64_t now_ms, bool forge);

/* Hangs a handover to the first sessions of the snapshot: due, asked, written, re-armed, armed, unknown. */
void beside_handovers(struct bt_snapshot *snapshot);

#endif
