/* tests/support/nag.c - see nag.h. */
#include "tests/support/nag.h"

#include <math.h>
#include <stddef.h>

#include "core/model/thresholds.h"

bool remaining_to_hard(const struct bt_signals *floor_, double *remaining) {
  const struct {
    struct bt_signal signal;
    double highest, hard;
  } measures[] = {{floor_->pct, 100, BT_HARD_PCT},
                  {floor_->depth, HUGE_VAL, BT_HARD_DEPTH},
                  {floor_->bytes, HUGE_VAL, BT_HARD_BYTES}};
  bool found = false;
  *remaining = 0;
  if (floor_->malformed)
    return true;
  for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
    const struct bt_signal *signal = &measures[i].signal;
    if (signal->kind == BT_SIGNAL_ABSENT)
      continue;
    if (signal->kind != BT_SIGNAL_NUMBER || !isfinite(signal->value) || signal->value < 0 ||
        signal->value > measures[i].highest) {
      *remaining = 0;
      return true;
    }
    double fraction = (measures[i].hard - signal->value) / measures[i].hard;
    if (!found || fraction < *remaining)
      *remaining = fraction;
    found = true;
  }
  return found;
}

struct nag_options nag_defaults(void) {
  return (struct nag_options){.min_remaining = BT_MIN_REMAINING_TO_HARD, .cooldown_tools = BT_HANDOFF_COOLDOWN_TOOLS};
}

bool nag_suppressed(const struct nag_options *options, enum nag_reason *reason) {
  enum nag_reason why = NAG_ALLOWED;
  double remaining = 0;
  if (remaining_to_hard(&options->floor, &remaining) && remaining < options->min_remaining)
    why = NAG_NEAR_HARD;
  else if (options->tools_since_resume < options->cooldown_tools)
    why = NAG_COOLDOWN;
  if (reason != NULL)
    *reason = why;
  return why != NAG_ALLOWED;
}
