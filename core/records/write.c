/* core/records/write.c - see write.h. */
#define _GNU_SOURCE /* O_PATH folders: a folder that may be searched need not be readable */
#include "core/records/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/hashset.h"

#define NONCE_DIGITS 16
#define LOCK_TRIES 1000
#define LOCK_PAUSE_NS 10000000L

static int write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(fd, bytes, length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 ? errno : EIO;
    bytes += count;
    length -= (size_t)count;
  }
  return 0;
}

void bt_write_sync(int dir) {
  int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    (void)close(fd);
  }
}

/* ---- drafts ---- */

static enum bt_code take_into_draft(struct bt_outlet *outlet, const char *bytes, size_t length, struct bt_error *err) {
  struct bt_draft *draft = (struct bt_draft *)outlet; /* its first member */
  int reason = write_all(draft->fd, bytes, length);
  return reason == 0 ? BT_OK : bt_error_set_errno(err, reason, draft->name, "%s cannot be written", draft->name);
}

enum bt_code bt_draft_begin(struct bt_draft *draft, int dir, const char *name, unsigned mode, struct bt_error *err) {
  char nonce[NONCE_DIGITS + 1];
  memset(draft, 0, sizeof *draft);
  draft->fd = -1;
  draft->dir = dir;
  bt_outlet_init(&draft->outlet, take_into_draft, err);
  enum bt_code code = bt_random_hex(nonce, NONCE_DIGITS / 2, err);
  if (code != BT_OK)
    return code;
  int length = snprintf(draft->temp, sizeof draft->temp, ".%s.%jd.%s.tmp", name, (intmax_t)getpid(), nonce);
  if (length < 0 || (size_t)length >= sizeof draft->temp)
    return bt_error_set_errno(err, ENAMETOOLONG, name, "cannot be written");
  snprintf(draft->name, sizeof draft->name, "%s", name);
  draft->fd = openat(dir, draft->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
  if (draft->fd < 0)
    return bt_error_set_errno(err, errno, name, "%s cannot be written", name);
  draft->is_temp = true;
  return BT_OK;
}

enum bt_code bt_draft_settle(struct bt_draft *draft, struct bt_error *err) {
  enum bt_code code = bt_outlet_flush(&draft->outlet);
  int reason = code == BT_OK && fsync(draft->fd) != 0 ? errno : 0;
  if (close(draft->fd) != 0 && reason == 0 && errno != EINTR)
    reason = errno;
  draft->fd = -1;
  if (code != BT_OK)
    return code;
  return reason == 0 ? BT_OK : bt_error_set_errno(err, reason, draft->name, "%s cannot be written", draft->name);
}

enum bt_code bt_draft_commit(struct bt_draft *draft, struct bt_error *err) {
  if (renameat(draft->dir, draft->temp, draft->dir, draft->name) != 0)
    return bt_error_set_errno(err, errno, draft->name, "%s cannot be put in place", draft->name);
  draft->is_temp = false;
  return BT_OK;
}

void bt_draft_drop(struct bt_draft *draft) {
  if (draft->fd >= 0)
    (void)close(draft->fd);
  if (draft->is_temp)
    (void)unlinkat(draft->dir, draft->temp, 0);
  draft->fd = -1;
  draft->is_temp = false;
  bt_outlet_dispose(&draft->outlet);
}

void bt_draft_leave(struct bt_draft *draft) {
  draft->is_temp = false;
  bt_draft_drop(draft);
}

enum bt_code bt_write_file(int dir, const char *name, const char *bytes, size_t length, struct bt_error *err) {
  struct bt_draft draft;
  enum bt_code code = bt_draft_begin(&draft, dir, name, 0666, err);
  if (code == BT_OK) {
    bt_outlet_put(&draft.outlet, bytes, length);
    code = bt_draft_settle(&draft, err);
  }
  if (code == BT_OK)
    code = bt_draft_commit(&draft, err);
  bt_draft_drop(&draft);
  bt_write_sync(dir);
  return code;
}

/* ---- growth ---- */

static enum bt_code take_into_growth(struct bt_outlet *outlet, const char *bytes, size_t length, struct bt_error *err) {
  struct bt_growth *growth = (struct bt_growth *)outlet;
  int reason = write_all(growth->fd, bytes, length);
  if (reason != 0)
    return bt_error_set_errno(err, reason, growth->name, "%s cannot be written", growth->name);
  growth->end += (int64_t)length;
  return BT_OK;
}

enum bt_code bt_growth_begin(struct bt_growth *growth, int dir, const char *name, struct bt_error *err) {
  struct stat found;
  memset(growth, 0, sizeof *growth);
  growth->dir = dir;
  snprintf(growth->name, sizeof growth->name, "%s", name);
  bt_outlet_init(&growth->outlet, take_into_growth, err);
  const int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  growth->fd = openat(dir, name, flags | O_CREAT | O_EXCL, 0666);
  growth->is_new = growth->fd >= 0;
  if (growth->fd < 0 && errno == EEXIST)
    growth->fd = openat(dir, name, flags);
  if (growth->fd < 0)
    return bt_error_set_errno(err, errno, name, "%s cannot be opened for writing", name);
  if (fstat(growth->fd, &found) != 0 || !S_ISREG(found.st_mode))
    return bt_error_set(err, BT_UNSAFE, name, "%s is no regular file", name);
  growth->begun = growth->end = (int64_t)found.st_size;
  return BT_OK;
}

enum bt_code bt_growth_settle(struct bt_growth *growth, struct bt_error *err) {
  enum bt_code code = bt_outlet_flush(&growth->outlet);
  if (code == BT_OK && fsync(growth->fd) != 0)
    code = bt_error_set_errno(err, errno, growth->name, "%s cannot be written", growth->name);
  return code;
}

enum bt_code bt_growth_cut(struct bt_growth *growth, int64_t end, struct bt_error *err) {
  if (ftruncate(growth->fd, (off_t)end) != 0)
    return bt_error_set_errno(err, errno, growth->name, "%s cannot be cut", growth->name);
  growth->begun = growth->end = end;
  return BT_OK;
}

void bt_growth_drop(struct bt_growth *growth, bool keep) {
  if (growth->fd >= 0) {
    if (!keep && growth->is_new)
      (void)unlinkat(growth->dir, growth->name, 0);
    else if (!keep && ftruncate(growth->fd, (off_t)growth->begun) != 0)
      growth->end = -1; /* what was put stays; the next build finds it and completes it */
    (void)close(growth->fd);
  }
  growth->fd = -1;
  bt_outlet_dispose(&growth->outlet);
}

/* ---- folders and names ---- */

enum bt_code bt_write_folders(const char *path, struct bt_error *err) {
  char *copy = strdup(path);
  enum bt_code code = copy != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, path, "out of memory");
  for (char *at = copy; code == BT_OK && at != NULL;) {
    at = strchr(at + 1, '/');
    if (at != NULL)
      *at = '\0';
    if (copy[0] != '\0' && mkdir(copy, 0777) != 0 && errno != EEXIST &&
        (at == NULL || (errno != EROFS && errno != EACCES)))
      code = bt_error_set_errno(err, errno, copy, "%s: the folder cannot be made", copy);
    if (at != NULL)
      *at = '/';
  }
  free(copy);
  return code;
}

enum bt_code bt_write_folder(int dir, const char *name, bool *made, struct bt_error *err) {
  bool is_new = mkdirat(dir, name, 0777) == 0;
  if (!is_new && errno != EEXIST)
    return bt_error_set_errno(err, errno, name, "%s: the folder cannot be made", name);
  if (made != NULL)
    *made = is_new;
  if (is_new)
    bt_write_sync(dir);
  return BT_OK;
}

enum bt_code bt_write_move(int from_dir, const char *from, int to_dir, const char *to, struct bt_error *err) {
  if (renameat(from_dir, from, to_dir, to) != 0)
    return bt_error_set_errno(err, errno, to, "%s cannot be moved to %s", from, to);
  bt_write_sync(to_dir);
  bt_write_sync(from_dir);
  return BT_OK;
}

enum bt_code bt_write_remove_file(int dir, const char *name, struct bt_error *err) {
  return unlinkat(dir, name, 0) == 0 ? BT_OK : bt_error_set_errno(err, errno, name, "%s cannot be removed", name);
}

bool bt_write_remove_empty(int dir, const char *name) {
  return unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

/* `.<name>.<pid>.<hex>.tmp`, whose writer is gone: whoever writes holds the lock that is held here. Where there is none
 * the process decides, as far as this host can tell. */
static bool is_left_over(const char *name, const struct bt_store_lock *lock) {
  size_t length = strlen(name), tail = 1 + NONCE_DIGITS + strlen(".tmp");
  if (name[0] != '.' || length <= tail || !bt_ends_with(name, ".tmp") || name[length - tail] != '.' ||
      strspn(name + length - tail + 1, "0123456789abcdef") != NONCE_DIGITS)
    return false;
  size_t pid = length - tail;
  while (pid > 0 && name[pid - 1] >= '0' && name[pid - 1] <= '9')
    pid--;
  if (pid < 3 || name[pid - 1] != '.')
    return false;
  errno = 0;
  long owner = strtol(name + pid, NULL, 10);
  if (errno != 0 || owner <= 0 || owner > INT_MAX)
    return false;
  return (lock->fd >= 0 && !lock->is_weak) || (kill((pid_t)owner, 0) != 0 && errno == ESRCH);
}

bool bt_write_was_cut_short(int dir, const struct bt_store_lock *lock) {
  struct bt_fs_listing listing;
  bool found = false;
  if (bt_fs_list_at(dir, ".", &listing, NULL) != BT_OK)
    return false;
  for (size_t i = 0; i < listing.count; i++)
    found = found || is_left_over(listing.names[i], lock);
  bt_fs_listing_dispose(&listing);
  return found;
}

void bt_write_sweep(int dir, const struct bt_store_lock *lock) {
  struct bt_fs_listing listing;
  if (bt_fs_list_at(dir, ".", &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    if (is_left_over(listing.names[i], lock))
      (void)unlinkat(dir, listing.names[i], 0);
  }
  bt_fs_listing_dispose(&listing);
}

/* ---- locks ---- */

int64_t bt_lock_of(const char *project, const char *folder) {
  struct bt_str text;
  bt_str_init(&text, 65536);
  bt_str_printf(&text, "%s/%s", project, folder);
  int64_t range = (int64_t)(bt_id_hash(text.data, text.length) >> 2) + 1;
  bt_str_dispose(&text);
  return range;
}

/* The lock belongs to the open file, not to the process: two threads exclude each other too, and nobody loses it
 * because somebody else in the process closed the same file. A kernel that has no such locks gets the older kind. */
static int set_range(int fd, int64_t range, short type) {
  struct flock what = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)range, .l_len = 1};
  int status, kind = F_OFD_SETLK;
  while ((status = fcntl(fd, kind, &what)) != 0 && (errno == EINTR || (errno == EINVAL && kind == F_OFD_SETLK)))
    kind = errno == EINVAL ? F_SETLK : kind;
  return status == 0 ? 0 : errno;
}

enum bt_code bt_store_lock_take(struct bt_store_lock *lock, int root, int64_t range, bool wait, struct bt_error *err) {
  if (lock->fd < 0)
    lock->fd = openat(root, BT_LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
  if (lock->fd < 0)
    return bt_error_set(err, BT_READONLY, BT_LOCK_NAME, "the store cannot be written (%s)", bt_errno_name(errno));
  for (int attempt = 0;; attempt++) {
    int reason = set_range(lock->fd, range, F_WRLCK);
    if (reason == 0 || reason == ENOLCK) {
      lock->is_weak = reason == ENOLCK; /* a file system without locks: as good as it gets */
      return BT_OK;
    }
    if (reason != EAGAIN && reason != EACCES)
      return bt_error_set_errno(err, reason, BT_LOCK_NAME, "the store cannot be locked");
    if (!wait || attempt == LOCK_TRIES)
      return bt_error_set(err, BT_BUSY, "", "another program is working on this session");
    struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
    (void)nanosleep(&pause, NULL);
  }
}

void bt_store_lock_drop(struct bt_store_lock *lock, int64_t range) {
  if (lock->fd >= 0)
    (void)set_range(lock->fd, range, F_UNLCK);
}

void bt_store_lock_release(struct bt_store_lock *lock) {
  if (lock->fd >= 0)
    (void)close(lock->fd);
  lock->fd = -1;
}
