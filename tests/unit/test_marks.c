/* tests/unit/test_marks.c - a mark holds for exactly the text that was read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/ops/marks.h"
#include "core/store/reviewed.h"
#include "tests/support/fixture.h"

#define READER "7f3a91c2-auth"

static const struct bt_session *reader(const struct bt_snapshot *snapshot) {
  return bt_snapshot_session(snapshot, READER);
}

static void a_mark_is_bound_to_the_text(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_snapshot *snapshot = fixture_load(fixture);
  struct bt_kept_copy copy;
  struct bt_str kept;
  assert_false(reader(snapshot)->capture->reviewed);
  assert_int_equal(bt_marks_review(&fixture->env, reader(snapshot), true, NULL), BT_OK);
  bt_str_init(&kept, 1 << 20);
  assert_int_equal(bt_reviewed_copy(&fixture->env, READER, NULL, &kept, &copy, NULL), BT_OK);
  assert_int_equal(copy.kind, BT_COPY_VERIFIED);
  assert_string_equal(kept.data, reader(snapshot)->capture->text);
  bt_snapshot_free(snapshot);
  snapshot = fixture_load(fixture);
  assert_true(reader(snapshot)->capture->reviewed);
  bt_snapshot_free(snapshot);
  fixture_write(fixture, ".adlc/handoffs/content/" READER ".md", "other words\n");
  snapshot = fixture_load(fixture);
  assert_false(reader(snapshot)->capture->reviewed);
  /* what was verified is still there to be held against it */
  assert_int_equal(bt_reviewed_copy(&fixture->env, READER, NULL, &kept, &copy, NULL), BT_OK);
  assert_int_not_equal(strcmp(kept.data, reader(snapshot)->capture->text), 0);
  assert_int_equal(bt_marks_review(&fixture->env, reader(snapshot), true, NULL), BT_OK);
  bt_snapshot_free(snapshot);
  snapshot = fixture_load(fixture);
  assert_true(reader(snapshot)->capture->reviewed);
  assert_int_equal(bt_marks_review(&fixture->env, reader(snapshot), false, NULL), BT_OK);
  bt_snapshot_free(snapshot);
  snapshot = fixture_load(fixture);
  assert_false(reader(snapshot)->capture->reviewed);
  fixture->env.readonly = true;
  assert_int_equal(bt_marks_review(&fixture->env, reader(snapshot), true, NULL), BT_READONLY);
  bt_snapshot_free(snapshot);
  bt_str_dispose(&kept);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_mark_is_bound_to_the_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
