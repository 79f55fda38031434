/* core/model/band.c - context bands and when nags are held back. */
#include "core/model/band.h"

#include <math.h>

#include "core/base/json.h"
#include "core/model/thresholds.h"

static struct bt_signal signal_of_json(const struct bt_json *value) {
  struct bt_signal signal = {.kind = BT_SIGNAL_ABSENT};
  if (bt_json_is_nullish(value))
    return signal;
  signal.kind = bt_json_number(value, &signal.value) ? BT_SIGNAL_NUMBER : BT_SIGNAL_MALFORMED;
  return signal;
}

struct bt_signals bt_signals_of_json(const struct bt_json *observed) {
  struct bt_signals signals = {0};
  if (observed == NULL)
    return signals;
  if (bt_json_type(observed) != BT_JSON_OBJECT) {
    signals.malformed = true;
    return signals;
  }
  signals.pct = signal_of_json(bt_json_get(observed, "pct"));
  signals.depth = signal_of_json(bt_json_get(observed, "depth"));
  signals.bytes = signal_of_json(bt_json_get(observed, "bytes"));
  return signals;
}

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

enum bt_band bt_bands_worst(struct bt_bands bands) {
  if (bands.hard)
    return BT_BAND_HARD;
  if (bands.handoff)
    return BT_BAND_HANDOFF;
  return bands.warn ? BT_BAND_WARN : BT_BAND_OK;
}

bool bt_remaining_to_hard(const struct bt_signals *floor_, double *remaining) {
  bool found = false;
  *remaining = 0;
  if (floor_->malformed)
    return true;
  struct measure measures[MEASURE_COUNT];
  measures_of(floor_, measures);
  for (size_t i = 0; i < MEASURE_COUNT; i++) {
    const struct measure *m = &measures[i];
    if (m->signal.kind == BT_SIGNAL_ABSENT)
      continue;
    if (!in_domain(&m->signal, m->highest)) {
      *remaining = 0;
      return true;
    }
    double fraction = (m->hard - m->signal.value) / m->hard;
    if (!found || fraction < *remaining)
      *remaining = fraction;
    found = true;
  }
  return found;
}

struct bt_nag_options bt_nag_defaults(void) {
  return (struct bt_nag_options){.min_remaining = BT_MIN_REMAINING_TO_HARD,
                                 .cooldown_tools = BT_HANDOFF_COOLDOWN_TOOLS};
}

const char *bt_nag_reason_text(enum bt_nag_reason reason) {
  switch (reason) {
  case BT_NAG_NEAR_HARD:
    return "near-hard headroom: advisory nags deferred to deny";
  case BT_NAG_COOLDOWN:
    return "post-resume cooldown";
  case BT_NAG_ALLOWED:
    break;
  }
  return "nags allowed";
}

bool bt_nag_suppressed(const struct bt_nag_options *options, enum bt_nag_reason *reason) {
  enum bt_nag_reason why = BT_NAG_ALLOWED;
  double remaining = 0;
  if (bt_remaining_to_hard(&options->floor, &remaining) && remaining < options->min_remaining)
    why = BT_NAG_NEAR_HARD;
  else if (options->tools_since_resume < options->cooldown_tools)
    why = BT_NAG_COOLDOWN;
  if (reason != NULL)
    *reason = why;
  return why != BT_NAG_ALLOWED;
}
