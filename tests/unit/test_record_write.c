/* tests/unit/test_record_write.c - who holds a range of the store's lock, and what is swept as left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/records/write.h"
#include "tests/support/fixture.h"

struct place {
  struct fixture *fixture;
  int root;
};

static int set_up(void **state) {
  struct place *place = calloc(1, sizeof *place);
  assert_non_null(place);
  place->fixture = fixture_new(FIXTURE_EMPTY);
  place->root = bt_fs_open_root(place->fixture->root, NULL);
  assert_true(place->root >= 0);
  *state = place;
  return 0;
}

static int tear_down(void **state) {
  struct place *place = *state;
  close(place->root);
  fixture_free(place->fixture);
  free(place);
  return 0;
}

static enum bt_code take(struct bt_store_lock *lock, const struct place *place, int64_t range) {
  return bt_store_lock_take(lock, place->root, range, false, NULL);
}

/* What another process is told. */
static enum bt_code take_elsewhere(const struct place *place, int64_t range) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    struct bt_store_lock lock = {.fd = -1};
    _exit((int)take(&lock, place, range));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return (enum bt_code)WEXITSTATUS(status);
}

static void a_range_is_held_once_in_a_process_too(void **state) {
  const struct place *place = *state;
  struct bt_store_lock one = {.fd = -1}, two = {.fd = -1};
  assert_int_equal(take(&one, place, 7), BT_OK);
  assert_false(one.is_weak);
  assert_int_equal(take(&two, place, 7), BT_BUSY);
  assert_int_equal(take(&two, place, 8), BT_OK); /* another range is free */
  bt_store_lock_release(&two);                   /* closes the same file: the first one's range stays held */
  assert_int_equal(take(&two, place, 7), BT_BUSY);
  assert_int_equal(take_elsewhere(place, 7), BT_BUSY);
  assert_int_equal(take_elsewhere(place, 8), BT_OK);
  bt_store_lock_release(&one);
  assert_int_equal(take(&two, place, 7), BT_OK);
  bt_store_lock_release(&two);
}

static bool is_there(const struct place *place, const char *name) {
  struct bt_fs_stat found;
  bt_fs_stat_at(place->root, name, &found);
  return found.kind == BT_FS_FILE;
}

struct left {
  char living[80], dead[80];
};

/* A temporary of this living process and one of a process that is no more; files that only look like it. */
static struct left leave(const struct place *place) {
  static const char *const others[] = {".mine.tmp", ".x.1.0123.tmp", ".x.one.0123456789abcdef.tmp",
                                       ".x..0123456789abcdef.tmp", "x.1.0123456789abcdef.tmp"};
  struct left left;
  pid_t gone = fork();
  if (gone == 0)
    _exit(0);
  assert_int_equal(waitpid(gone, NULL, 0), gone);
  snprintf(left.living, sizeof left.living, ".INDEX.json.%ld.0123456789abcdef.tmp", (long)getpid());
  snprintf(left.dead, sizeof left.dead, ".INDEX.json.%ld.0123456789abcdef.tmp", (long)gone);
  fixture_write(place->fixture, left.living, "");
  fixture_write(place->fixture, left.dead, "");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    fixture_write(place->fixture, others[i], "");
  return left;
}

static void assert_others_stay(const struct place *place) {
  assert_true(is_there(place, ".mine.tmp"));
  assert_true(is_there(place, ".x.1.0123.tmp"));
  assert_true(is_there(place, ".x.one.0123456789abcdef.tmp"));
  assert_true(is_there(place, ".x..0123456789abcdef.tmp"));
  assert_true(is_there(place, "x.1.0123456789abcdef.tmp"));
}

static void without_a_lock_the_process_decides(void **state) {
  const struct place *place = *state;
  struct bt_store_lock none = {.fd = -1}, weak = {.fd = -1};
  struct left left = leave(place);
  assert_true(bt_write_was_cut_short(place->root, &none));
  bt_write_sweep(place->root, &none);
  assert_true(is_there(place, left.living));
  assert_false(is_there(place, left.dead));
  assert_false(bt_write_was_cut_short(place->root, &none));
  assert_int_equal(take(&weak, place, BT_LOCK_STORE), BT_OK);
  weak.is_weak = true;
  bt_write_sweep(place->root, &weak);
  bt_store_lock_release(&weak);
  assert_true(is_there(place, left.living));
  assert_others_stay(place);
}

/* A number may live again, as somebody else: behind the lock every such file is left over. */
static void behind_the_lock_nobody_lives(void **state) {
  const struct place *place = *state;
  struct bt_store_lock lock = {.fd = -1};
  struct left left = leave(place);
  assert_int_equal(take(&lock, place, BT_LOCK_STORE), BT_OK);
  assert_true(bt_write_was_cut_short(place->root, &lock));
  bt_write_sweep(place->root, &lock);
  assert_false(is_there(place, left.living) || is_there(place, left.dead));
  assert_false(bt_write_was_cut_short(place->root, &lock));
  bt_store_lock_release(&lock);
  assert_others_stay(place);
}

/* What a writer makes is what a sweep knows. */
static void a_draft_that_was_dropped_by_its_process_is_swept(void **state) {
  const struct place *place = *state;
  struct bt_store_lock none = {.fd = -1};
  int status;
  pid_t child = fork();
  if (child == 0) {
    struct bt_draft draft;
    _exit(bt_draft_begin(&draft, place->root, "manifest.json", 0666, NULL) == BT_OK ? 0 : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_true(bt_write_was_cut_short(place->root, &none));
  bt_write_sweep(place->root, &none);
  assert_false(bt_write_was_cut_short(place->root, &none));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_range_is_held_once_in_a_process_too, set_up, tear_down),
      cmocka_unit_test_setup_teardown(without_a_lock_the_process_decides, set_up, tear_down),
      cmocka_unit_test_setup_teardown(behind_the_lock_nobody_lives, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_draft_that_was_dropped_by_its_process_is_swept, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
