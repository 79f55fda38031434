/* tests/unit/test_quarantine.c - the junk sweep, and names in the quarantine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/ops/quarantine.h"
#include "tests/support/gate_box.h"
#include "tests/support/sweep.h"

static void expect(const struct gate_box *box, const char *expected) {
  struct bt_txn *txn = bt_txn_open(&box->env, true, NULL);
  struct sweep sweep;
  struct bt_str text;
  assert_non_null(txn);
  assert_int_equal(sweep_denies(txn, GATE_NOW_MS, &sweep, NULL), BT_OK);
  bt_str_init(&text, 4096);
  bt_str_printf(&text, "%s%s ", sweep.ok ? "ok" : "", sweep.reason);
  bt_json_print_compact(&text, sweep.quarantined);
  bt_json_print_compact(&text, sweep.kept);
  bt_json_print_compact(&text, sweep.retained);
  bt_json_print_compact(&text, sweep.failed);
  assert_string_equal(text.data, expected);
  bt_str_dispose(&text);
  sweep_dispose(&sweep);
  bt_txn_close(txn);
}

static void nothing_there(void **state) {
  expect(*state, "ok [][][][]");
}

static void each_kind_of_entry(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "good", "open", NULL, NULL);
  gate_box_marker(box, "done", "consumed", NULL, NULL);
  gate_box_text(box, ".adlc/handoffs/denies/bad.json", "{");
  gate_box_text(box, ".adlc/handoffs/denies/.json", "{}");
  gate_box_text(box, ".adlc/handoffs/denies/a..b.json", "{}");
  gate_box_text(box, ".adlc/handoffs/denies/ pad.json", "{}");
  gate_box_text(box, ".adlc/handoffs/denies/readme", "words");
  gate_box_text(box, ".adlc/handoffs/denies/x.json.tmp", "half");
  gate_box_folder(box, ".adlc/handoffs/denies/folder");
  gate_box_folder(box, ".adlc/handoffs/denies/folder.json");
  expect(box, "ok [\" pad.json\",\".json\",\"a..b.json\",\"readme\"][\"done.json\",\"good.json\"][\"bad.json\"][]");
  scratch_expect_text(&box->scratch, ".adlc/handoffs/denies/quarantine/readme.non_json.1791555727000", "words");
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/quarantine/.json.unsafe_session_id.1791555727000"));
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/x.json.tmp"));
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/bad.json"));
  expect(box, "ok [][\"done.json\",\"good.json\"][\"bad.json\"][]");
}

static void a_quarantine_that_is_no_folder(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies/quarantine", "a file");
  gate_box_text(box, ".adlc/handoffs/denies/readme", "words");
  expect(box, "quarantine_failed:EEXIST [][][][\"readme\"]");
  scratch_expect_text(&box->scratch, ".adlc/handoffs/denies/readme", "words");
}

static void a_folder_that_cannot_be_listed(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies", "a file");
  expect(box, "readdir_failed:ENOTDIR [][][][]");
}

static void names_that_are_taken(void **state) {
  const struct gate_box *box = *state;
  struct bt_txn *txn = bt_txn_open(&box->env, true, NULL);
  assert_non_null(txn);
  for (int i = 0; i < 3; i++) {
    gate_box_text(box, ".adlc/handoffs/denies/j", "x");
    assert_int_equal(bt_quarantine_move(txn, "j", "non_json", 5, NULL), BT_OK);
  }
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/quarantine/j.non_json.5"));
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/quarantine/j.non_json.5.1"));
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/quarantine/j.non_json.5.2"));
  struct bt_error err = {0};
  assert_int_not_equal(bt_quarantine_move(txn, "nobody", "non_json", 5, &err), BT_OK);
  assert_string_equal(bt_reason_errno(&err), "ENOENT");
  bt_txn_close(txn);
}

static void errno_names(void **state) {
  (void)state;
  const struct bt_error cases[] = {{.code = BT_UNSAFE},    {.code = BT_NOMEM},   {.code = BT_READONLY},
                                   {.code = BT_TOO_LARGE}, {.code = BT_MISSING}, {.code = BT_INPUT},
                                   {.code = BT_IO}};
  static const char *const names[] = {"ELOOP", "ENOMEM", "EROFS", "EFBIG", "ENOENT", "EINVAL", "EIO"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(bt_reason_errno(&cases[i]), names[i]);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {BOXED(nothing_there),
                                     BOXED(each_kind_of_entry),
                                     BOXED(a_quarantine_that_is_no_folder),
                                     BOXED(a_folder_that_cannot_be_listed),
                                     BOXED(names_that_are_taken),
                                     cmocka_unit_test(errno_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
