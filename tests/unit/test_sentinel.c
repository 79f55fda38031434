/* tests/unit/test_sentinel.c - reading the sentinel in every state, and what registering a session makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/store/sentinel.h"
#include "tests/support/gate_box.h"

static void expect_ids(const struct bt_json *list, const char *expected) {
  struct bt_str text;
  bt_str_init(&text, 4096);
  bt_json_print_compact(&text, list);
  assert_string_equal(text.data, expected);
  bt_str_dispose(&text);
}

static void expect(const struct gate_box *box, bool expected, bool legacy, bool there, const char *ids) {
  struct bt_sentinel sentinel;
  assert_int_equal(bt_sentinel_read(box->ledger, &sentinel, NULL), BT_OK);
  assert_int_equal(sentinel.expected, expected);
  assert_int_equal(sentinel.legacy, legacy);
  assert_int_equal(sentinel.file_there, there);
  expect_ids(sentinel.sessions, ids);
  bt_sentinel_dispose(&sentinel);
}

static void put(const struct gate_box *box, const char *text) {
  gate_box_text(box, ".adlc/.deny-store", text);
}
static void put_legacy(const struct gate_box *box, const char *text) {
  gate_box_text(box, ".adlc/handoffs/.deny-store", text);
}

static void absent(void **state) {
  expect(*state, false, false, false, "[]");
  struct bt_sentinel sentinel;
  assert_int_equal(bt_sentinel_read(-1, &sentinel, NULL), BT_OK);
  assert_false(sentinel.expected);
  bt_sentinel_dispose(&sentinel);
}

static void contents(void **state) {
  const struct gate_box *box = *state;
  put(box, "");
  expect(box, true, false, true, "[]");
  put(box, "\xef\xbb\xbf 1 \xe3\x80\x80\n");
  expect(box, true, false, true, "[]");
  put(box, "{\"sessions\":[\"b\",\"a\",\"b\",7,null,\" x\",\"a/b\",\"\"],\"schema\":9}");
  expect(box, true, false, true, "[\"b\",\"a\",\"b\"]");
  put(box, "{\"sessions\":{\"0\":\"a\"}}");
  expect(box, true, false, true, "[]");
  put(box, "[\"a\"]");
  expect(box, true, false, true, "[]");
  put(box, "null");
  expect(box, true, false, true, "[]");
  put(box, "{\"sessions\":[\"a\"");
  expect(box, true, false, true, "[]");
  put(box, "\xef\xbb\xbf{\"sessions\":[\"a\"]}"); /* a BOM is no JSON */
  expect(box, true, false, true, "[]");
}

static void the_old_place(void **state) {
  const struct gate_box *box = *state;
  put_legacy(box, "1");
  expect(box, true, true, false, "[]");
  put_legacy(box, "{\"sessions\":[\"a\"]}");
  expect(box, true, true, false, "[\"a\"]");
  put_legacy(box, "{nonsense");
  expect(box, true, false, false, "[]");
  put_legacy(box, "[]"); /* readable JSON without members */
  expect(box, true, true, false, "[]");
  put(box, "{\"sessions\":[\"b\"]}");
  expect(box, true, false, true, "[\"b\"]");
}

/* spec/context-handoff.md 15.1 item 4: refused, and so unreadable; never followed. */
static void no_plain_files(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, "elsewhere", "{\"sessions\":[\"a\"]}");
  scratch_link(&box->scratch, ".adlc/.deny-store", "../elsewhere");
  expect(box, true, false, true, "[]");
}

static void a_dangling_link(void **state) {
  const struct gate_box *box = *state;
  scratch_link(&box->scratch, ".adlc/.deny-store", "nowhere");
  expect(box, true, false, true, "[]");
}

static void a_folder(void **state) {
  const struct gate_box *box = *state;
  gate_box_folder(box, ".adlc/.deny-store");
  expect(box, true, false, true, "[]");
}

static void a_fifo(void **state) {
  const struct gate_box *box = *state;
  scratch_fifo(&box->scratch, ".adlc/.deny-store");
  expect(box, true, false, true, "[]");
}

static void a_linked_handoffs_folder(void **state) {
  const struct gate_box *box = *state;
  gate_box_folder(box, "other");
  scratch_link(&box->scratch, ".adlc/handoffs", "../other");
  expect(box, true, false, false, "[]"); /* what cannot be looked at is expected */
}

static void a_file_in_place_of_handoffs(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs", "x");
  expect(box, false, false, false, "[]");
}

static void expect_plan(const struct gate_box *box, const char *id, bool write, const char *ids) {
  struct bt_sentinel sentinel;
  struct bt_json *sessions = NULL;
  bool writes = !write;
  assert_int_equal(bt_sentinel_read(box->ledger, &sentinel, NULL), BT_OK);
  assert_int_equal(bt_sentinel_plan(&sentinel, id, &sessions, &writes, NULL), BT_OK);
  assert_int_equal(writes, write);
  expect_ids(sessions, ids);
  bt_json_free(sessions);
  bt_sentinel_dispose(&sentinel);
}

static void plans(void **state) {
  const struct gate_box *box = *state;
  expect_plan(box, "a", true, "[\"a\"]");
  expect_plan(box, NULL, true, "[]");
  put(box, "{\"sessions\":[\"b\",\"a\"]}");
  expect_plan(box, "a", false, "[\"a\",\"b\"]"); /* another order alone is no reason to write */
  expect_plan(box, NULL, false, "[\"a\",\"b\"]");
  expect_plan(box, " unsafe", false, "[\"a\",\"b\"]");
  expect_plan(box, "c", true, "[\"a\",\"b\",\"c\"]");
  put(box, "{\"sessions\":[\"a\",\"a\"]}");
  expect_plan(box, "a", true, "[\"a\"]");
  expect_plan(box, "b", true, "[\"a\",\"b\"]");
  put(box, "1");
  expect_plan(box, NULL, false, "[]");
}

/* Astral characters sort before U+E000..U+FFFF: by UTF-16 units, not by bytes. */
static void order_is_by_units(void **state) {
  const struct gate_box *box = *state;
  put(box, "{\"sessions\":[\"\xef\xbf\xbf\",\"\xf0\x9f\x98\x80\",\"\xee\x80\x80\"]}");
  expect_plan(box, "a", true, "[\"a\",\"\xf0\x9f\x98\x80\",\"\xee\x80\x80\",\"\xef\xbf\xbf\"]");
}

static void printed(void **state) {
  (void)state;
  struct bt_json *ids = gate_json("['a','b']");
  struct bt_str text;
  bt_str_init(&text, 4096);
  bt_sentinel_print(&text, ids);
  assert_string_equal(text.data, "{\"schema\":1,\"sessions\":[\"a\",\"b\"]}\n");
  bt_str_dispose(&text);
  bt_json_free(ids);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {BOXED(absent), BOXED(contents), BOXED(the_old_place), BOXED(no_plain_files),
                                     BOXED(a_dangling_link), BOXED(a_folder), BOXED(a_fifo),
                                     BOXED(a_linked_handoffs_folder), BOXED(a_file_in_place_of_handoffs), BOXED(plans),
                                     BOXED(order_is_by_units), cmocka_unit_test(printed)};
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
