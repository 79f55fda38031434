/* core/harness/lines.c - see lines.h. */
#include "core/harness/lines.h"

#include <string.h>

/* A carry that has held a giant line is given back afterwards. */
#define KEEP_BYTES ((size_t)1 << 20)

void bt_lines_init(struct bt_lines *lines, size_t line_max) {
  bt_str_init(&lines->carry, line_max);
  lines->passing_over = false;
}

void bt_lines_dispose(struct bt_lines *lines) {
  bt_str_dispose(&lines->carry);
}

void bt_lines_reset(struct bt_lines *lines) {
  size_t line_max = lines->carry.ceiling;
  if (lines->carry.capacity > KEEP_BYTES) {
    bt_str_dispose(&lines->carry);
    bt_str_init(&lines->carry, line_max);
  }
  bt_str_clear(&lines->carry);
  lines->passing_over = false;
}

/* Adds a piece of a line that is not over yet. */
static enum bt_code carry_on(struct bt_lines *lines, const char *bytes, size_t length) {
  if (lines->passing_over)
    return BT_OK;
  if (length > lines->carry.ceiling - lines->carry.length) {
    bt_lines_reset(lines);
    lines->passing_over = true;
    return BT_OK;
  }
  bt_str_append(&lines->carry, bytes, length);
  return lines->carry.failed ? BT_NOMEM : BT_OK;
}

static enum bt_code end_line(struct bt_lines *lines, const char *bytes, size_t length,
                             enum bt_code (*on_line)(void *context, const char *line, size_t length), void *context) {
  if (lines->carry.length == 0 && !lines->passing_over)
    return length > lines->carry.ceiling ? on_line(context, NULL, 0) : on_line(context, bytes, length);
  enum bt_code code = carry_on(lines, bytes, length);
  if (code == BT_OK)
    code = lines->passing_over ? on_line(context, NULL, 0) : on_line(context, lines->carry.data, lines->carry.length);
  bt_lines_reset(lines);
  return code;
}

enum bt_code bt_lines_feed(struct bt_lines *lines, const char *bytes, size_t length,
                           enum bt_code (*on_line)(void *context, const char *line, size_t length), void *context) {
  const char *end = bytes + length;
  while (bytes < end) {
    const char *lf = memchr(bytes, '\n', (size_t)(end - bytes));
    if (!lf)
      return carry_on(lines, bytes, (size_t)(end - bytes));
    enum bt_code code = end_line(lines, bytes, (size_t)(lf - bytes), on_line, context);
    if (code)
      return code;
    bytes = lf + 1;
  }
  return BT_OK;
}
