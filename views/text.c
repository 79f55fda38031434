/* views/text.c - walking, measuring and breaking text. */
#include "views/text.h"

#include <stdint.h>
#include <string.h>

void bt_walk_start(struct bt_walk *walk, const char *text, size_t length, int tab_columns, bool unicode) {
  memset(walk, 0, sizeof *walk);
  walk->text = text ? text : "";
  walk->length = text ? length : 0;
  walk->tab_columns = tab_columns < 1 ? 1 : tab_columns;
  walk->unicode = unicode;
}

/* Most text is plain ASCII: a printable byte not followed by the start of something wider is a cluster by itself. */
static bool plain_at(const struct bt_walk *walk, size_t at) {
  unsigned char byte = (unsigned char)walk->text[at];
  if (byte < 0x20 || byte >= 0x7f)
    return false;
  return at + 1 >= walk->length || (unsigned char)walk->text[at + 1] < 0x80;
}

static void take_blank(struct bt_walk *walk, int columns) {
  walk->cluster.bytes[0] = ' ';
  walk->cluster.bytes[1] = 0;
  walk->cluster.columns = 1;
  walk->cluster.consumed = 1;
  walk->cluster.escaped = false;
  walk->columns = columns;
}

bool bt_walk_next(struct bt_walk *walk) {
  walk->at = walk->next;
  walk->column += walk->columns;
  walk->columns = 0;
  if (walk->at >= walk->length)
    return false;
  if (plain_at(walk, walk->at)) {
    take_blank(walk, 1);
    walk->cluster.bytes[0] = walk->text[walk->at];
  } else if (walk->text[walk->at] == '\t') {
    take_blank(walk, walk->tab_columns - walk->column % walk->tab_columns);
  } else {
    bt_cluster_next(&walk->cluster, walk->text + walk->at, walk->length - walk->at, !walk->unicode);
    walk->columns = walk->cluster.columns;
  }
  walk->next = walk->at + walk->cluster.consumed;
  return true;
}

int bt_text_width(const char *text, size_t length, bool unicode, int limit) {
  struct bt_walk walk;
  bt_walk_start(&walk, text, length, 1, unicode);
  while (bt_walk_next(&walk))
    if (walk.column + walk.columns > limit)
      return limit < INT32_MAX ? limit + 1 : limit;
  return walk.column;
}

size_t bt_text_row(const char *text, size_t length, int columns, int tab_columns, bool unicode, size_t *skip) {
  struct bt_walk walk;
  size_t break_at = 0; /* just past the last blank that fits */
  bool only_blanks = true;
  *skip = 0;
  bt_walk_start(&walk, text, length, tab_columns, unicode);
  while (bt_walk_next(&walk)) {
    bool blank = text[walk.at] == ' ';
    if (walk.column + walk.columns > columns) {
      if (walk.at == 0)
        return walk.next; /* wider than the row by itself: it is clipped when drawn */
      if (blank) {        /* the row ends exactly at a blank */
        size_t end = walk.at;
        while (end + *skip < length && text[end + *skip] == ' ')
          (*skip)++;
        return end;
      }
      return break_at ? break_at : walk.at;
    }
    if (!blank)
      only_blanks = false;
    else if (!only_blanks) /* indentation is no place to break at */
      break_at = walk.next;
  }
  return length;
}

size_t bt_text_line(const char *text, size_t length, size_t *whole) {
  const char *end = length ? memchr(text, '\n', length) : NULL;
  size_t bytes = end ? (size_t)(end - text) : length;
  *whole = end ? bytes + 1 : bytes;
  if (end && bytes && text[bytes - 1] == '\r')
    bytes--;
  return bytes;
}

static unsigned char lower(char byte) {
  unsigned char c = (unsigned char)byte;
  return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

size_t bt_text_search(const char *text, size_t length, const char *needle, size_t needle_length) {
  if (!needle_length || needle_length > length)
    return SIZE_MAX;
  unsigned char first = lower(needle[0]);
  for (size_t at = 0; at + needle_length <= length; at++) {
    if (lower(text[at]) != first)
      continue;
    size_t same = 1;
    while (same < needle_length && lower(text[at + same]) == lower(needle[same]))
      same++;
    if (same == needle_length)
      return at;
  }
  return SIZE_MAX;
}
