/* core/delivery/exclude.c - lines of info/exclude. */
#include "core/delivery/exclude.h"

#include <string.h>

static struct bt_slice pattern_of_line(const char *line, size_t length, bool first) {
  if (first && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
    line += 3;
    length -= 3;
  }
  if (length > 0 && line[length - 1] == '\r')
    length--;
  while (length > 0 && line[length - 1] == ' ' && (length < 2 || line[length - 2] != '\\'))
    length--;
  return (struct bt_slice){line, length};
}

static bool speaks_of(struct bt_slice line, const char *pattern) {
  return bt_slice_equals(line, pattern) || bt_slice_equals(line, pattern + 1);
}

bool bt_exclude_has(const char *text, size_t length, const char *pattern) {
  bool present = false;
  for (size_t at = 0; at < length;) {
    const char *lf = memchr(text + at, '\n', length - at);
    size_t end = lf != NULL ? (size_t)(lf - text) : length;
    struct bt_slice line = pattern_of_line(text + at, end - at, at == 0);
    if (speaks_of(line, pattern))
      present = true;
    else if (line.length > 0 && line.data[0] == '!' &&
             speaks_of((struct bt_slice){line.data + 1, line.length - 1}, pattern))
      present = false;
    at = end + 1;
  }
  return present;
}

void bt_exclude_with(struct bt_str *out, const char *text, size_t length, const char *pattern) {
  bt_str_append(out, text, length);
  if (bt_exclude_has(text, length, pattern))
    return;
  if (length > 0 && text[length - 1] != '\n')
    bt_str_putc(out, '\n');
  bt_str_printf(out, "%s\n", pattern);
}
