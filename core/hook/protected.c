/* core/hook/protected.c - the protected paths. */
#include "core/hook/protected.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fs.h"
#include "core/base/real_path.h"
#include "core/base/str.h"
#include "core/base/utf8.h"

#define PATH_BYTES ((size_t)16 * 1024 * 1024) /* a token of a command may be long; no file has such a name */
#define ANCESTOR_STEPS 64

struct bt_protector {
  char *root;      /* real bytes, as given */
  char *real_root; /* NULL: cannot be resolved, so nothing resolves */
};

/* Folds separators, `.` and `..`: what is left has no leading slash and no `..`. */
static void normalise(struct bt_str *out, const char *path) {
  const char *at = path;
  while (*at != '\0') {
    size_t length = strcspn(at, "/\\");
    if (length == 2 && at[0] == '.' && at[1] == '.') {
      size_t cut = out->length;
      while (cut > 0 && out->data[cut - 1] != '/')
        cut--;
      bt_str_truncate(out, cut > 0 ? cut - 1 : 0);
    } else if (length > 0 && !(length == 1 && at[0] == '.')) {
      if (out->length > 0)
        bt_str_putc(out, '/');
      bt_str_append(out, at, length);
    }
    at += length;
    at += *at != '\0';
  }
}

static bool is_or_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static bool is_protected_name(const char *normal) {
  static const char *const suffixes[] = {".resume-auth.json", ".model-ok", ".lock", ".bypass-grant.json"};
  if (strcmp(normal, ".adlc/.deny-store") == 0 || strcmp(normal, ".adlc/handoffs/.deny-store") == 0)
    return true;
  if (is_or_below(normal, ".adlc/handoffs/denies") || is_or_below(normal, ".adlc/handoffs/content"))
    return true;
  if (!bt_starts_with(normal, ".adlc/handoffs/"))
    return false;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    if (bt_ends_with(normal, suffixes[i]))
      return true;
  }
  return false;
}

static bool check_name(const char *path, bool *whole) {
  struct bt_str normal;
  bt_str_init(&normal, PATH_BYTES);
  normalise(&normal, path);
  *whole = !normal.failed;
  bool found = *whole && is_protected_name(normal.data);
  bt_str_dispose(&normal);
  return found;
}

bool bt_path_is_protected(const char *path) {
  bool whole;
  return check_name(path, &whole);
}

static char *real_bytes(const char *text) {
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, text, strlen(text));
  return bt_str_take(&bytes, NULL);
}

struct bt_protector *bt_protector_new(const char *root) {
  struct bt_protector *protector = calloc(1, sizeof *protector);
  if (protector == NULL)
    return NULL;
  protector->root = real_bytes(root);
  if (protector->root == NULL) {
    free(protector);
    return NULL;
  }
  protector->real_root = bt_real_path(protector->root);
  return protector;
}

void bt_protector_free(struct bt_protector *protector) {
  if (protector == NULL)
    return;
  free(protector->root);
  free(protector->real_root);
  free(protector);
}

/* Cuts `path` (absolute, folded) to its nearest existing ancestor. False: none within reach. `*tail` is where what
 * was cut off begins, in `whole`. */
static bool cut_to_existing(char *path, const char *whole, const char **tail) {
  for (int step = 0; step <= ANCESTOR_STEPS; step++) {
    struct stat st;
    if (stat(path, &st) == 0) {
      *tail = whole + strlen(path);
      return true;
    }
    char *slash = strrchr(path, '/');
    if (slash == NULL || path[1] == '\0')
      return false;
    slash[slash == path ? 1 : 0] = '\0';
  }
  return false;
}

/* Below the real root, as a relative path; false: outside, the root itself, or not to be told. */
static bool relative_to(const struct bt_protector *protector, const char *real, const char *tail, struct bt_str *out) {
  struct bt_str full;
  bt_str_init(&full, PATH_BYTES);
  bt_str_puts(&full, real);
  while (*tail == '/')
    tail++;
  if (*tail != '\0') {
    if (full.length == 0 || full.data[full.length - 1] != '/')
      bt_str_putc(&full, '/');
    bt_str_puts(&full, tail);
  }
  const char *rest = NULL;
  size_t root_length = strlen(protector->real_root);
  if (!full.failed && is_or_below(full.data, protector->real_root))
    rest = full.data + root_length;
  else if (!full.failed && root_length == 1) /* the root is / */
    rest = full.data;
  while (rest != NULL && *rest == '/')
    rest++;
  bool inside = rest != NULL && rest[0] != '\0' && !bt_starts_with(rest, "..");
  if (inside)
    bt_str_puts(out, rest);
  inside = inside && !out->failed;
  bt_str_dispose(&full);
  return inside;
}

/* The resolved form of 6.5. False: there is none. BT_NOMEM is told apart by *whole. */
static bool resolve(const struct bt_protector *protector, const char *path, struct bt_str *out, bool *whole) {
  struct bt_str full;
  char *bytes = real_bytes(path), *existing = NULL, *real = NULL;
  const char *tail = NULL;
  bool found = false;
  bt_str_init(&full, PATH_BYTES);
  *whole = bytes != NULL && bt_path_resolve(&full, protector->root, bytes) == BT_OK && !full.failed;
  if (!*whole || protector->real_root == NULL)
    goto out;
  existing = strdup(full.data);
  *whole = existing != NULL;
  if (existing == NULL || !cut_to_existing(existing, full.data, &tail))
    goto out;
  if (strcmp(existing, protector->root) == 0) {
    found = relative_to(protector, protector->real_root, tail, out);
  } else {
    real = bt_real_path(existing);
    found = real != NULL && relative_to(protector, real, tail, out);
  }
out:
  free(real);
  free(existing);
  free(bytes);
  bt_str_dispose(&full);
  return found;
}

static bool covers(const char *resolved) {
  return strcmp(resolved, ".adlc") == 0 || is_or_below(resolved, ".adlc/handoffs") ||
         is_or_below(resolved, ".adlc/.deny-store");
}

enum bt_code bt_protect_classify(const struct bt_protector *protector, const char *path, enum bt_protection *out,
                                 struct bt_error *err) {
  bool whole = true;
  struct bt_str resolved;
  *out = BT_UNPROTECTED;
  bt_str_init(&resolved, PATH_BYTES);
  if (check_name(path, &whole)) {
    *out = BT_PROTECTED_LEXICAL;
  } else if (whole && resolve(protector, path, &resolved, &whole)) {
    if (strcmp(resolved.data, path) != 0 && check_name(resolved.data, &whole))
      *out = BT_PROTECTED_SYMLINK;
    else if (whole && covers(resolved.data))
      *out = BT_PROTECTED_COVERS;
  }
  bt_str_dispose(&resolved);
  return whole ? BT_OK : bt_error_set(err, BT_NOMEM, "path", "out of memory");
}
