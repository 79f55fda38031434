/* tests/fuzz/fuzz_own_log.c - any bytes as baton's own log: only whole refusals of this ledger come out of it. */
#include <string.h>

#include "core/base/arena.h"
#include "core/store/own_log.h"
#include "tests/fuzz/fuzz.h"

#define ARENA_BYTES ((size_t)64 * 1024 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct bt_own_refusal list[BT_OWN_LOG_MAX];
  struct bt_arena *arena = bt_arena_new(ARENA_BYTES);
  size_t count = 0;
  if (arena == NULL || size < 1)
    return bt_arena_free(arena), 0;
  FUZZ_CHECK(bt_own_log_lines("/l/.adlc", arena, (const char *)data + 1, size - 1, data[0] & 1, list, &count));
  FUZZ_CHECK(count <= BT_OWN_LOG_MAX);
  for (size_t i = 0; i < count; i++)
    FUZZ_CHECK(list[i].verb != NULL && list[i].verdict != NULL && strcmp(list[i].verdict, "done") != 0);
  bt_arena_free(arena);
  return 0;
}
