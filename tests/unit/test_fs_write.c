/* tests/unit/test_fs_write.c - writing: every refusal and every failing step leaves what was there.
 *
 * The calls named in test_fs_write.wrap are replaced: the call that `fault` names fails, or writes short. */
#define _GNU_SOURCE /* O_TMPFILE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "tests/support/scratch.h"

/* ------------------------------------------------------------- faults ------------------------- */

static struct {
  const char *call; /* NULL: none */
  int skip;         /* so many calls succeed before */
  int times;        /* so many calls fail */
  int sys_errno;    /* 0: write only half of it */
  int hits;
} fault;

static bool fails(const char *call) {
  if (fault.call == NULL || strcmp(fault.call, call) != 0 || fault.skip-- > 0 || fault.times-- <= 0) {
    return false;
  }
  fault.hits++;
  errno = fault.sys_errno;
  return true;
}

static void arm(const char *call, int skip, int times, int sys_errno) {
  fault.call = call;
  fault.skip = skip;
  fault.times = times;
  fault.sys_errno = sys_errno;
  fault.hits = 0;
}

static void disarm(void) {
  fault.call = NULL;
}

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to);
int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __real_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode);
int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);

ssize_t __wrap_write(int fd, const void *bytes, size_t length) {
  if (!fails("write")) {
    return __real_write(fd, bytes, length);
  }
  return fault.sys_errno != 0 ? -1 : __real_write(fd, bytes, length / 2);
}

int __wrap_fsync(int fd) {
  return fails("fsync") ? -1 : __real_fsync(fd);
}

int __wrap_renameat(int a, const char *from, int b, const char *to) {
  return fails("renameat") ? -1 : __real_renameat(a, from, b, to);
}

int __wrap_ftruncate(int fd, off_t length) {
  return fails("ftruncate") ? -1 : __real_ftruncate(fd, length);
}

int __wrap_mkdirat(int dir, const char *path, mode_t mode) {
  return fails("mkdirat") ? -1 : __real_mkdirat(dir, path, mode);
}

int __wrap_openat(int dir, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = creates ? va_arg(args, mode_t) : 0;
  va_end(args);
  const char *call = creates ? "create" : "openat";
  return fails(call) ? -1 : __real_openat(dir, path, flags, mode);
}

/* ------------------------------------------------------------- frame -------------------------- */

static int set_up(void **state) {
  struct scratch *scratch = calloc(1, sizeof *scratch);
  assert_non_null(scratch);
  umask(022);
  scratch_make(scratch);
  scratch_folder(scratch, "d");
  scratch_text(scratch, "d/old", "old content");
  *state = scratch;
  return 0;
}

static int tear_down(void **state) {
  disarm();
  scratch_remove(*state);
  free(*state);
  return 0;
}

typedef enum bt_code write_fn(int dir, const char *path, const void *bytes, size_t length, struct bt_error *err);

static enum bt_code put(write_fn *fn, const struct scratch *scratch, const char *path, const char *text,
                        struct bt_error *err) {
  return fn(scratch->dir, path, text, strlen(text), err);
}

/* ------------------------------------------------------------- what works --------------------- */

static void replacing_swaps_the_whole_file(void **state) {
  const struct scratch *scratch = *state;
  struct stat found;
  assert_int_equal(put(bt_fs_replace_at, scratch, "d/old", "new", NULL), BT_OK);
  scratch_expect_text(scratch, "d/old", "new");
  assert_int_equal(put(bt_fs_replace_at, scratch, "x/y/z", "deep", NULL), BT_OK); /* parents are made */
  scratch_expect_text(scratch, "x/y/z", "deep");
  assert_int_equal(put(bt_fs_replace_at, scratch, "d/empty", "", NULL), BT_OK);
  scratch_expect_text(scratch, "d/empty", "");
  assert_int_equal(fstatat(scratch->dir, "x/y/z", &found, 0), 0);
  assert_int_equal(found.st_mode & 07777, 0644); /* 0666 under the umask */
  assert_int_equal(fstatat(scratch->dir, "x", &found, 0), 0);
  assert_int_equal(found.st_mode & 07777, 0755);
  assert_int_equal(scratch_count(scratch, "d"), 2); /* no temporary file stays */
}

static unsigned mode_of(const struct scratch *scratch, const char *path) {
  struct stat found;
  assert_int_equal(fstatat(scratch->dir, path, &found, 0), 0);
  return found.st_mode & 07777;
}

/* Exactly the bits that were asked for, whatever the umask and the old file say. */
static void a_mode_is_exact(void **state) {
  const struct scratch *scratch = *state;
  assert_int_equal(bt_fs_create_as_at(scratch->dir, "d/a", "x", 1, 0666, NULL), BT_OK);
  assert_int_equal(mode_of(scratch, "d/a"), 0666);
  arm("create", 0, 1, EOPNOTSUPP); /* where a file cannot be without a name */
  assert_int_equal(bt_fs_create_as_at(scratch->dir, "d/b", "x", 1, 0666, NULL), BT_OK);
  assert_int_equal(fault.hits, 1);
  assert_int_equal(mode_of(scratch, "d/b"), 0666);
  assert_int_equal(bt_fs_create_as_at(scratch->dir, "d/p", "x", 1, BT_FS_MODE_PRIVATE, NULL), BT_OK);
  assert_int_equal(mode_of(scratch, "d/p"), 0600);
  assert_int_equal(bt_fs_replace_as_at(scratch->dir, "d/old", "x", 1, BT_FS_MODE_PRIVATE, NULL), BT_OK);
  assert_int_equal(mode_of(scratch, "d/old"), 0600);
  assert_int_equal(bt_fs_replace_as_at(scratch->dir, "d/old", "x", 1, 0, NULL), BT_OK);
  assert_int_equal(mode_of(scratch, "d/old"), 0);
  assert_int_equal(put(bt_fs_replace_at, scratch, "d/old", "new", NULL), BT_OK); /* a new one as any other */
  assert_int_equal(mode_of(scratch, "d/old"), 0644);
}

static void a_time_before_the_epoch_is_a_time(void **state) {
  const struct scratch *scratch = *state;
  struct stat found;
  assert_int_equal(bt_fs_set_mtime_at(scratch->dir, "d/old", -1500, NULL), BT_OK);
  assert_int_equal(fstatat(scratch->dir, "d/old", &found, 0), 0);
  assert_int_equal(found.st_mtim.tv_sec, -2);
  assert_int_equal(found.st_mtim.tv_nsec, 500000000);
}

static void creating_is_exclusive(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  assert_int_equal(put(bt_fs_create_at, scratch, "d/lock", "mine", &err), BT_OK);
  assert_int_equal(put(bt_fs_create_at, scratch, "d/lock", "yours", &err), BT_STATE);
  assert_int_equal(err.code, BT_STATE);
  assert_int_equal(err.sys_errno, EEXIST);
  scratch_expect_text(scratch, "d/lock", "mine");
  scratch_link(scratch, "d/dangling", "elsewhere");
  assert_int_equal(put(bt_fs_create_at, scratch, "d/dangling", "x", &err), BT_STATE);
  assert_int_equal(faccessat(scratch->dir, "d/elsewhere", F_OK, 0), -1);
  assert_int_equal(put(bt_fs_create_at, scratch, "n/e/w", "x", &err), BT_OK);
  arm("create", 0, 9, EROFS); /* also where nothing could be created: that it is there comes first, as with O_EXCL */
  assert_int_equal(put(bt_fs_create_at, scratch, "d/lock", "yours", &err), BT_STATE);
  assert_int_equal(err.sys_errno, EEXIST);
  assert_int_equal(put(bt_fs_create_at, scratch, "d/other", "yours", &err), BT_IO);
  assert_int_equal(err.sys_errno, EROFS);
}

static void overwriting_keeps_the_inode(void **state) {
  const struct scratch *scratch = *state;
  struct bt_fs_stat before, after;
  bt_fs_stat_at(scratch->dir, "d/old", &before);
  assert_int_equal(put(bt_fs_overwrite_at, scratch, "d/old", "new", NULL), BT_OK);
  scratch_expect_text(scratch, "d/old", "new");
  assert_int_equal(put(bt_fs_overwrite_at, scratch, "d/old", "longer than before", NULL), BT_OK);
  scratch_expect_text(scratch, "d/old", "longer than before");
  bt_fs_stat_at(scratch->dir, "d/old", &after);
  assert_true(before.inode == after.inode);
  assert_int_equal(put(bt_fs_overwrite_at, scratch, "d/fresh", "made", NULL), BT_OK);
  scratch_expect_text(scratch, "d/fresh", "made");
}

static void appending_adds_at_the_end(void **state) {
  const struct scratch *scratch = *state;
  assert_int_equal(put(bt_fs_append_at, scratch, "d/log", "one\n", NULL), BT_OK);
  assert_int_equal(put(bt_fs_append_at, scratch, "d/log", "two\n", NULL), BT_OK);
  assert_int_equal(put(bt_fs_append_at, scratch, "d/log", "", NULL), BT_OK);
  scratch_expect_text(scratch, "d/log", "one\ntwo\n");
  assert_int_equal(put(bt_fs_append_at, scratch, "none/log", "x", NULL), BT_MISSING);
}

static void names_come_and_go(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  assert_int_equal(bt_fs_rename_at(scratch->dir, "d/old", "moved", NULL), BT_OK);
  scratch_expect_text(scratch, "moved", "old content");
  assert_int_equal(bt_fs_rename_at(scratch->dir, "d/old", "moved", NULL), BT_MISSING);
  assert_int_equal(bt_fs_rename_at(scratch->dir, "moved", "no/where", NULL), BT_MISSING);
  assert_int_equal(bt_fs_unlink_at(scratch->dir, "moved", NULL), BT_OK);
  assert_int_equal(bt_fs_unlink_at(scratch->dir, "moved", &err), BT_MISSING);
  assert_int_equal(err.sys_errno, ENOENT);
  assert_int_equal(bt_fs_unlink_at(scratch->dir, "d", NULL), BT_IO); /* a folder is not unlinked */
  scratch_link(scratch, "link", "d");
  assert_int_equal(bt_fs_unlink_at(scratch->dir, "link", NULL), BT_OK); /* the link itself goes */
  assert_int_equal(faccessat(scratch->dir, "d", F_OK, 0), 0);
}

static void folders_are_made_or_say_what_blocks(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "p/q/r", NULL), BT_OK);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "p/q/r", NULL), BT_OK);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "", NULL), BT_OK);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "d/old", &err), BT_IO);
  assert_int_equal(err.sys_errno, EEXIST);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "d/old/x", &err), BT_IO);
  assert_int_equal(err.sys_errno, ENOTDIR);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "d/old/x/y", &err), BT_IO);
  assert_int_equal(err.sys_errno, ENOTDIR);
  scratch_link(scratch, "link", "d");
  scratch_link(scratch, "dangling", "nowhere");
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "link", &err), BT_UNSAFE);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "link/x", &err), BT_UNSAFE);
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "dangling/x", &err), BT_UNSAFE);
  assert_int_equal(scratch_count(scratch, "d"), 1);
  /* The parents of a file follow mkdir -p of its folder. */
  assert_int_equal(put(bt_fs_create_at, scratch, "d/old/x", "", &err), BT_IO);
  assert_int_equal(err.sys_errno, EEXIST);
  assert_int_equal(put(bt_fs_create_at, scratch, "d/old/x/y", "", &err), BT_IO);
  assert_int_equal(err.sys_errno, ENOTDIR);
}

/* ------------------------------------------------------------- what is refused ---------------- */

static void only_plain_files_are_written(void **state) {
  const struct scratch *scratch = *state;
  static write_fn *const writers[] = {bt_fs_replace_at, bt_fs_overwrite_at, bt_fs_append_at};
  scratch_link(scratch, "to-old", "d/old");
  scratch_link(scratch, "to-none", "d/none");
  scratch_link(scratch, "to-d", "d");
  scratch_fifo(scratch, "fifo");
  scratch_socket(scratch, "socket");
  const struct {
    const char *path;
    int sys_errno;
  } rows[] = {{"to-old", ELOOP},     {"to-none", ELOOP}, {"to-d/old", ELOOP}, {"to-d/new", ELOOP}, {"d", EISDIR},
              {"../escape", EINVAL}, {"d/../x", EINVAL}, {"/tmp/x", EINVAL},  {"fifo", 0},         {"socket", 0}};
  size_t entries = scratch_count(scratch, ".");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t j = 0; j < sizeof writers / sizeof *writers; j++) {
      struct bt_error err;
      assert_int_equal(put(writers[j], scratch, rows[i].path, "evil", &err), BT_UNSAFE);
      assert_int_equal(put(writers[j], scratch, rows[i].path, "evil", NULL), BT_UNSAFE);
      assert_true(rows[i].sys_errno == 0 || err.sys_errno == rows[i].sys_errno);
    }
  }
  scratch_expect_text(scratch, "d/old", "old content");
  assert_int_equal(scratch_count(scratch, "d"), 1);
  assert_int_equal(scratch_count(scratch, "."), entries);
}

/* ------------------------------------------------------------- what fails on the way ---------- */

/* Lets each call of `call` fail in turn; after every failure the folder must be as before. */
static void fail_each(const struct scratch *scratch, write_fn *fn, const char *path, const char *call, int sys_errno,
                      const char *prior) {
  for (int skip = 0;; skip++) {
    struct bt_error err = {.code = BT_OK};
    size_t entries = scratch_count(scratch, "d");
    arm(call, skip, 1, sys_errno);
    enum bt_code code = put(fn, scratch, path, "the new content", &err);
    int hits = fault.hits;
    disarm();
    if (hits == 0) {
      assert_int_equal(code, BT_OK);
      assert_true(skip > 0); /* at least one call was there to fail */
      break;
    }
    assert_int_equal(code, err.code);
    assert_int_not_equal(code, BT_OK);
    assert_int_equal(err.sys_errno, sys_errno);
    assert_int_equal(scratch_count(scratch, "d"), entries);
    if (prior != NULL) {
      scratch_expect_text(scratch, path, prior);
    } else {
      assert_int_equal(faccessat(scratch->dir, path, F_OK, 0), -1);
    }
  }
  scratch_text(scratch, "d/old", "old content");
  (void)unlinkat(scratch->dir, "d/new", 0);
}

static void a_failing_step_leaves_the_old_file(void **state) {
  const struct scratch *scratch = *state;
  static const char *const calls[] = {"write", "fsync", "renameat", "create"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    fail_each(scratch, bt_fs_replace_at, "d/old", calls[i], EIO, "old content");
    fail_each(scratch, bt_fs_replace_at, "d/new", calls[i], ENOSPC, NULL);
  }
  fail_each(scratch, bt_fs_create_at, "d/new", "write", ENOSPC, NULL);
  fail_each(scratch, bt_fs_create_at, "d/new", "fsync", EIO, NULL);
  fail_each(scratch, bt_fs_create_at, "d/new", "create", EACCES, NULL);
  fail_each(scratch, bt_fs_overwrite_at, "d/old", "write", ENOSPC, "old content");
  fail_each(scratch, bt_fs_overwrite_at, "d/old", "ftruncate", EIO, "old content");
  fail_each(scratch, bt_fs_overwrite_at, "d/old", "fsync", EIO, "old content");
  fail_each(scratch, bt_fs_overwrite_at, "d/new", "write", ENOSPC, NULL);
  fail_each(scratch, bt_fs_append_at, "d/old", "write", ENOSPC, "old content");
  fail_each(scratch, bt_fs_append_at, "d/old", "fsync", EIO, "old content");
  fail_each(scratch, bt_fs_append_at, "d/new", "write", ENOSPC, NULL);
  fail_each(scratch, bt_fs_append_at, "d/new", "fsync", EIO, NULL);
}

static void short_writes_and_interruptions_are_finished(void **state) {
  const struct scratch *scratch = *state;
  arm("write", 0, 3, 0);
  assert_int_equal(put(bt_fs_replace_at, scratch, "d/old", "a text of some length", NULL), BT_OK);
  assert_int_equal(fault.hits, 3);
  disarm();
  scratch_expect_text(scratch, "d/old", "a text of some length");
  arm("write", 0, 2, EINTR);
  assert_int_equal(put(bt_fs_create_at, scratch, "d/new", "text", NULL), BT_OK);
  arm("write", 0, 2, EINTR);
  assert_int_equal(put(bt_fs_append_at, scratch, "d/new", "more", NULL), BT_OK);
  arm("openat", 0, 1, EINTR);
  struct bt_str out;
  bt_str_init(&out, 100);
  assert_int_equal(bt_fs_read_at(scratch->dir, "d/new", &out, NULL), BT_OK);
  assert_int_equal(fault.hits, 1);
  disarm();
  bt_str_dispose(&out);
  scratch_expect_text(scratch, "d/new", "textmore");
}

static void a_short_append_is_cut_off_again(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  arm("write", 0, 1, 0);
  assert_int_equal(put(bt_fs_append_at, scratch, "d/old", "half of this", &err), BT_IO);
  disarm();
  scratch_expect_text(scratch, "d/old", "old content");
  arm("write", 0, 1, ENOSPC); /* a new file has no name before it is whole */
  assert_int_equal(put(bt_fs_append_at, scratch, "d/new", "half of this", &err), BT_IO);
  disarm();
  assert_int_equal(faccessat(scratch->dir, "d/new", F_OK, 0), -1);
}

static void a_folder_that_cannot_be_made_is_reported(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  arm("mkdirat", 1, 1, ENOSPC);
  assert_int_equal(put(bt_fs_replace_at, scratch, "x/y/z", "text", &err), BT_IO);
  assert_int_equal(err.sys_errno, ENOSPC);
  arm("mkdirat", 0, 1, EEXIST); /* somebody makes it at the same time: not there yet is an error, no loop */
  assert_int_equal(bt_fs_make_folders_at(scratch->dir, "w", &err), BT_MISSING);
  disarm();
}

static void a_folder_that_cannot_sync_is_no_failure(void **state) {
  const struct scratch *scratch = *state;
  arm("fsync", 1, 1, EINVAL); /* some file systems say so of folders */
  assert_int_equal(put(bt_fs_replace_at, scratch, "d/old", "new", NULL), BT_OK);
  assert_int_equal(fault.hits, 1);
  disarm();
  scratch_expect_text(scratch, "d/old", "new");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(replacing_swaps_the_whole_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_mode_is_exact, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_time_before_the_epoch_is_a_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(creating_is_exclusive, set_up, tear_down),
      cmocka_unit_test_setup_teardown(overwriting_keeps_the_inode, set_up, tear_down),
      cmocka_unit_test_setup_teardown(appending_adds_at_the_end, set_up, tear_down),
      cmocka_unit_test_setup_teardown(names_come_and_go, set_up, tear_down),
      cmocka_unit_test_setup_teardown(folders_are_made_or_say_what_blocks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(only_plain_files_are_written, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_failing_step_leaves_the_old_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(short_writes_and_interruptions_are_finished, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_short_append_is_cut_off_again, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_is_reported, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_folder_that_cannot_sync_is_no_failure, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
