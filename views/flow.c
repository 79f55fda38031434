/* views/flow.c - counting, wrapping and drawing lines. */
#include "views/flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "views/text.h"

#define CUT " ... (cut here)"

void bt_flow_start(struct bt_flow *flow, struct bt_pane pane, size_t top) {
  *flow = (struct bt_flow){pane, pane.columns, pane.surface->unicode, top, 0};
}

void bt_flow_count(struct bt_flow *flow, int columns, bool unicode) {
  *flow = (struct bt_flow){{NULL, 0, 0, 0, 0}, columns, unicode, 0, 0};
}

struct bt_pane bt_flow_line(struct bt_flow *flow) {
  size_t line = flow->line++;
  if (line < flow->top || line - flow->top >= (size_t)flow->pane.rows)
    return (struct bt_pane){flow->pane.surface, 0, 0, 0, 0};
  return bt_pane_cut(flow->pane, (int)(line - flow->top), 0, 1, flow->pane.columns);
}

void bt_flow_blank(struct bt_flow *flow) {
  (void)bt_flow_line(flow);
}

void bt_flow_rule(struct bt_flow *flow, const char *left, const char *right) {
  struct bt_pane line = bt_flow_line(flow);
  if (line.rows)
    bt_pane_rule(line, 0, left, right);
}

void bt_flow_labelled(struct bt_flow *flow, int at, enum bt_role label_role, const char *label, int indent,
                      enum bt_role role, const char *text) {
  size_t length = text ? strlen(text) : 0, done = 0;
  int label_columns = label ? bt_text_width(label, strlen(label), flow->unicode, flow->columns) : 0;
  if (indent > flow->columns / 2) /* a narrow pane: the text comes first */
    indent = at + 2;
  struct bt_pane line = bt_flow_line(flow);
  if (label && at + label_columns >= indent && length) { /* a long label has its line to itself */
    if (line.rows)
      bt_pane_text(line, 0, at, label_role, label);
    line = bt_flow_line(flow);
  } else if (label && line.rows) {
    bt_pane_text(line, 0, at, label_role, label);
  }
  int room = flow->columns - indent > 0 ? flow->columns - indent : 1;
  while (done < length) {
    size_t skip, take = bt_text_row(text + done, length - done, room, 1, flow->unicode, &skip);
    if (line.rows)
      bt_pane_slice(line, 0, indent, role, text + done, take);
    done += take + skip;
    if (done < length)
      line = bt_flow_line(flow);
  }
}

void bt_flow_wrap(struct bt_flow *flow, int indent, enum bt_role role, const char *text) {
  if (text && *text)
    bt_flow_labelled(flow, 0, role, NULL, indent, role, text);
}

void bt_flow_printf(struct bt_flow *flow, int at, enum bt_role label_role, const char *label, int indent,
                    enum bt_role role, const char *fmt, ...) {
  char buffer[1024];
  va_list args;
  va_start(args, fmt);
  int length = vsnprintf(buffer, sizeof buffer, fmt, args);
  va_end(args);
  if (length >= (int)sizeof buffer) { /* said, and never within a character */
    size_t end = sizeof buffer - sizeof CUT;
    while (end > 0 && ((unsigned char)buffer[end] & 0xC0) == 0x80)
      end--;
    memcpy(buffer + end, CUT, sizeof CUT);
  }
  bt_flow_labelled(flow, at, label_role, label, indent, role, length > 0 ? buffer : "");
}
