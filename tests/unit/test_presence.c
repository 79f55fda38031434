/* tests/unit/test_presence.c - where records lie, and whether something is there without following a link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/store/path.h"
#include "core/store/presence.h"
#include "tests/support/gate_box.h"

static void expect_path(enum bt_ledger_file file, const char *id, const char *expected) {
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  assert_int_equal(bt_ledger_path(&path, file, id), expected != NULL);
  if (expected)
    assert_string_equal(path.data, expected);
  bt_str_dispose(&path);
}

static void paths(void **state) {
  (void)state;
  expect_path(BT_FILE_DENY, "s", "handoffs/denies/s.json");
  expect_path(BT_FILE_FINAL, "s", "handoffs/finals/s.json");
  expect_path(BT_FILE_CAPTURE, "s", "handoffs/content/s.md");
  expect_path(BT_FILE_AUTH, "s", "handoffs/s.resume-auth.json");
  expect_path(BT_FILE_GRANT, "s", "handoffs/s.bypass-grant.json");
  expect_path(BT_FILE_LOCK, ".", "handoffs/..lock");
  expect_path(BT_FILE_LOCK, "a\xed\xa0\x80", "handoffs/a\xef\xbf\xbd.lock"); /* a lone half as bytes on disk */
  expect_path(BT_FILE_LOCK,
              "a\xc0\x80"
              "b",
              NULL); /* no file name holds a NUL */
  assert_string_equal(bt_ledger_suffix(BT_FILE_GRANT), ".bypass-grant.json");
}

static void presence(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/file", "x");
  scratch_link(&box->scratch, ".adlc/handoffs/link", "file");
  scratch_link(&box->scratch, ".adlc/handoffs/dangling", "nothing");
  scratch_link(&box->scratch, ".adlc/linked", "handoffs");
  scratch_fifo(&box->scratch, ".adlc/handoffs/fifo");
  /* clang-format off */
  static const struct {
    const char *path;
    enum bt_presence presence;
  } cases[] = {{"handoffs", BT_THERE}, {"handoffs/file", BT_THERE}, {"handoffs/none", BT_ABSENT}, {"none/none", BT_ABSENT},
               {"handoffs/file/x", BT_ABSENT}, {"handoffs/link", BT_THERE_REFUSED}, {"handoffs/dangling", BT_THERE_REFUSED},
               {"handoffs/fifo", BT_THERE_REFUSED}, {"linked/file", BT_THERE_REFUSED}, {"handoffs/fifo/x", BT_THERE_REFUSED},
               {"handoffs/dangling/x/y", BT_THERE_REFUSED}};
  /* clang-format on */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (bt_presence_of(box->ledger, cases[i].path) != cases[i].presence)
      fail_msg("%s", cases[i].path);
  assert_int_equal(bt_presence_of(-1, "handoffs"), BT_ABSENT);
  assert_true(bt_entry_is_folder(box->ledger, ".", "handoffs"));
  assert_false(bt_entry_is_folder(box->ledger, "handoffs", "file"));
  assert_false(bt_entry_is_folder(box->ledger, ".", "linked"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths),
                                     cmocka_unit_test_setup_teardown(presence, gate_box_setup, gate_box_teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
