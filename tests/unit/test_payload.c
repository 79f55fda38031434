/* tests/unit/test_payload.c - what the continue step answers is believed only whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/supervise/payload.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static enum bt_code read_text(const char *text, struct bt_error *err) {
  struct bt_sup_payload payload;
  enum bt_code code = bt_sup_payload_read(text, strlen(text), &payload, err);
  bt_sup_payload_dispose(&payload);
  return code;
}

static void a_good_one(void **state) {
  (void)state;
  static const char text[] =
      "{\"tool\":\"handoff\",\"dryRun\":false,\"successor_session_id\":\"s-2\",\"ticket_id\":\"T.1\","
      "\"content_hash\":\"" HASH "\",\"content_path\":\"/p\",\"bootstrap_prompt\":\"a\\nb\",\"x\":1}";
  struct bt_sup_payload payload;
  assert_int_equal(bt_sup_payload_read(text, strlen(text), &payload, NULL), BT_OK);
  assert_string_equal(payload.successor_session_id, "s-2");
  assert_string_equal(payload.ticket_id, "T.1");
  assert_string_equal(payload.content_hash, HASH);
  assert_string_equal(payload.content_path, "/p");
  assert_string_equal(payload.bootstrap_prompt, "a\nb");
  bt_sup_payload_dispose(&payload);
}

static void bad_ones(void **state) {
  (void)state;
  static const struct {
    const char *dry, *successor, *ticket, *hash, *path, *prompt, *word;
  } cases[] = {
      {"true", "\"s\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "dryRun"},
      {"0", "\"s\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "dryRun"},
      {"false", "\"s s\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "successor"},
      {"false", "null", "\"t\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "successor"},
      {"false", "\"s\\n\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "successor"},
      {"false", "\"s\"", "\"\"", "\"" HASH "\"", "\"/p\"", "\"x\"", "ticket"},
      {"false", "\"s\"", "5", "\"" HASH "\"", "\"/p\"", "\"x\"", "ticket"},
      {"false", "\"s\"", "\"t\"", "\"" HASH "0\"", "\"/p\"", "\"x\"", "content_hash"},
      {"false", "\"s\"", "\"t\"", "\"ABCDEF6789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"", "\"/p\"",
       "\"x\"", "content_hash"},
      {"false", "\"s\"", "\"t\"", "\"" HASH "\"", "\"\"", "\"x\"", "content_path"},
      {"false", "\"s\"", "\"t\"", "\"" HASH "\"", "[]", "\"x\"", "content_path"},
      {"false", "\"s\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "\" \\u00a0\"", "bootstrap_prompt"},
      {"false", "\"s\"", "\"t\"", "\"" HASH "\"", "\"/p\"", "null", "bootstrap_prompt"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    struct bt_error err = {0};
    snprintf(text, sizeof text,
             "{\"dryRun\":%s,\"successor_session_id\":%s,\"ticket_id\":%s,\"content_hash\":%s,\"content_path\":%s,"
             "\"bootstrap_prompt\":%s}",
             cases[i].dry, cases[i].successor, cases[i].ticket, cases[i].hash, cases[i].path, cases[i].prompt);
    assert_int_equal(read_text(text, &err), BT_INPUT);
    assert_non_null(strstr(err.message, cases[i].word));
  }
}

static void no_documents(void **state) {
  (void)state;
  assert_int_equal(read_text("", NULL), BT_CORRUPT);
  assert_int_equal(read_text("{", NULL), BT_CORRUPT);
  assert_int_equal(read_text("[]", NULL), BT_INPUT);
  assert_int_equal(read_text("null", NULL), BT_INPUT);
  assert_int_equal(read_text("{}", NULL), BT_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_one), cmocka_unit_test(bad_ones),
                                     cmocka_unit_test(no_documents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
