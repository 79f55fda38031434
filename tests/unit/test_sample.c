/* tests/unit/test_sample.c - the sample ledger is written whole, signed, and never over another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/ops/sample.h"
#include "core/store/chain_forest.h"
#include "core/store/load.h"
#include "core/store/sample.h"
#include "tests/support/fixture.h"

static struct fixture *fixture;

static int begin_sample(void **state) {
  (void)state;
  fixture = fixture_new(FIXTURE_SAMPLE);
  return fixture == NULL;
}
static int begin_none(void **state) {
  (void)state;
  fixture = fixture_new(FIXTURE_NONE);
  return fixture == NULL;
}
static int end(void **state) {
  (void)state;
  fixture_free(fixture);
  return 0;
}

static enum bt_code write_sample(struct bt_error *err) {
  struct bt_sample_world world;
  bt_sample_world_of(&fixture->env, &world);
  return bt_sample_write(&fixture->env, &world, err);
}

static void is_marked_and_brings_its_key(void **state) {
  (void)state;
  bool published = false;
  int dir = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  assert_true(bt_sample_is(dir, &published));
  assert_true(published);
  close(dir);
  assert_string_equal(bt_sample_key_for(fixture->env.ledger_dir), BT_SAMPLE_KEY);
  fixture_write(fixture, ".adlc/" BT_SAMPLE_MARK, "{\"baton_sample\":\"true\"}");
  assert_null(bt_sample_key_for(fixture->env.ledger_dir));
  fixture_remove(fixture, ".adlc/" BT_SAMPLE_MARK);
  assert_null(bt_sample_key_for(fixture->env.ledger_dir));
  assert_false(bt_sample_is(-1, NULL));
}

static void never_over_another_ledger(void **state) {
  (void)state;
  struct bt_error err = {0};
  char before[65], after[65];
  fixture_tree_hash(fixture, before);
  assert_int_equal(write_sample(&err), BT_STATE);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
}

static void read_only_writes_none(void **state) {
  (void)state;
  fixture->env.readonly = true;
  assert_int_equal(write_sample(NULL), BT_READONLY);
  assert_int_not_equal(access(fixture->env.ledger_dir, F_OK), 0);
}

static void signed_with_the_key_that_is_set(void **state) {
  (void)state;
  struct bt_snapshot *snapshot;
  fixture->env.key = "own key";
  fixture->env.key_length = 7;
  fixture->env.key_is_sample = false;
  assert_int_equal(write_sample(NULL), BT_OK);
  assert_null(bt_sample_key_for(fixture->env.ledger_dir));
  assert_int_equal(bt_store_load(&fixture->env, 0, NULL, &snapshot, NULL), BT_OK);
  assert_int_equal(bt_snapshot_session(snapshot, "e4419d02")->auth->signature, BT_SIG_VERIFIED);
  bt_snapshot_free(snapshot);
}

static void equal_worlds_give_equal_bytes(void **state) {
  (void)state;
  char first[65], second[65];
  struct fixture *other = fixture_new(FIXTURE_SAMPLE);
  assert_non_null(other);
  fixture_tree_hash(fixture, first);
  fixture_tree_hash(other, second);
  fixture_free(other);
  assert_string_equal(first, second);
}

static void the_evidence_verifies(void **state) {
  (void)state;
  struct bt_forest forest;
  const struct bt_forest_options options = {.key = {BT_SAMPLE_KEY, strlen(BT_SAMPLE_KEY)}, .keep_going = true};
  int dir = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  assert_int_equal(bt_forest_check(dir, &options, &forest, NULL), BT_OK);
  assert_true(forest.ok);
  assert_true(forest.count >= 3);
  for (size_t i = 0; i < forest.count; i++) {
    assert_int_equal(forest.chains[i].result.signed_good, forest.chains[i].result.entries);
    assert_true(forest.chains[i].result.entries > 0);
  }
  bt_forest_dispose(&forest);
  close(dir);
}

static void the_template_is_checked(void **state) {
  (void)state;
  struct bt_sample_entry entries[BT_SAMPLE_ENTRY_MAX];
  size_t count;
  static const char *const bad[] = {
      "", "no entries", "x\n@@ file", "x\n@@ file a 5x\n", "x\n@@ folder a 5m\n", "x\n@@ segment a 5m\n"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    assert_int_equal(bt_sample_split(bt_slice_of(bad[i]), entries, &count, NULL), BT_CORRUPT);
  assert_int_equal(bt_sample_split(bt_slice_of("x\n@@ file a 5m\none\n@@ file b 1d\n"), entries, &count, NULL), BT_OK);
  assert_int_equal(count, 2);
  assert_int_equal(entries[0].age_ms, 300000);
  assert_true(bt_slice_equals(entries[0].text, "one\n"));
  assert_int_equal(entries[1].text.length, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(is_marked_and_brings_its_key, begin_sample, end),
                                     cmocka_unit_test_setup_teardown(never_over_another_ledger, begin_sample, end),
                                     cmocka_unit_test_setup_teardown(the_evidence_verifies, begin_sample, end),
                                     cmocka_unit_test_setup_teardown(equal_worlds_give_equal_bytes, begin_sample, end),
                                     cmocka_unit_test_setup_teardown(read_only_writes_none, begin_none, end),
                                     cmocka_unit_test_setup_teardown(signed_with_the_key_that_is_set, begin_none, end),
                                     cmocka_unit_test(the_template_is_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
