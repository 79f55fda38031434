/* tests/support/failing_memory.h - makes the Nth allocation fail, once.
 *
 * A test that includes it needs a .wrap file with malloc, calloc, realloc, strdup and strndup. */
#ifndef BATON_TESTS_SUPPORT_FAILING_MEMORY_H
#define BATON_TESTS_SUPPORT_FAILING_MEMORY_H

#include <stdbool.h>

/* The next `successes` allocations succeed, the one after them fails, and then all succeed again: the clean-up behind a
 * failure may allocate. */
void failing_memory_after(long successes);

/* Ends the round; true when an allocation did fail in it. */
bool failing_memory_end(void);

#endif
