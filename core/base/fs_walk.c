/* core/base/fs_walk.c - the walk to a file, one component at a time, never through a link. */
#define _GNU_SOURCE /* O_PATH: a folder that may be searched need not be readable */
#include "core/base/fs_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int bt_fs_openat(int dir, const char *name, int flags, unsigned mode) {
  bool exact = mode != BT_FS_MODE_UMASK;
  int fd;
  do {
    fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, exact ? 0600 : 0666);
  } while (fd < 0 && errno == EINTR);
  if (fd >= 0 && exact && fchmod(fd, (mode_t)mode) != 0) {
    int reason = errno;
    if (flags & O_EXCL) {
      (void)unlinkat(dir, name, 0);
    }
    (void)close(fd);
    errno = reason;
    fd = -1;
  }
  return fd;
}

/* O_DIRECTORY answers ENOTDIR for a link too; which of the two it was matters to the caller. */
static int open_folder(int dir, const char *name, int *fd) {
  struct stat found;
  *fd = bt_fs_openat(dir, name, O_PATH | O_DIRECTORY, BT_FS_MODE_UMASK);
  if (*fd >= 0) {
    return 0;
  }
  int reason = errno;
  if (reason == ENOTDIR && fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode)) {
    reason = ELOOP;
  }
  return reason;
}

static int sync_folder(int dir) {
  int fd = bt_fs_openat(dir, ".", O_RDONLY | O_DIRECTORY, BT_FS_MODE_UMASK);
  if (fd < 0) {
    return errno == EACCES ? 0 : errno; /* may be changed but not listed: nothing to sync through */
  }
  int reason = fsync(fd) == 0 ? 0 : errno;
  (void)close(fd);
  return reason == EINVAL || reason == EROFS || reason == ENOTSUP ? 0 : reason;
}

int bt_place_sync(const struct bt_place *place) {
  return sync_folder(place->fd);
}

int bt_place_enter(struct bt_place *place, const char *component, bool make_missing) {
  int fd = -1;
  int reason = open_folder(place->fd, component, &fd);
  if (reason == ENOENT && make_missing) {
    if (mkdirat(place->fd, component, 0777) == 0) {
      reason = sync_folder(place->fd);
    } else {
      reason = errno == EEXIST ? 0 : errno; /* somebody was faster; what it is, the next open tells */
    }
    if (reason == 0) {
      reason = open_folder(place->fd, component, &fd);
    }
  }
  if (reason != 0) {
    return reason;
  }
  bt_place_dispose(place);
  place->fd = fd;
  place->owned = true;
  return 0;
}

/* Length of the next component of `*path`, passing over empty ones and "."; 0 at the end. */
static size_t next_component(const char **path) {
  for (;;) {
    *path += strspn(*path, "/");
    size_t length = strcspn(*path, "/");
    if (length != 1 || **path != '.') {
      return length;
    }
    *path += 1;
  }
}

static bool is_last(const char *rest) {
  return next_component(&rest) == 0;
}

int bt_place_find(struct bt_place *place, int dir, const char *path, bool make_missing) {
  place->fd = dir;
  place->owned = false;
  place->mode = BT_FS_MODE_UMASK;
  memcpy(place->name, ".", 2);
  int reason = path[0] == '/' ? EINVAL : strlen(path) >= PATH_MAX ? ENAMETOOLONG : 0;
  bool first = true;
  size_t length;
  while (reason == 0 && (length = next_component(&path)) > 0) {
    if (length == 2 && memcmp(path, "..", 2) == 0) {
      reason = EINVAL;
    } else if (length >= sizeof place->name) {
      reason = ENAMETOOLONG;
    } else if (!first) {
      reason = bt_place_enter(place, place->name, make_missing);
      if (reason == ENOTDIR && make_missing && is_last(path + length)) {
        reason = EEXIST; /* as mkdir -p of the parent has it (spec/context-handoff.md 13.21) */
      }
    }
    if (reason == 0) {
      memcpy(place->name, path, length);
      place->name[length] = '\0';
    }
    path += length;
    first = false;
  }
  if (reason != 0) {
    bt_place_dispose(place);
  }
  return reason;
}

void bt_place_dispose(struct bt_place *place) {
  if (place->owned) {
    (void)close(place->fd);
  }
  place->fd = -1;
  place->owned = false;
}

enum bt_code bt_fs_fail(struct bt_error *err, int sys_errno, const char *path, const char *what) {
  /* ENXIO: opening a socket, or a FIFO that nobody reads. EINVAL: a path that would leave the folder. */
  bool unsafe = sys_errno == ELOOP || sys_errno == ENXIO || sys_errno == EINVAL;
  enum bt_code code =
      bt_error_set_errno(err, sys_errno, path, "%s", unsafe ? "refused, no plain path to a file" : what);
  if (unsafe && err != NULL) {
    err->code = BT_UNSAFE;
  }
  return unsafe ? BT_UNSAFE : code;
}

enum bt_code bt_fs_refuse_kind(struct bt_error *err, mode_t mode, const char *path) {
  int reason = S_ISDIR(mode) ? EISDIR : S_ISLNK(mode) ? ELOOP : EINVAL;
  const char *kind = S_ISDIR(mode) ? "a folder" : S_ISLNK(mode) ? "a symbolic link" : "no regular file";
  (void)bt_error_set_errno(err, reason, path, "refused, %s", kind);
  if (err != NULL) {
    err->code = BT_UNSAFE;
  }
  return BT_UNSAFE;
}
