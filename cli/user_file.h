/* cli/user_file.h - reads a small file of the user's own, which may be a link (dotfiles often are). */
#ifndef BATON_CLI_USER_FILE_H
#define BATON_CLI_USER_FILE_H

#include "core/base/error.h"
#include "core/base/str.h"

/* `path` absolute or below the working directory. `out` (initialised) brings the ceiling. BT_MISSING when there is none,
 * BT_UNSAFE for what is no regular file, BT_TOO_LARGE, BT_IO. */
enum bt_code user_file_read(const char *path, struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
