/* tests/unit/test_loader.c - snapshots that come from another thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>

#include <cmocka.h>

#include "tests/support/fixture.h"
#include "tui/loader.h"

static struct bt_snapshot *next_snapshot(struct loader *loader) {
  struct pollfd fd = {.fd = loader_fd(loader), .events = POLLIN};
  struct bt_snapshot *snapshot = NULL;
  struct bt_error err;
  assert_int_equal(poll(&fd, 1, 20000), 1);
  assert_int_equal(loader_take(loader, &snapshot, &err), LOADER_SNAPSHOT);
  return snapshot;
}

static void test_quick_first_then_git(void **state) {
  (void)state;
  struct bt_error err;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  assert_non_null(fixture);
  struct loader *loader = loader_new(&fixture->env, NULL, &err);
  struct bt_snapshot *snapshot = NULL;
  assert_non_null(loader);
  assert_int_equal(loader_take(loader, &snapshot, &err), LOADER_NOTHING);
  loader_ask(loader, false);
  snapshot = next_snapshot(loader);
  assert_false(snapshot->repo.known);
  assert_in_range(snapshot->session_count, 10, 100);
  bt_snapshot_free(snapshot);
  loader_ask(loader, true);
  bool git_spoke = false;
  for (int i = 0; i < 2 && !git_spoke; i++) { /* the quick one may have been overtaken unseen */
    snapshot = next_snapshot(loader);
    git_spoke = snapshot->repo.known;
    bt_snapshot_free(snapshot);
  }
  assert_true(git_spoke);
  loader_free(loader);
  fixture_free(fixture);
}

static void test_what_nobody_took_is_freed(void **state) {
  (void)state;
  struct bt_error err;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct loader *loader = loader_new(&fixture->env, NULL, &err);
  assert_non_null(loader);
  for (int i = 0; i < 20; i++)
    loader_ask(loader, i % 3 == 0);
  bt_snapshot_free(next_snapshot(loader));
  loader_ask(loader, true);
  loader_free(loader); /* in the middle of it */
  loader_free(NULL);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quick_first_then_git),
      cmocka_unit_test(test_what_nobody_took_is_freed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
