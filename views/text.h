/* views/text.h - walks text by what a terminal shows: clusters, their columns, and rows of a given width.
 *
 * One walk serves measuring, wrapping and drawing, so the three can never disagree. Pure; nothing allocates. */
#ifndef BATON_VIEWS_TEXT_H
#define BATON_VIEWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/utf8.h"

#define BT_TEXT_TAB 4 /* tab stops of a text that is read as lines */

/* A walk over one slice. A tab is blanks up to the next multiple of `tab_columns` (1: one blank). */
struct bt_walk {
  const char *text;
  size_t length, at; /* `at`: where the cluster last returned began; next() moves past it */
  size_t next;
  int column;  /* where the cluster last returned begins, from the start of the slice */
  int columns; /* what it takes */
  int tab_columns;
  bool unicode;
  struct bt_cluster cluster;
};

void bt_walk_start(struct bt_walk *walk, const char *text, size_t length, int tab_columns, bool unicode);
bool bt_walk_next(struct bt_walk *walk); /* false at the end */

/* Columns of a slice on one row. Stops counting past `limit`: the result is then > limit. */
int bt_text_width(const char *text, size_t length, bool unicode, int limit);

/* How many bytes of `text` (one line, no newline) go into a row of `columns` (>= 1), broken after the last blank that
 * fits where there is one. At least one cluster is taken. `*skip`: blanks after the row that the break swallows. */
size_t bt_text_row(const char *text, size_t length, int columns, int tab_columns, bool unicode, size_t *skip);

/* Bytes up to the next newline; a CR right before it is not counted. `*whole` includes the line end. */
size_t bt_text_line(const char *text, size_t length, size_t *whole);

/* Case-blind (ASCII) search; SIZE_MAX when absent or `needle` is empty. */
size_t bt_text_search(const char *text, size_t length, const char *needle, size_t needle_length);

#endif
