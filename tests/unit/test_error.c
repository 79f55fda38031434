/* tests/unit/test_error.c - codes, exit statuses, errno names, and what a message may hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/utf8.h"

static void codes_have_words_and_statuses(void **state) {
  (void)state;
  assert_int_equal(bt_code_exit_status(BT_OK), 0);
  assert_int_equal(bt_code_exit_status(BT_IO), 1);
  assert_int_equal(bt_code_exit_status(BT_REFUSED), 2);
  assert_int_equal(bt_code_exit_status(BT_BUSY), 2);
  assert_int_equal(bt_code_exit_status(BT_CODE_COUNT), 1);
  for (int code = 0; code < BT_CODE_COUNT; code++) {
    assert_true(strlen(bt_code_words((enum bt_code)code)) > 0);
  }
  assert_string_equal(bt_code_words((enum bt_code)999), "unknown");
}

static void errno_names_are_symbolic(void **state) {
  (void)state;
  assert_string_equal(bt_errno_name(ENOENT), "ENOENT");
  assert_string_equal(bt_errno_name(ENAMETOOLONG), "ENAMETOOLONG");
  assert_string_equal(bt_errno_name(EAGAIN), "EAGAIN");
  assert_string_equal(bt_errno_name(0), "EUNKNOWN");
  assert_string_equal(bt_errno_name(-5), "EUNKNOWN");
}

static void a_null_error_is_allowed(void **state) {
  (void)state;
  assert_int_equal(bt_error_set(NULL, BT_STATE, "s", "m"), BT_STATE);
  assert_int_equal(bt_error_set_errno(NULL, ENOENT, NULL, "m"), BT_MISSING);
  bt_error_append(NULL, "more");
}

static void errno_decides_the_code(void **state) {
  (void)state;
  struct bt_error err;
  assert_int_equal(bt_error_set_errno(&err, ENOENT, "a/b.json", "cannot be opened"), BT_MISSING);
  assert_int_equal(err.sys_errno, ENOENT);
  assert_string_equal(err.subject, "a/b.json");
  assert_string_equal(err.message, "cannot be opened: ENOENT");
  assert_int_equal(bt_error_set_errno(&err, ELOOP, "x", "y"), BT_UNSAFE);
  assert_int_equal(bt_error_set_errno(&err, ENOSPC, "x", "y"), BT_IO);
  assert_int_equal(bt_error_set_errno(&err, ENOMEM, "x", "y"), BT_NOMEM);
  assert_int_equal(bt_error_set(&err, BT_STATE, NULL, "z"), BT_STATE);
  assert_int_equal(err.sys_errno, 0);
  assert_string_equal(err.subject, "");
}

static void hostile_text_becomes_visible(void **state) {
  (void)state;
  struct bt_error err;
  (void)bt_error_set(&err, BT_INPUT, "a\x1b]0;x\x07", "one\ntwo\t%s", "\xff\xe2\x80\xae!");
  assert_string_equal(err.subject, "a^[]0;x^G");
  assert_string_equal(err.message, "one^Jtwo^I<FF><202E>!");
  bt_error_append(&err, "undo of %s failed", "b\r");
  assert_string_equal(err.message, "one^Jtwo^I<FF><202E>! - undo of b^M failed");
}

static void long_text_is_cut_at_a_character(void **state) {
  (void)state;
  struct bt_error err;
  char text[2000];
  size_t length = 0;
  while (length + 3 < sizeof text) {
    memcpy(text + length, "\xe2\x82\xac", 3); /* EURO SIGN */
    length += 3;
  }
  text[length] = '\0';
  (void)bt_error_set(&err, BT_INPUT, text, "%s", text);
  assert_true(strlen(err.subject) < sizeof err.subject);
  assert_true(strlen(err.message) < sizeof err.message);
  assert_int_equal(strlen(err.subject) % 3, 0);
  assert_true(bt_utf8_is_plain(err.subject, strlen(err.subject)));
  assert_int_equal(strlen(err.message) % 3, 0);
  bt_error_append(&err, "%s", text); /* full: nothing happens */
  assert_true(strlen(err.message) < sizeof err.message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(codes_have_words_and_statuses), cmocka_unit_test(errno_names_are_symbolic),
      cmocka_unit_test(a_null_error_is_allowed),       cmocka_unit_test(errno_decides_the_code),
      cmocka_unit_test(hostile_text_becomes_visible),  cmocka_unit_test(long_text_is_cut_at_a_character),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
