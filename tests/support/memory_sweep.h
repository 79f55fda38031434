/* tests/support/memory_sweep.h - does one thing again and again, each time with another allocation failing.
 *
 * A test that includes it needs the .wrap file of tests/support/failing_memory.h. */
#ifndef BATON_TESTS_SUPPORT_MEMORY_SWEEP_H
#define BATON_TESTS_SUPPORT_MEMORY_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

struct memory_sweep {
  void (*before)(void *context); /* undisturbed, before each round; NULL: nothing */
  /* The thing; on BT_OK its outcome is mixed into *seen. Frees what it made. */
  enum bt_code (*run)(void *context, uint64_t *seen, struct bt_error *err);
  void (*after)(void *context); /* undisturbed, behind each round: what must be true whatever failed; NULL: nothing */
  void *context;
  long least; /* it has at least so many allocations, else the test is about nothing */
};

/* Undisturbed it is BT_OK. With an allocation that fails it is BT_NOMEM, told in `err` too, or BT_OK with the same outcome
 * as undisturbed: nothing is left out silently. Fails the running test otherwise. That nothing leaks is what the
 * sanitizer build says. */
void memory_sweep(const struct memory_sweep *sweep);

void memory_see(uint64_t *seen, const void *bytes, size_t length);
void memory_see_text(uint64_t *seen, const char *text); /* NULL is another outcome than "" */

#endif
