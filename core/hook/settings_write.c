/* core/hook/settings_write.c - a file of another program, changed as carefully as it deserves. */
#include "core/hook/settings_write.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/real_path.h"
#include "core/base/utf8.h"
#include "core/harness/wiring.h"
#include "core/ops/txn.h"

#define PATH_BYTES ((size_t)65536)
#define NEW_MODE 0600u /* settings may hold tokens */

static void split(struct bt_settings_file *file, const char *path) {
  const char *name = bt_path_basename(path);
  bt_str_append(&file->folder, path, name - path > 1 ? (size_t)(name - path - 1) : 1);
  bt_str_puts(&file->name, name);
}

static bool same_text(const struct bt_str *a, const struct bt_str *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* The folder, or -1: it is not there, or err tells. */
static int open_folder(const struct bt_settings_file *file, struct bt_error *err) {
  return bt_fs_open_root(file->folder.data, err);
}

static enum bt_code read_present(struct bt_settings_file *file, struct bt_error *err) {
  struct bt_error problem = {0};
  struct bt_fs_stat stat;
  int dir = open_folder(file, &problem);
  enum bt_code code = dir >= 0 ? BT_OK : problem.code;
  if (dir >= 0) {
    bt_fs_stat_at(dir, file->name.data, &stat);
    file->mode = stat.kind == BT_FS_FILE ? stat.mode & 0777u : NEW_MODE;
    code = bt_fs_read_at(dir, file->name.data, &file->text, &problem);
    close(dir);
  }
  file->present = code == BT_OK;
  if (code == BT_OK || code == BT_MISSING)
    return BT_OK;
  if (err != NULL)
    *err = problem;
  return code;
}

enum bt_code bt_settings_open(const char *path, bool follow, struct bt_settings_file *file, struct bt_error *err) {
  struct bt_str bytes;
  *file = (struct bt_settings_file){.mode = NEW_MODE};
  bt_str_init(&file->folder, PATH_BYTES);
  bt_str_init(&file->name, PATH_BYTES);
  bt_str_init(&file->text, BT_SETTINGS_MAX);
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, path, strlen(path));
  char *real = follow && !bytes.failed ? bt_real_path(bytes.data) : NULL;
  split(file, real != NULL ? real : bytes.data);
  free(real);
  bool failed = bytes.failed || file->folder.failed || file->name.failed;
  bt_str_dispose(&bytes);
  return failed ? bt_error_set(err, BT_NOMEM, path, "out of memory") : read_present(file, err);
}

void bt_settings_dispose(struct bt_settings_file *file) {
  bt_str_dispose(&file->folder);
  bt_str_dispose(&file->name);
  bt_str_dispose(&file->text);
}

static void backup_name(struct bt_str *out, const struct bt_settings_file *file) {
  bt_str_init(out, PATH_BYTES);
  bt_str_puts(out, file->name.data);
  bt_str_puts(out, BT_SETTINGS_BACKUP);
}

enum bt_code bt_settings_read_backup(const struct bt_settings_file *file, struct bt_str *out, struct bt_error *err) {
  struct bt_str name;
  struct bt_error problem = {0};
  int dir = open_folder(file, &problem);
  if (dir < 0) {
    if (err != NULL)
      *err = problem;
    return problem.code;
  }
  backup_name(&name, file);
  enum bt_code code = name.failed ? bt_error_set(err, BT_NOMEM, file->name.data, "out of memory")
                                  : bt_fs_read_at(dir, name.data, out, err);
  bt_str_dispose(&name);
  close(dir);
  return code;
}

/* Nobody else has written since it was read? */
static enum bt_code check_unchanged(int dir, const struct bt_settings_file *file, struct bt_error *err) {
  struct bt_str now;
  struct bt_error problem = {0};
  bt_str_init(&now, BT_SETTINGS_MAX);
  enum bt_code code = bt_fs_read_at(dir, file->name.data, &now, &problem);
  bool same = file->present ? code == BT_OK && same_text(&now, &file->text) : code == BT_MISSING;
  bt_str_dispose(&now);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, file->name.data, "out of memory");
  return same ? BT_OK : bt_error_set(err, BT_STALE, file->name.data, "%s changed meanwhile", file->name.data);
}

static enum bt_code keep_copy(int dir, const struct bt_settings_file *file, struct bt_str *backup,
                              struct bt_error *err) {
  struct bt_str name;
  if (!file->present)
    return BT_OK;
  backup_name(&name, file);
  bt_str_puts(backup, file->folder.data); /* before anything is written: nobody is left without its name */
  bt_str_putc(backup, '/');
  bt_str_puts(backup, name.data);
  enum bt_code code = name.failed || backup->failed
                          ? bt_error_set(err, BT_NOMEM, file->name.data, "out of memory")
                          : bt_fs_replace_as_at(dir, name.data, file->text.data, file->text.length, file->mode, err);
  if (code != BT_OK)
    bt_str_clear(backup);
  bt_str_dispose(&name);
  return code;
}

enum bt_code bt_settings_replace(const struct bt_settings_file *file, const struct bt_str *text, struct bt_str *backup,
                                 struct bt_error *err) {
  struct bt_error problem = {0};
  int dir = bt_txn_make_root(file->folder.data, &problem);
  if (dir < 0) {
    if (err != NULL)
      *err = problem;
    return problem.code;
  }
  enum bt_code code = check_unchanged(dir, file, err);
  if (code == BT_OK)
    code = keep_copy(dir, file, backup, err);
  if (code == BT_OK)
    code = bt_fs_replace_as_at(dir, file->name.data, text->data, text->length, file->mode, err);
  close(dir);
  return code;
}
