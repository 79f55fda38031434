/* core/ops/own_file.c - exclusive creation below the state folder. */
#include "core/ops/own_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/ops/txn.h"

#define NAME_MAX_BYTES 200
#define TRIES 4

/* The time first, so that a listing is in order; chance only where that is taken. */
static enum bt_code file_name(const struct bt_env *env, const char *folder, const char *name, int attempt,
                              char out[2 * NAME_MAX_BYTES], struct bt_error *err) {
  char stamp[BT_ISO_MS], random[9] = "";
  bt_time_iso(stamp, bt_env_now(env));
  enum bt_code code = attempt ? bt_random_hex(random, 4, err) : BT_OK;
  if (code == BT_OK)
    snprintf(out, 2 * NAME_MAX_BYTES, "%.60s/%s-%s%s%.*s", folder, stamp, random, attempt ? "-" : "",
             NAME_MAX_BYTES / 2, name);
  return code;
}

enum bt_code bt_own_file_write(const struct bt_env *env, enum bt_own_file kind, const char *name, const void *bytes,
                               size_t length, struct bt_str *path, struct bt_error *err) {
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, name, "read-only: no file is written");
  struct bt_error failed = {.code = BT_OK};
  int root = bt_txn_make_root(env->state_dir, &failed);
  if (root < 0)
    return bt_error_set(err, failed.code, env->state_dir, "%s: %s", env->state_dir, failed.message);
  enum bt_code code = BT_STATE;
  char own[2 * NAME_MAX_BYTES];
  for (int attempt = 0; attempt < TRIES && code == BT_STATE; attempt++) {
    code = file_name(env, kind == BT_OWN_COPY ? "copies" : "views", name, attempt, own, &failed);
    if (code == BT_OK)
      code = bt_fs_create_as_at(root, own, bytes, length, BT_FS_MODE_PRIVATE, &failed);
  }
  if (code == BT_OK && kind == BT_OWN_COPY)
    (void)fchmodat(root, own, S_IRUSR, 0); /* a hint to the editor; it is only a copy */
  close(root);
  if (code == BT_OK)
    bt_str_printf(path, "%s/%s", env->state_dir, own);
  if (code == BT_OK && path->failed)
    return bt_error_set(err, BT_NOMEM, name, "out of memory");
  if (code != BT_OK && err)
    *err = failed;
  return code;
}

enum bt_code bt_own_file_remove(const struct bt_env *env, const char *path, struct bt_error *err) {
  size_t base = strlen(env->state_dir);
  if (!bt_starts_with(path, env->state_dir) || path[base] != '/')
    return bt_error_set(err, BT_UNSAFE, path, "not a file of baton's own");
  int root = bt_fs_open_root(env->state_dir, err);
  if (root < 0)
    return err ? err->code : BT_IO;
  enum bt_code code = bt_fs_unlink_at(root, path + base + 1, err);
  close(root);
  return code;
}
