/* cli/table.h - rows of text in columns, for a pipe and for people.
 *
 * Cells are internal text; they are printed in their visible form, so no byte of a name reaches the terminal. Columns
 * are as wide as their widest cell; the last one is not padded. Colour only repeats what the words say. */
#ifndef BATON_CLI_TABLE_H
#define BATON_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/env.h"
#include "core/base/error.h"
#include "core/model/snapshot.h"

#define TABLE_COLUMNS_MAX 12

struct table {
  const char *const *heads; /* NULL-terminated */
  size_t columns;
  char **cells;          /* visible form, row by row; owned */
  unsigned char *paints; /* one a row: an SGR colour, 0 for none */
  size_t rows, capacity;
  bool colour;
  bool failed; /* memory was short */
};

void table_init(struct table *table, const char *const *heads, bool colour);
void table_dispose(struct table *table);

/* Adds a row; `cells` has one text a column, NULL shows as "-". `paint`: SGR colour of the first cell, 0: none. */
void table_add(struct table *table, const char *const *cells, unsigned char paint);

/* Prints heads and rows to stdout. Returns the exit status. */
int table_print(const struct table *table);

/* The colour that repeats a state or a verdict; 0 for the default one. */
unsigned char table_paint_state(enum bt_state state);
unsigned char table_paint_verdict(enum bt_lock_verdict verdict);

/* `--color`: NULL or auto: a terminal that can, unless NO_COLOR is set and not empty. BT_USAGE for another word. */
enum bt_code table_want_colour(const struct cli_env *cli, const char *word, bool *colour,
                               struct bt_error *err) BT_NODISCARD;

/* Age for a table cell: "12m", or "?" when unknown. */
const char *table_age(char out[16], int64_t now_ms, int64_t time_ms);

/* `label: subject: text` lines below a table: what cannot be used, what is due, whose ledger it is. */
int table_notes(const struct bt_snapshot *snapshot);

#endif
