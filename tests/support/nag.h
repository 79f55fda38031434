/* tests/support/nag.h - when a host holds its nags back (spec/context-handoff.md 3.3). The program gives none; the cases ask.
 */
#ifndef BATON_TESTS_SUPPORT_NAG_H
#define BATON_TESTS_SUPPORT_NAG_H

#include <stdbool.h>

#include "core/model/band.h"

/* Smallest fraction left before the hard band, may be negative; 0 for malformed signals. False (null in the
 * spec's words) when there is no signal. */
bool remaining_to_hard(const struct bt_signals *floor, double *remaining);

struct nag_options {
  struct bt_signals floor;
  double min_remaining, tools_since_resume, cooldown_tools;
};
struct nag_options nag_defaults(void);

enum nag_reason { NAG_NEAR_HARD, NAG_COOLDOWN, NAG_ALLOWED };
bool nag_suppressed(const struct nag_options *options, enum nag_reason *reason); /* reason may be NULL */

#endif
