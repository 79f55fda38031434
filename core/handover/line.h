/* core/handover/line.h - where a context window is full enough to ask, and where asking starts over.
 *
 * Integer arithmetic on tokens. Rules: spec/handover-request.md 2. */
#ifndef BATON_CORE_HANDOVER_LINE_H
#define BATON_CORE_HANDOVER_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define BT_ASK_TOKENS_MAX (INT64_C(1) << 53) /* a figure beyond is none */

struct bt_ask_limits {
  uint64_t headroom_tokens;   /* what a turn that writes a handover costs */
  uint64_t max_fill_permille; /* and never later than at this share */
  uint64_t rearm_permille;    /* of the line: below it the window counts as a new one */
};

struct bt_ask_limits bt_ask_limits_usual(void); /* 60000, 800, 500 */

/* The line of a window of 1 to BT_ASK_TOKENS_MAX tokens. Limits are at most 1000 permille. */
uint64_t bt_ask_line(const struct bt_ask_limits *limits, uint64_t window);

bool bt_ask_rearms(const struct bt_ask_limits *limits, uint64_t fill, uint64_t line);

#endif
