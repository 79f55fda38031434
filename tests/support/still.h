/* tests/support/still.h - a snapshot that was never on a disk: every state, verdict and band on one screen.
 *
 * Constant data, for tests of the views alone. Needs no free; the time is STILL_NOW_MS, the host "build-07". */
#ifndef BATON_TESTS_SUPPORT_STILL_H
#define BATON_TESTS_SUPPORT_STILL_H

#include "core/model/plan.h"
#include "core/model/snapshot.h"

#define STILL_NOW_MS INT64_C(1791555727000) /* 2026-10-09T14:22:07Z */

const struct bt_snapshot *still_snapshot(void);
/* The same with hostile texts: escapes, newlines, wide, combining and right-to-left characters, long ids. */
const struct bt_snapshot *still_hostile(void);
const struct bt_snapshot *still_empty(void);

const struct bt_plan *still_plan(enum bt_verb verb); /* repair, bypass, unlock, continue */

#endif
