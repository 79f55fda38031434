/* core/hook/settings_write.h - reads and replaces a harness's settings file; the one writer of it.
 *
 * Owns: following the user's own link to the file, its mode, the copy of what was there, the check that nobody else wrote
 * meanwhile. Must not know: what is in it. */
#ifndef BATON_CORE_HOOK_SETTINGS_WRITE_H
#define BATON_CORE_HOOK_SETTINGS_WRITE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define BT_SETTINGS_BACKUP ".before-baton" /* added to the name */

struct bt_settings_file {
  struct bt_str folder, name; /* real bytes, links resolved */
  struct bt_str text;         /* as it is; empty where it is absent */
  bool present;
  unsigned mode;
};

/* `path` is absolute, internal text. `follow`: the file itself may be a link (dotfiles are kept that way); a file that a
 * repository brings along may not. BT_UNSAFE, BT_TOO_LARGE, BT_IO, BT_NOMEM. Dispose in every case. */
enum bt_code bt_settings_open(const char *path, bool follow, struct bt_settings_file *file,
                              struct bt_error *err) BT_NODISCARD;
void bt_settings_dispose(struct bt_settings_file *file);

/* The copy made by the last replacement. BT_MISSING when there is none. `out` is initialised. */
enum bt_code bt_settings_read_backup(const struct bt_settings_file *file, struct bt_str *out,
                                     struct bt_error *err) BT_NODISCARD;

/* Copies what was there beside it (when there was anything), then replaces it whole, with its old mode. BT_STALE when
 * it is no longer what was read: nothing was changed. `backup` (initialised) receives the copy's path, or stays empty. */
enum bt_code bt_settings_replace(const struct bt_settings_file *file, const struct bt_str *text, struct bt_str *backup,
                                 struct bt_error *err) BT_NODISCARD;

#endif
