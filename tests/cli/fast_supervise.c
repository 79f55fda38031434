/* tests/cli/fast_supervise.c - the program with other waiting times for supervise, so that a test of minutes takes seconds.
 *
 * BATON_TEST_TIMES holds poll, quiescence and grace in milliseconds; without it the times are the real ones. */
#include <stdio.h>
#include <stdlib.h>

#include "core/supervise/machine.h"

struct bt_sup_config __real_bt_sup_defaults(void);
struct bt_sup_config __wrap_bt_sup_defaults(void);

struct bt_sup_config __wrap_bt_sup_defaults(void) {
  struct bt_sup_config config = __real_bt_sup_defaults();
  long poll, quiescence, grace;
  const char *times = getenv("BATON_TEST_TIMES");
  if (times != NULL && sscanf(times, "%ld %ld %ld", &poll, &quiescence, &grace) == 3)
    config = (struct bt_sup_config){.poll_ms = poll, .quiescence_ms = quiescence, .grace_ms = grace};
  return config;
}
