/* core/ops/quarantine.c - moves a file aside, under a name that is free. */
#include "core/ops/quarantine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/base/fs.h"
#include "core/store/path.h"

#define QUARANTINE_TRIES 1000

const char *bt_reason_errno(const struct bt_error *err) {
  if (err->sys_errno != 0)
    return bt_errno_name(err->sys_errno);
  switch (err->code) {
  case BT_UNSAFE:
    return "ELOOP";
  case BT_NOMEM:
    return "ENOMEM";
  case BT_READONLY:
    return "EROFS";
  case BT_TOO_LARGE:
    return "EFBIG";
  case BT_MISSING:
    return "ENOENT";
  case BT_INPUT:
    return "EINVAL";
  default:
    return "EIO";
  }
}

/* handoffs/denies/quarantine/NAME.REASON.MS[.N] that is still free. */
static enum bt_code free_place(const struct bt_txn *txn, const char *name, const char *reason, int64_t now_ms,
                               struct bt_str *place, struct bt_error *err) {
  for (int n = 0; n <= QUARANTINE_TRIES; n++) {
    struct bt_fs_stat stat;
    bt_str_clear(place);
    bt_str_printf(place, "%s/%s.%s.%" PRId64, BT_PATH_QUARANTINE, name, reason, now_ms);
    if (n > 0)
      bt_str_printf(place, ".%d", n);
    if (place->failed)
      return bt_error_set(err, BT_NOMEM, name, "out of memory");
    bt_fs_stat_at(bt_txn_dir(txn), place->data, &stat);
    if (stat.kind == BT_FS_ABSENT)
      return BT_OK;
    if (stat.kind == BT_FS_UNKNOWN)
      return bt_error_set_errno(err, stat.sys_errno, name, "the quarantine folder cannot be looked into");
  }
  return bt_error_set_errno(err, EEXIST, name, "no free name in the quarantine folder");
}

enum bt_code bt_quarantine_move(struct bt_txn *txn, const char *name, const char *reason, int64_t now_ms,
                                struct bt_error *err) {
  struct bt_str from, to;
  bt_str_init(&from, BT_PATH_MAX_BYTES);
  bt_str_init(&to, BT_PATH_MAX_BYTES);
  bt_str_printf(&from, "%s/%s", BT_PATH_DENIES, name);
  enum bt_code code = from.failed ? bt_error_set(err, BT_NOMEM, name, "out of memory")
                                  : bt_txn_make_folders(txn, BT_PATH_QUARANTINE, err);
  if (code == BT_OK)
    code = free_place(txn, name, reason, now_ms, &to, err);
  if (code == BT_OK)
    code = bt_txn_rename(txn, from.data, to.data, err);
  bt_str_dispose(&to);
  bt_str_dispose(&from);
  return code;
}
