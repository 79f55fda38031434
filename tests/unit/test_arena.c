/* tests/unit/test_arena.c - blocks, alignment, zeroing and the ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base/arena.h"

static void blocks_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  struct bt_arena *arena = bt_arena_new(16 * 1024 * 1024);
  assert_non_null(arena);
  unsigned char *previous = NULL;
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *block = bt_arena_alloc(arena, size);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
    assert_ptr_not_equal(block, previous);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(block[i], 0);
    }
    memset(block, 0xAA, size);
    previous = block;
  }
  bt_arena_free(arena);
  bt_arena_free(NULL);
}

static void a_large_block_does_not_end_the_small_ones(void **state) {
  (void)state;
  struct bt_arena *arena = bt_arena_new(16 * 1024 * 1024);
  char *before = bt_arena_alloc(arena, 16);
  char *large = bt_arena_alloc(arena, 1024 * 1024);
  char *after = bt_arena_alloc(arena, 16);
  assert_non_null(large);
  memset(large, 1, 1024 * 1024);
  assert_ptr_equal(after, before + 16);
  assert_true(bt_arena_used(arena) >= 1024 * 1024 + 32);
  bt_arena_free(arena);
}

static void the_ceiling_holds_and_overflow_is_refused(void **state) {
  (void)state;
  struct bt_arena *arena = bt_arena_new(1024);
  assert_non_null(bt_arena_alloc(arena, 1000));
  assert_null(bt_arena_alloc(arena, 100));
  assert_non_null(bt_arena_alloc(arena, 8)); /* what fits still fits */
  assert_null(bt_arena_calloc(arena, SIZE_MAX / 2, 3));
  assert_null(bt_arena_alloc(arena, SIZE_MAX));
  assert_null(bt_arena_strndup(arena, "x", SIZE_MAX));
  assert_true(bt_arena_used(arena) <= 1024);
  bt_arena_free(arena);
}

static void texts_are_copied(void **state) {
  (void)state;
  struct bt_arena *arena = bt_arena_new(1024 * 1024);
  assert_string_equal(bt_arena_strdup(arena, "abc"), "abc");
  assert_string_equal(bt_arena_strndup(arena, "abcdef", 3), "abc");
  assert_string_equal(bt_arena_strdup(arena, ""), "");
  assert_null(bt_arena_strdup(arena, NULL));
  assert_null(bt_arena_strndup(arena, NULL, 3));
  assert_string_equal(bt_arena_printf(arena, "%s/%d", "x", 7), "x/7");
  int *numbers = BT_ARENA_ARRAY(arena, int, 10);
  assert_non_null(numbers);
  assert_int_equal(numbers[9], 0);
  bt_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_zeroed_aligned_and_apart),
      cmocka_unit_test(a_large_block_does_not_end_the_small_ones),
      cmocka_unit_test(the_ceiling_holds_and_overflow_is_refused),
      cmocka_unit_test(texts_are_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
