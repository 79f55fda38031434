/* tests/unit/test_id.c - session ids and bind fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/model/id.h"

static void safe_ids(void **state) {
  (void)state;
  static const char *const safe[] = {
      "a", ".", "-", "a b", "a=b", "a\nb", "\xc2\x85x", "x\xe2\x80\x8b", "a.b", "\xf0\x9f\x98\x80", "a\xc0\x80z"};
  static const char *const unsafe[] = {"",
                                       " ",
                                       " a",
                                       "a ",
                                       "a\n",
                                       "\xef\xbb\xbf"
                                       "a",
                                       "\xc2\xa0"
                                       "a",
                                       "a\xe3\x80\x80",
                                       "..",
                                       "a..b",
                                       "a/b",
                                       "a\\b",
                                       "/",
                                       "../x"};
  for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
    assert_true(bt_id_is_safe(safe[i]));
  for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
    assert_false(bt_id_is_safe(unsafe[i]));
  assert_false(bt_id_is_safe(NULL));
}

static void prompt_safe_ids(void **state) {
  (void)state;
  assert_true(bt_id_is_prompt_safe("aZ09._-"));
  assert_true(bt_id_is_prompt_safe(".."));
  assert_false(bt_id_is_prompt_safe(""));
  assert_false(bt_id_is_prompt_safe("a\n"));
  assert_false(bt_id_is_prompt_safe("a b"));
  assert_false(bt_id_is_prompt_safe("\xc3\xa9"));
  assert_false(bt_id_is_prompt_safe(NULL));
}

static void words_of_the_command_line(void **state) {
  (void)state;
  struct bt_error err = {0};
  assert_int_equal(bt_id_require("ok", "--session", &err), BT_OK);
  assert_int_equal(bt_id_require(NULL, "--session", &err), BT_USAGE);
  assert_string_equal(err.message, "missing --session");
  assert_int_equal(bt_id_require(" \t", "--session", &err), BT_USAGE);
  assert_string_equal(err.message, "missing --session");
  assert_int_equal(bt_id_require("a\n", "--session", &err), BT_USAGE);
  assert_string_equal(err.message, "padded --session");
  assert_int_equal(bt_id_require(" a/b", "--session", &err), BT_USAGE);
  assert_string_equal(err.message, "padded --session");
  assert_int_equal(bt_id_require("a/b", "--session", &err), BT_USAGE);
  assert_string_equal(err.message, "unsafe sessionId: path traversal");
}

static void bind_fields(void **state) {
  (void)state;
  assert_null(bt_bind_normalise(NULL).data);
  assert_null(bt_bind_normalise(" \xe2\x80\xa8").data);
  struct bt_slice bind = bt_bind_normalise(" T 1\t");
  assert_int_equal(bind.length, 3);
  assert_memory_equal(bind.data, "T 1", 3);
  assert_true(bt_bind_is_bound(" T"));
  assert_false(bt_bind_is_bound(""));
  assert_false(bt_bind_is_bound("\xef\xbb\xbf"));
  assert_false(bt_bind_is_bound(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(safe_ids), cmocka_unit_test(prompt_safe_ids),
                                     cmocka_unit_test(words_of_the_command_line), cmocka_unit_test(bind_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
