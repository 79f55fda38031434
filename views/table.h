/* views/table.h - which columns of a table fit, and how wide each is.
 *
 * Column sets are constant tables; a screen draws its own cells. Pure. */
#ifndef BATON_VIEWS_TABLE_H
#define BATON_VIEWS_TABLE_H

#include "views/surface.h"

#define BT_TABLE_COLUMNS_MAX 16

struct bt_column {
  const char *head;
  int least, wished; /* columns */
  int rank;          /* the lowest leaves first when there is no room; 0 never leaves */
  int grow_to;       /* takes spare room up to this, in table order; 0: never wider than wished */
  enum bt_align align;
};

/* Where each column begins (`at`) and how wide it is; width 0: not shown. */
struct bt_table {
  const struct bt_column *columns;
  size_t count;
  int at[BT_TABLE_COLUMNS_MAX], width[BT_TABLE_COLUMNS_MAX];
};

/* Lays out `count` (<= 16) columns from column `from` to `to`, one blank between two. */
void bt_table_fit(struct bt_table *table, const struct bt_column *columns, size_t count, int from, int to);
void bt_table_heads(struct bt_pane pane, int row, const struct bt_table *table, size_t sorted);

/* One cell; nothing when the column is not shown. */
void bt_table_cell(struct bt_pane pane, int row, const struct bt_table *table, size_t column, enum bt_role role,
                   const char *text);

/* One row of a table that has a selection. */
struct bt_row {
  struct bt_pane pane;
  int row;
  const struct bt_table *table;
  bool selected, marked;
};
/* As bt_table_cell; empty text is a dim "-", and the selected row looks selected. */
void bt_row_cell(const struct bt_row *row, size_t column, enum bt_role role, const char *text);
/* The mark of a marked row, beside the cursor; nothing on any other. */
void bt_row_tick(const struct bt_row *row);
/* Lays the selection's look and its mark under the row. */
void bt_row_mark(const struct bt_row *row);

#endif
