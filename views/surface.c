/* views/surface.c - cells, panes, and everything that is drawn into them. */
#include "views/surface.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "views/text.h"

static int bounded_side(int side) {
  return side < 0 ? 0 : side > BT_SURFACE_SIDE_MAX ? BT_SURFACE_SIDE_MAX : side;
}

size_t bt_surface_cells_needed(int rows, int columns) {
  size_t count = (size_t)bounded_side(rows) * (size_t)bounded_side(columns);
  return count ? count : 1;
}

static void blank_cell(struct bt_cell *cell, enum bt_role role) {
  cell->bytes[0] = ' ';
  cell->bytes[1] = 0;
  cell->width = 1;
  cell->role = (uint8_t)role;
}

void bt_surface_init(struct bt_surface *surface, struct bt_cell *cells, int rows, int columns, bool unicode) {
  assert(cells);
  surface->cells = cells;
  surface->rows = bounded_side(rows);
  surface->columns = bounded_side(columns);
  surface->unicode = unicode;
  bt_surface_clear(surface);
}

void bt_surface_clear(struct bt_surface *surface) {
  size_t count = (size_t)surface->rows * (size_t)surface->columns;
  for (size_t i = 0; i < count; i++)
    blank_cell(&surface->cells[i], BT_ROLE_DEFAULT);
}

static struct bt_cell *cell_at(const struct bt_surface *surface, int row, int column) {
  if (row < 0 || column < 0 || row >= surface->rows || column >= surface->columns)
    return NULL;
  return &surface->cells[(size_t)row * (size_t)surface->columns + (size_t)column];
}

const struct bt_cell *bt_surface_cell(const struct bt_surface *surface, int row, int column) {
  return cell_at(surface, row, column);
}

/* What is overwritten in part is blanked as a whole: no half of a wide character is left standing. */
static void break_wide(struct bt_surface *surface, int row, int column) {
  struct bt_cell *cell = cell_at(surface, row, column);
  if (!cell || (cell->width == 1))
    return;
  int first = column;
  while (first > 0 && cell_at(surface, row, first)->width == 0)
    first--;
  int last = first + 1;
  while (last < surface->columns && cell_at(surface, row, last)->width == 0)
    last++;
  for (int at = first; at < last; at++)
    blank_cell(cell_at(surface, row, at), (enum bt_role)cell_at(surface, row, at)->role);
}

/* `columns` cells at row/column are inside the surface. */
static void put_cluster(struct bt_surface *surface, int row, int column, const char *bytes, int columns,
                        enum bt_role role) {
  for (int i = 0; i < columns; i++)
    break_wide(surface, row, column + i);
  struct bt_cell *cell = cell_at(surface, row, column);
  size_t length = strnlen(bytes, BT_CELL_BYTES - 1);
  memcpy(cell->bytes, bytes, length);
  cell->bytes[length] = 0;
  cell->width = (uint8_t)columns;
  cell->role = (uint8_t)role;
  for (int i = 1; i < columns; i++) {
    struct bt_cell *half = cell_at(surface, row, column + i);
    half->bytes[0] = 0;
    half->width = 0;
    half->role = (uint8_t)role;
  }
}

struct bt_pane bt_pane_whole(struct bt_surface *surface) {
  return (struct bt_pane){surface, 0, 0, surface->rows, surface->columns};
}

struct bt_pane bt_pane_cut(struct bt_pane pane, int row, int column, int rows, int columns) {
  long long top = row < 0 ? 0 : row, left = column < 0 ? 0 : column;
  long long bottom = (long long)row + rows, right = (long long)column + columns;
  if (bottom > pane.rows)
    bottom = pane.rows;
  if (right > pane.columns)
    right = pane.columns;
  if (bottom <= top || right <= left)
    return (struct bt_pane){pane.surface, pane.row, pane.column, 0, 0};
  return (struct bt_pane){pane.surface, pane.row + (int)top, pane.column + (int)left, (int)(bottom - top),
                          (int)(right - left)};
}

static bool row_inside(struct bt_pane pane, int row) {
  return row >= 0 && row < pane.rows && pane.columns > 0;
}

static enum bt_role escaped_role(enum bt_role role) {
  return role == BT_ROLE_DEFAULT || role == BT_ROLE_QUOTED ? BT_ROLE_ESCAPED : role;
}

/* Draws up to `limit` columns; returns how many. Columns left of the pane are not drawn but counted. */
static int draw(struct bt_pane pane, int row, int column, int limit, enum bt_role role, const char *text,
                size_t length) {
  struct bt_walk walk;
  if (!row_inside(pane, row) || column >= pane.columns || limit <= 0)
    return 0;
  if (limit > pane.columns - column)
    limit = pane.columns - column;
  bt_walk_start(&walk, text, length, 1, pane.surface->unicode);
  while (bt_walk_next(&walk)) {
    if (walk.column + walk.columns > limit)
      return walk.column;
    int at = column + walk.column;
    if (at < 0)
      continue;
    if (!walk.cluster.escaped) {
      put_cluster(pane.surface, pane.row + row, pane.column + at, walk.cluster.bytes, walk.columns, role);
      continue;
    }
    for (int i = 0; i < walk.columns && walk.cluster.bytes[i]; i++) { /* an escape is ASCII: a cell a byte */
      char one[2] = {walk.cluster.bytes[i], 0};
      put_cluster(pane.surface, pane.row + row, pane.column + at + i, one, 1, escaped_role(role));
    }
  }
  return walk.column;
}

int bt_pane_slice(struct bt_pane pane, int row, int column, enum bt_role role, const char *text, size_t length) {
  return draw(pane, row, column, INT_MAX, role, text, length);
}

int bt_pane_text(struct bt_pane pane, int row, int column, enum bt_role role, const char *text) {
  return text ? draw(pane, row, column, INT_MAX, role, text, strlen(text)) : 0;
}

void bt_pane_run(struct bt_pane pane, int row, int column, int width, enum bt_role role, const char *unicode,
                 char ascii) {
  char plain[2] = {ascii, 0};
  if (!row_inside(pane, row))
    return;
  const char *glyph = pane.surface->unicode ? unicode : plain;
  for (int at = column < 0 ? 0 : column; at < column + width && at < pane.columns; at++)
    put_cluster(pane.surface, pane.row + row, pane.column + at, glyph, 1, role);
}

int bt_pane_field(struct bt_pane pane, int row, int column, int width, enum bt_align align, enum bt_role role,
                  const char *text) {
  if (width <= 0 || !row_inside(pane, row))
    return width > 0 ? width : 0;
  const char *shown = text ? text : "";
  size_t length = strlen(shown);
  int columns = bt_text_width(shown, length, pane.surface->unicode, width);
  /* Reverse and underline mark the word, not the room around it. */
  bool tight = role == BT_ROLE_TAMPERED || role == BT_ROLE_HEAD_SORT;
  bt_pane_run(pane, row, column, width, tight ? BT_ROLE_DEFAULT : role, " ", ' ');
  if (columns > width) {
    int used = draw(pane, row, column, width - 1, role, shown, length);
    bt_pane_run(pane, row, column + used, 1, role, "…", '~');
    return width;
  }
  int indent = align == BT_ALIGN_RIGHT ? width - columns : align == BT_ALIGN_CENTRE ? (width - columns) / 2 : 0;
  draw(pane, row, column + indent, width - indent, role, shown, length);
  return width;
}

int bt_pane_printf(struct bt_pane pane, int row, int column, enum bt_role role, const char *fmt, ...) {
  char buffer[512];
  va_list args;
  va_start(args, fmt);
  int length = vsnprintf(buffer, sizeof buffer, fmt, args);
  va_end(args);
  return length < 0 ? 0 : bt_pane_text(pane, row, column, role, buffer);
}

void bt_pane_fill(struct bt_pane pane, enum bt_role role) {
  for (int row = 0; row < pane.rows; row++)
    bt_pane_run(pane, row, 0, pane.columns, role, " ", ' ');
}

void bt_pane_repaint_span(struct bt_pane pane, int row, int column, int width, enum bt_role role) {
  if (!row_inside(pane, row))
    return;
  for (int at = column < 0 ? 0 : column; at < column + width && at < pane.columns; at++)
    cell_at(pane.surface, pane.row + row, pane.column + at)->role = (uint8_t)role;
}

void bt_pane_repaint(struct bt_pane pane, enum bt_role role) {
  for (int row = 0; row < pane.rows; row++)
    bt_pane_repaint_span(pane, row, 0, pane.columns, role);
}

void bt_pane_rule(struct bt_pane pane, int row, const char *left, const char *right) {
  if (!row_inside(pane, row))
    return;
  int right_columns = right && *right ? bt_text_width(right, strlen(right), pane.surface->unicode, pane.columns) : 0;
  int left_room = pane.columns - 3 - (right_columns ? right_columns + 6 : 2);
  bt_pane_run(pane, row, 0, pane.columns, BT_ROLE_RULE, "─", '-');
  if (left && *left && left_room > 0) {
    int columns = bt_text_width(left, strlen(left), pane.surface->unicode, left_room);
    if (columns > left_room)
      columns = left_room;
    bt_pane_run(pane, row, 2, columns + 2, BT_ROLE_RULE_TITLE, " ", ' ');
    bt_pane_field(pane, row, 3, columns, BT_ALIGN_LEFT, BT_ROLE_RULE_TITLE, left);
  }
  if (right_columns && right_columns + 6 <= pane.columns) {
    int at = pane.columns - 2 - right_columns - 2;
    bt_pane_run(pane, row, at, right_columns + 2, BT_ROLE_RULE_TITLE, " ", ' ');
    bt_pane_text(pane, row, at + 1, BT_ROLE_RULE_TITLE, right);
  }
}

static void box_caption(struct bt_pane pane, int row, enum bt_role role, const char *text) {
  if (!text || !*text || pane.columns < 8)
    return;
  int room = pane.columns - 6;
  int columns = bt_text_width(text, strlen(text), pane.surface->unicode, room);
  if (columns > room)
    columns = room;
  bt_pane_run(pane, row, 2, columns + 2, role, " ", ' ');
  bt_pane_field(pane, row, 3, columns, BT_ALIGN_LEFT, role, text);
}

void bt_pane_box(struct bt_pane pane, enum bt_role title_role, const char *title, const char *bottom) {
  int last_row = pane.rows - 1, last_column = pane.columns - 1;
  if (pane.rows < 2 || pane.columns < 2)
    return;
  bt_pane_fill(pane, BT_ROLE_DEFAULT);
  for (int row = 0; row < pane.rows; row++) {
    bt_pane_run(pane, row, 0, 1, BT_ROLE_BOX, "│", '|');
    bt_pane_run(pane, row, last_column, 1, BT_ROLE_BOX, "│", '|');
  }
  bt_pane_run(pane, 0, 0, pane.columns, BT_ROLE_BOX, "─", '-');
  bt_pane_run(pane, last_row, 0, pane.columns, BT_ROLE_BOX, "─", '-');
  bt_pane_run(pane, 0, 0, 1, BT_ROLE_BOX, "┌", '+');
  bt_pane_run(pane, 0, last_column, 1, BT_ROLE_BOX, "┐", '+');
  bt_pane_run(pane, last_row, 0, 1, BT_ROLE_BOX, "└", '+');
  bt_pane_run(pane, last_row, last_column, 1, BT_ROLE_BOX, "┘", '+');
  box_caption(pane, 0, title_role, title);
  box_caption(pane, last_row, BT_ROLE_DIM, bottom);
}
