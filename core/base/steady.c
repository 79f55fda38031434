/* core/base/steady.c - how much time goes by. */
#include "core/base/steady.h"

#include <time.h>

int64_t bt_steady_ms(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now); /* fails only for a clock or an address that is none */
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
