/* tests/unit/test_auth.c - resume authorizations: golden signatures, whose they are, what does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/store/auth.h"
#include "tests/support/gate_box.h"

static const struct bt_key key = {.bytes = GATE_KEY, .length = sizeof GATE_KEY - 1};
static const struct bt_key no_key = {.bytes = NULL, .length = 0};

static void golden_signatures(void **state) {
  (void)state;
  struct bt_json *doc = gate_json(
      "{'ticket_id':'T-1','content_hash':'abc','deny_session_id':'s1','consumer_session_id':'s2',"
      "'schema':7,'written_at':'x','sig':'24e0c2fae17727211821363562121a57fe4ddda319716b23df64666ab0d20e42'}");
  struct bt_str payload;
  bt_str_init(&payload, 4096);
  bt_auth_payload(&payload, doc);
  assert_string_equal(payload.data,
                      "{\"consumer_session_id\":\"s2\",\"content_hash\":\"abc\",\"deny_session_id\":\"s1\","
                      "\"schema\":1,\"ticket_id\":\"T-1\"}");
  bt_str_dispose(&payload);
  assert_true(bt_auth_verify(doc, key));
  assert_false(bt_auth_verify(doc, no_key));
  assert_false(bt_auth_verify(doc, (struct bt_key){.bytes = "", .length = 0}));
  assert_int_equal(bt_json_set_string(doc, "sig", "24E0C2FAE17727211821363562121A57FE4DDDA319716B23DF64666AB0D20E42"),
                   BT_OK);
  assert_false(bt_auth_verify(doc, key)); /* upper case is another text */
  assert_int_equal(bt_json_set_number(doc, "sig", 7), BT_OK);
  assert_false(bt_auth_verify(doc, key));
  bt_json_free(doc);

  const struct bt_key accented = {.bytes = "cl\xc3\xa9", .length = 4};
  struct bt_json *built = bt_auth_build("T-\xc3\xa9", "abc", "s1", "s2", GATE_NOW_MS, accented, NULL);
  assert_non_null(built);
  assert_string_equal(bt_json_get_string(built, "sig"),
                      "9b16a16718ba0b9eb6ca965f5814eab96b3f9afa96d6f5a66d9b41b6925e5510");
  assert_string_equal(bt_json_key(bt_json_first(built)), "schema");
  assert_string_equal(bt_json_get_string(built, "written_at"), "2026-10-09T14:22:07.000Z");
  bt_json_free(built);
  struct bt_error err = {0};
  assert_null(bt_auth_build("T", "h", "a", "b", 0, no_key, &err));
  assert_int_equal(err.code, BT_KEY);
}

static void expect(const struct gate_box *box, struct bt_key with, bool present, bool verified, const char *error) {
  struct bt_auth_doc auth;
  assert_int_equal(bt_auth_read(box->ledger, "s2", with, &auth, NULL), BT_OK);
  assert_int_equal(auth.present, present);
  assert_int_equal(auth.gate.verified, verified);
  if (error)
    assert_string_equal(auth.error, error);
  else
    assert_null(auth.error);
  bt_auth_dispose(&auth);
}

static void put(const struct gate_box *box, const char *text) {
  gate_box_text(box, ".adlc/handoffs/s2.resume-auth.json", text);
}

static void what_counts(void **state) {
  const struct gate_box *box = *state;
  expect(box, key, false, false, NULL);
  gate_box_auth(box, "s2", "s1", "T", "h");
  expect(box, key, true, true, NULL);
  expect(box, no_key, true, false, NULL);
  expect(box, (struct bt_key){.bytes = "other", .length = 5}, true, false, NULL);
  put(box, "{\"ticket_id\":\"T\",\"content_hash\":\"h\",\"deny_session_id\":\"s1\",\"consumer_session_id\":\"s3\"}");
  expect(box, key, false, false, "other_session");
  put(box, "{\"ticket_id\":null,\"content_hash\":\"h\",\"deny_session_id\":\"s1\",\"consumer_session_id\":\"s2\"}");
  expect(box, key, false, false, "invalid_shape");
  put(box, "[]");
  expect(box, key, false, false, "invalid_shape");
  put(box, "{\"ticket_id\":");
  expect(box, key, false, false, "corrupt_json");
  put(box, "{\"ticket_id\":\"T\",\"content_hash\":\"h\",\"deny_session_id\":\"s1\",\"consumer_session_id\":\"s2\"}");
  expect(box, key, true, false, NULL); /* no signature at all */
}

static void links_do_not_count(void **state) {
  const struct gate_box *box = *state;
  gate_box_auth(box, "elsewhere", "s1", "T", "h");
  scratch_link(&box->scratch, ".adlc/handoffs/s2.resume-auth.json", "elsewhere.resume-auth.json");
  struct bt_auth_doc auth;
  assert_int_equal(bt_auth_read(box->ledger, "s2", key, &auth, NULL), BT_OK);
  assert_false(auth.present);
  assert_non_null(auth.error);
  bt_auth_dispose(&auth);
  assert_int_equal(bt_auth_read(box->ledger, "a/b", key, &auth, NULL), BT_UNSAFE);
  bt_auth_dispose(&auth);
}

static void plain_form(void **state) {
  const struct gate_box *box = *state;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_auth_doc auth;
  struct bt_auth plain;
  gate_box_auth(box, "s2", "s1", "T", "h");
  assert_int_equal(bt_auth_read(box->ledger, "s2", key, &auth, NULL), BT_OK);
  assert_int_equal(bt_auth_plain(arena, &auth, key, &plain, NULL), BT_OK);
  bt_auth_dispose(&auth);
  assert_string_equal(plain.path, "handoffs/s2.resume-auth.json");
  assert_string_equal(plain.deny_session_id, "s1");
  assert_true(plain.written_at_ms == GATE_NOW_MS);
  assert_int_equal(plain.signature, BT_SIG_VERIFIED);
  bt_arena_free(arena);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(golden_signatures), BOXED(what_counts), BOXED(links_do_not_count),
                                     BOXED(plain_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
