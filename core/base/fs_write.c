/* core/base/fs_write.c - new and replaced files: every failure leaves what was there, or says so. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/fs_walk.h"

int bt_fs_write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(fd, bytes, length);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return count < 0 ? errno : EIO;
    }
    bytes += count;
    length -= (size_t)count;
  }
  return 0;
}

/* Written, synced and closed, or an errno. `fd` is closed in either case. */
static int fill_and_close(int fd, const void *bytes, size_t length) {
  int reason = bt_fs_write_all(fd, bytes, length);
  if (reason == 0 && fsync(fd) != 0) {
    reason = errno;
  }
  if (close(fd) != 0 && reason == 0 && errno != EINTR) { /* after EINTR Linux has closed it */
    reason = errno;
  }
  return reason;
}

int bt_place_open(const struct bt_place *place, const char *name, int flags) {
  return bt_fs_openat(place->fd, name, flags | O_NONBLOCK, flags & O_CREAT ? place->mode : BT_FS_MODE_UMASK);
}

/* BT_OK when the target may be replaced: it is absent or a regular file. */
static enum bt_code check_target(const struct bt_place *place, const char *path, bool *present, struct bt_error *err) {
  struct stat found;
  *present = fstatat(place->fd, place->name, &found, AT_SYMLINK_NOFOLLOW) == 0;
  if (!*present) {
    return errno == ENOENT ? BT_OK : bt_error_set_errno(err, errno, path, "cannot be examined");
  }
  return S_ISREG(found.st_mode) ? BT_OK : bt_fs_refuse_kind(err, found.st_mode, path);
}

enum bt_code bt_fs_make_folders_at(int dir, const char *path, struct bt_error *err) {
  struct bt_place place;
  int reason = bt_place_find(&place, dir, path, true);
  if (reason == EEXIST) {
    reason = ENOTDIR; /* in the way of a parent, not of the folder that was asked for */
  } else if (reason == 0 && strcmp(place.name, ".") != 0) {
    reason = bt_place_enter(&place, place.name, true);
    reason = reason == ENOTDIR ? EEXIST : reason;
  }
  bt_place_dispose(&place);
  return reason == 0 ? BT_OK : bt_fs_fail(err, reason, path, "the folder cannot be made");
}

/* ------------------------------------------------------------- replacing ---------------------- */

static enum bt_code temp_name(char *out, size_t size, const char *name, const char *path, struct bt_error *err) {
  char nonce[17];
  enum bt_code code = bt_random_hex(nonce, 8, err);
  if (code != BT_OK) {
    return code;
  }
  int length = snprintf(out, size, "%s.%" PRIdMAX ".%s.tmp", name, (intmax_t)getpid(), nonce);
  if (length < 0 || (size_t)length >= size) {
    return bt_error_set_errno(err, ENAMETOOLONG, path, "cannot be written");
  }
  return BT_OK;
}

/* Puts the bytes into a temporary file beside the target and renames it there. */
static enum bt_code swap_in(const struct bt_place *place, const char *path, const void *bytes, size_t length,
                            struct bt_error *err) {
  char temp[NAME_MAX + 1];
  enum bt_code code = temp_name(temp, sizeof temp, place->name, path, err);
  if (code != BT_OK) {
    return code;
  }
  int fd = bt_place_open(place, temp, O_WRONLY | O_CREAT | O_EXCL);
  if (fd < 0) {
    return bt_error_set_errno(err, errno, path, "cannot be written");
  }
  int reason = fill_and_close(fd, bytes, length);
  if (reason == 0 && renameat(place->fd, temp, place->fd, place->name) != 0) {
    reason = errno;
  }
  if (reason != 0) {
    (void)unlinkat(place->fd, temp, 0);
    return bt_error_set_errno(err, reason, path, "cannot be written");
  }
  return BT_OK;
}

/* The rename is done but the folder would not sync: back to what was there. `prior` is the old file, -1
 * when there was none. Best effort; what could not be put back is said. */
static enum bt_code swap_back(const struct bt_place *place, const char *path, int prior, int reason,
                              struct bt_error *err) {
  bool restored = false;
  if (prior < 0) {
    restored = unlinkat(place->fd, place->name, 0) == 0;
  } else {
    struct bt_str old;
    bt_str_init(&old, BT_PRIOR_BYTES_MAX);
    if (bt_fs_read_fd(prior, path, &old, NULL) == BT_OK) {
      restored = swap_in(place, path, old.data, old.length, NULL) == BT_OK;
    }
    bt_str_dispose(&old);
  }
  enum bt_code code = bt_error_set_errno(err, reason, path, "the folder of the written file cannot be synced");
  if (!restored) {
    bt_error_append(err, "the new content stays");
  }
  return code;
}

enum bt_code bt_fs_replace_at(int dir, const char *path, const void *bytes, size_t length, struct bt_error *err) {
  return bt_fs_replace_as_at(dir, path, bytes, length, BT_FS_MODE_UMASK, err);
}

enum bt_code bt_fs_replace_as_at(int dir, const char *path, const void *bytes, size_t length, unsigned mode,
                                 struct bt_error *err) {
  struct bt_place place;
  bool present = false;
  int prior = -1;
  int reason = bt_place_find(&place, dir, path, true);
  if (reason != 0) {
    return bt_fs_fail(err, reason, path, "cannot be written");
  }
  place.mode = mode;
  enum bt_code code = check_target(&place, path, &present, err);
  if (code != BT_OK) {
    goto out;
  }
  if (present) {
    prior = bt_place_open(&place, place.name, O_RDONLY); /* -1 when unreadable: then it cannot be put back */
  }
  code = swap_in(&place, path, bytes, length, err);
  if (code == BT_OK) {
    reason = bt_place_sync(&place);
    if (reason != 0) {
      code = present && prior < 0 ? bt_error_set_errno(err, reason, path, "written, but its folder cannot be synced")
                                  : swap_back(&place, path, prior, reason, err);
    }
  }
out:
  if (prior >= 0) {
    (void)close(prior);
  }
  bt_place_dispose(&place);
  return code;
}

/* ------------------------------------------------------------- creating ----------------------- */

enum bt_code bt_place_fill_new(const struct bt_place *place, int fd, const char *path, const void *bytes, size_t length,
                               struct bt_error *err) {
  int reason = fill_and_close(fd, bytes, length);
  if (reason == 0) {
    reason = bt_place_sync(place);
  }
  if (reason == 0) {
    return BT_OK;
  }
  enum bt_code code = bt_error_set_errno(err, reason, path, "cannot be written");
  if (unlinkat(place->fd, place->name, 0) != 0) {
    bt_error_append(err, "the unfinished file stays");
  }
  return code;
}

static enum bt_code there_already(struct bt_error *err, const char *path) {
  (void)bt_error_set_errno(err, EEXIST, path, "there already");
  if (err != NULL) {
    err->code = BT_STATE;
  }
  return BT_STATE;
}

enum bt_code bt_fs_create_at(int dir, const char *path, const void *bytes, size_t length, struct bt_error *err) {
  return bt_fs_create_as_at(dir, path, bytes, length, BT_FS_MODE_UMASK, err);
}

enum bt_code bt_fs_create_as_at(int dir, const char *path, const void *bytes, size_t length, unsigned mode,
                                struct bt_error *err) {
  struct bt_place place;
  enum bt_code code = BT_OK;
  int reason = bt_place_find(&place, dir, path, true);
  if (reason != 0) {
    return bt_fs_fail(err, reason, path, "cannot be created");
  }
  place.mode = mode;
  struct stat found; /* first, as O_EXCL has it: a folder that takes nothing new still says what is there */
  bool present = fstatat(place.fd, place.name, &found, AT_SYMLINK_NOFOLLOW) == 0;
  reason = present ? EEXIST : bt_place_create_whole(&place, bytes, length);
  if (reason == ENOTSUP) {
    int fd = bt_place_open(&place, place.name, O_WRONLY | O_CREAT | O_EXCL);
    reason = fd < 0 ? errno : 0;
    if (fd >= 0) {
      code = bt_place_fill_new(&place, fd, path, bytes, length, err);
    }
  }
  if (reason == EEXIST) {
    code = there_already(err, path);
  } else if (reason != 0) {
    code = bt_fs_fail(err, reason, path, "cannot be created");
  }
  bt_place_dispose(&place);
  return code;
}

/* ------------------------------------------------------------- names -------------------------- */

enum bt_code bt_fs_set_mtime_at(int dir, const char *path, int64_t time_ms, struct bt_error *err) {
  struct bt_place place;
  const int64_t below = (time_ms % 1000 + 1000) % 1000; /* never negative, before 1970 either */
  const struct timespec when = {(time_t)((time_ms - below) / 1000), (long)below * 1000000};
  const struct timespec times[2] = {when, when};
  int reason = bt_place_find(&place, dir, path, false);
  if (reason == 0 && utimensat(place.fd, place.name, times, AT_SYMLINK_NOFOLLOW) != 0) {
    reason = errno;
  }
  bt_place_dispose(&place);
  return reason == 0 ? BT_OK : bt_fs_fail(err, reason, path, "cannot be given its time");
}

enum bt_code bt_fs_unlink_at(int dir, const char *path, struct bt_error *err) {
  struct bt_place place;
  int reason = bt_place_find(&place, dir, path, false);
  if (reason == 0 && unlinkat(place.fd, place.name, 0) != 0) {
    reason = errno;
  }
  if (reason == 0) {
    (void)bt_place_sync(&place); /* gone is gone: it cannot be taken back, so it is no failure */
  }
  bt_place_dispose(&place);
  return reason == 0 ? BT_OK : bt_fs_fail(err, reason, path, "cannot be removed");
}

enum bt_code bt_fs_rename_at(int dir, const char *from, const char *to, struct bt_error *err) {
  struct bt_place source, target;
  int reason = bt_place_find(&source, dir, from, false);
  if (reason != 0) {
    return bt_fs_fail(err, reason, from, "cannot be renamed");
  }
  reason = bt_place_find(&target, dir, to, false);
  if (reason == 0) {
    if (renameat(source.fd, source.name, target.fd, target.name) != 0) {
      reason = errno;
    } else {
      (void)bt_place_sync(&target);
      (void)bt_place_sync(&source);
    }
    bt_place_dispose(&target);
  }
  bt_place_dispose(&source);
  return reason == 0 ? BT_OK : bt_fs_fail(err, reason, from, "cannot be renamed");
}
