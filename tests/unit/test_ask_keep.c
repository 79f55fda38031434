/* tests/unit/test_ask_keep.c - the note of an acknowledgement, and another program that has its folder. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/handover/write.h"
#include "tests/support/fixture.h"

static int lock_errno, naps, frees_after, other = -1;

int __wrap_flock(int fd, int operation);
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation) {
  if (lock_errno == 0)
    return __real_flock(fd, operation);
  errno = lock_errno;
  return -1;
}

/* Nobody sleeps; the other program may end meanwhile. */
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left) {
  (void)wanted;
  (void)left;
  if (++naps == frees_after)
    (void)__real_flock(other, LOCK_UN);
  return 0;
}

static void hold(const struct fixture *fixture) {
  char path[1200];
  (void)snprintf(path, sizeof path, "%s/" BT_ASK_KEEP_FOLDER, fixture->env.state_dir);
  other = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_true(other >= 0);
  assert_int_equal(__real_flock(other, LOCK_EX), 0);
}

static enum bt_code note(const struct fixture *fixture, uint64_t ordinal, struct bt_error *err) {
  struct bt_ask_keep keep = {.window_ordinal = ordinal};
  bt_ask_keep_add(keep.acked, &keep.acked_count, ordinal);
  return bt_ask_keep_write(fixture->env.state_dir, "s1", &keep, err);
}

static size_t noted(const struct fixture *fixture) {
  struct bt_ask_keep keep;
  bt_ask_keep_read(fixture->env.state_dir, "s1", &keep);
  return keep.acked_count;
}

static void waits_for_another_writer(void **state) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  (void)state;
  lock_errno = naps = 0;
  assert_int_equal(note(fixture, 1, NULL), BT_OK);
  hold(fixture);
  frees_after = 3;
  assert_int_equal(note(fixture, 2, NULL), BT_OK);
  assert_int_equal(naps, 3);
  assert_int_equal(noted(fixture), 2);
  close(other);
  fixture_free(fixture);
}

static void but_not_for_ever(void **state) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  struct bt_error err = {0};
  (void)state;
  lock_errno = naps = frees_after = 0;
  assert_int_equal(note(fixture, 1, NULL), BT_OK);
  hold(fixture);
  assert_int_equal(note(fixture, 2, &err), BT_BUSY);
  assert_int_equal(err.code, BT_BUSY);
  assert_int_equal(naps, 250); /* of 20 ms */
  assert_int_equal(noted(fixture), 1);
  close(other);
  assert_int_equal(note(fixture, 2, &err), BT_OK);
  assert_int_equal(noted(fixture), 2);
  fixture_free(fixture);
}

static void what_cannot_be_locked_is_not_written(void **state) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  struct bt_error err = {0};
  (void)state;
  lock_errno = ENOLCK;
  naps = 0;
  assert_int_equal(note(fixture, 1, &err), BT_IO);
  assert_int_equal(err.sys_errno, ENOLCK);
  assert_int_equal(naps, 0);
  assert_int_equal(noted(fixture), 0);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_for_another_writer),
      cmocka_unit_test(but_not_for_ever),
      cmocka_unit_test(what_cannot_be_locked_is_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
