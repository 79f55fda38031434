/* tests/unit/test_watch.c - changes that must be noticed, by events and by the poll, and noise that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/fixture.h"
#include "tui/watch.h"

struct bench {
  struct fixture *fixture;
  struct watch *watch;
};

static void open_watch(struct bench *bench, enum fixture_kind kind, bool use_inotify) {
  struct bt_error err;
  bench->fixture = fixture_new(kind);
  assert_non_null(bench->fixture);
  bench->watch = watch_new(bench->fixture->root, bench->fixture->env.ledger_dir, use_inotify, &err);
  assert_non_null(bench->watch);
  if (use_inotify && !watch_healthy(bench->watch)) {
    print_message("skipped: no inotify here\n");
    watch_free(bench->watch);
    fixture_free(bench->fixture);
    skip();
  }
}

static void close_watch(struct bench *bench) {
  watch_free(bench->watch);
  fixture_free(bench->fixture);
}

/* The kernel queues an event before the call that caused it returns; the limit is only for a hanging test. */
static bool event_comes(const struct bench *bench) {
  struct pollfd fd = {.fd = watch_fd(bench->watch), .events = POLLIN};
  return poll(&fd, 1, 200) == 1 && watch_read(bench->watch);
}

static void test_writers_are_noticed(void **state) {
  (void)state;
  struct bench bench;
  char from[1024], to[1024];
  open_watch(&bench, FIXTURE_SAMPLE, true);
  fixture_write(bench.fixture, ".adlc/handoffs/denies/new.json", "{}");
  assert_true(event_comes(&bench));
  assert_false(event_comes(&bench));
  fixture_append(bench.fixture, ".adlc/handoffs/denies/new.json", "x");
  assert_true(event_comes(&bench));
  fixture_remove(bench.fixture, ".adlc/handoffs/denies/new.json");
  assert_true(event_comes(&bench));
  fixture_write(bench.fixture, "outside.json", "{}"); /* a writer renames into place */
  assert_false(event_comes(&bench));
  snprintf(from, sizeof(from), "%s/outside.json", bench.fixture->root);
  snprintf(to, sizeof(to), "%s/.adlc/handoffs/finals/new.json", bench.fixture->root);
  assert_int_equal(rename(from, to), 0);
  assert_true(event_comes(&bench));
  close_watch(&bench);
}

static void test_the_work_tree_is_noise(void **state) {
  (void)state;
  struct bench bench;
  open_watch(&bench, FIXTURE_SAMPLE, true);
  fixture_write(bench.fixture, "main.c", "int main(void) {}\n");
  assert_false(event_comes(&bench));
  fixture_write(bench.fixture, ".git/objects", "x");
  assert_true(event_comes(&bench)); /* .git itself is new */
  (void)event_comes(&bench);
  (void)watch_poll(bench.watch);
  fixture_write(bench.fixture, ".git/index", "x");
  assert_false(event_comes(&bench));
  fixture_write(bench.fixture, ".git/index.lock", "");
  assert_true(event_comes(&bench));
  close_watch(&bench);
}

static void test_folders_that_come_and_go(void **state) {
  (void)state;
  struct bench bench;
  open_watch(&bench, FIXTURE_NONE, true);
  fixture_write(bench.fixture, ".adlc/handoffs/denies/a.json", "{}");
  assert_true(event_comes(&bench)); /* .adlc is new, and watched from now on with all that is in it */
  while (event_comes(&bench))
    continue;
  fixture_write(bench.fixture, ".adlc/handoffs/denies/b.json", "{}");
  assert_true(event_comes(&bench));
  fixture_remove(bench.fixture, ".adlc");
  assert_true(event_comes(&bench));
  while (event_comes(&bench))
    continue;
  fixture_write(bench.fixture, ".adlc/handoffs/c.lock", "{}");
  assert_true(event_comes(&bench));
  close_watch(&bench);
}

static void test_the_poll_behind_it(void **state) {
  (void)state;
  struct bench bench;
  open_watch(&bench, FIXTURE_SAMPLE, true);
  assert_false(watch_poll(bench.watch));
  fixture_write(bench.fixture, ".adlc/handoffs/denies/new.json", "{}");
  assert_true(watch_poll(bench.watch));
  assert_false(watch_poll(bench.watch));
  close_watch(&bench);
}

static void test_without_inotify_files_are_looked_at(void **state) {
  (void)state;
  struct bench bench;
  open_watch(&bench, FIXTURE_SAMPLE, false);
  assert_int_equal(watch_fd(bench.watch), -1);
  assert_false(watch_healthy(bench.watch));
  assert_false(watch_poll(bench.watch));
  fixture_append(bench.fixture, ".adlc/handoffs/denies/sess-1.json", " "); /* in place: no folder changes */
  assert_true(watch_poll(bench.watch));
  assert_false(watch_poll(bench.watch));
  fixture_remove(bench.fixture, ".adlc");
  assert_true(watch_poll(bench.watch));
  assert_false(watch_poll(bench.watch));
  close_watch(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writers_are_noticed),
      cmocka_unit_test(test_the_work_tree_is_noise),
      cmocka_unit_test(test_folders_that_come_and_go),
      cmocka_unit_test(test_the_poll_behind_it),
      cmocka_unit_test(test_without_inotify_files_are_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
