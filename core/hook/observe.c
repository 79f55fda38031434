/* core/hook/observe.c - one window of a transcript, scanned as it is read. */
#include "core/hook/observe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/harness/depth.h"

#define BLOCK ((size_t)256 * 1024) /* stays in the cache between reading and scanning */
#define PATH_BYTES ((size_t)65536)

static enum bt_code no_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "transcript", "out of memory");
}

/* -1 with errno; *failed when memory was short. */
static int open_path(const char *base, const char *path, bool *failed) {
  struct bt_str whole, bytes;
  bt_str_init(&whole, PATH_BYTES);
  bt_str_init(&bytes, PATH_BYTES);
  *failed = bt_path_resolve(&whole, base, path) != BT_OK;
  bt_utf8_encode8(&bytes, whole.data, whole.length);
  *failed |= bytes.failed;
  int fd = -1;
  if (*failed) {
    *failed = strlen(path) < PATH_BYTES / 2; /* else no such file can exist */
    errno = ENAMETOOLONG;
  } else if (memchr(bytes.data, '\0', bytes.length) != NULL) {
    errno = ENOENT;
  } else {
    fd = open(bytes.data, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  }
  int saved = errno;
  bt_str_dispose(&whole);
  bt_str_dispose(&bytes);
  errno = saved;
  return fd;
}

struct scan {
  int fd;
  char *bytes; /* the file from `from` on, as far as the scan still needs it; offsets are those of the window */
  size_t length, capacity;
  uint64_t from;
  struct bt_depth_scan depth;
  int64_t count;
};

/* Forgets what the scan has decided, so that a window of any size takes little memory. */
static void forget(struct scan *scan) {
  uint64_t needs = bt_depth_scan_needs(&scan->depth);
  if (needs <= scan->from)
    return;
  size_t gone = (size_t)(needs - scan->from);
  memmove(scan->bytes, scan->bytes + gone, scan->length - gone);
  scan->length -= gone;
  scan->from = needs;
}

static bool make_room(struct scan *scan) {
  if (scan->capacity - scan->length >= BLOCK)
    return true;
  size_t capacity = scan->length + 2 * BLOCK;
  char *grown = realloc(scan->bytes, capacity);
  if (grown == NULL)
    return false;
  scan->bytes = grown;
  scan->capacity = capacity;
  return true;
}

/* Scans `window` bytes that end at `size`. *got is how many came; false when memory was short. */
static bool scan_window(struct scan *scan, int64_t size, int64_t window, int64_t *got) {
  *got = 0;
  while (*got < window) {
    if (!make_room(scan))
      return false;
    size_t want = window - *got < (int64_t)BLOCK ? (size_t)(window - *got) : BLOCK;
    ssize_t count = pread(scan->fd, scan->bytes + scan->length, want, (off_t)(size - window + *got));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    scan->length += (size_t)count;
    *got += count;
    scan->count = bt_depth_scan_feed(&scan->depth, scan->from, scan->bytes, scan->length);
    forget(scan);
  }
  return true;
}

enum bt_code bt_observe_transcript(const char *base, const char *path, bool missing_is_invalid, struct bt_observed *out,
                                   struct bt_error *err) {
  *out = (struct bt_observed){0};
  if (path == NULL || path[0] == '\0')
    return BT_OK;
  bool failed;
  struct scan scan = {.fd = open_path(base, path, &failed)};
  if (failed)
    return no_memory(err);
  struct stat before, after;
  if (scan.fd < 0 && (errno == ENOENT || errno == ENOTDIR) && !missing_is_invalid)
    return BT_OK;
  if (scan.fd < 0 || fstat(scan.fd, &before) != 0 || !(S_ISREG(before.st_mode) || S_ISDIR(before.st_mode))) {
    out->signals.depth.kind = BT_SIGNAL_MALFORMED;
    if (scan.fd >= 0)
      close(scan.fd);
    return BT_OK;
  }
  int64_t size = before.st_size, window = size < (int64_t)BT_DEPTH_WINDOW ? size : (int64_t)BT_DEPTH_WINDOW, got = 0;
  bool fits = scan_window(&scan, size, window, &got);
  bool moved = fstat(scan.fd, &after) != 0 || after.st_size != size;
  out->signals.depth = bt_signal_number((double)scan.count);
  out->truncated = window < size || got < window || moved || S_ISDIR(before.st_mode);
  free(scan.bytes);
  close(scan.fd);
  return fits ? BT_OK : no_memory(err);
}
