/* core/delivery/write.c - changes on disk: exclusion line, record, copies. */
#include "core/delivery/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/fs_walk.h"
#include "core/delivery/exclude.h"
#include "core/delivery/guard.h"

#define LOCK_TRIES 250
#define LOCK_STEP_NS 20000000L
#define RECORD_NAME "handoff.json"
#define TEMPORARY_NAME ".handoff.json.tmp"

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* ---- lock ---- */

/* One writer at a time in all working trees of a repository. The lock is on its folder and goes with the process, so
 * that nothing is left behind and nothing can be stale. -1 with err set. */
static int take_lock(const struct bt_work *work, struct bt_error *err) {
  int fd = bt_fs_open_root(work->common_dir, err);
  for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || i >= LOCK_TRIES) {
      (void)bt_error_set_errno(err, errno, work->common_dir, "another baton is writing in this repository");
      if (err != NULL)
        err->code = BT_BUSY;
      close(fd);
      return -1;
    }
    struct timespec step = {.tv_nsec = LOCK_STEP_NS};
    (void)nanosleep(&step, NULL);
  }
  return fd;
}

/* ---- one new file ---- */

/* A new file with these bytes, synced. `mode` is exact when there is an old file to be like, else up to the umask. */
static enum bt_code make_file(int folder, const char *name, const char *bytes, size_t length, mode_t mode,
                              const struct stat *like, struct bt_error *err) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  int reason = fd < 0 ? errno : bt_fs_write_all(fd, bytes, length);
  if (fd >= 0 && reason == 0 && like != NULL && fchmod(fd, like->st_mode & 07777) != 0)
    reason = errno;
  if (fd >= 0 && like != NULL && fchown(fd, like->st_uid, like->st_gid) != 0)
    errno = 0; /* only root can give a file away: it stays ours then */
  if (fd >= 0 && reason == 0 && fsync(fd) != 0)
    reason = errno;
  if (fd >= 0 && close(fd) != 0 && reason == 0 && errno != EINTR)
    reason = errno;
  if (reason != 0 && fd >= 0)
    (void)unlinkat(folder, name, 0);
  return reason == 0 ? BT_OK : bt_error_set_errno(err, reason, name, "cannot be written");
}

static enum bt_code temporary_name(char *out, size_t size, const char *stem, struct bt_error *err) {
  char nonce[17];
  enum bt_code code = bt_random_hex(nonce, 8, err);
  if (code == BT_OK)
    (void)snprintf(out, size, "%s.%s.tmp", stem, nonce);
  return code;
}

/* STEM.<16 hex>.tmp of a process that died: we hold the lock. What cannot be removed harms nobody. */
static void sweep(int folder, const char *stem) {
  struct bt_fs_listing listing;
  size_t front = strlen(stem) + 1;
  if (bt_fs_list_at(folder, ".", &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    const char *name = listing.names[i];
    bool ours = bt_starts_with(name, stem) && strlen(name) == front + 16 + strlen(".tmp") && name[front - 1] == '.' &&
                strspn(name + front, "0123456789abcdef") == 16 && bt_ends_with(name, ".tmp");
    if (ours)
      (void)unlinkat(folder, name, 0);
  }
  bt_fs_listing_dispose(&listing);
}

static void sync_folder(int folder) {
  (void)fsync(folder); /* the rename is done and cannot be taken back; some file systems cannot sync a folder */
}

/* A temporary beside the file, renamed over it. */
static enum bt_code replace_in(int folder, const char *name, const char *bytes, size_t length, mode_t mode,
                               struct bt_error *err) {
  char temporary[256];
  struct stat old;
  bool present = fstatat(folder, name, &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (present && !S_ISREG(old.st_mode))
    return bt_fs_refuse_kind(err, old.st_mode, name);
  if (strlen(name) > 200)
    return bt_error_set_errno(err, ENAMETOOLONG, name, "cannot be written");
  enum bt_code code = temporary_name(temporary, sizeof temporary, name, err);
  if (code == BT_OK)
    code = make_file(folder, temporary, bytes, length, mode, present ? &old : NULL, err);
  if (code != BT_OK)
    return code;
  if (renameat(folder, temporary, folder, name) != 0) {
    code = bt_error_set_errno(err, errno, name, "cannot be written");
    (void)unlinkat(folder, temporary, 0);
  }
  sync_folder(folder);
  return code;
}

/* ---- the exclusion file ---- */

static int open_info(const struct bt_work *work, struct bt_error *err) {
  const char *path = bt_arena_printf(work->arena, "%s/info", work->common_dir);
  if (path == NULL) {
    (void)out_of_memory(err);
    return -1;
  }
  if (mkdir(path, 0755) != 0 && errno != EEXIST) {
    (void)bt_error_set_errno(err, errno, path, "the folder cannot be made");
    return -1;
  }
  return bt_fs_open_root(path, err);
}

/* Under the lock. *needed: the line was not there. */
static enum bt_code add_exclusion(const struct bt_work *work, const char *pattern, bool write, bool *needed,
                                  struct bt_error *err) {
  struct bt_str old, new;
  bool is_link = false;
  bt_str_init(&old, BT_EXCLUDE_BYTES_MAX);
  bt_str_init(&new, BT_EXCLUDE_BYTES_MAX + 256);
  enum bt_code code = bt_guard_exclusions(work, &old, &is_link, err);
  *needed = code == BT_OK && !bt_exclude_has(old.data, old.length, pattern);
  if (*needed && is_link)
    code = bt_error_set(err, BT_UNSAFE, "info/exclude",
                        "info/exclude is a symbolic link and is left alone: put the line %s into it", pattern);
  if (code == BT_OK && *needed && write) {
    bt_exclude_with(&new, old.data, old.length, pattern);
    int folder = new.failed ? -1 : open_info(work, err);
    code = new.failed ? out_of_memory(err) : folder < 0 ? BT_IO : BT_OK;
    if (folder >= 0) {
      sweep(folder, "exclude");
      code = replace_in(folder, "exclude", new.data, new.length, 0666, err);
      close(folder);
    }
  }
  bt_str_dispose(&old);
  bt_str_dispose(&new);
  return code;
}

/* ---- the record ---- */

/* What is on disk now is what the evaluation has read. */
static enum bt_code is_unchanged(int folder, const char *path, const struct bt_store_copy *expected, bool *same,
                                 struct bt_error *err) {
  struct bt_str now;
  bt_str_init(&now, BT_DELIVERY_BYTES_MAX);
  enum bt_code code = bt_fs_read_at(folder, path, &now, NULL);
  if (code == BT_OK)
    *same =
        expected->bytes != NULL && expected->length == now.length && memcmp(expected->bytes, now.data, now.length) == 0;
  else
    *same = code == BT_MISSING ? !expected->present : expected->present && expected->bytes == NULL;
  bt_str_dispose(&now);
  return code == BT_NOMEM ? out_of_memory(err) : BT_OK;
}

/* Moves the finished temporary to its place. An errno; EEXIST when somebody was faster. */
static int move_in(int from, const char *temporary, int folder, bool replaces) {
  if (replaces)
    return renameat(from, temporary, folder, RECORD_NAME) == 0 ? 0 : errno;
  if (linkat(from, temporary, folder, RECORD_NAME, 0) == 0) { /* never over something that is there */
    (void)unlinkat(from, temporary, 0);
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != EMLINK)
    return errno;
  return renameat(from, temporary, folder, RECORD_NAME) == 0 ? 0 : errno;
}

struct move {
  const struct bt_work *work;
  const struct bt_store_copy *expected;
  const char *bytes;
  size_t length;
  int folder; /* the record's */
};

/* The temporary lies in `from` under `name`; it is gone afterwards either way. */
static enum bt_code put_temporary(const struct move *move, int from, const char *name, int *reason,
                                  struct bt_error *err) {
  bool same = false;
  *reason = 0;
  enum bt_code code = make_file(from, name, move->bytes, move->length, 0600, NULL, err);
  if (code != BT_OK)
    return code;
  code = is_unchanged(move->folder, RECORD_NAME, move->expected, &same, err);
  if (code == BT_OK)
    *reason = same ? move_in(from, name, move->folder, move->expected->present) : EEXIST;
  if (code != BT_OK || *reason != 0)
    (void)unlinkat(from, name, 0);
  return code;
}

/* The git folder is on another file system: the temporary has to lie beside the record, excluded as well. */
static enum bt_code put_beside(const struct move *move, int *reason, struct bt_error *err) {
  bool needed = false;
  enum bt_code code = add_exclusion(move->work, BT_EXCLUDE_TEMPORARY, true, &needed, err);
  if (code != BT_OK)
    return code;
  (void)unlinkat(move->folder, TEMPORARY_NAME, 0); /* of a process that died: we hold the lock */
  return put_temporary(move, move->folder, TEMPORARY_NAME, reason, err);
}

static enum bt_code put_record(const struct move *move, const char **refusal, struct bt_error *err) {
  char name[64];
  int reason = 0;
  int git = bt_fs_open_root(move->work->git_dir, err);
  if (git < 0)
    return BT_IO;
  sweep(git, "baton-handoff");
  enum bt_code code = temporary_name(name, sizeof name, "baton-handoff", err);
  if (code == BT_OK)
    code = put_temporary(move, git, name, &reason, err);
  close(git);
  if (code == BT_OK && reason == EXDEV)
    code = put_beside(move, &reason, err);
  if (code != BT_OK)
    return code;
  if (reason == EEXIST)
    *refusal = "refused:changed-meanwhile";
  else if (reason != 0)
    return bt_error_set_errno(err, reason, BT_RECORD_PATH, "cannot be written");
  sync_folder(move->folder);
  return BT_OK;
}

/* The record's folder, made when it is not there. */
static int open_record_folder(const struct bt_work *work, struct bt_error *err) {
  int tree = bt_fs_open_root(work->tree, err);
  if (tree < 0)
    return -1;
  int folder = -1;
  if (mkdirat(tree, BT_RECORD_FOLDER, 0700) != 0 && errno != EEXIST)
    (void)bt_error_set_errno(err, errno, BT_RECORD_FOLDER, "the folder cannot be made");
  else
    folder = bt_fs_open_folder_at(tree, BT_RECORD_FOLDER, err);
  close(tree);
  return folder;
}

/* Steps 1 to 4. */
static enum bt_code guard(const struct bt_work *work, bool write, struct bt_delivery_outcome *outcome,
                          struct bt_error *err) {
  enum bt_code code = bt_guard_path(work, &outcome->refusal, err);
  if (code == BT_OK && outcome->refusal == NULL)
    code = bt_guard_index(work, &outcome->refusal, err);
  if (code != BT_OK || outcome->refusal != NULL)
    return code;
  code = add_exclusion(work, BT_EXCLUDE_PATTERN, write, &outcome->exclusion_needed, err);
  if (code != BT_OK)
    return code;
  if (outcome->exclusion_needed && !write)
    return bt_guard_would_be_ignored(work, &outcome->refusal, err);
  return bt_guard_ignored(work, &outcome->refusal, err);
}

enum bt_code bt_delivery_write_record(const struct bt_work *work, const struct bt_store_copy *expected,
                                      const char *bytes, size_t length, bool write, struct bt_delivery_outcome *outcome,
                                      struct bt_error *err) {
  *outcome = (struct bt_delivery_outcome){.refusal = NULL};
  if (!write)
    return guard(work, false, outcome, err);
  struct move move = {work, expected, bytes, length, -1};
  int lock = take_lock(work, err);
  if (lock < 0)
    return err != NULL ? err->code : BT_BUSY;
  enum bt_code code = guard(work, true, outcome, err);
  if (code == BT_OK && outcome->refusal == NULL) {
    move.folder = open_record_folder(work, err);
    code = move.folder < 0 ? BT_IO : put_record(&move, &outcome->refusal, err);
  }
  if (code == BT_OK && outcome->refusal == NULL) {
    const char *after = NULL;
    code = bt_guard_index(work, &after, err);
    outcome->refusal = after != NULL ? "refused:staged" : NULL;
  }
  if (move.folder >= 0)
    close(move.folder);
  close(lock);
  return code;
}

/* ---- other files ---- */

enum bt_code bt_delivery_write_file(const struct bt_work *work, const char *path, const struct bt_store_copy *expected,
                                    const char *bytes, size_t length, struct bt_delivery_outcome *outcome,
                                    struct bt_error *err) {
  const char *name = bt_path_basename(path);
  char *parent = bt_arena_strndup(work->arena, path, (size_t)(name - path));
  *outcome = (struct bt_delivery_outcome){.refusal = NULL};
  if (parent == NULL)
    return out_of_memory(err);
  if (name[0] == '\0')
    return bt_error_set_errno(err, EISDIR, path, "cannot be written");
  int lock = take_lock(work, err);
  if (lock < 0)
    return err != NULL ? err->code : BT_BUSY;
  int folder = bt_fs_open_root(parent[0] != '\0' ? parent : ".", err);
  enum bt_code code = folder < 0 ? BT_IO : BT_OK;
  bool same = true;
  if (code == BT_OK && expected != NULL)
    code = is_unchanged(folder, name, expected, &same, err);
  if (code == BT_OK && !same)
    outcome->refusal = "refused:changed-meanwhile";
  else if (code == BT_OK)
    code = replace_in(folder, name, bytes, length, 0600, err);
  if (folder >= 0)
    close(folder);
  close(lock);
  return code;
}

enum bt_code bt_delivery_write_backup(const struct bt_work *work, const char *name, const char *bytes, size_t length,
                                      const char **path, struct bt_error *err) {
  const char *folder_path = bt_arena_printf(work->arena, "%s/baton", work->git_dir);
  if (folder_path == NULL)
    return out_of_memory(err);
  if (mkdir(folder_path, 0700) != 0 && errno != EEXIST)
    return bt_error_set_errno(err, errno, folder_path, "the folder cannot be made");
  int folder = bt_fs_open_root(folder_path, err);
  if (folder < 0)
    return BT_IO;
  struct bt_error own = {0};
  enum bt_code code = BT_IO;
  for (int i = 0; i < 100; i++) { /* two copies within one second */
    *path = i == 0 ? bt_arena_printf(work->arena, "%s/%s", folder_path, name)
                   : bt_arena_printf(work->arena, "%s/%s.%d", folder_path, name, i);
    code = *path == NULL ? out_of_memory(&own)
                         : make_file(folder, bt_path_basename(*path), bytes, length, 0600, NULL, &own);
    if (code == BT_OK || own.sys_errno != EEXIST)
      break;
  }
  sync_folder(folder);
  close(folder);
  if (code != BT_OK && err != NULL)
    *err = own;
  return code;
}

void bt_delivery_drop_backup(const char *path) {
  (void)unlink(path);
}
