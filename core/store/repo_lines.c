/* core/store/repo_lines.c - status lines, letter for letter. */
#include "core/store/repo_lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

/* The letter after the backslash, 'o' for an octal escape, 0 for a byte that stands for itself. */
static char escape_of(unsigned char byte, bool quote_high) {
  static const char short_forms[] = "abtnvfr"; /* 7 to 13 */
  if (byte >= 7 && byte <= 13)
    return short_forms[byte - 7];
  if (byte == '"' || byte == '\\')
    return (char)byte;
  return byte < 0x20 || byte == 0x7f || (byte >= 0x80 && quote_high) ? 'o' : '\0';
}

void bt_status_path_print(struct bt_str *out, const char *path, bool quote_high) {
  bool quoted = strchr(path, ' ') != NULL;
  for (const char *at = path; *at != '\0' && !quoted; at++)
    quoted = escape_of((unsigned char)*at, quote_high) != '\0';
  if (quoted)
    bt_str_putc(out, '"');
  for (const char *at = path; *at != '\0'; at++) {
    unsigned char byte = (unsigned char)*at;
    char escape = escape_of(byte, quote_high);
    if (escape == '\0')
      bt_str_putc(out, *at);
    else if (escape == 'o')
      bt_str_printf(out, "\\%03o", (unsigned)byte);
    else
      bt_str_printf(out, "\\%c", escape);
  }
  if (quoted)
    bt_str_putc(out, '"');
}

static int by_git_order(const void *left, const void *right) {
  const struct bt_status_line *a = left, *b = right;
  bool a_untracked = a->index == '?', b_untracked = b->index == '?';
  if (a_untracked != b_untracked)
    return a_untracked ? 1 : -1;
  return strcmp(a->path, b->path);
}

void bt_status_lines_print(struct bt_str *out, struct bt_status_line *lines, size_t count, bool quote_high) {
  qsort(lines, count, sizeof *lines, by_git_order);
  for (size_t i = 0; i < count; i++) {
    bt_str_printf(out, "%c%c ", lines[i].index, lines[i].worktree);
    bt_status_path_print(out, lines[i].path, quote_high);
    bt_str_putc(out, '\n');
  }
}

void bt_status_brief(struct bt_str *out, const char *status, size_t length, size_t most) {
  size_t kept = 0, more = 0;
  for (size_t at = 0; at < length;) {
    const char *lf = memchr(status + at, '\n', length - at);
    size_t end = lf != NULL ? (size_t)(lf - status) : length;
    bool blank = bt_is_blank_w(status + at, end - at);
    if (!blank && kept < most) {
      bt_str_append(out, status + at, end - at);
      bt_str_putc(out, '\n');
      kept++;
    } else if (!blank) {
      more++;
    }
    at = end + 1;
  }
  if (more > 0)
    bt_str_printf(out, "\xe2\x80\xa6 %zu more changed path(s)\n", more);
}
