/* core/ops/state_file.c - writes, stamps and removes what is kept below the state folder. */
#include "core/ops/state_file.h"

#include <unistd.h>

#include "core/base/fs.h"
#include "core/ops/txn.h"

static enum bt_code refuse(const char *path, struct bt_error *err) {
  return bt_error_set(err, BT_READONLY, path, "read-only: nothing is kept");
}

enum bt_code bt_state_file_replace(const struct bt_env *env, const char *path, const void *bytes, size_t length,
                                   struct bt_error *err) {
  if (env->readonly)
    return refuse(path, err);
  struct bt_error failed = {.code = BT_OK};
  int root = bt_txn_make_root(env->state_dir, &failed);
  enum bt_code code =
      root < 0 ? failed.code : bt_fs_replace_as_at(root, path, bytes, length, BT_FS_MODE_PRIVATE, &failed);
  if (root >= 0)
    close(root);
  if (code != BT_OK && err)
    *err = failed;
  return code;
}

/* The folder, open; -1 with the reason. */
static int open_state(const struct bt_env *env, const char *path, enum bt_code *code, struct bt_error *err) {
  struct bt_error failed = {.code = BT_OK};
  int root = -1;
  *code = BT_OK;
  if (env->readonly)
    *code = refuse(path, err);
  else if ((root = bt_fs_open_root(env->state_dir, &failed)) < 0)
    *code = failed.code;
  if (failed.code != BT_OK && err)
    *err = failed;
  return root;
}

enum bt_code bt_state_file_stamp(const struct bt_env *env, const char *path, struct bt_error *err) {
  enum bt_code code;
  int root = open_state(env, path, &code, err);
  if (root < 0)
    return code;
  code = bt_fs_set_mtime_at(root, path, bt_env_now(env), err);
  close(root);
  return code;
}

enum bt_code bt_state_file_remove(const struct bt_env *env, const char *path, struct bt_error *err) {
  enum bt_code code;
  int root = open_state(env, path, &code, err);
  if (root < 0)
    return code;
  code = bt_fs_unlink_at(root, path, err);
  close(root);
  return code;
}
