/* tests/unit/test_bulk.c - a bulk unlock on a real ledger: each lock by its own plan, the trash, the log, the third failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "core/ops/actionlog.h"
#include "tests/support/fixture.h"
#include "tui/bulk.h"

#define TEN 10

static bool there(const struct fixture *fixture, const char *path) {
  char full[1024];
  struct stat info;
  snprintf(full, sizeof(full), "%s/%s", fixture->root, path);
  return lstat(full, &info) == 0;
}

/* A lock of a process of this host that is gone. */
static void write_stale(struct fixture *fixture, int number) {
  char path[128], text[512];
  snprintf(path, sizeof(path), ".adlc/handoffs/gone-%02d.lock", number);
  snprintf(text, sizeof(text),
           "{\"schema\":1,\"session_id\":\"gone-%02d\",\"pid\":48211,\"started_at\":\"2026-10-09T12:20:07.000Z\","
           "\"host\":\"build-07\",\"nonce\":\"8e1f0c44a9d2b3%02d\"}\n",
           number, number);
  fixture_write(fixture, path, text);
}

static size_t log_lines(const struct fixture *fixture, const char *word) {
  char full[1024], row[8192];
  size_t count = 0;
  snprintf(full, sizeof(full), "%s/%s", fixture->env.state_dir, BT_ACTIONLOG_NAME);
  FILE *file = fopen(full, "r");
  while (file && fgets(row, sizeof(row), file))
    count += strstr(row, word) != NULL;
  if (file)
    fclose(file);
  return count;
}

struct box {
  struct fixture *fixture;
  struct bt_snapshot *snapshot;
  struct bulk bulk;
  bool locks[64], sessions[64];
};

static void open_box(struct box *box, bool all) {
  *box = (struct box){.fixture = fixture_new(FIXTURE_SAMPLE)};
  for (int i = 0; i < TEN; i++)
    write_stale(box->fixture, i);
  box->snapshot = fixture_load(box->fixture);
  assert_in_range(box->snapshot->lock_count, TEN, 60);
  for (size_t i = 0; i < box->snapshot->lock_count; i++)
    box->locks[i] = all || strncmp(box->snapshot->locks[i].name, "gone-", 5) == 0;
  assert_true(bulk_open(&box->bulk, box->snapshot, box->sessions, box->locks));
}

static void close_box(struct box *box) {
  bulk_close(&box->bulk);
  bt_snapshot_free(box->snapshot);
  fixture_free(box->fixture);
}

static size_t with_fate(const struct box *box, enum bt_bulk_fate fate) {
  return bt_bulk_count(box->bulk.lines, box->bulk.count).of[fate];
}

static void test_stale_ones_go_and_nothing_else(void **state) {
  struct box box;
  (void)state;
  open_box(&box, true);
  bulk_plan_all(&box.bulk, &box.fixture->env);
  size_t would = with_fate(&box, BT_BULK_WOULD), refused = with_fate(&box, BT_BULK_REFUSED);
  assert_int_equal(would, TEN + 1);
  assert_int_equal(would + refused, box.snapshot->lock_count);
  bulk_execute_all(&box.bulk, &box.fixture->env);
  assert_int_equal(with_fate(&box, BT_BULK_REMOVED), would);
  assert_int_equal(with_fate(&box, BT_BULK_REFUSED), refused);
  for (size_t i = 0; i < box.snapshot->lock_count; i++) {
    const struct bt_lock *lock = &box.snapshot->locks[i];
    char path[256];
    snprintf(path, sizeof(path), ".adlc/%s", lock->path);
    assert_int_equal(there(box.fixture, path), lock->verdict != BT_LOCK_STALE);
  }
  assert_int_equal(log_lines(box.fixture, "\"verdict\":\"done\""), would);
  assert_int_equal(log_lines(box.fixture, "\"trash\""), would);
  assert_int_equal(log_lines(box.fixture, "refused"), 0); /* what was refused on sight was not tried */
  close_box(&box);
}

/* Between the list and the confirmation the locks have changed: each is looked at again, and three are enough. */
static void test_it_stops_after_three_failures_in_a_row(void **state) {
  struct box box;
  (void)state;
  open_box(&box, false);
  bulk_plan_all(&box.bulk, &box.fixture->env);
  assert_int_equal(with_fate(&box, BT_BULK_WOULD), TEN);
  for (int i = 0; i < TEN; i++) {
    char path[128];
    snprintf(path, sizeof(path), ".adlc/handoffs/gone-%02d.lock", i);
    fixture_write(box.fixture, path, "{\"schema\":1}\n");
  }
  bulk_execute_all(&box.bulk, &box.fixture->env);
  assert_int_equal(with_fate(&box, BT_BULK_FAILED), BULK_FAILURES_MAX);
  assert_int_equal(with_fate(&box, BT_BULK_NOT_TRIED), TEN - BULK_FAILURES_MAX);
  assert_int_equal(log_lines(box.fixture, "\"unlock\""), BULK_FAILURES_MAX);
  for (int i = 0; i < TEN; i++) {
    char path[128];
    snprintf(path, sizeof(path), ".adlc/handoffs/gone-%02d.lock", i);
    assert_true(there(box.fixture, path));
  }
  close_box(&box);
}

static void test_a_success_between_starts_the_count_anew(void **state) {
  struct box box;
  size_t at, tried = 0;
  const struct bt_receipt done = {.human = "done"};
  struct bt_error err;
  (void)state;
  (void)bt_error_set(&err, BT_IO, "lock", "cannot be removed");
  open_box(&box, false);
  bulk_plan_all(&box.bulk, &box.fixture->env);
  while (bulk_next(&box.bulk, &at)) {
    bool works = tried++ % 3 == 2;
    bulk_executed(&box.bulk, at, works ? &done : NULL, &err);
  }
  assert_int_equal(tried, TEN);
  assert_int_equal(with_fate(&box, BT_BULK_NOT_TRIED), 0);
  assert_string_equal(box.bulk.lines[0].words, "cannot be removed");
  close_box(&box);
}

static void test_a_lock_that_changes_is_another_list(void **state) {
  struct box box;
  struct bt_str before, after;
  (void)state;
  bt_str_init(&before, 1 << 20);
  bt_str_init(&after, 1 << 20);
  open_box(&box, false);
  bulk_plan_all(&box.bulk, &box.fixture->env);
  bulk_facts(&box.bulk, &before);
  assert_true(bulk_open(&box.bulk, box.snapshot, box.sessions, box.locks));
  bulk_plan_all(&box.bulk, &box.fixture->env);
  bulk_facts(&box.bulk, &after);
  assert_string_equal(before.data, after.data);
  fixture_remove(box.fixture, ".adlc/handoffs/gone-03.lock");
  assert_true(bulk_open(&box.bulk, box.snapshot, box.sessions, box.locks));
  bulk_plan_all(&box.bulk, &box.fixture->env);
  bulk_facts(&box.bulk, &after);
  assert_string_not_equal(before.data, after.data);
  assert_int_equal(with_fate(&box, BT_BULK_REFUSED), 1);
  bt_str_dispose(&before);
  bt_str_dispose(&after);
  close_box(&box);
}

static void test_read_only_refuses_each(void **state) {
  struct box box;
  (void)state;
  open_box(&box, false);
  box.fixture->env.readonly = true;
  bulk_plan_all(&box.bulk, &box.fixture->env);
  assert_int_equal(with_fate(&box, BT_BULK_REFUSED), TEN);
  bulk_execute_all(&box.bulk, &box.fixture->env);
  assert_int_equal(log_lines(box.fixture, "unlock"), 0);
  assert_true(there(box.fixture, ".adlc/handoffs/gone-00.lock"));
  close_box(&box);
}

/* The manifest's own lock is one of ours; git's is another program's, however stale. */
static void test_other_kinds_of_locks(void **state) {
  struct box box = {.fixture = fixture_new(FIXTURE_SAMPLE)};
  (void)state;
  fixture_write(box.fixture, ".adlc/manifest.jsonl.lock",
                "{\"version\":1,\"token\":\"8e1f0c44a9d2b310\",\"pid\":48211,\"hostname\":\"build-07\","
                "\"startedAt\":\"2026-10-09T12:20:14.031Z\"}\n");
  fixture_write(box.fixture, ".git/index.lock", "");
  box.snapshot = fixture_load(box.fixture);
  size_t git = 0;
  for (size_t i = 0; i < box.snapshot->lock_count; i++) {
    box.locks[i] = box.snapshot->locks[i].kind == BT_LOCK_LEDGER || box.snapshot->locks[i].kind == BT_LOCK_GIT;
    git += box.snapshot->locks[i].kind == BT_LOCK_GIT;
  }
  assert_true(bulk_open(&box.bulk, box.snapshot, NULL, box.locks));
  assert_int_equal(git, 1);
  assert_int_equal(box.bulk.count, 1 + git);
  bulk_plan_all(&box.bulk, &box.fixture->env);
  bulk_execute_all(&box.bulk, &box.fixture->env);
  assert_int_equal(with_fate(&box, BT_BULK_REMOVED), 1);
  assert_int_equal(with_fate(&box, BT_BULK_REFUSED), git);
  assert_false(there(box.fixture, ".adlc/manifest.jsonl.lock"));
  assert_true(there(box.fixture, ".git/index.lock"));
  close_box(&box);
}

static void test_the_summary_leaves_out_what_there_is_none_of(void **state) {
  char text[BT_BULK_SUMMARY];
  const struct bt_bulk_line lines[] = {
      {.fate = BT_BULK_REFUSED}, {.fate = BT_BULK_REMOVED}, {.fate = BT_BULK_REMOVED}, {.fate = BT_BULK_NOT_TRIED}};
  (void)state;
  bt_bulk_summary(text, lines, 4);
  assert_string_equal(text, "2 removed, 1 refused, 1 not tried");
  bt_bulk_summary(text, lines, 0);
  assert_string_equal(text, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stale_ones_go_and_nothing_else),
      cmocka_unit_test(test_it_stops_after_three_failures_in_a_row),
      cmocka_unit_test(test_a_success_between_starts_the_count_anew),
      cmocka_unit_test(test_a_lock_that_changes_is_another_list),
      cmocka_unit_test(test_read_only_refuses_each),
      cmocka_unit_test(test_other_kinds_of_locks),
      cmocka_unit_test(test_the_summary_leaves_out_what_there_is_none_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
