/* cli/user_file.c - one file outside the ledger, links followed, FIFOs not waited for. */
#include "cli/user_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/real_path.h"

enum bt_code user_file_read(const char *path, struct bt_str *out, struct bt_error *err) {
  errno = 0;
  char *real = bt_real_path(path);
  if (!real)
    return errno == ENOENT || errno == ENOTDIR ? bt_error_set(err, BT_MISSING, path, "not there")
                                               : bt_error_set_errno(err, errno, path, "cannot be read");
  char *slash = strrchr(real, '/');
  enum bt_code code = BT_IO;
  *slash = '\0';
  int folder = bt_fs_open_root(slash == real ? "/" : real, err);
  if (folder >= 0) {
    code = bt_fs_read_at(folder, slash + 1, out, err);
    close(folder);
  }
  free(real);
  if (code != BT_OK && err) /* what is called by its path is named by it */
    snprintf(err->subject, sizeof(err->subject), "%s", path);
  return code;
}
