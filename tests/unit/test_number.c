/* tests/unit/test_number.c - numbers as ECMAScript reads and writes them, whatever the locale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/number.h"

static void expect_text(double value, const char *expected) {
  char text[BT_NUMBER_TEXT];
  size_t length = bt_double_to_text(text, value);
  assert_string_equal(text, expected);
  assert_int_equal(length, strlen(expected));
}

/* clang-format off */
static const struct {
  const char *from, *to;
} samples[] = {
    {"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"1.0", "1"}, {"1e0", "1"}, {"10.50", "10.5"}, {"0.1", "0.1"}, {"1e3", "1000"},
    {"1E+3", "1000"}, {"1e20", "100000000000000000000"}, {"1e21", "1e+21"}, {"1e-6", "0.000001"}, {"1e-7", "1e-7"},
    {"0.1e-6", "1e-7"}, {"2.5e-8", "2.5e-8"}, {"0.000001234", "0.000001234"}, {"123456789012345680000", "123456789012345680000"},
    {"123456789012345678901234567890", "1.2345678901234568e+29"}, {"1234567890123456789012", "1.2345678901234568e+21"},
    {"5e-324", "5e-324"}, {"2e-324", "0"}, {"3e-324", "5e-324"}, {"1e-323", "1e-323"},
    {"2.2250738585072014e-308", "2.2250738585072014e-308"}, {"2.225073858507201e-308", "2.225073858507201e-308"},
    {"1.7976931348623157e308", "1.7976931348623157e+308"}, {"9007199254740991", "9007199254740991"},
    {"9007199254740992", "9007199254740992"}, {"9007199254740993", "9007199254740992"}, {"9007199254740994", "9007199254740994"},
    {"0.30000000000000004", "0.30000000000000004"}, {"4.35", "4.35"}, {"1787669764492123456", "1787669764492123400"},
    {"12345678901234567890", "12345678901234567000"}, {"5.684341886080802e-14", "5.684341886080802e-14"}, /* 2^-44 */
    {"9.5367431640625e-7", "9.5367431640625e-7"}, {"1e400", "null"}, {"-1e400", "null"}, {"1e-400", "0"}, {"-1e-400", "0"},
    {"-7.3E+0", "-7.3"}, {"73875387894624493", "73875387894624500"}, {"1e999999999999999999999", "null"},
    {"1e-999999999999999999999", "0"}, {"0e999999999999999999999", "0"}, {"-1.5", "-1.5"}, {"100e-2", "1"}, {"0.00001e5", "1"},
};
/* clang-format on */

static void samples_print_as_the_specification_says(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    struct bt_json *value = bt_json_parse(samples[i].from, strlen(samples[i].from), NULL);
    assert_non_null(value);
    struct bt_str out;
    bt_str_init(&out, 100);
    bt_json_print_compact(&out, value);
    assert_string_equal(out.data, samples[i].to);
    bt_str_dispose(&out);
    bt_json_free(value);
  }
  expect_text(NAN, "NaN");
  expect_text(INFINITY, "Infinity");
  expect_text(-INFINITY, "-Infinity");
}

static void a_decimal_comma_changes_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "ru_RU.UTF-8"};
  bool found = false;
  for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++) {
    found = setlocale(LC_NUMERIC, names[i]) != NULL;
  }
  if (!found) {
    print_message("skipped: no locale with a decimal comma is installed\n");
    skip();
  }
  samples_print_as_the_specification_says(state);
  (void)setlocale(LC_NUMERIC, "C");
}

/* A fixed walk over bit patterns: every double comes back from its text. */
static void doubles_survive_the_way_round(void **state) {
  (void)state;
  uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 20000; i++) {
    double value, back;
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
      continue;
    }
    char text[BT_NUMBER_TEXT];
    size_t length = bt_double_to_text(text, value);
    assert_true(length < sizeof text);
    back = bt_decimal_to_double(text, length);
    assert_true(back == value);
  }
  for (int exponent = -1074; exponent < 1024; exponent++) {
    char text[BT_NUMBER_TEXT];
    double value = ldexp(1, exponent);
    size_t length = bt_double_to_text(text, value);
    assert_true(bt_decimal_to_double(text, length) == value);
  }
}

static void long_digit_strings_round_correctly(void **state) {
  (void)state;
  enum { ZEROS = 2000 };
  char text[ZEROS + 64];
  /* 2^53 + 1 lies halfway and goes to the even neighbour; one digit far behind it decides otherwise. */
  int head = snprintf(text, sizeof text, "9007199254740993.");
  memset(text + head, '0', ZEROS);
  strcpy(text + head + ZEROS, "");
  assert_true(bt_decimal_to_double(text, strlen(text)) == 9007199254740992.0);
  strcpy(text + head + ZEROS, "1");
  assert_true(bt_decimal_to_double(text, strlen(text)) == 9007199254740994.0);
  /* Many digits before the point. */
  text[0] = '1';
  memset(text + 1, '0', ZEROS);
  strcpy(text + 1 + ZEROS, "e-2000");
  assert_true(bt_decimal_to_double(text, strlen(text)) == 1.0);
  /* Many zeros behind it. */
  strcpy(text, "0.");
  memset(text + 2, '0', ZEROS);
  strcpy(text + 2 + ZEROS, "5e2001");
  assert_true(bt_decimal_to_double(text, strlen(text)) == 5.0);
}

static void text_becomes_a_number(void **state) {
  (void)state;
  /* clang-format off */
  const struct {
    const char *text;
    double value;
  } rows[] = {
      {"", 0}, {" \t\n", 0}, {"\xc2\xa0 12 \xe3\x80\x80", 12}, {"\xef\xbb\xbf" "7", 7}, {"12.0", 12}, {"1e3", 1000}, {"+5", 5},
      {"-5", -5}, {"5.", 5}, {".5", 0.5}, {"00012", 12}, {"0x1F", 31}, {"0X1f", 31}, {"0b101", 5}, {"0B101", 5}, {"0o17", 15},
      {"0O17", 15}, {"Infinity", INFINITY}, {"+Infinity", INFINITY}, {"-Infinity", -INFINITY}, {"1e400", INFINITY},
      {"0x20000000000001", 9007199254740992.0}, {"0x20000000000003", 9007199254740996.0},
      {"0xfffffffffffffbff", 18446744073709549568.0}, {"0xfffffffffffffc00", 18446744073709551616.0},
      {"0x1000000000000080000000001", 79228162514264355185729404928.0},
  };
  static const char *const none[] = {"-",   "+",  ".",     "e5",  "1e",     "1e+",      "1_000", "0x",   "-0x1", "+0x1", "0xg", "0b2",
                                     "0o8", "1 2", "12px", "NaN", "infinity", "Infinit", "--1",  ("\xc2\x85" "1"), "1\xe2\x80\x8b", "1\xc0\x80"};
  /* clang-format on */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_true(bt_text_to_number(rows[i].text, strlen(rows[i].text)) == rows[i].value);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert_true(isnan(bt_text_to_number(none[i], strlen(none[i]))));
  }
}

static void values_become_text_and_number(void **state) {
  (void)state;
  /* clang-format off */
  const struct {
    const char *json, *text;
    double number;
  } rows[] = {
      {"null", "null", 0}, {"true", "true", 1}, {"false", "false", 0}, {"12.50", "12.5", 12.5}, {"\"0x10\"", "0x10", 16},
      {"[]", "", 0}, {"[7]", "7", 7}, {"[[\"8\"]]", "8", 8}, {"[1,null,[2,3]]", "1,,2,3", NAN}, {"{}", "[object Object]", NAN},
      {"[{}]", "[object Object]", NAN}, {"1e400", "Infinity", INFINITY}, {"\"\"", "", 0}, {"\"x\"", "x", NAN},
  };
  /* clang-format on */
  struct bt_str out;
  bt_str_init(&out, 1000);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_json *value = bt_json_parse(rows[i].json, strlen(rows[i].json), NULL);
    double number = bt_json_to_number(value);
    bt_str_clear(&out);
    bt_json_to_text(&out, value);
    assert_string_equal(out.data, rows[i].text);
    assert_true(isnan(rows[i].number) ? isnan(number) : number == rows[i].number);
    bt_json_free(value);
  }
  bt_str_clear(&out);
  bt_json_to_text(&out, NULL);
  assert_string_equal(out.data, "undefined");
  assert_true(isnan(bt_json_to_number(NULL)));
  bt_str_dispose(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_print_as_the_specification_says),
      cmocka_unit_test(a_decimal_comma_changes_nothing),
      cmocka_unit_test(doubles_survive_the_way_round),
      cmocka_unit_test(long_digit_strings_round_correctly),
      cmocka_unit_test(text_becomes_a_number),
      cmocka_unit_test(values_become_text_and_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
