/* core/base/path.c - paths as text. */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "core/base/fs.h"

/* Adds the components of `path` to `out`, which holds "" or "/a/b" without a slash at its end. */
static void fold(struct bt_str *out, size_t root, const char *path) {
  while (*path != '\0') {
    path += strspn(path, "/");
    size_t length = strcspn(path, "/");
    bool up = length == 2 && memcmp(path, "..", 2) == 0;
    bool stay = length == 0 || (length == 1 && *path == '.');
    if (up) {
      size_t end = out->length;
      while (end > root && out->data[end - 1] != '/') {
        end--;
      }
      bt_str_truncate(out, end > root ? end - 1 : root);
    } else if (!stay) {
      bt_str_putc(out, '/');
      bt_str_append(out, path, length);
    }
    path += length;
  }
}

enum bt_code bt_path_resolve(struct bt_str *out, const char *base, const char *path) {
  assert(base[0] == '/');
  const size_t root = out->length;
  if (path[0] != '/') {
    fold(out, root, base);
  }
  fold(out, root, path);
  if (out->length == root) {
    bt_str_putc(out, '/');
  }
  return out->failed ? BT_NOMEM : BT_OK;
}

const char *bt_path_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}
