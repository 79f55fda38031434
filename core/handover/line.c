/* core/handover/line.c - the line. */
#include "core/handover/line.h"

struct bt_ask_limits bt_ask_limits_usual(void) {
  return (struct bt_ask_limits){.headroom_tokens = 60000, .max_fill_permille = 800, .rearm_permille = 500};
}

uint64_t bt_ask_line(const struct bt_ask_limits *limits, uint64_t window) {
  uint64_t share = (window * limits->max_fill_permille + 500) / 1000;
  uint64_t room =
      window > limits->headroom_tokens ? window - limits->headroom_tokens : 0; /* below zero it never wins */
  uint64_t half = (window + 1) / 2;
  uint64_t lower = share < room ? share : room;
  return lower > half ? lower : half;
}

bool bt_ask_rearms(const struct bt_ask_limits *limits, uint64_t fill, uint64_t line) {
  return fill * 1000 < line * limits->rearm_permille;
}
