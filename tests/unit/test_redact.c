/* tests/unit/test_redact.c - secret shapes, assignments, order of reports, hostile sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/base/utf8.h"
#include "core/text/redact.h"

#define A10 "abcdefghij"
#define A20 A10 A10

/* Redacts, and compares with `expected`; `text` itself where that is NULL. */
static void expect(const char *text, const char *expected) {
  struct bt_str out;
  bt_str_init(&out, 1 << 20);
  assert_int_equal(bt_redact(&out, text, strlen(text), NULL, NULL), BT_OK);
  assert_string_equal(out.data, expected ? expected : text);
  bt_str_dispose(&out);
}

static void shapes_of_keys(void **state) {
  (void)state;
  expect("-AKIA"
         "1234567890ABCDEF-",
         "-[adlc: redacted AWS access key id]-");
  expect("AKIA"
         "1234567890ABCDEFG",
         NULL);
  expect("AKIA"
         "1234567890ABCDE",
         NULL);
  expect("\xc3\xa9"
         "AKIA"
         "1234567890ABCDEF\xc3\xa9",
         "\xc3\xa9[adlc: redacted AWS access key id]\xc3\xa9");
  expect("_ASIA"
         "1234567890ABCDEF",
         NULL);
  expect("ASIA"
         "1234567890ABCDEF",
         "[adlc: redacted AWS temporary access key id]");
  expect("AIza" A20 A10 "abcd-x", "[adlc: redacted Google API key]x");
}

static void shapes_of_tokens(void **state) {
  (void)state;
  expect("ghp_" A20 "_x", NULL);
  expect("ghp_" A20, "[adlc: redacted GitHub token]");
  expect("ghx_" A20, NULL);
  expect("github_pat_" A10 "_123456789", "[adlc: redacted GitHub fine-grained token]");
  expect("glpat-" A20 "ab-- x", "[adlc: redacted GitLab token]-- x");
  expect("glpat-" A10 "abcdefghi-", NULL);
  expect("sk-ant-" A10 "abcdef", "[adlc: redacted API key]");
  expect("sk-ant-" A10 "abcde", NULL);
  expect("task-" A20, NULL);
  expect("xoxb-123-456789-", "[adlc: redacted Slack token]-");
  expect("xoxc-1234567890", NULL);
}

static void shapes_of_web_tokens(void **state) {
  (void)state;
  expect("eyJ" A10 "." A10 ".", "[adlc: redacted JWT]");
  expect("eyJ" A10 "." A10 ".-_x y", "[adlc: redacted JWT] y");
  expect("eyJ" A10 "." A10, NULL);
  expect("xeyJ" A10 "." A10 ".", NULL);
  expect("eyJ" A10 ".eyJ" A10 "." A10 ".z", "[adlc: redacted JWT].z");
  /* the first candidate fails as a whole, the second one begins behind its run */
  expect("eyJ" A10 ".short.eyJ" A10 "." A10 ".z", "eyJ" A10 ".short.[adlc: redacted JWT]");
}

static void bearer(void **state) {
  (void)state;
  expect("bEaReR\xc2\xa0\xe2\x80\xa8" A20 "==.", "[adlc: redacted bearer token].");
  expect("Bearer " A10 "abcdefgh~", NULL);
  expect("Bearer\xc2\x85" A20, NULL);     /* U+0085 is no white space */
  expect("Bearer\xe2\x80\x8b" A20, NULL); /* nor is U+200B */
  expect("bea\xc5\xbf"
         "rer " A20,
         NULL); /* only ASCII folds: U+017F is no s */
  expect("Bearer\n\n" A20, "[adlc: redacted bearer token]");
}

static void private_keys(void **state) {
  (void)state;
#define BEGIN \
  "-----BE"   \
  "GIN "
  expect(BEGIN "RSA PRIVATE KEY-----\nx\r\ny-----END PRIVATE KEY-----z", "[adlc: redacted private key block]z");
  expect(BEGIN "PRIVATE KEY-----a\xe2\x80\xa8"
               "b",
         "[adlc: redacted private key block]\xe2\x80\xa8"
         "b");
  expect(BEGIN "PRIVATE KEY-----a\xe2\x82\xac"
               "b\nc",
         "[adlc: redacted private key block]\nc");
  expect(BEGIN "PRIVATE KEY-----a\rb", "[adlc: redacted private key block]\rb");
  expect(BEGIN "rsa PRIVATE KEY-----\nb", NULL);
  /* the first end closes it, whatever key it names */
  expect(BEGIN "PRIVATE KEY-----1-----END PUBLIC KEY-----2-----END DSA PRIVATE KEY-----3-----END PRIVATE KEY-----",
         "[adlc: redacted private key block]3-----END PRIVATE KEY-----");
}

static void assignments(void **state) {
  (void)state;
#define CRED "[adlc: redacted credential]"
  expect("password: hunter2", NULL);
  expect("password: hunter22", "password: " CRED);
  expect("my_token=abcdefgh secrets=abcdefgh secret_key=abcdefgh", NULL);
  expect("my-token=abcdefgh", "my-token=" CRED);
  expect("{\"password\": \"hunter2222\"}", NULL);
  expect("token=[adlc: redacted JWT]", NULL);
  expect("token='`[adlc: redacted JWT]'", NULL);
  expect("api_key=abcdefgh, next", "api_key=" CRED " next");
  expect("password=\"unterminated value here", "password=" CRED " value here");
  expect("token: = abcdefghij", NULL);
  expect("token:=abcdefgh", "token:" CRED);
  expect("api_key=\"AKIA"
         "1234567890ABCDEF\"",
         "api_key=\"[adlc: redacted AWS access key id]\"");
  expect("client-secret = 'a b\nc de'", "client-secret = " CRED);
  expect("client-secret = 'a b c'", NULL);
  expect("TOKEN\xe3\x80\x80=\xef\xbb\xbf"
         "abcdefgh\xe2\x80\x8b!",
         "TOKEN\xe3\x80\x80=\xef\xbb\xbf" CRED);
  expect("to\xe2\x84\xaa"
         "en=abcdefgh",
         NULL);                                     /* U+212A is no k */
  expect("token= secret=abcdefgh", "token= " CRED); /* the value is `secret=abcdefgh` */
  expect("token=a secret=abcdefgh", "token=a secret=" CRED);
}

static void lengths_are_utf16_units(void **state) {
  (void)state;
#define SMILE "\xf0\x9f\x98\x80"
  expect("token=" SMILE SMILE SMILE SMILE, "token=" CRED); /* four characters, eight units */
  expect("token=" SMILE SMILE SMILE "x", NULL);
  expect("token=\"" SMILE SMILE SMILE SMILE "\" x", "token=" CRED " x");
  expect("token=\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", NULL); /* eight bytes, four units */
  /* a lone half is one unit, a NUL too */
  expect("token=\xed\xa0\x80\xed\xa0\x80\xed\xa0\x80\xed\xa0\x80\xc0\x80\xc0\x80\xc0\x80", NULL);
  expect("token=\xed\xa0\x80\xed\xa0\x80\xed\xa0\x80\xed\xa0\x80\xc0\x80\xc0\x80\xc0\x80\xc0\x80", "token=" CRED);
}

static void reports_rule_by_rule(void **state) {
  (void)state;
  const char *text = "sk-" A20 " token=abcdefgh AKIA"
                     "1234567890ABCDEF AKIA"
                     "1234567890ABCDEF";
  struct bt_str out;
  struct bt_redact_list list;
  bt_str_init(&out, 4096);
  bt_redact_list_init(&list);
  bt_str_puts(&out, "before ");
  assert_int_equal(bt_redact(&out, text, strlen(text), &list, NULL), BT_OK);
  assert_true(bt_starts_with(out.data, "before [adlc: redacted API key] "));
  const unsigned char expected[] = {BT_REDACT_AWS_KEY, BT_REDACT_AWS_KEY, BT_REDACT_API_KEY, BT_REDACT_CREDENTIAL};
  assert_int_equal(list.count, sizeof expected);
  assert_memory_equal(list.kinds, expected, sizeof expected);
  assert_int_equal(bt_redact_count_marks(out.data, out.length), 4);
  bt_redact_list_dispose(&list);
  bt_str_dispose(&out);
  assert_int_equal(bt_redact_count_marks("[adlc: redacted", 15), 0);
}

static void redacting_twice_changes_nothing(void **state) {
  (void)state;
  const char *text = "Bearer " A20 " password='a b c d e' eyJ" A10 "." A10 ". " BEGIN "PRIVATE KEY----- x\n"
                     "abcdefghijklmnopABCDEFGHIJKLMNOP github_pat_" A20;
  struct bt_str once, twice;
  struct bt_redact_list list;
  bt_str_init(&once, 4096);
  bt_str_init(&twice, 4096);
  bt_redact_list_init(&list);
  assert_int_equal(bt_redact(&once, text, strlen(text), NULL, NULL), BT_OK);
  assert_int_equal(bt_redact(&twice, once.data, once.length, &list, NULL), BT_OK);
  assert_string_equal(once.data, twice.data);
  assert_int_equal(list.count, 0);
  bt_str_dispose(&once);
  bt_str_dispose(&twice);
}

static void nothing_is_appended_past_the_ceiling(void **state) {
  (void)state;
  struct bt_str out;
  struct bt_error err;
  struct bt_redact_list list;
  bt_redact_list_init(&list);
  bt_str_init(&out, 20);
  bt_str_puts(&out, "kept");
  assert_int_equal(bt_redact(&out,
                             "AKIA"
                             "1234567890ABCDEF",
                             20, &list, &err),
                   BT_TOO_LARGE);
  assert_string_equal(out.data, "kept");
  assert_int_equal(list.count, 0);
  bt_redact_list_dispose(&list);
  bt_str_dispose(&out);
}

static void no_text_is_no_text(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 20);
  assert_int_equal(bt_redact(&out, NULL, 0, NULL, NULL), BT_OK);
  assert_int_equal(bt_redact(&out, "", 0, NULL, NULL), BT_OK);
  assert_int_equal(out.length, 0);
  bt_str_dispose(&out);
}

static int64_t cpu_ms(void) {
  return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

/* Texts built to make a search start over and over again. */
static void hostile_texts_take_linear_time(void **state) {
  (void)state;
  static const char *const pieces[] = {"eyJaaaaaaaaaa-",
                                       "eyJaaaaaaaaaa.",
                                       "glpat-",
                                       "glpat-aaaaaaaaaaaaaaaaaaa-",
                                       "sk--",
                                       "xoxb-",
                                       "ghp_",
                                       "-",
                                       BEGIN "PRIVATE KEY-----",
                                       BEGIN "PRIVATE KEPRIVATE KE",
                                       BEGIN "PRIVATE KEY-----\n-----END ",
                                       "token=\"",
                                       "token=\"aaaaaaaa token='bbbbbbbb ",
                                       "token:",
                                       "token  ",
                                       "Bearer ",
                                       "\"",
                                       "\xe2\x80\xa8",
                                       "aB1"};
  const size_t size = 256 * 1024;
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    struct bt_str text, out;
    bt_str_init(&text, size * 2);
    bt_str_init(&out, size * 8);
    while (text.length < size)
      bt_str_puts(&text, pieces[i]);
    int64_t start = cpu_ms();
    assert_int_equal(bt_redact(&out, text.data, text.length, NULL, NULL), BT_OK);
    assert_true(cpu_ms() - start < 5000); /* a square would be minutes, even under a sanitizer */
    bt_str_dispose(&text);
    bt_str_dispose(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_of_keys),
      cmocka_unit_test(shapes_of_tokens),
      cmocka_unit_test(shapes_of_web_tokens),
      cmocka_unit_test(bearer),
      cmocka_unit_test(private_keys),
      cmocka_unit_test(assignments),
      cmocka_unit_test(lengths_are_utf16_units),
      cmocka_unit_test(reports_rule_by_rule),
      cmocka_unit_test(redacting_twice_changes_nothing),
      cmocka_unit_test(nothing_is_appended_past_the_ceiling),
      cmocka_unit_test(no_text_is_no_text),
      cmocka_unit_test(hostile_texts_take_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
