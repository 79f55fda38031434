/* core/model/band.h - how far a session is into its context: warn, handoff, hard.
 *
 * Pure. Must not know where the signals come from. Rules: spec/context-handoff.md 3.2, 3.3 (the
 * nags of 3.3 are given by hosts; there are none here). */
#ifndef BATON_CORE_MODEL_BAND_H
#define BATON_CORE_MODEL_BAND_H

#include <stdbool.h>

#include "core/model/snapshot.h"

enum bt_signal_kind {
  BT_SIGNAL_ABSENT,   /* contributes nothing */
  BT_SIGNAL_NUMBER,   /* NaN, infinite or out of domain contributes all three bands */
  BT_SIGNAL_MALFORMED /* not a number: contributes all three bands */
};
struct bt_signal {
  enum bt_signal_kind kind;
  double value; /* of a BT_SIGNAL_NUMBER */
};

struct bt_signals { /* zero-initialised: no signal at all */
  bool malformed;   /* was null or no object: all three bands */
  struct bt_signal pct, depth, bytes;
};
static inline struct bt_signal bt_signal_number(double value) {
  return (struct bt_signal){.kind = BT_SIGNAL_NUMBER, .value = value};
}

struct bt_bands {
  bool warn, handoff, hard;
};
struct bt_bands bt_bands_of(const struct bt_signals *signals);
bool bt_bands_deny_active(struct bt_bands bands); /* handoff or hard; nags never matter */

#endif
