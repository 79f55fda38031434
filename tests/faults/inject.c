/* tests/faults/inject.c - the replaced calls. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "tests/faults/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  bool on;
  enum inject_mode mode;
  enum inject_kind kind;
  size_t nth;
  size_t counts[INJECT_KIND_COUNT];
  size_t changes;
} injector;

static struct {
  void (*act)(void *context);
  void *context;
} neighbour;

void inject_neighbour(void (*act)(void *context), void *context) {
  neighbour.act = act;
  neighbour.context = context;
}

const char *inject_word(enum inject_kind kind) {
  static const char *const words[] = {"write",    "fsync", "rename", "link",  "unlink",
                                      "truncate", "mkdir", "open",   "memory"};
  return words[kind];
}

void inject_begin(enum inject_mode mode, enum inject_kind kind, size_t nth) {
  memset(&injector, 0, sizeof injector);
  injector.mode = mode;
  injector.kind = kind;
  injector.nth = nth;
  injector.on = true;
}

void inject_end(void) {
  injector.on = false;
}

size_t inject_count(enum inject_kind kind) {
  return injector.counts[kind];
}

size_t inject_changes(void) {
  return injector.changes;
}

/* Counts the call; true when it has to fail. */
static bool fails(enum inject_kind kind) {
  if (!injector.on)
    return false;
  size_t count = ++injector.counts[kind];
  if (kind != injector.kind)
    return false;
  if (injector.mode == INJECT_FAIL_ONCE)
    return count == injector.nth;
  return injector.mode == INJECT_FAIL_ON && count >= injector.nth;
}

/* Counts a call that changed a file; after the Nth the process dies or the neighbour acts. */
static void changed(void) {
  if (!injector.on || ++injector.changes != injector.nth)
    return;
  if (injector.mode == INJECT_KILL_AFTER)
    raise(SIGKILL);
  if (injector.mode == INJECT_CALL_AFTER) {
    injector.on = false;
    neighbour.act(neighbour.context);
    injector.on = true;
  }
}

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length) {
  bool half = injector.on && injector.mode == INJECT_HALF_WRITE && injector.counts[INJECT_WRITE] + 1 == injector.nth;
  if (fails(INJECT_WRITE)) {
    errno = ENOSPC;
    return -1;
  }
  ssize_t written = __real_write(fd, bytes, half ? length / 2 : length);
  changed();
  return written;
}

int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  (void)fd;
  if (fails(INJECT_FSYNC)) {
    errno = EIO;
    return -1;
  }
  return 0;
}

int __real_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to) {
  if (fails(INJECT_RENAME)) {
    errno = EIO;
    return -1;
  }
  int result = __real_renameat(from_dir, from, to_dir, to);
  changed();
  return result;
}

int __real_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags) {
  if (fails(INJECT_UNLINK)) {
    errno = EIO;
    return -1;
  }
  int result = __real_unlinkat(dir, path, flags);
  changed();
  return result;
}

int __real_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
  if (fails(INJECT_LINK)) {
    errno = EIO;
    return -1;
  }
  int result = __real_linkat(from_dir, from, to_dir, to, flags);
  changed();
  return result;
}

int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length) {
  if (fails(INJECT_TRUNCATE)) {
    errno = EIO;
    return -1;
  }
  int result = __real_ftruncate(fd, length);
  changed();
  return result;
}

int __real_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode) {
  if (fails(INJECT_MKDIR)) {
    errno = ENOSPC;
    return -1;
  }
  int result = __real_mkdirat(dir, path, mode);
  changed();
  return result;
}

int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = creates ? (mode_t)va_arg(args, unsigned) : 0;
  va_end(args);
  if (fails(INJECT_OPEN)) {
    errno = EMFILE;
    return -1;
  }
  int fd = __real_openat(dir, path, flags, mode);
  if (creates)
    changed();
  return fd;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  return fails(INJECT_MEMORY) ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  return fails(INJECT_MEMORY) ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size) {
  return fails(INJECT_MEMORY) ? NULL : __real_realloc(old, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
  return fails(INJECT_MEMORY) ? NULL : __real_strdup(text);
}
