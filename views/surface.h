/* views/surface.h - a grid of cells and the only ways to put text into it.
 *
 * Owns: bounds. Every function clips; no coordinate, width or text can write outside the cells.
 * Must not know: terminals, colours, domain types. Nothing here allocates, blocks or fails: the caller hands in the
 * cells once per resize. Text is internal text (core/base/utf8.h) and goes through bt_cluster_next, so what is
 * in a cell is always safe to print (dashboard.md rows 34, 35, 75). */
#ifndef BATON_VIEWS_SURFACE_H
#define BATON_VIEWS_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "views/role.h"

#define BT_CELL_BYTES 64         /* as struct bt_cluster.bytes */
#define BT_SURFACE_SIDE_MAX 2000 /* rows or columns; a larger terminal is drawn up to here */

struct bt_cell {
  char bytes[BT_CELL_BYTES]; /* one grapheme cluster, NUL-terminated; " " when blank, "" when width is 0 */
  uint8_t width;             /* columns: 1 or 2; 0: the right half of the wide cell before it */
  uint8_t role;              /* enum bt_role */
};

struct bt_surface {
  struct bt_cell *cells; /* borrowed; rows * columns of them */
  int rows, columns;
  bool unicode; /* false: only ASCII is put into cells */
};

/* How many cells a surface of this size needs (sides are bounded; never 0). */
size_t bt_surface_cells_needed(int rows, int columns);

/* `cells` must hold bt_surface_cells_needed(rows, columns). Blanks everything. */
void bt_surface_init(struct bt_surface *surface, struct bt_cell *cells, int rows, int columns, bool unicode);
void bt_surface_clear(struct bt_surface *surface);

/* Borrowed; NULL outside. */
const struct bt_cell *bt_surface_cell(const struct bt_surface *surface, int row, int column);

/* A rectangle of a surface: what a part of a screen is given to draw in. Coordinates are relative to it. */
/* A pane without rows takes every call and draws nothing. */
struct bt_pane {
  struct bt_surface *surface;
  int row, column; /* on the surface */
  int rows, columns;
};

struct bt_pane bt_pane_whole(struct bt_surface *surface);
/* The part of `pane` at row/column of that size, cut to what lies inside; may be empty. */
struct bt_pane bt_pane_cut(struct bt_pane pane, int row, int column, int rows, int columns);

enum bt_align { BT_ALIGN_LEFT, BT_ALIGN_RIGHT, BT_ALIGN_CENTRE };

/* Puts as much of `text` as fits from `column`; a cluster that would cross the edge is left out. Returns the columns
 * used. A tab becomes one space; newlines and other controls become escapes (role ESCAPED). NULL text is empty. */
int bt_pane_text(struct bt_pane pane, int row, int column, enum bt_role role, const char *text);
int bt_pane_slice(struct bt_pane pane, int row, int column, enum bt_role role, const char *text, size_t length);

/* The same in exactly `width` columns, blank-padded; text that does not fit ends in an ellipsis. Returns `width`. */
int bt_pane_field(struct bt_pane pane, int row, int column, int width, enum bt_align align, enum bt_role role,
                  const char *text);

/* printf into a bounded buffer of 512 bytes, then bt_pane_text. */
int bt_pane_printf(struct bt_pane pane, int row, int column, enum bt_role role, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

void bt_pane_fill(struct bt_pane pane, enum bt_role role);    /* blanks with a role */
void bt_pane_repaint(struct bt_pane pane, enum bt_role role); /* role only, text stays */
void bt_pane_repaint_span(struct bt_pane pane, int row, int column, int width, enum bt_role role);
void bt_pane_rule(struct bt_pane pane, int row, const char *left, const char *right); /* ── left ───── right ── */
void bt_pane_box(struct bt_pane pane, enum bt_role title_role, const char *title, const char *bottom);
/* A repeated one-column glyph; `unicode` is used where allowed. */
void bt_pane_run(struct bt_pane pane, int row, int column, int width, enum bt_role role, const char *unicode,
                 char ascii);

#endif
