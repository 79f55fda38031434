/* core/handover/write.c - the mod on disk, and the state files. */
#include "core/handover/write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

#define PATH_SIZE 512
#define DEPTH_MAX 64
#define NONCE_DIGITS 16
#define LOCK_TRIES 250
#define LOCK_STEP_NS 20000000L

/* ---- taking away ---- */

static int open_folder(int root, const char *path, struct bt_error *err) {
  struct bt_error own = {0};
  int fd = bt_fs_open_folder_at(root, path, &own);
  if (fd < 0 && own.sys_errno != ENOENT && err != NULL)
    *err = own;
  return fd;
}

/* An entry and all below it; a link is taken away, never followed. An errno. */
static int remove_tree(int folder, const char *name, int depth) {
  struct bt_fs_listing listing;
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
    return 0;
  if (errno != EISDIR && errno != EPERM)
    return errno;
  int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0 || depth == 0)
    return inner < 0 ? errno : ELOOP;
  int reason = bt_fs_list_at(inner, ".", &listing, NULL) == BT_OK ? 0 : EIO;
  for (size_t i = 0; reason == 0 && i < listing.count; i++)
    reason = remove_tree(inner, listing.names[i], depth - 1);
  bt_fs_listing_dispose(&listing);
  close(inner);
  return reason != 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 ? reason : errno;
}

/* Takes `path` away when nothing is left in it. */
static void remove_if_empty(int root, const char *path) {
  char parent[PATH_SIZE];
  const char *slash = strrchr(path, '/');
  (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
  int folder = open_folder(root, parent, NULL);
  if (folder < 0)
    return;
  (void)unlinkat(folder, slash + 1, AT_REMOVEDIR);
  close(folder);
}

/* Something else stands in a file's place, or on the way to it: a link, a folder. It is not ours to take. */
static bool is_in_the_way(const struct bt_error *err) {
  return err->sys_errno == ELOOP || err->sys_errno == ENOTDIR || err->sys_errno == EISDIR;
}

static enum bt_code remove_files(int mod, struct bt_error *err) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  /* The marked module last: a removal that was cut short can be taken up again. */
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < count; i++) {
      struct bt_error own = {0};
      bool is_module = strcmp(files[i].path, BT_MOD_MODULE) == 0;
      if (is_module != (pass == 1))
        continue;
      enum bt_code code = bt_fs_unlink_at(mod, files[i].path, &own);
      if (code == BT_OK || code == BT_MISSING || (!is_module && is_in_the_way(&own)))
        continue;
      if (err != NULL)
        *err = own;
      return code;
    }
  }
  return BT_OK;
}

/* What was distributed, and the folders that are empty then. */
static enum bt_code take_away(int root, const char *folder, struct bt_error *err) {
  static const char *const folders[] = {"/.claude-plugin", "/hooks", ""};
  char path[PATH_SIZE];
  int mod = bt_fs_open_folder_at(root, folder, err);
  if (mod < 0)
    return BT_IO;
  int plugin = open_folder(mod, ".claude-plugin", NULL);
  int reason = plugin >= 0 ? remove_tree(plugin, "types", DEPTH_MAX) : 0;
  if (plugin >= 0)
    close(plugin);
  enum bt_code code =
      reason == 0 ? remove_files(mod, err) : bt_error_set_errno(err, reason, BT_MOD_TYPES, "cannot be removed");
  close(mod);
  for (size_t i = 0; code == BT_OK && i < 3; i++) {
    (void)snprintf(path, sizeof path, "%s%s", folder, folders[i]);
    remove_if_empty(root, path);
  }
  return code;
}

/* ---- the stage ---- */

/* Everything is written beside, in `.claude/NAME.PID.NONCE.tmp`, where no mod is looked for, and only then moved: one
 * that is cut short has changed nothing, and what it left is known by its name and by the process that is no more. */
static enum bt_code name_stage(const struct bt_mod_row *row, char stage[PATH_SIZE], struct bt_error *err) {
  char nonce[NONCE_DIGITS + 1];
  enum bt_code code = bt_random_hex(nonce, NONCE_DIGITS / 2, err);
  if (code == BT_OK)
    (void)snprintf(stage, PATH_SIZE, "%.*s/%s.%ld.%s.tmp", (int)strcspn(row->folder, "/"), row->folder, row->name,
                   (long)getpid(), nonce);
  return code;
}

static bool is_left_over(const struct bt_mod_row *row, const char *name) {
  size_t length = strlen(row->name);
  if (strncmp(name, row->name, length) != 0 || name[length] != '.')
    return false;
  char *end;
  long owner = strtol(name + length + 1, &end, 10);
  bool formed = owner > 0 && *end == '.' && strspn(end + 1, "0123456789abcdef") == NONCE_DIGITS &&
                strcmp(end + 1 + NONCE_DIGITS, ".tmp") == 0;
  return formed && kill((pid_t)owner, 0) != 0 && errno == ESRCH;
}

static void sweep(int root, const struct bt_mod_row *row) {
  char path[PATH_SIZE], parent[PATH_SIZE];
  struct bt_fs_listing listing;
  (void)snprintf(parent, sizeof parent, "%.*s", (int)strcspn(row->folder, "/"), row->folder);
  if (bt_fs_list_at(root, parent, &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    int length = snprintf(path, sizeof path, "%s/%s", parent, listing.names[i]);
    if (is_left_over(row, listing.names[i]) && length > 0 && (size_t)length < sizeof path)
      (void)take_away(root, path, NULL);
  }
  bt_fs_listing_dispose(&listing);
}

static enum bt_code fill_stage(int root, const char *stage, struct bt_error *err) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  enum bt_code code = BT_OK;
  for (size_t i = 0; code == BT_OK && i < count; i++) {
    char path[2 * PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", stage, files[i].path);
    code = bt_fs_create_at(root, path, files[i].bytes, files[i].length, err);
  }
  return code;
}

/* As one: over nothing, or over folders in which there is no file. */
static enum bt_code move_whole(int root, const char *stage, const char *folder, struct bt_error *err) {
  static const char *const folders[] = {"/" BT_MOD_TYPES, "/.claude-plugin", "/hooks"};
  char path[PATH_SIZE];
  (void)snprintf(path, sizeof path, "%.*s", (int)(strrchr(folder, '/') - folder), folder);
  enum bt_code code = bt_fs_make_folders_at(root, path, err);
  for (size_t i = 0; code == BT_OK && i < sizeof folders / sizeof *folders; i++) {
    (void)snprintf(path, sizeof path, "%s%s", folder, folders[i]);
    remove_if_empty(root, path);
  }
  return code == BT_OK ? bt_fs_rename_at(root, stage, folder, err) : code;
}

/* File by file, each of them whole; a link in the place of one is replaced, never followed. */
static enum bt_code move_files(int root, const char *stage, const char *folder, struct bt_error *err) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  enum bt_code code = BT_OK;
  for (size_t i = 0; code == BT_OK && i < count; i++) {
    char from[2 * PATH_SIZE], to[PATH_SIZE], parent[PATH_SIZE];
    (void)snprintf(from, sizeof from, "%s/%s", stage, files[i].path);
    (void)snprintf(to, sizeof to, "%s/%s", folder, files[i].path);
    (void)snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(to, '/') - to), to);
    code = bt_fs_make_folders_at(root, parent, err);
    if (code == BT_OK)
      code = bt_fs_rename_at(root, from, to, err);
  }
  return code;
}

/* ---- the mod ---- */

enum bt_code bt_mod_write(int root, const struct bt_mod_row *row, struct bt_error *err) {
  char stage[PATH_SIZE];
  struct bt_mod_found found;
  enum bt_code code = bt_mod_look(root, row, &found, err);
  if (code == BT_OK && (found.condition == BT_MOD_FOREIGN || found.condition == BT_MOD_UNSAFE))
    code = bt_error_set(err, BT_STALE, row->folder, "something else has come to %s; nothing was written", row->folder);
  if (code == BT_OK)
    code = name_stage(row, stage, err);
  if (code != BT_OK)
    return code;
  sweep(root, row);
  code = fill_stage(root, stage, err);
  if (code == BT_OK)
    code = found.condition == BT_MOD_ABSENT ? move_whole(root, stage, row->folder, err)
                                            : move_files(root, stage, row->folder, err);
  (void)take_away(root, stage, NULL);
  if (code != BT_OK && bt_mod_look(root, row, &found, NULL) == BT_OK && found.condition == BT_MOD_IDENTICAL)
    return BT_OK; /* somebody else was installing it: what was asked for is there */
  return code;
}

enum bt_code bt_mod_remove(int root, const struct bt_mod_row *row, struct bt_error *err) {
  sweep(root, row);
  return take_away(root, row->folder, err);
}

/* ---- state files ---- */

/* mkdir -p of an absolute path; what is made is private. */
static int make_private(const char *path) {
  char part[PATH_SIZE * 8];
  size_t length = strlen(path);
  if (length >= sizeof part)
    return ENAMETOOLONG;
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, 0700) != 0 && errno != EEXIST)
      return errno;
  }
  return 0;
}

static int open_state(const char *state_dir, struct bt_error *err) {
  char path[PATH_SIZE * 8];
  (void)snprintf(path, sizeof path, "%s/%s", state_dir, BT_ASK_KEEP_FOLDER);
  int reason = make_private(path);
  if (reason != 0) {
    (void)bt_error_set_errno(err, reason, path, "the folder cannot be made");
    return -1;
  }
  return bt_fs_open_root(path, err);
}

/* A temporary beside it, renamed over it. An errno. */
static int replace_private(int folder, const char *name, const struct bt_str *text) {
  char nonce[17], temporary[400];
  if (bt_random_hex(nonce, 8, NULL) != BT_OK)
    return EIO;
  (void)snprintf(temporary, sizeof temporary, "%.300s.%s.tmp", name, nonce);
  int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return errno;
  int reason = bt_fs_write_all(fd, text->data, text->length);
  if (reason == 0 && fsync(fd) != 0)
    reason = errno;
  if (close(fd) != 0 && reason == 0 && errno != EINTR)
    reason = errno;
  if (reason == 0 && renameat(folder, temporary, folder, name) != 0)
    reason = errno;
  if (reason != 0)
    (void)unlinkat(folder, temporary, 0);
  return reason;
}

/* Held for the time of one small write, so who waits longer waits for a program that stands still. It goes with the
 * descriptor. */
static enum bt_code lock_state(int folder, struct bt_error *err) {
  for (int i = 0; flock(folder, LOCK_EX | LOCK_NB) != 0; i++) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return bt_error_set_errno(err, errno, BT_ASK_KEEP_FOLDER, "the folder cannot be locked");
    if (i >= LOCK_TRIES)
      return bt_error_set(err, BT_BUSY, BT_ASK_KEEP_FOLDER, "another baton is noting a request, and does not end");
    struct timespec step = {.tv_nsec = LOCK_STEP_NS};
    (void)nanosleep(&step, NULL);
  }
  return BT_OK;
}

/* Two programs may add to it at once: one after the other, and each to what the other has left. */
enum bt_code bt_ask_keep_write(const char *state_dir, const char *session, struct bt_ask_keep *keep,
                               struct bt_error *err) {
  char name[300];
  struct bt_str text;
  struct bt_ask_keep there;
  int folder = open_state(state_dir, err);
  if (folder < 0)
    return BT_IO;
  enum bt_code code = lock_state(folder, err);
  if (code != BT_OK) {
    close(folder);
    return code;
  }
  bt_ask_keep_read(state_dir, session, &there);
  bt_ask_keep_merge(keep, &there);
  bt_str_init(&text, 64 * 1024);
  bt_ask_keep_print(&text, session, keep);
  int length = snprintf(name, sizeof name, "%s.json", session);
  int reason = text.failed                                   ? ENOMEM
               : length < 0 || (size_t)length >= sizeof name ? ENAMETOOLONG
                                                             : replace_private(folder, name, &text);
  bt_str_dispose(&text);
  close(folder); /* and the lock with it */
  return reason == 0 ? BT_OK : bt_error_set_errno(err, reason, name, "cannot be written");
}
