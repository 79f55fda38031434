/* tests/support/drift.h - a made-up ledger that changes at random: sessions come, go and become something else.
 *
 * Ids and texts are hostile too: escapes, wide, combining and right-to-left characters, newlines. No file. */
#ifndef BATON_TESTS_SUPPORT_DRIFT_H
#define BATON_TESTS_SUPPORT_DRIFT_H

#include <stdint.h>

#include "core/model/snapshot.h"

#define DRIFT_SESSIONS 24
struct drift {
  uint64_t random;                  /* the seed, not 0 */
  unsigned char is[DRIFT_SESSIONS]; /* what each of them is now; 0: not there */
  bool reviewed, keyless, readonly;
};

uint32_t drift_dice(struct drift *drift, uint32_t sides); /* 0 .. sides - 1 */
void drift_init(struct drift *drift, uint64_t seed);
void drift_step(struct drift *drift); /* something changes */

/* As it is now; NULL when memory is short. The caller frees it with bt_snapshot_free. */
struct bt_snapshot *drift_snapshot(const struct drift *drift);

#endif
