/* tests/unit/test_str.c - growing buffers, their ceiling and their sticky failure; slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"

static void starts_as_empty_text(void **state) {
  (void)state;
  struct bt_str str;
  bt_str_init(&str, 10);
  assert_string_equal(str.data, "");
  assert_int_equal(str.length, 0);
  assert_false(str.failed);
  bt_str_truncate(&str, 0);
  bt_str_clear(&str);
  bt_str_append(&str, NULL, 0);
  bt_str_dispose(&str);
  assert_string_equal(str.data, "");
}

static void grows_to_the_ceiling_and_no_further(void **state) {
  (void)state;
  struct bt_str str;
  bt_str_init(&str, 100);
  for (int i = 0; i < 100; i++) {
    bt_str_putc(&str, 'x');
  }
  assert_false(str.failed);
  assert_int_equal(strlen(str.data), 100);
  assert_true(str.capacity <= 101);
  bt_str_putc(&str, 'y');
  assert_true(str.failed);
  assert_int_equal(str.length, 100);
  bt_str_truncate(&str, 5);
  bt_str_puts(&str, "z"); /* the failure sticks although there is room again */
  assert_int_equal(str.length, 5);
  size_t length = 99;
  assert_null(bt_str_take(&str, &length));
  assert_int_equal(length, 0);
  assert_false(str.failed);
  bt_str_puts(&str, "again");
  assert_string_equal(str.data, "again");
  bt_str_dispose(&str);
}

static void one_oversized_append_changes_nothing(void **state) {
  (void)state;
  struct bt_str str;
  bt_str_init(&str, 8);
  bt_str_puts(&str, "abc");
  bt_str_puts(&str, "defghi");
  assert_true(str.failed);
  assert_string_equal(str.data, "abc");
  bt_str_clear(&str);
  assert_false(str.failed);
  bt_str_puts(&str, "12345678");
  assert_string_equal(str.data, "12345678");
  assert_false(bt_str_reserve(&str, SIZE_MAX));
  bt_str_dispose(&str);
}

static void formats_and_holds_nul_bytes(void **state) {
  (void)state;
  struct bt_str str;
  bt_str_init(&str, 1000);
  bt_str_printf(&str, "%s-%d", "a", 12);
  bt_str_append(&str, "\0b", 2);
  bt_str_printf(&str, "%s", "");
  assert_int_equal(str.length, 6);
  assert_memory_equal(str.data, "a-12\0b", 7);
  bt_str_printf(&str, "%1000d", 1);
  assert_true(str.failed);
  assert_int_equal(str.length, 6);
  bt_str_dispose(&str);
}

static void take_moves_the_text_out(void **state) {
  (void)state;
  struct bt_str str;
  bt_str_init(&str, 10);
  char *empty = bt_str_take(&str, NULL);
  assert_string_equal(empty, "");
  free(empty);
  bt_str_puts(&str, "abc");
  size_t length = 0;
  char *text = bt_str_take(&str, &length);
  assert_string_equal(text, "abc");
  assert_int_equal(length, 3);
  assert_int_equal(str.length, 0);
  assert_string_equal(str.data, "");
  free(text);
}

static void slices_and_comparisons(void **state) {
  (void)state;
  assert_true(bt_slice_equals(bt_slice_of("abc"), "abc"));
  assert_false(bt_slice_equals(bt_slice_of("abc"), "ab"));
  assert_false(bt_slice_equals(bt_slice_of("abc"), NULL));
  assert_true(bt_slice_equals(bt_slice_of(NULL), ""));
  assert_true(bt_text_equals(NULL, NULL));
  assert_false(bt_text_equals(NULL, ""));
  assert_false(bt_text_equals("", NULL));
  assert_true(bt_text_equals("x", "x"));
  assert_true(bt_starts_with("abc", "ab"));
  assert_true(bt_starts_with("abc", ""));
  assert_false(bt_starts_with("ab", "abc"));
  assert_true(bt_ends_with("a.json", ".json"));
  assert_true(bt_ends_with("", ""));
  assert_false(bt_ends_with("json", ".json"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_as_empty_text),
      cmocka_unit_test(grows_to_the_ceiling_and_no_further),
      cmocka_unit_test(one_oversized_append_changes_nothing),
      cmocka_unit_test(formats_and_holds_nul_bytes),
      cmocka_unit_test(take_moves_the_text_out),
      cmocka_unit_test(slices_and_comparisons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
