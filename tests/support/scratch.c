/* tests/support/scratch.c - a folder of its own for a test that needs real files. */
#define _XOPEN_SOURCE 700 /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/scratch.h"

void scratch_make(struct scratch *scratch) {
  const char *base = getenv("TMPDIR");
  if (base == NULL || strlen(base) > 30) {
    base = "/tmp";
  }
  snprintf(scratch->path, sizeof scratch->path, "%s/baton-test-XXXXXX", base);
  assert_non_null(mkdtemp(scratch->path));
  scratch->dir = open(scratch->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_true(scratch->dir >= 0);
}

static int remove_entry(const char *path, const struct stat *found, int flag, struct FTW *walk) {
  (void)found;
  (void)walk;
  return flag == FTW_DP ? rmdir(path) : unlink(path);
}

void scratch_remove(struct scratch *scratch) {
  close(scratch->dir);
  assert_int_equal(nftw(scratch->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

void scratch_folder(const struct scratch *scratch, const char *path) {
  assert_int_equal(mkdirat(scratch->dir, path, 0777), 0);
}

void scratch_file(const struct scratch *scratch, const char *path, const void *bytes, size_t length) {
  int fd = openat(scratch->dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, length), length);
  assert_int_equal(close(fd), 0);
}

void scratch_text(const struct scratch *scratch, const char *path, const char *text) {
  scratch_file(scratch, path, text, strlen(text));
}

void scratch_link(const struct scratch *scratch, const char *path, const char *target) {
  assert_int_equal(symlinkat(target, scratch->dir, path), 0);
}

void scratch_fifo(const struct scratch *scratch, const char *path) {
  assert_int_equal(mkfifoat(scratch->dir, path, 0666), 0);
}

void scratch_socket(const struct scratch *scratch, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", scratch->path, path);
  assert_true(length > 0 && (size_t)length < sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_true(fd >= 0);
  assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
  close(fd);
}

void scratch_expect_text(const struct scratch *scratch, const char *path, const char *text) {
  size_t length = strlen(text);
  char *found = malloc(length + 2);
  assert_non_null(found);
  int fd = openat(scratch->dir, path, O_RDONLY | O_CLOEXEC);
  assert_true(fd >= 0);
  ssize_t count = read(fd, found, length + 2);
  close(fd);
  assert_int_equal(count, length);
  assert_memory_equal(found, text, length);
  free(found);
}

size_t scratch_count(const struct scratch *scratch, const char *path) {
  size_t count = 0;
  DIR *folder = fdopendir(openat(scratch->dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  assert_non_null(folder);
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  }
  closedir(folder);
  return count;
}
