/* core/handover/write.c - the mod on disk, and the state files. */
#include "core/handover/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/fs_walk.h"

#define PATH_SIZE 512
#define DEPTH_MAX 16

/* ---- the mod ---- */

enum bt_code bt_mod_write(int root, const struct bt_mod_row *row, struct bt_error *err) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  enum bt_code code = BT_OK;
  /* The marked module last: until it is there, what is there is not taken for ours and not for loaded. */
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; code == BT_OK && i < count; i++) {
      char path[PATH_SIZE];
      bool is_module = strcmp(files[i].path, BT_MOD_MODULE) == 0;
      if (is_module != (pass == 1))
        continue;
      (void)snprintf(path, sizeof path, "%s/%s", row->folder, files[i].path);
      code = bt_fs_replace_at(root, path, files[i].bytes, files[i].length, err);
    }
  }
  return code;
}

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

static enum bt_code remove_files(int mod, struct bt_error *err) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  enum bt_code code = BT_OK;
  /* The marked module last: a removal that was cut short can be taken up again. */
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; code == BT_OK && i < count; i++) {
      if ((strcmp(files[i].path, BT_MOD_MODULE) == 0) != (pass == 1))
        continue;
      code = bt_fs_unlink_at(mod, files[i].path, err);
      code = code == BT_MISSING ? BT_OK : code;
    }
  }
  return code;
}

enum bt_code bt_mod_remove(int root, const struct bt_mod_row *row, struct bt_error *err) {
  char path[PATH_SIZE];
  int mod = bt_fs_open_folder_at(root, row->folder, err);
  if (mod < 0)
    return BT_IO;
  int plugin = open_folder(mod, ".claude-plugin", NULL);
  int reason = plugin >= 0 ? remove_tree(plugin, "types", DEPTH_MAX) : 0;
  if (plugin >= 0)
    close(plugin);
  enum bt_code code =
      reason == 0 ? remove_files(mod, err) : bt_error_set_errno(err, reason, BT_MOD_TYPES, "cannot be removed");
  close(mod);
  static const char *const folders[] = {"/.claude-plugin", "/hooks", ""};
  for (size_t i = 0; code == BT_OK && i < 3; i++) {
    (void)snprintf(path, sizeof path, "%s%s", row->folder, folders[i]);
    remove_if_empty(root, path);
  }
  return code;
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

enum bt_code bt_ask_keep_write(const char *state_dir, const char *session, const struct bt_ask_keep *keep,
                               struct bt_error *err) {
  char name[300];
  struct bt_str text;
  int folder = open_state(state_dir, err);
  if (folder < 0)
    return BT_IO;
  bt_str_init(&text, 64 * 1024);
  bt_ask_keep_print(&text, session, keep);
  int length = snprintf(name, sizeof name, "%s.json", session);
  int reason = text.failed                                   ? ENOMEM
               : length < 0 || (size_t)length >= sizeof name ? ENAMETOOLONG
                                                             : replace_private(folder, name, &text);
  bt_str_dispose(&text);
  close(folder);
  return reason == 0 ? BT_OK : bt_error_set_errno(err, reason, name, "cannot be written");
}
