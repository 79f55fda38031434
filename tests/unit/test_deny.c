/* tests/unit/test_deny.c - the verdict on one marker, its plain form and its class. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/store/deny.h"
#include "tests/support/gate_box.h"

static void expect_parsed(const char *text, const char *reason) {
  struct bt_marker marker;
  assert_int_equal(bt_marker_parse(text, strlen(text), "s", &marker, NULL), BT_OK);
  assert_string_equal(marker.reason, reason);
  assert_int_equal(marker.ok, strcmp(reason, "ok") == 0);
  assert_int_equal(marker.record != NULL, marker.ok);
  bt_marker_dispose(&marker);
}

static void verdicts_on_text(void **state) {
  (void)state;
  expect_parsed("", "corrupt_json");
  expect_parsed("{", "corrupt_json");
  expect_parsed("{\"session_id\":\"s\",\"status\":\"open\",}", "corrupt_json");
  expect_parsed("\xef\xbb\xbf{}", "corrupt_json");
  expect_parsed("null", "invalid_shape");
  expect_parsed("false", "invalid_shape");
  expect_parsed("0", "invalid_shape");
  expect_parsed("\"s\"", "invalid_shape");
  expect_parsed("7", "invalid_shape");
  expect_parsed("true", "invalid_shape");
  expect_parsed("[]", "session_id_mismatch");
  expect_parsed("[{\"session_id\":\"s\"}]", "session_id_mismatch");
  expect_parsed("{}", "session_id_mismatch");
  expect_parsed("{\"SESSION_ID\":\"s\",\"status\":\"open\"}", "session_id_mismatch");
  expect_parsed("{\"session_id\":\"S\",\"status\":\"open\"}", "session_id_mismatch");
  expect_parsed("{\"session_id\":\"s\"}", "invalid_status");
  expect_parsed("{\"session_id\":\"s\",\"status\":\"Open\"}", "invalid_status");
  expect_parsed("{\"session_id\":\"s\",\"status\":[\"open\"]}", "invalid_status");
  expect_parsed("{\"session_id\":\"s\",\"status\":\"open\"}", "ok");
  expect_parsed("{\"session_id\":\"x\",\"status\":\"open\",\"session_id\":\"s\"}", "ok"); /* the last one counts */
  expect_parsed("{\"session_id\":\"s\",\"status\":\"consumed\",\"ticket_id\":7,\"schema\":\"no\"}", "ok");
}

static void expect_read(const struct gate_box *box, const char *id, const char *reason) {
  struct bt_marker marker;
  assert_int_equal(bt_marker_read(box->ledger, id, &marker, NULL), BT_OK);
  assert_string_equal(marker.reason, reason);
  bt_marker_dispose(&marker);
}

static void what_is_in_its_place(void **state) {
  const struct gate_box *box = *state;
  expect_read(box, "s", "missing_marker");
  gate_box_marker(box, "s", "open", NULL, NULL);
  gate_box_marker(box, "..json-like.", "open", NULL, NULL);
  expect_read(box, "s", "ok");
  gate_box_folder(box, ".adlc/handoffs/denies/folder.json");
  expect_read(box, "folder", "unreadable_marker");
  scratch_link(&box->scratch, ".adlc/handoffs/denies/link.json", "s.json");
  expect_read(box, "link", "unreadable_marker");
  scratch_link(&box->scratch, ".adlc/handoffs/denies/dangling.json", "nowhere");
  expect_read(box, "dangling", "unreadable_marker");
  scratch_fifo(&box->scratch, ".adlc/handoffs/denies/fifo.json");
  expect_read(box, "fifo", "unreadable_marker");
  char long_id[400];
  memset(long_id, 'x', sizeof long_id - 1);
  long_id[sizeof long_id - 1] = '\0';
  expect_read(box, long_id, "missing_marker"); /* no such file can exist */
  expect_read(box,
              "a\xc0\x80"
              "b",
              "missing_marker");
}

static void unsafe_ids_are_errors(void **state) {
  const struct gate_box *box = *state;
  struct bt_marker marker;
  static const char *const unsafe[] = {"../s", "a/b", "", " s", NULL};
  for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
    assert_int_equal(bt_marker_read(box->ledger, unsafe[i], &marker, NULL), BT_UNSAFE);
    bt_marker_dispose(&marker);
  }
}

static void no_ledger_at_all(void **state) {
  (void)state;
  struct bt_marker marker;
  assert_int_equal(bt_marker_read(-1, "s", &marker, NULL), BT_OK);
  assert_string_equal(marker.reason, "missing_marker");
  bt_marker_dispose(&marker);
}

static void plain_form(void **state) {
  (void)state;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_json *record = gate_json("{'session_id':'s','status':'open','ticket_id':'T','content_hash':' ','host':7,"
                                     "'since':'2026-10-09T14:00:00.000Z','content_kind':'capture'}");
  struct bt_deny deny;
  assert_int_equal(bt_deny_plain(arena, "s", "ok", record, true, &deny, NULL), BT_OK);
  assert_string_equal(deny.path, "handoffs/denies/s.json");
  assert_string_equal(deny.reason, "ok");
  assert_true(deny.ticket_bound && !deny.hash_bound && deny.registered);
  assert_null(deny.host);
  assert_true(deny.since_ms == GATE_NOW_MS - 1327000);
  assert_int_equal(deny.class_, BT_DENY_CLASS_UNBOUND);
  bt_json_free(record);
  assert_int_equal(bt_deny_plain(arena, "s", "corrupt_json", NULL, false, &deny, NULL), BT_OK);
  assert_string_equal(deny.reason, "corrupt_json");
  assert_int_equal(deny.status, BT_DENY_INVALID);
  assert_int_equal(deny.class_, BT_DENY_CLASS_INVALID);
  bt_arena_free(arena);
}

static void classes(void **state) {
  (void)state;
  struct bt_deny deny = {.status = BT_DENY_OPEN, .since_ms = GATE_NOW_MS - INT64_C(86400001)};
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_ORPHAN);
  assert_int_equal(bt_deny_classify(&deny, true, GATE_NOW_MS), BT_DENY_CLASS_UNBOUND);
  deny.since_ms++;
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_UNBOUND);
  deny.since_ms = GATE_NOW_MS + 1;
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_UNBOUND);
  deny.since_ms = BT_TIME_UNKNOWN;
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_UNBOUND);
  deny.ticket_bound = deny.hash_bound = true;
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_BOUND);
  deny.content_kind = "capture";
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_CAPTURED);
  deny.status = BT_DENY_CONSUMED;
  assert_int_equal(bt_deny_classify(&deny, false, GATE_NOW_MS), BT_DENY_CLASS_CONSUMED);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_on_text), BOXED(what_is_in_its_place),
                                     BOXED(unsafe_ids_are_errors),       cmocka_unit_test(no_ledger_at_all),
                                     cmocka_unit_test(plain_form),       cmocka_unit_test(classes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
