/* core/model/band.h - how far a session is into its context: warn, handoff, hard.
 *
 * Pure. Must not know where the signals come from. Rules: spec/context-handoff.md 3.2, 3.3. */
#ifndef BATON_CORE_MODEL_BAND_H
#define BATON_CORE_MODEL_BAND_H

#include <stdbool.h>

#include "core/model/snapshot.h"

struct bt_json;

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
struct bt_signals bt_signals_of_json(const struct bt_json *observed); /* NULL: absent, so no signal */
static inline struct bt_signal bt_signal_number(double value) {
  return (struct bt_signal){.kind = BT_SIGNAL_NUMBER, .value = value};
}

struct bt_bands {
  bool warn, handoff, hard;
};
struct bt_bands bt_bands_of(const struct bt_signals *signals);
bool bt_bands_deny_active(struct bt_bands bands); /* handoff or hard; nags never matter */
enum bt_band bt_bands_worst(struct bt_bands bands);

/* Smallest fraction left before the hard band, may be negative; 0 for malformed signals. False (null in the
 * spec's words) when there is no signal. */
bool bt_remaining_to_hard(const struct bt_signals *floor, double *remaining);

struct bt_nag_options {
  struct bt_signals floor;
  double min_remaining, tools_since_resume, cooldown_tools;
};
struct bt_nag_options bt_nag_defaults(void);

enum bt_nag_reason { BT_NAG_NEAR_HARD, BT_NAG_COOLDOWN, BT_NAG_ALLOWED };
const char *bt_nag_reason_text(enum bt_nag_reason reason); /* the sentences of 3.3 */
bool bt_nag_suppressed(const struct bt_nag_options *options, enum bt_nag_reason *reason); /* reason may be NULL */

#endif
