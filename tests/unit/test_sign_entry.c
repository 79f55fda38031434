/* tests/unit/test_sign_entry.c - the golden signatures of manifest entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/json.h"
#include "core/store/sign.h"

#define DATA "\"data\":{\"session_id\":\"s1\",\"content_hash\":\"abc\",\"deny_reason\":\"ok\",\"rebound\":false}"

static const struct bt_key key = {.bytes = "test-key", .length = 8};

static void expect(const char *entry, const char *message, const char *sig) {
  struct bt_str payload;
  char got[BT_SHA256_HEX];
  struct bt_json *json = bt_json_parse(entry, strlen(entry), NULL);
  assert_non_null(json);
  bt_str_init(&payload, 65536);
  bt_entry_payload(&payload, json);
  assert_string_equal(payload.data, message);
  assert_true(bt_sign_hex(key, &payload, got));
  assert_string_equal(got, sig);
  assert_false(bt_entry_verify(json, key, NULL));
  assert_int_equal(bt_json_set_string(json, "sig", sig), BT_OK);
  assert_true(bt_entry_verify(json, key, NULL));
  assert_false(bt_entry_verify(json, (struct bt_key){0}, NULL));
  assert_false(bt_entry_verify(json, (struct bt_key){.bytes = "test-kez", .length = 8}, NULL));
  bt_str_dispose(&payload);
  bt_json_free(json);
}

static void version_1(void **state) {
  (void)state;
  static const char with[] = "{\"seq\":1,\"gate\":\"context-handoff-write\",\"ts\":\"2026-01-02T03:04:05.678Z\","
                             "\"ticket\":\"T-1\"," DATA ",\"files\":{},\"prev\":null}";
  static const char without[] =
      "{\"seq\":1,\"gate\":\"context-handoff-write\",\"ts\":\"2026-01-02T03:04:05.678Z\"," DATA
      ",\"files\":{},\"prev\":null}";
  expect(with, with, "679e3b2db2a2e482a76e72f730bfc3b8d8bc8b99a3a01f3923458e1758680326");
  expect(without, without, "a7abe480d0e6b7ccc825aad60fb9f248313ada0f28f33bda366f8cd848f4d3b5");
}

static void version_2(void **state) {
  (void)state;
  expect(
      "{\"seq\":1,\"gate\":\"context-handoff-write\",\"ts\":\"2026-01-02T03:04:05.678Z\",\"ticket\":\"T-1\"," DATA
      ",\"files\":{},\"anchor\":null,\"branch\":\"main\",\"prev\":null,\"sigVersion\":2,\"segment\":\"not signed\"}",
      "{\"anchor\":null,\"branch\":\"main\",\"data\":{\"content_hash\":\"abc\",\"deny_reason\":\"ok\",\"rebound\":"
      "false,"
      "\"session_id\":\"s1\"},\"files\":{},\"gate\":\"context-handoff-write\",\"prev\":null,\"seq\":1,\"sigVersion\":2,"
      "\"ticket\":\"T-1\",\"ts\":\"2026-01-02T03:04:05.678Z\"}",
      "adcbd1f1b0b1bc08107faae26dfb751c01ccb2a69984a1ac7c2017b9c041f437");
}

static void absent_members_are_left_out(void **state) {
  (void)state;
  struct bt_str payload;
  struct bt_json *json = bt_json_parse("{\"prev\":null,\"x\":1}", 19, NULL);
  assert_non_null(json);
  bt_str_init(&payload, 65536);
  bt_entry_payload(&payload, json);
  assert_string_equal(payload.data, "{\"prev\":null}");
  bt_json_remove(json, "prev");
  bt_str_clear(&payload);
  bt_entry_payload(&payload, json);
  assert_string_equal(payload.data, "{}");
  bt_str_dispose(&payload);
  bt_json_free(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(version_1), cmocka_unit_test(version_2),
                                     cmocka_unit_test(absent_members_are_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
