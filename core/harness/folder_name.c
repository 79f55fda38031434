/* core/harness/folder_name.c - see folder_name.h. */
#include "core/harness/folder_name.h"

#include <string.h>

#include "core/base/utf8.h"

#define TEXT_MAX ((size_t)1 << 20)

static bool is_kept(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void bt_folder_name(struct bt_str *out, const char *cwd) {
  struct bt_str composed;
  size_t units = 0;
  bt_str_init(&composed, TEXT_MAX);
  bt_utf8_nfc(&composed, cwd, strlen(cwd));
  for (size_t at = 0; at < composed.length && units < BT_FOLDER_NAME_UNITS;) {
    uint32_t c = bt_utf8_next(composed.data, composed.length, &at);
    bt_str_putc(out, is_kept(c) ? (char)c : '-');
    units++;
    if (c > 0xFFFF && units < BT_FOLDER_NAME_UNITS) {
      bt_str_putc(out, '-');
      units++;
    }
  }
  if (composed.failed)
    out->failed = true;
  bt_str_dispose(&composed);
}

bool bt_folder_name_may_hold(const char *name, const char *cwd) {
  struct bt_str wanted;
  bt_str_init(&wanted, TEXT_MAX);
  bt_folder_name(&wanted, cwd);
  bool fits = !wanted.failed && bt_starts_with(name, wanted.data) &&
              (name[wanted.length] == 0 || name[wanted.length] == '-' ||
               (wanted.length && wanted.data[wanted.length - 1] == '-'));
  bt_str_dispose(&wanted);
  return fits;
}
