/* tests/unit/test_bootstrap.c - the prompt around a brief. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/text/bootstrap.h"
#include "core/text/fence.h"

#define BODY "## Ticket\n\nx % S%T \xc0\x80\n"

static void prompt(struct bt_str *out, bool verified) {
  bt_str_init(out, 1 << 16);
  assert_int_equal(bt_bootstrap_prompt(out, "sess-1", "TK-9", BODY, strlen(BODY), verified, NULL), BT_OK);
}

static unsigned paragraphs_before_body(const struct bt_str *text) {
  unsigned count = 0;
  const char *body = strstr(text->data, "\n\n" BODY "\n\n");
  assert_non_null(body);
  for (const char *at = text->data; (at = strstr(at, "\n\n")) && at <= body; at += 2)
    count++;
  return count;
}

static void verified_prompt(void **state) {
  (void)state;
  struct bt_str out;
  prompt(&out, true);
  assert_int_equal(paragraphs_before_body(&out), 2);
  assert_non_null(strstr(out.data, "You are the continuation of session sess-1, under ticket TK-9."));
  assert_non_null(strstr(out.data, "carry on"));
  assert_non_null(strstr(out.data, BT_FENCE_OPEN));
  assert_non_null(strstr(out.data, BT_FENCE_CLOSE));
  assert_int_not_equal(out.data[out.length - 1], '\n');
  bt_str_dispose(&out);
}

static void unverified_prompt_claims_nothing(void **state) {
  (void)state;
  struct bt_str out;
  prompt(&out, false);
  assert_int_equal(paragraphs_before_body(&out), 3);
  assert_non_null(strstr(out.data, "possibly be a continuation of session sess-1"));
  assert_non_null(strstr(out.data, "did not verify it cryptographically"));
  assert_non_null(strstr(out.data, "matches its recorded hash"));
  assert_null(strstr(out.data, "You are the continuation"));
  assert_null(strstr(out.data, "carry on"));
  assert_int_not_equal(out.data[out.length - 1], '\n');
  bt_str_dispose(&out);
}

static void expect_refused(const char *session, const char *ticket, const char *named) {
  struct bt_str out;
  struct bt_error err;
  bt_str_init(&out, 1 << 16);
  bt_str_puts(&out, "kept");
  assert_int_equal(bt_bootstrap_prompt(&out, session, ticket, BODY, strlen(BODY), true, &err), BT_INPUT);
  assert_non_null(strstr(err.message, named));
  assert_string_equal(out.data, "kept");
  bt_str_dispose(&out);
}

static void unsafe_ids_are_refused(void **state) {
  (void)state;
  expect_refused("a b", "T", "\"a b\"");
  expect_refused("a\n", "T", "\"a\\n\"");
  expect_refused("a b", "T/1", "\"a b\""); /* the session is looked at first */
  expect_refused("a", "T/1", "\"T/1\"");
  expect_refused("", "T", "\"\"");
  expect_refused(NULL, "T", "null");
  expect_refused("a", NULL, "null");
}

static void nothing_is_appended_past_the_ceiling(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 100);
  assert_int_equal(bt_bootstrap_prompt(&out, "s", "T", BODY, strlen(BODY), true, NULL), BT_TOO_LARGE);
  assert_int_equal(out.length, 0);
  bt_str_dispose(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verified_prompt),
      cmocka_unit_test(unverified_prompt_claims_nothing),
      cmocka_unit_test(unsafe_ids_are_refused),
      cmocka_unit_test(nothing_is_appended_past_the_ceiling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
