/* core/ops/undo.c - from the trash back to where it was, by exclusive creation. */
#include "core/ops/undo.h"

#include "core/ops/actionlog.h"
#include "core/ops/trash.h"
#include "core/ops/txn.h"

/* Only a lock can be put back: a note in the trash is not trusted to name any other file. */
static bool is_lock_path(const char *path) {
  return bt_ends_with(path, ".lock") && (bt_starts_with(path, "handoffs/") || bt_starts_with(path, "manifest."));
}

static enum bt_code put_back(const struct bt_env *env, const struct bt_trash_item *item, struct bt_error *err) {
  if (!is_lock_path(item->path.data))
    return bt_error_set(err, BT_UNSAFE, item->path.data, "the trash names a file that is no lock: %s", item->path.data);
  struct bt_txn *txn = bt_txn_open(env, false, err);
  if (txn == NULL)
    return err->code;
  enum bt_code code = bt_txn_create(txn, item->path.data, item->bytes.data, item->bytes.length, err);
  if (code == BT_STATE)
    code = bt_error_set(err, BT_REFUSED, item->path.data, "%s is there again: nothing was put back", item->path.data);
  bt_txn_close(txn);
  return code;
}

enum bt_code bt_undo(const struct bt_env *env, bool write, struct bt_str *path, struct bt_str *removed_at,
                     struct bt_str *warning, struct bt_error *err) {
  struct bt_trash_item item;
  struct bt_error outcome = {0}, failed = {0};
  enum bt_code code = bt_trash_newest(env, &item, &outcome);
  if (code == BT_OK) {
    bt_str_puts(path, item.path.data);
    bt_str_puts(removed_at, item.removed_at.data);
  }
  if (code == BT_OK && write) {
    code = put_back(env, &item, &outcome);
    if (code == BT_OK && bt_trash_forget(env, item.name.data, &failed) != BT_OK)
      bt_str_printf(warning, "the copy stays in the trash: %s", failed.message);
    if (!env->readonly &&
        bt_actionlog_note(env, "undo", item.path.data, code == BT_OK ? NULL : &outcome, &failed) != BT_OK)
      bt_str_printf(warning, "%sthe action log could not be written: %s", warning->length > 0 ? "; " : "",
                    failed.message);
  }
  bt_trash_item_dispose(&item);
  if (code != BT_OK && err != NULL)
    *err = outcome;
  return code;
}
