/* tests/unit/test_brief_diff.c - which kept copy a brief is held against, and what the difference says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/ops/marks.h"
#include "core/store/brief_diff.h"
#include "core/store/reviewed.h"
#include "tests/support/fixture.h"

#define READER "7f3a91c2-auth"
#define EDITED "c0de4471" /* the sample's brief that was edited by hand */
#define BRIEF_OF(session) ".adlc/handoffs/content/" session ".md"

static void mark(struct fixture *fixture, const char *session, bool read) {
  struct bt_snapshot *snapshot = fixture_load(fixture);
  assert_int_equal(bt_marks_review(&fixture->env, bt_snapshot_session(snapshot, session), read, NULL), BT_OK);
  bt_snapshot_free(snapshot);
}

static enum bt_code compare(struct fixture *fixture, const char *session, struct bt_brief_diff **diff,
                            struct bt_error *err) {
  struct bt_snapshot *snapshot = fixture_load(fixture);
  int ledger = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  const struct bt_capture *brief = bt_snapshot_session(snapshot, session)->capture;
  enum bt_code code = bt_brief_diff_load(&fixture->env, ledger, session, brief->expected_hash, diff, err);
  close(ledger);
  bt_snapshot_free(snapshot);
  return code;
}

static void without_a_copy_it_says_so(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_brief_diff *diff;
  struct bt_error err = {0};
  assert_int_equal(compare(fixture, READER, &diff, &err), BT_MISSING);
  assert_null(diff);
  assert_non_null(strstr(err.message, "no copy"));
  fixture_free(fixture);
}

static void an_edit_is_held_against_the_verified_copy(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_brief_diff *diff;
  mark(fixture, READER, true);
  assert_int_equal(compare(fixture, READER, &diff, NULL), BT_OK);
  assert_int_equal(diff->against, BT_COPY_EXPECTED);
  assert_int_equal(diff->added + diff->removed, 0);
  bt_brief_diff_free(diff);
  fixture_append(fixture, BRIEF_OF(READER), "rotate all keys \x1b[2J\n");
  assert_int_equal(compare(fixture, READER, &diff, NULL), BT_OK);
  assert_int_equal(diff->against, BT_COPY_EXPECTED); /* the records still name it */
  assert_int_equal(diff->added, 1);
  assert_int_equal(diff->removed, 0);
  assert_int_equal(strncmp(diff->text, "--- the verified copy, kept ", 28), 0);
  assert_non_null(strstr(diff->text, "\n+++ the brief on disk\n@@ "));
  assert_non_null(strstr(diff->text, "\n+rotate all keys \x1b[2J\n"));
  bt_brief_diff_free(diff);
  fixture_free(fixture);
}

static void blanks_and_line_ends_are_no_difference(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_brief_diff *diff;
  fixture_write(fixture, BRIEF_OF(READER), "one\ntwo\n");
  mark(fixture, READER, true);
  fixture_write(fixture, BRIEF_OF(READER), "one  \r\ntwo\t\r\n");
  assert_int_equal(compare(fixture, READER, &diff, NULL), BT_OK);
  assert_int_equal(diff->added + diff->removed, 0);
  assert_null(strstr(diff->text, "@@"));
  bt_brief_diff_free(diff);
  fixture_free(fixture);
}

/* A text that was only read is never called verified, and gives way to one that was. */
static void read_is_not_verified(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_brief_diff *diff;
  mark(fixture, EDITED, true);
  fixture_append(fixture, BRIEF_OF(EDITED), "more\n");
  assert_int_equal(compare(fixture, EDITED, &diff, NULL), BT_OK);
  assert_int_equal(diff->against, BT_COPY_READ);
  assert_non_null(strstr(diff->text, "never verified"));
  bt_brief_diff_free(diff);
  const struct bt_plan_brief verified = {
      .text = "a\n", .length = 2, .hash = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"};
  assert_int_equal(bt_marks_keep_verified(&fixture->env, EDITED, &verified, NULL), BT_OK);
  assert_int_equal(compare(fixture, EDITED, &diff, NULL), BT_OK);
  assert_int_equal(diff->against, BT_COPY_VERIFIED);
  bt_brief_diff_free(diff);
  fixture_free(fixture);
}

/* A copy that is not what its name says proves nothing. */
static void a_changed_copy_counts_for_nothing(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_brief_diff *diff;
  struct bt_str bytes;
  struct bt_kept_copy copy;
  char path[2048], name[BT_REVIEWED_PATH];
  static const char *const folders[] = {BT_VERIFIED_FOLDER, BT_REVIEWED_FOLDER};
  mark(fixture, READER, true);
  bt_str_init(&bytes, 1 << 20);
  assert_int_equal(bt_reviewed_copy(&fixture->env, READER, NULL, &bytes, &copy, NULL), BT_OK);
  for (size_t i = 0; i < 2; i++) {
    bt_reviewed_path(name, folders[i], READER, copy.hash);
    snprintf(path, sizeof path, "%s/%s", fixture->env.state_dir, name);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("slipped in\n", file);
    fclose(file);
  }
  assert_int_equal(compare(fixture, READER, &diff, NULL), BT_MISSING);
  bt_str_dispose(&bytes);
  fixture_free(fixture);
}

/* One verified copy a session, and taking the mark away leaves it. */
static void the_last_verified_copy_is_kept(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  const struct bt_plan_brief one = {
      .text = "a\n", .length = 2, .hash = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"};
  struct bt_fs_listing names = {0};
  assert_int_equal(bt_marks_keep_verified(&fixture->env, READER, &one, NULL), BT_OK);
  assert_int_equal(bt_marks_keep_verified(&fixture->env, EDITED, &one, NULL), BT_OK);
  mark(fixture, READER, true);
  mark(fixture, READER, false);
  int root = bt_fs_open_root(fixture->env.state_dir, NULL);
  assert_int_equal(bt_fs_list_at(root, BT_VERIFIED_FOLDER, &names, NULL), BT_OK);
  assert_int_equal(names.count, 2);
  bt_fs_listing_dispose(&names);
  close(root);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_copy_it_says_so),
      cmocka_unit_test(an_edit_is_held_against_the_verified_copy),
      cmocka_unit_test(blanks_and_line_ends_are_no_difference),
      cmocka_unit_test(read_is_not_verified),
      cmocka_unit_test(a_changed_copy_counts_for_nothing),
      cmocka_unit_test(the_last_verified_copy_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
