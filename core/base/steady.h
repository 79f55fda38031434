/* core/base/steady.h - how much time goes by, whatever the wall clock is set to: the one place of core that asks for it.
 *
 * For bounded waits only. What time it is comes from struct bt_env. */
#ifndef BATON_CORE_BASE_STEADY_H
#define BATON_CORE_BASE_STEADY_H

#include <stdint.h>

/* Milliseconds of CLOCK_MONOTONIC: only the difference of two calls means something. Cannot fail. */
int64_t bt_steady_ms(void);

#endif
