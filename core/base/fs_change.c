/* core/base/fs_change.c - files changed where they stand: overwritten (with an undo) and appended to. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/fs_walk.h"

/* Opens a regular file for changing it in place; an absent one is created and `*created` says so. */
static enum bt_code open_to_change(const struct bt_place *place, const char *path, int flags, int *fd, bool *created,
                                   struct stat *found, struct bt_error *err) {
  *created = false;
  *fd = bt_place_open(place, place->name, flags);
  if (*fd < 0 && errno == ENOENT) {
    *fd = bt_place_open(place, place->name, flags | O_CREAT | O_EXCL);
    *created = *fd >= 0;
  }
  if (*fd < 0) {
    return errno == EISDIR ? bt_fs_refuse_kind(err, S_IFDIR, path) : bt_fs_fail(err, errno, path, "cannot be opened");
  }
  enum bt_code code = BT_OK;
  if (fstat(*fd, found) != 0) {
    code = bt_error_set_errno(err, errno, path, "cannot be examined");
  } else if (!S_ISREG(found->st_mode)) {
    code = bt_fs_refuse_kind(err, found->st_mode, path);
  }
  if (code != BT_OK) {
    (void)close(*fd);
    *fd = -1;
  }
  return code;
}

/* Makes the content of an open file exactly `bytes`. 0 or an errno. */
static int set_content(int fd, const char *bytes, size_t length) {
  if (lseek(fd, 0, SEEK_SET) < 0) {
    return errno;
  }
  int reason = bt_fs_write_all(fd, bytes, length);
  if (reason == 0 && ftruncate(fd, (off_t)length) != 0) {
    reason = errno;
  }
  if (reason == 0 && fsync(fd) != 0) {
    reason = errno;
  }
  return reason;
}

enum bt_code bt_fs_overwrite_at(int dir, const char *path, const void *bytes, size_t length, struct bt_error *err) {
  struct bt_place place;
  struct bt_str old;
  struct stat found;
  bool created = false;
  int fd = -1;
  int reason = bt_place_find(&place, dir, path, true);
  if (reason != 0) {
    return bt_fs_fail(err, reason, path, "cannot be written");
  }
  bt_str_init(&old, BT_PRIOR_BYTES_MAX);
  enum bt_code code = open_to_change(&place, path, O_RDWR, &fd, &created, &found, err);
  if (code != BT_OK) {
    goto out;
  }
  if (created) {
    code = bt_place_fill_new(&place, fd, path, bytes, length, err);
    fd = -1;
    goto out;
  }
  code = bt_fs_read_fd(fd, path, &old, err);
  if (code != BT_OK) {
    goto out;
  }
  reason = set_content(fd, bytes, length);
  if (reason != 0) {
    code = bt_error_set_errno(err, reason, path, "cannot be written");
    if (set_content(fd, old.data, old.length) != 0) {
      bt_error_append(err, "the old content could not be put back");
    }
  }
out:
  if (fd >= 0) {
    (void)close(fd);
  }
  bt_str_dispose(&old);
  bt_place_dispose(&place);
  return code;
}

/* Cuts a half-written addition off again, unless somebody else has added something behind it. */
static void cut_back(int fd, int64_t size, int64_t written, struct bt_error *err) {
  struct stat now;
  if (fstat(fd, &now) != 0 || (int64_t)now.st_size != size + written || ftruncate(fd, (off_t)size) != 0) {
    bt_error_append(err, "%" PRId64 " bytes of it stay", written);
  }
}

enum bt_code bt_fs_append_at(int dir, const char *path, const void *bytes, size_t length, struct bt_error *err) {
  struct bt_place place;
  struct stat found;
  bool created = false;
  int fd = -1;
  int reason = bt_place_find(&place, dir, path, false);
  if (reason != 0) {
    return bt_fs_fail(err, reason, path, "cannot be written");
  }
  enum bt_code code = BT_OK;
  if (fstatat(place.fd, place.name, &found, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) {
    reason = bt_place_create_whole(&place, bytes, length);
    if (reason != ENOTSUP && reason != EEXIST) {
      code = reason == 0 ? BT_OK : bt_fs_fail(err, reason, path, "cannot be written");
      goto out;
    }
    reason = 0; /* somebody was faster, or it goes the long way here */
  }
  code = open_to_change(&place, path, O_WRONLY | O_APPEND, &fd, &created, &found, err);
  if (code != BT_OK) {
    goto out;
  }
  ssize_t written;
  do { /* one write: a concurrent reader sees the whole line or none of it */
    written = write(fd, bytes, length);
  } while (written < 0 && errno == EINTR);
  if (written < 0) {
    reason = errno;
  } else if ((size_t)written < length) {
    reason = ENOSPC; /* what a short write to a regular file comes from */
  } else if (fsync(fd) != 0) {
    reason = errno;
  } else {
    reason = bt_place_sync(&place);
  }
  if (reason != 0) {
    code = bt_error_set_errno(err, reason, path, "cannot be written");
    if (created) {
      (void)unlinkat(place.fd, place.name, 0);
    } else if (written > 0) {
      cut_back(fd, (int64_t)found.st_size, (int64_t)written, err);
    }
  }
  (void)close(fd);
out:
  bt_place_dispose(&place);
  return code;
}
