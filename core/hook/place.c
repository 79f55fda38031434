/* core/hook/place.c - ancestors and relative paths. */
#include "core/hook/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/real_path.h"
#include "core/base/utf8.h"

#define PATH_BYTES ((size_t)1024 * 1024)
#define LEDGER "/.adlc"

/* `folder` is absolute, without a slash at its end ("" is the root of the file system). */
static bool holds_ledger(const char *folder, size_t length, bool *failed) {
  struct bt_str bytes;
  struct stat st;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, folder, length);
  bt_str_puts(&bytes, LEDGER);
  *failed |= bytes.failed;
  bool holds = !bytes.failed && memchr(bytes.data, '\0', bytes.length) == NULL && stat(bytes.data, &st) == 0 &&
               S_ISDIR(st.st_mode);
  bt_str_dispose(&bytes);
  return holds;
}

/* Appends the nearest of `path` and its ancestors that holds a ledger. */
static bool search_up(struct bt_str *out, const struct bt_str *path, bool *failed) {
  bool found = false;
  size_t length = path->length == 1 ? 0 : path->length;
  while (!*failed && !(found = holds_ledger(path->data, length, failed)) && length > 0) {
    do {
      length--;
    } while (length > 0 && path->data[length] != '/');
  }
  if (found && length > 0)
    bt_str_append(out, path->data, length);
  else if (found)
    bt_str_putc(out, '/');
  return found;
}

/* Replaces `path` by where it really leads; false where that cannot be told. */
static bool follow_links(struct bt_str *path, bool *failed) {
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, path->data, path->length);
  *failed |= bytes.failed;
  char *real = !bytes.failed && memchr(bytes.data, '\0', bytes.length) == NULL ? bt_real_path(bytes.data) : NULL;
  bt_str_dispose(&bytes);
  if (real != NULL) {
    bt_str_clear(path);
    bt_utf8_decode8(path, real, strlen(real));
    *failed |= path->failed;
  }
  free(real);
  return real != NULL;
}

/* A working directory that is reached through a link from elsewhere lies in the repository all the same. */
bool bt_hook_find_root(struct bt_str *out, const char *base, const char *from) {
  struct bt_str path;
  if (from == NULL || from[0] == '\0')
    return false;
  bt_str_init(&path, PATH_BYTES);
  bool failed = bt_path_resolve(&path, base, from) != BT_OK;
  bool found = !failed && search_up(out, &path, &failed);
  if (!found && !failed && follow_links(&path, &failed) && !failed)
    found = search_up(out, &path, &failed);
  out->failed |= failed;
  bt_str_dispose(&path);
  return found && !out->failed;
}

/* `path` without the root before it; NULL when it does not lie below. */
static const char *below(const char *root, const char *path) {
  size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
  return strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

enum bt_code bt_hook_edit_paths(const struct bt_hook_call *call, const char *root, const char *cwd,
                                struct bt_arena *arena, const char *const **paths, size_t *count,
                                struct bt_error *err) {
  const char **list = BT_ARENA_ARRAY(arena, const char *, 2 * call->path_count + 1);
  struct bt_str whole;
  bool failed = list == NULL;
  *count = 0;
  bt_str_init(&whole, BT_HOOK_DOCUMENT_MAX * 4);
  for (size_t i = 0; i < call->path_count && !failed; i++) {
    const char *given = call->paths[i];
    bt_str_clear(&whole);
    failed = bt_path_resolve(&whole, cwd, given) != BT_OK;
    const char *inside = below(root, whole.data);
    const char *seen = inside == NULL ? given : strcmp(inside, given) == 0 ? given : bt_arena_strdup(arena, inside);
    failed |= seen == NULL;
    list[(*count)++] = seen;
    if (inside != NULL && given[0] != '/' && strcmp(seen, given) != 0)
      list[(*count)++] = given;
  }
  bt_str_dispose(&whole);
  *paths = list;
  return failed ? bt_error_set(err, BT_NOMEM, "paths", "out of memory") : BT_OK;
}
