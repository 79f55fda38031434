/* views/command.c - breaking a command where sh allows it. */
#include "views/command.h"

#include <string.h>

#include "views/text.h"

/* Bytes of the first word of `text`: up to a blank that is neither quoted nor escaped. */
static size_t word_length(const char *text, size_t length) {
  char quote = 0;
  for (size_t at = 0; at < length; at++) {
    char c = text[at];
    if (c == '\\' && quote != '\'' && at + 1 < length)
      at++;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == ' ')
      return at;
  }
  return length;
}

/* The same with the word after it when the first is a flag: they are read together. */
static size_t pair_length(const char *text, size_t length) {
  size_t first = word_length(text, length);
  bool flag = length > 2 && text[0] == '-' && text[1] == '-';
  if (!flag || first + 1 >= length || text[first + 1] == '-')
    return first;
  return first + 1 + word_length(text + first + 1, length - first - 1);
}

/* Bytes of as many whole words as fit; 0 when not even one does. */
static size_t row_length(const char *text, size_t length, int columns, bool unicode) {
  size_t taken = 0, at = 0;
  while (at < length) {
    size_t end = at + pair_length(text + at, length - at);
    if (!taken && bt_text_width(text, end, unicode, columns - 2) > columns - 2)
      end = at + word_length(text + at, length - at);
    int room = end < length ? columns - 2 : columns; /* " \" follows when there is more */
    if (bt_text_width(text, end, unicode, room) > room)
      return taken;
    taken = end;
    at = end < length ? end + 1 : end;
  }
  return taken;
}

void bt_flow_command(struct bt_flow *flow, int at, const char *label, int indent, const char *command) {
  size_t length = command ? strlen(command) : 0, done = 0;
  if (indent > flow->columns / 2) {
    bt_flow_labelled(flow, at, BT_ROLE_LABEL, label, indent, BT_ROLE_DEFAULT, NULL);
    indent = at + 2;
    label = NULL;
  }
  while (done < length) {
    int columns = flow->columns - indent - (done ? 2 : 0), start = indent + (done ? 2 : 0);
    if (columns < 1)
      columns = 1;
    size_t take = row_length(command + done, length - done, columns, flow->unicode), skip = 0;
    bool whole = take > 0;
    if (!whole)
      take = bt_text_row(command + done, length - done, columns, 1, flow->unicode, &skip);
    struct bt_pane line = bt_flow_line(flow);
    if (label)
      bt_pane_text(line, 0, at, BT_ROLE_LABEL, label);
    label = NULL;
    int used = bt_pane_slice(line, 0, start, BT_ROLE_BOLD, command + done, take);
    done += take + skip;
    if (whole && done < length) {
      bt_pane_text(line, 0, start + used + 1, BT_ROLE_DIM, "\\");
      done++; /* the blank at the break */
    }
  }
}
