/* tests/unit/test_tape.c - the tape accepts what strict JSON accepts, and finds what is in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/tape.h"

static enum bt_code parse(struct bt_tape *tape, const char *text) {
  return bt_tape_parse(tape, text, strlen(text));
}

static void test_accepts(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const good[] = {"0", "-0.5e+3", "\"\"", "[]", "{}", " { \"a\" : [ 1 , { } , [ ] ] } \r\n", "\"\\u00e9\\/\\n\"",
                                     "\"0123456789abcdef0123456789\\\"x\"", "[[[[1]]],2]", "\"\xff\xfe raw bytes\"", "true", "null"};
  /* clang-format on */
  struct bt_tape tape;
  bt_tape_init(&tape);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_int_equal(parse(&tape, good[i]), BT_OK);
  bt_tape_dispose(&tape);
}

static void test_refuses(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const bad[] = {"", " ", "01", "1.", ".5", "+1", "1e", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "[1 2]", "\"a\nb\"", "\"\\x\"",
                                    "\"\\u12g4\"", "\"open", "[", "{", "]", "tru", "nulll", "1 2", "\xef\xbb\xbf{}", "{\"a\":1}}", "\"0123456789abcdef\x01\"",
                                    "\"\\", "\"\\u123", "{,}", "[,]", "{\"a\":}", "NaN"};
  /* clang-format on */
  struct bt_tape tape;
  bt_tape_init(&tape);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(parse(&tape, bad[i]), BT_CORRUPT);
  assert_int_equal(bt_tape_parse(&tape, "{\"a\":\0 1}", 9), BT_CORRUPT);
  bt_tape_dispose(&tape);
}

static void test_gets(void **state) {
  (void)state;
  struct bt_tape tape;
  bt_tape_init(&tape);
  assert_int_equal(
      parse(
          &tape,
          "{\"type\":\"a\",\"skip\":{\"type\":\"inner\",\"l\":[1,2,{\"x\":3}]},\"n\":1.5e2,\"\\u0074ype\":\"last\",\"t\":true}"),
      BT_OK);
  assert_true(bt_tape_is(&tape, bt_tape_get(&tape, 0, "type"), "last"));
  double number = 0;
  assert_true(bt_tape_number(&tape, bt_tape_get(&tape, 0, "n"), &number));
  assert_true(number == 150.0);
  assert_true(bt_tape_is_true(&tape, bt_tape_get(&tape, 0, "t")));
  assert_int_equal(bt_tape_get(&tape, 0, "absent"), BT_TOKEN_NONE);
  uint32_t skip = bt_tape_get(&tape, 0, "skip"), list = bt_tape_get(&tape, skip, "l");
  assert_int_equal(bt_tape_type(&tape, list), BT_JSON_ARRAY);
  unsigned count = 0;
  for (uint32_t at = bt_tape_first(&tape, list); at != BT_TOKEN_NONE; at = bt_tape_next(&tape, list, at))
    count++;
  assert_int_equal(count, 3);
  struct bt_slice raw = bt_tape_raw(&tape, list);
  assert_true(bt_slice_equals(raw, "[1,2,{\"x\":3}]"));
  bt_tape_dispose(&tape);
}

static void expect_text(const char *json, const char *expected, size_t length) {
  struct bt_tape tape;
  struct bt_str text;
  bt_tape_init(&tape);
  bt_str_init(&text, 1024);
  assert_int_equal(parse(&tape, json), BT_OK);
  bt_tape_text(&tape, 0, &text);
  assert_int_equal(text.length, length);
  assert_memory_equal(text.data, expected, length);
  bt_str_dispose(&text);
  bt_tape_dispose(&tape);
}

static void test_text(void **state) {
  (void)state;
  expect_text("\"a\\n\\\"\\u00e9\"", "a\n\"\xc3\xa9", 5);
  expect_text("\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!", 5);
  expect_text("\"\\ud83dx\"", "\xed\xa0\xbdx", 4);
  expect_text("\"\\u0000\"", "\xc0\x80", 2);
  expect_text("\"a\xff\"", "a\xef\xbf\xbd", 4);
}

static void test_depth(void **state) {
  (void)state;
  enum { DEEP = BT_TAPE_DEPTH_MAX };
  char *text = malloc(2 * DEEP + 3);
  assert_non_null(text);
  memset(text, '[', DEEP);
  memset(text + DEEP, ']', DEEP);
  struct bt_tape tape;
  bt_tape_init(&tape);
  assert_int_equal(bt_tape_parse(&tape, text, 2 * DEEP), BT_OK);
  memset(text, '[', DEEP + 1);
  memset(text + DEEP + 1, ']', DEEP + 1);
  assert_int_equal(bt_tape_parse(&tape, text, 2 * DEEP + 2), BT_CORRUPT);
  bt_tape_dispose(&tape);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts), cmocka_unit_test(test_refuses),
                                     cmocka_unit_test(test_gets), cmocka_unit_test(test_text),
                                     cmocka_unit_test(test_depth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
