/* tests/unit/test_entropy.c - tokens, their cores, and when one looks random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/text/entropy.h"

#define MARK "[adlc: redacted high-entropy token]"
#define RANDOM "abcdefghijklmnopABCDEFGHIJKLMNOP"

static void expect(const char *text, const char *expected) {
  struct bt_str out;
  struct bt_redact_list list;
  bt_str_init(&out, 1 << 20);
  bt_redact_list_init(&list);
  assert_true(bt_redact_entropy(&out, text, strlen(text), &list));
  assert_string_equal(out.data, expected ? expected : text);
  assert_int_equal(list.count, bt_redact_count_marks(out.data, out.length));
  bt_redact_list_dispose(&list);
  bt_str_dispose(&out);
}

static void needs_length_and_a_mixture(void **state) {
  (void)state;
  expect(RANDOM, MARK);
  expect("abcdefghijklmnopABCDEFGHIJKLMNO", NULL); /* 31 */
  expect("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", NULL);
  expect("abcdefghijklmnopqrstuvwxyzabcdef", NULL);
  expect("aaaaaaaaaaaaaaaaAAAAAAAAAAAAAAAA", NULL); /* one bit */
  expect("abcdefghABCDEFGHabcdefghABCDEFGH", MARK); /* exactly four bits */
  expect("abcdefghABCDEFGabcdefghABCDEFGaa", NULL);
}

static void hex_of_any_length_stays(void **state) {
  (void)state;
  expect("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF", NULL);
  expect("\"0123456789abcdef0123456789abcdef\",", NULL);
  expect("0123456789abcdef0123456789abcdeg", MARK);
}

static void punctuation_around_stays(void **state) {
  (void)state;
  expect("{\"k\":\"" RANDOM "\",\"x\":\"y\"}", "{\"" MARK "\"}");
  expect("(([{<,;:\"'`" RANDOM "\"'`)]}>,;:.!?", "(([{<,;:\"'`" MARK "\"'`)]}>,;:.!?");
  expect(".(" RANDOM, MARK); /* a point is no lead, so all of it is the core */
  expect(RANDOM "(", MARK);
  expect("ticket=T-01ARZ3NDEKTSV4RRFFQ69G5FAV", MARK);
  expect("T-01ARZ3NDEKTSV4RRFFQ69G5FAV", NULL);
}

static void tokens_end_at_w(void **state) {
  (void)state;
  expect("a\xc2\xa0" RANDOM "\xe3\x80\x80z", "a\xc2\xa0" MARK "\xe3\x80\x80z");
  expect("abcdefghijklmnop\xef\xbb\xbf"
         "ABCDEFGHIJKLMNOP",
         NULL);
  expect("abcdefghijklmnop\xc2\x85"
         "ABCDEFGHIJKLMNO",
         MARK); /* U+0085 joins: 32 units */
  expect(" \t\n", NULL);
}

static void counts_units_and_code_points(void **state) {
  (void)state;
  /* 31 characters with one beyond the basic plane are 32 units */
  expect("abcdefghijklmnopABCDEFGHIJKLMN\xf0\x9f\x98\x80", MARK);
  /* 16 such characters twice are 64 units, so each weighs half: 16 * 2/64 * 5 bits and little from a and A */
  expect(
      "aA\xf0\x9f\x98\x80\xf0\x9f\x98\x81\xf0\x9f\x98\x82\xf0\x9f\x98\x83\xf0\x9f\x98\x84\xf0\x9f\x98\x85\xf0\x9f\x98"
      "\x86\xf0\x9f\x98\x87\xf0\x9f\x98\x80\xf0\x9f\x98\x81\xf0\x9f\x98\x82\xf0\x9f\x98\x83\xf0\x9f\x98\x84\xf0\x9f"
      "\x98\x85\xf0\x9f\x98\x86\xf0\x9f\x98\x87",
      NULL);
  /* a lone half and a NUL are one unit each */
  expect("abcdefghijklmnopABCDEFGHIJKLMN\xed\xa0\x80\xc0\x80", MARK);
  expect("abcdefghijklmnopABCDEFGHIJKLM\xed\xa0\x80\xc0\x80", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(needs_length_and_a_mixture),   cmocka_unit_test(hex_of_any_length_stays),
      cmocka_unit_test(punctuation_around_stays),     cmocka_unit_test(tokens_end_at_w),
      cmocka_unit_test(counts_units_and_code_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
