/* tests/unit/test_capture.c - canonical form, hash, cut and verdict of a capture body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/utf8.h"
#include "core/text/capture.h"

static void expect_canonical(const char *text, const char *expected) {
  struct bt_str out;
  bt_str_init(&out, 4096);
  bt_capture_canonical(&out, text, strlen(text));
  assert_false(out.failed);
  assert_string_equal(out.data, expected);
  bt_str_dispose(&out);
}

static void canonical_form(void **state) {
  (void)state;
  expect_canonical("a \t\r\nb\r\rc\xc2\xa0 \n", "a\nb\n\nc\xc2\xa0\n");
  expect_canonical("  \t", "");
  expect_canonical("\n \n\t\n", "\n\n\n");
  expect_canonical("a\v \f \n", "a\v \f\n");
  expect_canonical(" lead", " lead");
  expect_canonical("\r\n\r", "\n\n");
  expect_canonical("x\xed\xa0\x80y", "x\xef\xbf\xbdy"); /* a lone half is written as U+FFFD */
}

static void a_nul_is_one_byte(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 64);
  bt_capture_canonical(&out, "a\xc0\x80 \n", 5);
  assert_int_equal(out.length, 3);
  assert_memory_equal(out.data, "a\0\n", 3);
  bt_str_dispose(&out);
}

static void expect_hash(const char *text, const char *expected) {
  char hex[BT_SHA256_HEX];
  assert_int_equal(bt_capture_hash(text, text ? strlen(text) : 0, hex, NULL), BT_OK);
  assert_string_equal(hex, expected);
}

static void hashes(void **state) {
  (void)state;
  expect_hash("a \t\r\nb\r\rc\xc2\xa0 \n", "44bf5081cc9182863ae41a0bce30db1ef13d74cd6989964a01ba338ea258a4b0");
  expect_hash("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect_hash(NULL, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void bad_bytes_hash_as_their_replacement(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, 64);
  bt_utf8_decode8(&text, "a\xff\xe2\x82 b", 6);
  char bad[BT_SHA256_HEX], good[BT_SHA256_HEX];
  assert_int_equal(bt_capture_hash(text.data, text.length, bad, NULL), BT_OK);
  assert_int_equal(bt_capture_hash("a\xef\xbf\xbd\xef\xbf\xbd b", 9, good, NULL), BT_OK);
  assert_string_equal(bad, good);
  bt_str_dispose(&text);
}

static void expect_cap(const char *text, size_t max, const char *mark, const char *expected, size_t kept) {
  struct bt_str out;
  bt_str_init(&out, 4096);
  size_t stayed = 99;
  bool cut = bt_text_cap(&out, text, strlen(text), max, mark, &stayed);
  assert_string_equal(out.data, expected);
  assert_int_equal(stayed, kept);
  assert_int_equal(cut, strcmp(text, expected) != 0);
  bt_str_dispose(&out);
}

static void cuts(void **state) {
  (void)state;
  expect_cap("abcdef", 6, "..", "abcdef", 6);
  expect_cap("abcdefg", 6, "..", "abcd..", 4);
  expect_cap("abc\xe2\x82\xac"
             "efg",
             6, ".", "abc.", 3);
  expect_cap("abc\xe2\x82\xac"
             "ef",
             7, ".", "abc\xe2\x82\xac.", 6);
  expect_cap("abcdefg", 2, "...", "...", 0);
  expect_cap("abcdefg", 3, "...", "...", 0);
  expect_cap("\xc0\x80\xc0\x80\xc0\x80", 3, ".", "\xc0\x80\xc0\x80\xc0\x80", 3); /* three bytes when written */
  expect_cap("\xed\xa0\x80\xed\xa0\x80", 5, ".", "\xed\xa0\x80.", 3);            /* a lone half is three */
}

static void marks_have_their_size(void **state) {
  (void)state;
  assert_int_equal(strlen(BT_CAPTURE_CUT_MARK), 88);
  assert_true(bt_starts_with(BT_CAPTURE_CUT_MARK, "\n\n---\n_[adlc: "));
  assert_true(bt_ends_with(BT_CAPTURE_CUT_MARK, "]_\n"));
  assert_true(bt_starts_with(BT_NARRATIVE_CUT_MARK, "\n\n_[adlc: "));
  assert_true(bt_ends_with(BT_NARRATIVE_CUT_MARK, "]_\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(canonical_form), cmocka_unit_test(a_nul_is_one_byte),
      cmocka_unit_test(hashes),         cmocka_unit_test(bad_bytes_hash_as_their_replacement),
      cmocka_unit_test(cuts),           cmocka_unit_test(marks_have_their_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
