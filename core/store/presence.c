/* core/store/presence.c - looks at every component of a path without following it. */
#include "core/store/presence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/store/path.h"

static enum bt_presence presence_of_kind(const struct bt_fs_stat *stat) {
  switch (stat->kind) {
  case BT_FS_FILE:
  case BT_FS_FOLDER:
    return BT_THERE;
  case BT_FS_LINK:
  case BT_FS_OTHER:
    return BT_THERE_REFUSED;
  case BT_FS_ABSENT:
  case BT_FS_UNKNOWN:
    break;
  }
  /* Our own shortage says nothing about the file: what is taken for absent would be written over. */
  bool shortage =
      stat->sys_errno == EMFILE || stat->sys_errno == ENFILE || stat->sys_errno == ENOMEM || stat->sys_errno == EIO;
  return stat->sys_errno == ELOOP || shortage ? BT_THERE_REFUSED : BT_ABSENT;
}

enum bt_presence bt_presence_of(int ledger, const char *path) {
  struct bt_fs_stat stat;
  if (ledger < 0)
    return BT_ABSENT;
  bt_fs_stat_at(ledger, path, &stat);
  enum bt_presence presence = presence_of_kind(&stat);
  if (stat.kind != BT_FS_UNKNOWN || presence == BT_THERE_REFUSED)
    return presence;
  /* A parent is in the way: one that is a link or a device is refused, a plain file means "nothing there". */
  char *parent = strdup(path);
  if (parent == NULL)
    return BT_THERE_REFUSED;
  for (char *slash = strchr(parent, '/'); slash != NULL && presence == BT_ABSENT; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bt_fs_stat_at(ledger, parent, &stat);
    if (presence_of_kind(&stat) == BT_THERE_REFUSED)
      presence = BT_THERE_REFUSED;
    *slash = '/';
  }
  free(parent);
  return presence;
}

bool bt_entry_is_folder(int ledger, const char *folder, const char *name) {
  struct bt_str path;
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_printf(&path, "%s/%s", folder, name);
  if (!path.failed)
    bt_fs_stat_at(ledger, path.data, &stat);
  bt_str_dispose(&path);
  return stat.kind == BT_FS_FOLDER;
}
