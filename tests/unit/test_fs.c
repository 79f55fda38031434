/* tests/unit/test_fs.c - reading: links, FIFOs, folders and oversize in the way; tails; listings. */
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

static struct scratch *make(void) {
  struct scratch *scratch = calloc(1, sizeof *scratch);
  assert_non_null(scratch);
  scratch_make(scratch);
  return scratch;
}

/* a/b/file.txt, a link at every place on the way to it, and one of each thing that is no file. */
static int set_up(void **state) {
  struct scratch *scratch = make();
  scratch_folder(scratch, "a");
  scratch_folder(scratch, "a/b");
  scratch_text(scratch, "a/b/file.txt", "content");
  scratch_link(scratch, "link-a", "a");
  scratch_link(scratch, "a/link-b", "b");
  scratch_link(scratch, "a/b/link-file", "file.txt");
  scratch_link(scratch, "a/b/dangling", "nowhere");
  scratch_link(scratch, "a/b/loop", "loop");
  scratch_fifo(scratch, "a/b/fifo");
  scratch_socket(scratch, "a/b/socket");
  scratch_text(scratch, "a/b/empty", "");
  *state = scratch;
  return 0;
}

static int tear_down(void **state) {
  scratch_remove(*state);
  free(*state);
  return 0;
}

static void what_was_read_is_told(void **state) {
  const struct scratch *scratch = *state;
  struct bt_fs_stat read, there;
  struct bt_str out;
  bt_str_init(&out, 7);
  assert_int_equal(bt_fs_read_and_stat_at(scratch->dir, "a/b/file.txt", &out, &read, NULL), BT_OK);
  bt_fs_stat_at(scratch->dir, "a/b/file.txt", &there);
  assert_int_equal(read.kind, BT_FS_FILE);
  assert_memory_equal(&read, &there, sizeof read);
  assert_int_equal(bt_fs_read_and_stat_at(scratch->dir, "a/b/file.txt", &out, &read, NULL), BT_TOO_LARGE);
  assert_int_equal(read.inode, there.inode); /* it was opened, and is not for reading */
  bt_str_clear(&out);
  assert_int_equal(bt_fs_read_and_stat_at(scratch->dir, "a/b/none", &out, &read, NULL), BT_MISSING);
  assert_int_equal(read.kind, BT_FS_ABSENT);
  assert_int_equal(bt_fs_read_and_stat_at(scratch->dir, "a/b/link-file", &out, &read, NULL), BT_UNSAFE);
  assert_int_equal(read.kind, BT_FS_ABSENT);
  bt_str_dispose(&out);
}

static void expect_read(const struct scratch *scratch, const char *path, enum bt_code code, int sys_errno) {
  struct bt_error err = {.code = BT_OK};
  struct bt_str out;
  bt_str_init(&out, 1000);
  assert_int_equal(bt_fs_read_at(scratch->dir, path, &out, NULL), code);
  bt_str_clear(&out);
  assert_int_equal(bt_fs_read_at(scratch->dir, path, &out, &err), code);
  if (code != BT_OK) {
    assert_int_equal(err.code, code);
    assert_int_equal(err.sys_errno, sys_errno);
    assert_int_equal(out.length, 0);
    assert_string_equal(err.subject, path);
    int fd = bt_fs_open_file_at(scratch->dir, path, NULL);
    assert_int_equal(fd, -1);
  }
  bt_str_dispose(&out);
}

static void only_plain_files_are_read(void **state) {
  const struct scratch *scratch = *state;
  expect_read(scratch, "a/b/file.txt", BT_OK, 0);
  expect_read(scratch, "a//./b/././file.txt", BT_OK, 0);
  expect_read(scratch, "a/b/empty", BT_OK, 0);
  expect_read(scratch, "a/b/none", BT_MISSING, ENOENT);
  expect_read(scratch, "a/none/file.txt", BT_MISSING, ENOENT);
  expect_read(scratch, "a/b/link-file", BT_UNSAFE, ELOOP);
  expect_read(scratch, "a/b/dangling", BT_UNSAFE, ELOOP);
  expect_read(scratch, "a/b/loop", BT_UNSAFE, ELOOP);
  expect_read(scratch, "a/link-b/file.txt", BT_UNSAFE, ELOOP);
  expect_read(scratch, "link-a/b/file.txt", BT_UNSAFE, ELOOP);
  expect_read(scratch, "a/b/fifo", BT_UNSAFE, EINVAL); /* and does not wait for a writer */
  expect_read(scratch, "a/b/socket", BT_UNSAFE, ENXIO);
  expect_read(scratch, "a/b", BT_UNSAFE, EISDIR);
  expect_read(scratch, "", BT_UNSAFE, EISDIR);
  expect_read(scratch, ".", BT_UNSAFE, EISDIR);
  expect_read(scratch, "a/b/file.txt/x", BT_IO, ENOTDIR);
  expect_read(scratch, "a/b/fifo/x", BT_IO, ENOTDIR);
}

static void no_path_leaves_the_folder(void **state) {
  const struct scratch *scratch = *state;
  expect_read(scratch, "../passwd", BT_UNSAFE, EINVAL);
  expect_read(scratch, "a/../a/b/file.txt", BT_UNSAFE, EINVAL);
  expect_read(scratch, "a/b/..", BT_UNSAFE, EINVAL);
  expect_read(scratch, "/etc/passwd", BT_UNSAFE, EINVAL);
  expect_read(scratch, "a/b/..x", BT_MISSING, ENOENT); /* a name like any other */
}

static void names_may_be_too_long(void **state) {
  const struct scratch *scratch = *state;
  char name[6000];
  memset(name, 'x', sizeof name);
  name[255] = '\0';
  struct bt_str out;
  struct bt_error err;
  bt_str_init(&out, 10);
  assert_int_equal(bt_fs_read_at(scratch->dir, name, &out, &err), BT_MISSING);
  name[255] = 'x';
  name[256] = '\0';
  assert_int_equal(bt_fs_read_at(scratch->dir, name, &out, &err), BT_IO);
  assert_int_equal(err.sys_errno, ENAMETOOLONG);
  name[256] = 'x';
  for (size_t i = 1; i < sizeof name; i += 2) {
    name[i] = '/';
  }
  name[sizeof name - 1] = '\0';
  assert_int_equal(bt_fs_read_at(scratch->dir, name, &out, &err), BT_IO);
  assert_int_equal(err.sys_errno, ENAMETOOLONG);
  bt_str_dispose(&out);
}

static void the_ceiling_is_exact(void **state) {
  const struct scratch *scratch = *state;
  for (size_t ceiling = 5; ceiling <= 9; ceiling++) {
    struct bt_str out;
    bt_str_init(&out, ceiling);
    enum bt_code code = bt_fs_read_at(scratch->dir, "a/b/file.txt", &out, NULL);
    assert_int_equal(code, ceiling < 7 ? BT_TOO_LARGE : BT_OK);
    assert_string_equal(out.data, ceiling < 7 ? "" : "content");
    bt_str_dispose(&out);
  }
}

static void a_file_without_a_size_has_a_ceiling_too(void **state) {
  (void)state;
  int proc = bt_fs_open_root("/proc/self", NULL);
  if (proc < 0) {
    print_message("skipped: no /proc here\n");
    skip();
  }
  struct bt_str out;
  bt_str_init(&out, 20); /* st_size is 0 there; only reading shows how long it is */
  assert_int_equal(bt_fs_read_at(proc, "status", &out, NULL), BT_TOO_LARGE);
  bt_str_dispose(&out);
  bt_str_init(&out, 1 << 20);
  assert_int_equal(bt_fs_read_at(proc, "status", &out, NULL), BT_OK);
  assert_true(out.length > 20);
  bt_str_dispose(&out);
  close(proc);
}

static void reading_appends_and_copes_with_size(void **state) {
  const struct scratch *scratch = *state;
  enum { SIZE = 300000 };
  char *bytes = malloc(SIZE);
  assert_non_null(bytes);
  for (size_t i = 0; i < SIZE; i++) {
    bytes[i] = (char)(i * 7 + i / 256);
  }
  scratch_file(scratch, "large", bytes, SIZE);
  struct bt_str out;
  bt_str_init(&out, SIZE + 4);
  bt_str_puts(&out, "head");
  assert_int_equal(bt_fs_read_at(scratch->dir, "large", &out, NULL), BT_OK);
  assert_int_equal(out.length, SIZE + 4);
  assert_memory_equal(out.data, "head", 4);
  assert_memory_equal(out.data + 4, bytes, SIZE);
  assert_int_equal(out.data[out.length], 0);
  bt_str_dispose(&out);
  free(bytes);
}

static void tails_are_windows(void **state) {
  const struct scratch *scratch = *state;
  const struct {
    size_t window;
    const char *text;
    int64_t offset;
  } rows[] = {{3, "ent", 4}, {7, "content", 0}, {100, "content", 0}, {0, "", 7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_str out;
    int64_t offset = -1;
    bt_str_init(&out, 100);
    assert_int_equal(bt_fs_read_tail_at(scratch->dir, "a/b/file.txt", rows[i].window, &out, &offset, NULL), BT_OK);
    assert_string_equal(out.data, rows[i].text);
    assert_int_equal(offset, rows[i].offset);
    bt_str_dispose(&out);
  }
  struct bt_str out;
  int64_t offset;
  bt_str_init(&out, 5);
  assert_int_equal(bt_fs_read_tail_at(scratch->dir, "a/b/file.txt", 6, &out, &offset, NULL), BT_TOO_LARGE);
  assert_int_equal(bt_fs_read_tail_at(scratch->dir, "a/b/fifo", 5, &out, &offset, NULL), BT_UNSAFE);
  assert_int_equal(bt_fs_read_tail_at(scratch->dir, "a/b/none", 5, &out, &offset, NULL), BT_MISSING);
  bt_str_dispose(&out);
}

static void stat_never_follows(void **state) {
  const struct scratch *scratch = *state;
  /* clang-format off */
  const struct {
    const char *path;
    enum bt_fs_kind kind;
    int sys_errno;
  } rows[] = {
      {"a/b/file.txt", BT_FS_FILE, 0}, {"a", BT_FS_FOLDER, 0}, {"", BT_FS_FOLDER, 0}, {"a/b/link-file", BT_FS_LINK, 0},
      {"a/b/dangling", BT_FS_LINK, 0}, {"link-a", BT_FS_LINK, 0}, {"a/b/fifo", BT_FS_OTHER, 0}, {"a/b/socket", BT_FS_OTHER, 0},
      {"a/b/none", BT_FS_ABSENT, ENOENT}, {"x/y/z", BT_FS_ABSENT, ENOENT}, {"link-a/b", BT_FS_UNKNOWN, ELOOP},
      {"a/b/file.txt/x", BT_FS_UNKNOWN, ENOTDIR}, {"../x", BT_FS_UNKNOWN, EINVAL}, {"/", BT_FS_UNKNOWN, EINVAL},
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_fs_stat found;
    bt_fs_stat_at(scratch->dir, rows[i].path, &found);
    assert_int_equal(found.kind, rows[i].kind);
    assert_int_equal(found.sys_errno, rows[i].sys_errno);
  }
  struct timespec times[2] = {{.tv_sec = 1000, .tv_nsec = 5}, {.tv_sec = 1796045792, .tv_nsec = 199999999}};
  assert_int_equal(utimensat(scratch->dir, "a/b/file.txt", times, 0), 0);
  assert_int_equal(fchmodat(scratch->dir, "a/b/file.txt", 0640, 0), 0);
  struct bt_fs_stat found;
  struct stat real;
  bt_fs_stat_at(scratch->dir, "a/b/file.txt", &found);
  assert_int_equal(fstatat(scratch->dir, "a/b/file.txt", &real, 0), 0);
  assert_int_equal(found.size_bytes, 7);
  assert_true(found.mtime_ms == INT64_C(1796045792199));
  assert_true(found.mtime_ns == INT64_C(1796045792199999999));
  assert_true(found.inode == (uint64_t)real.st_ino && found.device == (uint64_t)real.st_dev);
  assert_int_equal(found.mode & 07777, 0640);
  assert_int_equal(found.uid, getuid());
}

static void folders_open_without_links(void **state) {
  const struct scratch *scratch = *state;
  struct bt_error err;
  int fd = bt_fs_open_folder_at(scratch->dir, "a/b", &err);
  assert_true(fd >= 0);
  assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  struct bt_str out;
  bt_str_init(&out, 100);
  assert_int_equal(bt_fs_read_at(fd, "file.txt", &out, NULL), BT_OK);
  bt_str_dispose(&out);
  close(fd);
  fd = bt_fs_open_folder_at(scratch->dir, "", &err);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(bt_fs_open_folder_at(scratch->dir, "link-a", &err), -1);
  assert_int_equal(err.code, BT_UNSAFE);
  assert_int_equal(bt_fs_open_folder_at(scratch->dir, "a/b/file.txt", &err), -1);
  assert_int_equal(err.sys_errno, ENOTDIR);
  assert_int_equal(bt_fs_open_folder_at(scratch->dir, "a/b/fifo", &err), -1);
  assert_int_equal(err.sys_errno, ENOTDIR);
  char path[128];
  strcpy(path, scratch->path);
  strcat(path, "/link-a"); /* the root itself may be a link */
  fd = bt_fs_open_root(path, &err);
  assert_true(fd >= 0);
  close(fd);
  strcat(path, "/none");
  assert_int_equal(bt_fs_open_root(path, &err), -1);
  assert_int_equal(err.code, BT_MISSING);
}

static void listings_are_in_byte_order(void **state) {
  const struct scratch *scratch = *state;
  static const char *const sorted[] = {"A.json", "a-b.json", "a.json", "a1", "\xc3\xa9", "\xff"};
  scratch_folder(scratch, "list");
  for (size_t i = 0; i < 6; i++) {
    char path[32] = "list/";
    strcat(path, sorted[(i * 5 + 3) % 6]);
    scratch_text(scratch, path, "");
  }
  struct bt_fs_listing listing;
  assert_int_equal(bt_fs_list_at(scratch->dir, "list", &listing, NULL), BT_OK);
  assert_int_equal(listing.count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_string_equal(listing.names[i], sorted[i]);
  }
  bt_fs_listing_dispose(&listing);
  bt_fs_listing_dispose(&listing); /* twice does no harm */
  scratch_folder(scratch, "bare");
  assert_int_equal(bt_fs_list_at(scratch->dir, "bare", &listing, NULL), BT_OK);
  assert_int_equal(listing.count, 0);
  bt_fs_listing_dispose(&listing);
  assert_int_equal(bt_fs_list_at(scratch->dir, "none", &listing, NULL), BT_MISSING);
  assert_int_equal(bt_fs_list_at(scratch->dir, "link-a", &listing, NULL), BT_UNSAFE);
  assert_int_equal(bt_fs_list_at(scratch->dir, "a/b/fifo", &listing, NULL), BT_IO);
  assert_int_equal(listing.count, 0);
  bt_fs_listing_dispose(&listing);
}

static void nothing_stays_open(void **state) {
  const struct scratch *scratch = *state;
  int before = dup(scratch->dir);
  close(before);
  for (int i = 0; i < 3; i++) {
    only_plain_files_are_read(state);
    stat_never_follows(state);
  }
  struct bt_fs_listing listing;
  assert_int_equal(bt_fs_list_at(scratch->dir, "a/b", &listing, NULL), BT_OK);
  bt_fs_listing_dispose(&listing);
  int after = dup(scratch->dir);
  close(after);
  assert_int_equal(after, before);
}

static void paths_fold_as_text(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"/a/b", "c", "/a/b/c"}, {"/a/b", "../c", "/a/c"}, {"/a/b", "/c/./d//e/", "/c/d/e"}, {"/", "", "/"},
      {"/a/", "", "/a"},       {"/a", "../../..", "/"},  {"/a", "./x/../y", "/a/y"},       {"/a", "..x", "/a/..x"},
      {"/a", "...", "/a/..."}, {"/", "a", "/a"},         {"/a/b/../c", "d", "/a/c/d"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_str out;
    bt_str_init(&out, 100);
    assert_int_equal(bt_path_resolve(&out, rows[i][0], rows[i][1]), BT_OK);
    assert_string_equal(out.data, rows[i][2]);
    bt_str_dispose(&out);
  }
  struct bt_str small;
  bt_str_init(&small, 3);
  assert_int_equal(bt_path_resolve(&small, "/abc", "d"), BT_NOMEM);
  bt_str_dispose(&small);
  assert_string_equal(bt_path_basename("/a/b.json"), "b.json");
  assert_string_equal(bt_path_basename("b.json"), "b.json");
  assert_string_equal(bt_path_basename("a/"), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_plain_files_are_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(no_path_leaves_the_folder, set_up, tear_down),
      cmocka_unit_test_setup_teardown(names_may_be_too_long, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_ceiling_is_exact, set_up, tear_down),
      cmocka_unit_test(a_file_without_a_size_has_a_ceiling_too),
      cmocka_unit_test_setup_teardown(what_was_read_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reading_appends_and_copes_with_size, set_up, tear_down),
      cmocka_unit_test_setup_teardown(tails_are_windows, set_up, tear_down),
      cmocka_unit_test_setup_teardown(stat_never_follows, set_up, tear_down),
      cmocka_unit_test_setup_teardown(folders_open_without_links, set_up, tear_down),
      cmocka_unit_test_setup_teardown(listings_are_in_byte_order, set_up, tear_down),
      cmocka_unit_test_setup_teardown(nothing_stays_open, set_up, tear_down),
      cmocka_unit_test(paths_fold_as_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
