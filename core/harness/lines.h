/* core/harness/lines.h - bytes in, whole lines out, however the bytes were cut.
 *
 * Rules: spec/transcripts.md 2.1. A line that lies whole in a piece is not copied. A line over the ceiling is passed
 * over without being kept and counted. */
#ifndef BATON_CORE_HARNESS_LINES_H
#define BATON_CORE_HARNESS_LINES_H

#include "core/base/error.h"
#include "core/base/str.h"

struct bt_lines {
  struct bt_str carry; /* the beginning of a line whose end has not come */
  bool passing_over;   /* inside a line over the ceiling */
};

void bt_lines_init(struct bt_lines *lines, size_t line_max);
void bt_lines_dispose(struct bt_lines *lines);
void bt_lines_reset(struct bt_lines *lines); /* forgets the beginning it holds */

/* `on_line` is called for every line ended by LF, without it; with NULL for one over the ceiling. The first failure of
 * `on_line` stops the feed and is returned; BT_NOMEM when a line could not be kept. */
enum bt_code bt_lines_feed(struct bt_lines *lines, const char *bytes, size_t length,
                           enum bt_code (*on_line)(void *context, const char *line, size_t length),
                           void *context) BT_NODISCARD;

#endif
