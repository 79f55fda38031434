/* tests/support/memory_sweep.c - the rounds, and what each must come to. */
#include "tests/support/memory_sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/failing_memory.h"

#define ROUNDS_MAX 100000

void memory_see(uint64_t *seen, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < length; i++)
    *seen = (*seen ^ at[i]) * UINT64_C(1099511628211); /* FNV-1a */
}

void memory_see_text(uint64_t *seen, const char *text) {
  memory_see(seen, text ? text : "\xff", text ? strlen(text) + 1 : 2);
}

static enum bt_code once(const struct memory_sweep *sweep, long successes, uint64_t *seen, struct bt_error *err,
                         bool *failed) {
  *seen = UINT64_C(14695981039346656037);
  *err = (struct bt_error){.code = BT_OK};
  if (sweep->before)
    sweep->before(sweep->context);
  failing_memory_after(successes);
  enum bt_code code = sweep->run(sweep->context, seen, err);
  *failed = failing_memory_end();
  if (sweep->after)
    sweep->after(sweep->context);
  return code;
}

void memory_sweep(const struct memory_sweep *sweep) {
  struct bt_error err;
  uint64_t wanted, seen;
  bool failed;
  if (once(sweep, -1, &wanted, &err, &failed) != BT_OK)
    fail_msg("undisturbed: %s", err.message);
  long round = 0;
  for (failed = true; failed && round < ROUNDS_MAX; round++) {
    enum bt_code code = once(sweep, round, &seen, &err, &failed);
    if (code != BT_OK && (!failed || code != BT_NOMEM))
      fail_msg("allocation %ld: %s (%s)", round, bt_code_words(code), err.message);
    if (code != BT_OK && err.code != code)
      fail_msg("allocation %ld: %s, but told as %s (%s)", round, bt_code_words(code), bt_code_words(err.code),
               err.message);
    if (code == BT_OK && seen != wanted)
      fail_msg("allocation %ld: something is silently missing or different", round);
  }
  if (round - 1 < sweep->least || round == ROUNDS_MAX)
    fail_msg("%ld allocations, at least %ld were expected", round - 1, sweep->least);
}
