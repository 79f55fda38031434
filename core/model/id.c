/* core/model/id.c - session ids and bind fields. */
#include "core/model/id.h"

#include <string.h>

#include "core/base/utf8.h"

static bool is_path_safe(const char *id) {
  return strpbrk(id, "/\\") == NULL && strstr(id, "..") == NULL;
}

enum bt_id_problem bt_id_check(const char *id) {
  if (id == NULL)
    return BT_ID_MISSING;
  size_t length = strlen(id);
  struct bt_slice trimmed = bt_trim_w(id, length);
  if (trimmed.length == 0)
    return BT_ID_MISSING;
  if (trimmed.length != length)
    return BT_ID_PADDED;
  return is_path_safe(id) ? BT_ID_FINE : BT_ID_UNSAFE;
}

bool bt_id_is_safe(const char *id) {
  return bt_id_check(id) == BT_ID_FINE;
}

bool bt_id_is_prompt_safe(const char *id) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return id != NULL && id[0] != '\0' && id[strspn(id, allowed)] == '\0';
}

enum bt_code bt_id_require(const char *id, const char *label, struct bt_error *err) {
  switch (bt_id_check(id)) {
  case BT_ID_FINE:
    return BT_OK;
  case BT_ID_MISSING:
    return bt_error_set(err, BT_USAGE, label, "missing %s", label);
  case BT_ID_PADDED:
    return bt_error_set(err, BT_USAGE, label, "padded %s", label);
  case BT_ID_UNSAFE:
    break;
  }
  return bt_error_set(err, BT_USAGE, label, "unsafe sessionId: path traversal");
}

struct bt_slice bt_bind_normalise(const char *value) {
  if (value == NULL)
    return (struct bt_slice){0};
  struct bt_slice trimmed = bt_trim_w(value, strlen(value));
  return trimmed.length == 0 ? (struct bt_slice){0} : trimmed;
}

bool bt_bind_is_bound(const char *value) {
  return value != NULL && !bt_is_blank_w(value, strlen(value));
}
