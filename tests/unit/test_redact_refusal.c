/* tests/unit/test_redact_refusal.c - what redaction does when the pattern engine gives up in the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The engine with a budget of searches: after them it answers that a limit was hit. */
static int searches_left;
static int limited_match(const pcre2_code *code, PCRE2_SPTR subject, PCRE2_SIZE length, PCRE2_SIZE from,
                         uint32_t options, pcre2_match_data *data, pcre2_match_context *context) {
  if (searches_left-- <= 0)
    return PCRE2_ERROR_MATCHLIMIT;
  return pcre2_match(code, subject, length, from, options, data, context);
}
#undef pcre2_match
#define pcre2_match limited_match
#undef PCRE2_CODE_UNIT_WIDTH
#include "core/text/redact.c"

static const char text[] = "AKIA"
                           "1234567890ABCDEF then ghp_abcdefghijabcdefghij and token=hunter2hunter2 "
                           "eyJabcdefghij.abcdefghij. Bearer abcdefghijabcdefghij!";
static const char *const secrets[] = {"AKIA", "ghp_abc", "hunter2", "eyJabc", "abcdefghijabcdefghij"};

static void a_refused_search_lets_no_secret_through(void **state) {
  (void)state;
  bool finished = false;
  for (int budget = 0; !finished; budget++) {
    struct bt_str out;
    bt_str_init(&out, 4096);
    searches_left = budget;
    assert_int_equal(bt_redact(&out, text, strlen(text), NULL, NULL), BT_OK);
    finished = searches_left >= 0;
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++)
      assert_null(strstr(out.data, secrets[i]));
    assert_non_null(strstr(out.data, "[adlc: redacted "));
    bt_str_dispose(&out);
    assert_true(budget < 1000);
  }
}

static void a_refused_block_end_takes_the_rest(void **state) {
  (void)state;
  const char *block = "a -----BE"
                      "GIN PRIVATE KEY-----\nsecret stuff\n-----END PRIVATE KEY----- b";
  struct bt_str out;
  bt_str_init(&out, 4096);
  searches_left = 1; /* the header is found, its end is not */
  assert_int_equal(bt_redact(&out, block, strlen(block), NULL, NULL), BT_OK);
  assert_null(strstr(out.data, "stuff"));
  bt_str_dispose(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_search_lets_no_secret_through),
      cmocka_unit_test(a_refused_block_end_takes_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
