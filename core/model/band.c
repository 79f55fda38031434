/* core/model/band.c - context bands. */
#include "core/model/band.h"

#include <math.h>

#include "core/model/thresholds.h"

static bool in_domain(const struct bt_signal *signal, double highest) {
  return signal->kind == BT_SIGNAL_NUMBER && isfinite(signal->value) && signal->value >= 0 && signal->value <= highest;
}

/* Each signal with its domain and thresholds, in the order in which the rules look at them. */
struct measure {
  struct bt_signal signal;
  double highest, warn, handoff, hard;
};
#define MEASURE_COUNT 3

static void measures_of(const struct bt_signals *signals, struct measure out[MEASURE_COUNT]) {
  out[0] = (struct measure){signals->pct, 100, BT_WARN_PCT, BT_HANDOFF_PCT, BT_HARD_PCT};
  out[1] = (struct measure){signals->depth, HUGE_VAL, BT_WARN_DEPTH, BT_HANDOFF_DEPTH, BT_HARD_DEPTH};
  out[2] = (struct measure){signals->bytes, HUGE_VAL, BT_WARN_BYTES, BT_HANDOFF_BYTES, BT_HARD_BYTES};
}

struct bt_bands bt_bands_of(const struct bt_signals *signals) {
  const struct bt_bands all = {true, true, true};
  struct bt_bands bands = {0};
  if (signals->malformed)
    return all;
  struct measure measures[MEASURE_COUNT];
  measures_of(signals, measures);
  for (size_t i = 0; i < MEASURE_COUNT; i++) {
    const struct measure *m = &measures[i];
    if (m->signal.kind == BT_SIGNAL_ABSENT)
      continue;
    if (!in_domain(&m->signal, m->highest))
      return all;
    bands.warn |= m->signal.value >= m->warn;
    bands.handoff |= m->signal.value >= m->handoff;
    bands.hard |= m->signal.value >= m->hard;
  }
  return bands;
}

bool bt_bands_deny_active(struct bt_bands bands) {
  return bands.handoff || bands.hard;
}
