/* views/table.c - fitting columns. */
#include "views/table.h"

#include <assert.h>
#include <string.h>

static int room_used(const struct bt_table *table) {
  int used = 0;
  for (size_t i = 0; i < table->count; i++)
    if (table->width[i])
      used += table->width[i] + (used ? 1 : 0);
  return used;
}

static bool drop_one(struct bt_table *table) {
  size_t lowest = table->count;
  for (size_t i = 0; i < table->count; i++)
    if (table->width[i] && table->columns[i].rank &&
        (lowest == table->count || table->columns[i].rank < table->columns[lowest].rank))
      lowest = i;
  if (lowest == table->count)
    return false;
  table->width[lowest] = 0;
  return true;
}

static void widen(struct bt_table *table, int *spare, bool growing) {
  for (size_t i = 0; i<table->count && * spare> 0; i++) {
    int limit = growing ? table->columns[i].grow_to : table->columns[i].wished;
    int more = limit - table->width[i];
    if (!table->width[i] || more <= 0)
      continue;
    if (more > *spare)
      more = *spare;
    table->width[i] += more;
    *spare -= more;
  }
}

void bt_table_fit(struct bt_table *table, const struct bt_column *columns, size_t count, int from, int to) {
  assert(count <= BT_TABLE_COLUMNS_MAX);
  int room = to - from;
  memset(table, 0, sizeof *table);
  table->columns = columns;
  table->count = count;
  for (size_t i = 0; i < count; i++)
    table->width[i] = columns[i].least;
  while (room_used(table) > room && drop_one(table))
    ;
  int spare = room - room_used(table);
  widen(table, &spare, false);
  widen(table, &spare, true);
  int at = from;
  for (size_t i = 0; i < count; i++) {
    if (!table->width[i])
      continue;
    if (at + table->width[i] > to) /* what may never leave is cut at the edge */
      table->width[i] = to > at ? to - at : 0;
    table->at[i] = at;
    at += table->width[i] + 1;
  }
}

void bt_table_heads(struct bt_pane pane, int row, const struct bt_table *table, size_t sorted) {
  for (size_t i = 0; i < table->count; i++)
    bt_table_cell(pane, row, table, i, i == sorted ? BT_ROLE_HEAD_SORT : BT_ROLE_HEAD, table->columns[i].head);
}

void bt_table_cell(struct bt_pane pane, int row, const struct bt_table *table, size_t column, enum bt_role role,
                   const char *text) {
  if (column < table->count && table->width[column])
    bt_pane_field(pane, row, table->at[column], table->width[column], table->columns[column].align, role, text);
}

void bt_row_cell(const struct bt_row *row, size_t column, enum bt_role role, const char *text) {
  bool quiet = !text || !*text;
  if (row->selected)
    role = BT_ROLE_SELECTION;
  else if (quiet)
    role = BT_ROLE_DIM;
  bt_table_cell(row->pane, row->row, row->table, column, role, quiet ? "-" : text);
}

void bt_row_mark(const struct bt_row *row) {
  bt_pane_run(row->pane, row->row, 0, row->pane.columns, BT_ROLE_SELECTION, " ", ' ');
  bt_pane_run(row->pane, row->row, 0, 1, BT_ROLE_SELECTION, "▸", '>');
}

void bt_row_tick(const struct bt_row *row) {
  if (row->marked)
    bt_pane_text(row->pane, row->row, 1, row->selected ? BT_ROLE_SELECTION : BT_ROLE_MARK, "+");
}
