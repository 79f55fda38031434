/* core/base/fs_whole.c - a new file that is whole from the moment it has a name.
 *
 * Filled without a name (O_TMPFILE) and linked into place, so that a death in the middle leaves nothing: a lock
 * that is empty could be removed by hand only, an empty segment would stop every append. */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/fs_walk.h"

/* Not every file system knows files without a name, and not every place has a /proc to link them from. */
static int or_not_here(int reason) {
  return reason == EOPNOTSUPP || reason == EISDIR || reason == EINVAL || reason == ENOENT ? ENOTSUP : reason;
}

int bt_place_create_whole(const struct bt_place *place, const void *bytes, size_t length) {
  int fd = bt_fs_openat(place->fd, ".", O_TMPFILE | O_WRONLY, place->mode);
  if (fd < 0) {
    return or_not_here(errno);
  }
  char link[64];
  int reason = bt_fs_write_all(fd, bytes, length);
  if (reason == 0 && fsync(fd) != 0) {
    reason = errno;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (reason == 0 && linkat(AT_FDCWD, link, place->fd, place->name, AT_SYMLINK_FOLLOW) != 0) {
    reason = or_not_here(errno);
  }
  (void)close(fd);
  if (reason != 0) {
    return reason;
  }
  reason = bt_place_sync(place);
  if (reason != 0) {
    (void)unlinkat(place->fd, place->name, 0);
  }
  return reason;
}
