/* tests/unit/test_utf8.c - decoding, internal text, UTF-16 order, white space, case and decomposition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base/utf8.h"

#define FFFD "\xef\xbf\xbd"
#define HIGH "\xed\xa0\xbd"     /* U+D83D alone */
#define LOW "\xed\xb8\x80"      /* U+DE00 alone */
#define GRIN "\xf0\x9f\x98\x80" /* U+1F600, the two together */

struct pair {
  const char *from;
  size_t length;
  const char *to;
  size_t to_length;
};

#define PAIR(a, b) \
  { (a), sizeof(a) - 1, (b), sizeof(b) - 1 }

static void expect_all(void (*convert)(struct bt_str *, const char *, size_t), const struct pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct bt_str out;
    bt_str_init(&out, 1000);
    convert(&out, pairs[i].from, pairs[i].length);
    assert_int_equal(out.length, pairs[i].to_length);
    assert_memory_equal(out.data, pairs[i].to, out.length + 1);
    bt_str_dispose(&out);
  }
}

static void decode8(struct bt_str *out, const char *bytes, size_t length) {
  bt_utf8_decode8(out, bytes, length);
}

static void ill_formed_parts_are_replaced_one_each(void **state) {
  (void)state;
  const struct pair pairs[] = {
      PAIR("", ""),
      PAIR("plain", "plain"),
      PAIR("\xc3\xa9\xe2\x82\xac" GRIN, "\xc3\xa9\xe2\x82\xac" GRIN),
      PAIR("\xff", FFFD),
      PAIR("a\x80z", "a" FFFD "z"),
      PAIR("\xe2\x82", FFFD),
      PAIR("\xe2\x82z", FFFD "z"),
      PAIR("\xf0\x9f\x98", FFFD),
      PAIR("\xf0\x9f\x98\xc3\xa9", FFFD "\xc3\xa9"),
      PAIR("\xc0\xaf", FFFD FFFD),
      PAIR("\xc0\x80", FFFD FFFD), /* the internal NUL is no NUL in a file */
      PAIR(HIGH, FFFD FFFD FFFD),  /* nor is the internal half a half */
      PAIR(HIGH LOW, FFFD FFFD FFFD FFFD FFFD FFFD),
      PAIR("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD),
      PAIR("\xf0\x80\x80", FFFD FFFD FFFD),
      PAIR("\xe0\x9f\xbf", FFFD FFFD FFFD),
      PAIR("\xf1\x80\xe1\x80\xc2\x62", FFFD FFFD FFFD "b"),
      PAIR("\xf5\x80", FFFD FFFD),
      PAIR("\xef\xbb\xbfx", "\xef\xbb\xbfx"), /* a byte order mark stays */
      PAIR("a\0b", "a\xc0\x80"
                   "b"),
  };
  expect_all(decode8, pairs, sizeof pairs / sizeof *pairs);
}

static void plain_is_what_decoding_leaves_alone(void **state) {
  (void)state;
  assert_true(bt_utf8_is_plain("", 0));
  assert_true(bt_utf8_is_plain("a" GRIN "\x7f", 6));
  assert_false(bt_utf8_is_plain("a\0b", 3));
  assert_false(bt_utf8_is_plain(HIGH, 3));
  assert_false(bt_utf8_is_plain("\xc3", 1));
}

static void encoding_gives_real_bytes(void **state) {
  (void)state;
  const struct pair pairs[] = {
      PAIR("abc", "abc"),
      PAIR("a\xc0\x80z", "a\0z"),
      PAIR("\xc0\x80\xc0\x80", "\0\0"),
      PAIR("x" HIGH "y", "x" FFFD "y"),
      PAIR(LOW HIGH, FFFD FFFD),
      PAIR(HIGH LOW, GRIN), /* two halves that meet are a character */
      PAIR(HIGH HIGH LOW, FFFD GRIN),
      PAIR("\xc3\xa9\xff", "\xc3\xa9" FFFD),
  };
  expect_all(bt_utf8_encode8, pairs, sizeof pairs / sizeof *pairs);
}

static void code_points_come_one_by_one(void **state) {
  (void)state;
  const char text[] = "a\xc0\x80\xc3\xa9" HIGH "\xe2\x82\xac" GRIN LOW HIGH LOW "\xff";
  const uint32_t expected[] = {'a', 0, 0xE9, 0xD83D, 0x20AC, 0x1F600, 0xDE00, 0x1F600, 0xFFFD};
  size_t at = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_true(at < sizeof text - 1);
    assert_int_equal(bt_utf8_next(text, sizeof text - 1, &at), expected[i]);
  }
  assert_int_equal(at, sizeof text - 1);
}

static void every_code_point_survives_the_way_round(void **state) {
  (void)state;
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point += code_point < 0x3000 ? 1 : 37) {
    char bytes[4];
    size_t at = 0, length = bt_utf8_encode(code_point, bytes);
    assert_int_equal(bt_utf8_next(bytes, length, &at), code_point);
    assert_int_equal(at, length);
  }
}

static void halves_join_when_text_is_put_together(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 100);
  bt_utf8_put(&out, 0xD83D);
  bt_utf8_put(&out, 0xDE00);
  assert_string_equal(out.data, GRIN);
  bt_str_clear(&out);
  bt_utf8_append(&out, "a" HIGH, 4);
  bt_utf8_append(&out, LOW "b", 4);
  assert_string_equal(out.data, "a" GRIN "b");
  bt_str_clear(&out);
  bt_utf8_append(&out, LOW, 3);
  bt_utf8_append(&out, HIGH, 3);
  assert_string_equal(out.data, LOW HIGH);
  bt_str_dispose(&out);
}

static void white_space_is_the_exact_set(void **state) {
  (void)state;
  size_t members = 0;
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point++) {
    members += bt_is_w(code_point);
  }
  assert_int_equal(members, 5 + 1 + 1 + 1 + 11 + 2 + 1 + 1 + 1 + 1);
  static const uint32_t in[] = {9,      0xD,    ' ',    0xA0,   0x1680, 0x2000, 0x200A,
                                0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF};
  static const uint32_t out[] = {8, 0xE, 0x1F, 0x85, 0x180E, 0x200B, 0x2060, 0xFFFD, 0xD800, 0};
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
    assert_true(bt_is_w(in[i]));
  }
  for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
    assert_false(bt_is_w(out[i]));
  }
}

static void trimming_takes_white_space_at_both_ends(void **state) {
  (void)state;
  const struct pair pairs[] = {
      PAIR("", ""),
      PAIR(" \t\n", ""),
      PAIR("\xc2\xa0 a b \xe3\x80\x80\xef\xbb\xbf", "a b"),
      PAIR("\xe2\x80\x8b"
           "a",
           "\xe2\x80\x8b"
           "a"), /* zero width space stays */
      PAIR("\xc2\x85", "\xc2\x85"),
      PAIR(" \xff ", "\xff"),
      PAIR("a\xa0", "a\xa0"), /* a stray tail byte is no blank */
      PAIR("\xc0\x80 ", "\xc0\x80"),
      PAIR(" " GRIN " ", GRIN),
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct bt_slice slice = bt_trim_w(pairs[i].from, pairs[i].length);
    assert_int_equal(slice.length, pairs[i].to_length);
    assert_memory_equal(slice.data, pairs[i].to, slice.length);
    assert_int_equal(bt_is_blank_w(pairs[i].from, pairs[i].length), pairs[i].to_length == 0);
  }
}

static int sign(int value) {
  return (value > 0) - (value < 0);
}

static void order_is_by_utf16_units(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const ascending[] = {"", "\xc0\x80", "a", "a\xc0\x80", "aa", "ab", "b", "\xc3\xa9", "\xe6\xbc\xa2",
                                          HIGH, HIGH "a", GRIN, GRIN "a", HIGH "\xee\x80\x80", LOW, "\xee\x80\x80", "\xef\xbf\xae", "\xef\xbf\xbf"};
  /* clang-format on */
  const size_t count = sizeof ascending / sizeof *ascending;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      int order = bt_utf16_compare(ascending[i], strlen(ascending[i]), ascending[j], strlen(ascending[j]));
      assert_int_equal(sign(order), (i > j) - (i < j));
    }
  }
}

static void length_counts_units(void **state) {
  (void)state;
  assert_int_equal(bt_utf16_length("", 0), 0);
  assert_int_equal(bt_utf16_length("a\xc3\xa9" GRIN HIGH "\xc0\x80", 12), 6);
}

static void lower_case_is_unicode(void **state) {
  (void)state;
  const struct pair pairs[] = {
      PAIR("ABC xyz", "abc xyz"),
      PAIR("\xe2\x84\xaa", "k"),     /* KELVIN SIGN */
      PAIR("\xc4\xb0", "i\xcc\x87"), /* I WITH DOT ABOVE */
      PAIR("\xc3\x89" HIGH, "\xc3\xa9" HIGH),
  };
  expect_all(bt_utf8_lower, pairs, sizeof pairs / sizeof *pairs);
}

static void compatibility_forms_come_apart_in_order(void **state) {
  (void)state;
  const struct pair pairs[] = {
      PAIR("\xc3\xa9", "e\xcc\x81"),
      PAIR("\xef\xac\x81", "fi"),                                   /* LIGATURE FI */
      PAIR("\xea\xb0\x81", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8"), /* a Hangul syllable */
      PAIR("a\xcc\x81\xcc\xa3", "a\xcc\xa3\xcc\x81"),               /* the dot below goes first */
      PAIR("\xe1\xb9\xa9", "s\xcc\xa3\xcc\x87"),
      PAIR(HIGH "x", HIGH "x"),
  };
  expect_all(bt_utf8_nfkd, pairs, sizeof pairs / sizeof *pairs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ill_formed_parts_are_replaced_one_each),
      cmocka_unit_test(plain_is_what_decoding_leaves_alone),
      cmocka_unit_test(encoding_gives_real_bytes),
      cmocka_unit_test(code_points_come_one_by_one),
      cmocka_unit_test(every_code_point_survives_the_way_round),
      cmocka_unit_test(halves_join_when_text_is_put_together),
      cmocka_unit_test(white_space_is_the_exact_set),
      cmocka_unit_test(trimming_takes_white_space_at_both_ends),
      cmocka_unit_test(order_is_by_utf16_units),
      cmocka_unit_test(length_counts_units),
      cmocka_unit_test(lower_case_is_unicode),
      cmocka_unit_test(compatibility_forms_come_apart_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
