/* cli/table.c - columns, colours, and the notes below. */
#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/ui.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/base/utf8.h"

#define CELL_MAX ((size_t)1024 * 1024)
#define GAP 2
enum { RED = 31, YELLOW = 33, BLUE = 34, MAGENTA = 35, CYAN = 36 };

void table_init(struct table *table, const char *const *heads, bool colour) {
  *table = (struct table){.heads = heads, .colour = colour};
  while (heads[table->columns])
    table->columns++;
}

void table_dispose(struct table *table) {
  for (size_t i = 0; i < table->rows * table->columns; i++)
    free(table->cells[i]);
  free(table->cells);
  free(table->paints);
  *table = (struct table){.heads = table->heads};
}

static char *visible(const char *text) {
  struct bt_str out;
  bt_str_init(&out, CELL_MAX);
  bt_text_visible(&out, text, strlen(text));
  return bt_str_take(&out, NULL);
}

static bool make_room(struct table *table) {
  if (table->rows < table->capacity)
    return true;
  size_t capacity = table->capacity ? table->capacity * 2 : 64;
  char **cells = realloc(table->cells, capacity * table->columns * sizeof(*cells));
  if (!cells)
    return false;
  table->cells = cells;
  unsigned char *paints = realloc(table->paints, capacity);
  if (!paints)
    return false;
  table->paints = paints;
  table->capacity = capacity;
  return true;
}

void table_add(struct table *table, const char *const *cells, unsigned char paint) {
  if (table->failed || !make_room(table)) {
    table->failed = true;
    return;
  }
  char **row = table->cells + table->rows * table->columns;
  for (size_t i = 0; i < table->columns; i++) {
    row[i] = visible(cells[i] && *cells[i] ? cells[i] : "-");
    table->failed |= !row[i];
  }
  table->paints[table->rows++] = paint;
}

static int columns_of(const char *text) {
  return bt_text_columns(text, strlen(text), false);
}

static void print_cell(const char *text, int width, bool last, unsigned char paint) {
  if (paint)
    printf("\033[%um%s\033[0m", (unsigned)paint, text);
  else
    fputs(text, stdout);
  for (int i = columns_of(text); !last && i < width + GAP; i++)
    putchar(' ');
}

int table_print(const struct table *table) {
  int width[TABLE_COLUMNS_MAX] = {0};
  struct bt_error err = {0};
  if (table->failed) {
    (void)bt_error_set(&err, BT_NOMEM, "table", "out of memory");
    return out_error(&err);
  }
  for (size_t i = 0; i < table->columns; i++) {
    width[i] = columns_of(table->heads[i]);
    for (size_t row = 0; row < table->rows; row++) {
      int cell = columns_of(table->cells[row * table->columns + i]);
      width[i] = cell > width[i] ? cell : width[i];
    }
  }
  for (size_t i = 0; i < table->columns; i++)
    print_cell(table->heads[i], width[i], i + 1 == table->columns, 0);
  putchar('\n');
  for (size_t row = 0; row < table->rows; row++) {
    for (size_t i = 0; i < table->columns; i++)
      print_cell(table->cells[row * table->columns + i], width[i], i + 1 == table->columns,
                 i == 0 && table->colour ? table->paints[row] : 0);
    putchar('\n');
  }
  return out_flush();
}

unsigned char table_paint_state(enum bt_state state) {
  static const unsigned char paints[BT_STATE_COUNT] = {RED, MAGENTA, CYAN, BLUE, YELLOW, 0, 0, 0};
  return state < BT_STATE_COUNT ? paints[state] : 0;
}

unsigned char table_paint_verdict(enum bt_lock_verdict verdict) {
  static const unsigned char paints[BT_LOCK_VERDICT_COUNT] = {MAGENTA, MAGENTA, CYAN, YELLOW, YELLOW, 0};
  return verdict < BT_LOCK_VERDICT_COUNT ? paints[verdict] : 0;
}

static bool terminal_can(const struct cli_env *cli) {
  const char *plain = getenv("NO_COLOR");
  if (!cli->stdout_tty || (plain && *plain))
    return false;
  struct ui_terminal terminal;
  ui_terminal(&terminal);
  return terminal.colours >= 8; /* an unknown terminal has none */
}

enum bt_code table_want_colour(const struct cli_env *cli, const char *word, bool *colour, struct bt_error *err) {
  *colour = false;
  if (!word || strcmp(word, "auto") == 0)
    *colour = terminal_can(cli);
  else if (strcmp(word, "always") == 0)
    *colour = true;
  else if (strcmp(word, "never") != 0)
    return bt_error_set(err, BT_USAGE, "--color", "--color wants auto, always or never");
  return BT_OK;
}

const char *table_age(char out[16], int64_t now_ms, int64_t time_ms) {
  if (time_ms == BT_TIME_UNKNOWN)
    return "?";
  bt_age_short(out, now_ms - time_ms);
  return out;
}

static void print_note(const char *label, const char *subject, const char *text) {
  struct bt_str line;
  bt_str_init(&line, CELL_MAX);
  bt_text_visible(&line, subject, strlen(subject));
  bt_str_puts(&line, *subject ? ": " : "");
  bt_text_visible(&line, text, strlen(text));
  printf("%s: %s\n", label, line.data);
  bt_str_dispose(&line);
}

int table_notes(const struct bt_snapshot *snapshot) {
  char owner[96];
  bool any = snapshot->problem_count || snapshot->foreign_owner || snapshot->sample || snapshot->store.heal_due ||
             !snapshot->store.ok || snapshot->tickets_error || snapshot->ledger_lock_note || snapshot->evidence.problem;
  if (any)
    putchar('\n');
  if (snapshot->sample)
    print_note("note", "",
               snapshot->key_is_sample ? "this is the sample ledger, read with its published key"
                                       : "this is a sample ledger");
  if (snapshot->foreign_owner) {
    snprintf(owner, sizeof(owner), "this ledger belongs to another user (uid %u)", snapshot->owner_uid);
    print_note("note", "", owner);
  }
  if (snapshot->store.heal_due)
    print_note("note", "", snapshot->store.heal_due);
  if (snapshot->ledger_lock_note)
    print_note("note", "", snapshot->ledger_lock_note);
  if (!snapshot->store.ok)
    print_note("problem", "deny store", snapshot->store.reason);
  if (snapshot->evidence.problem)
    print_note("problem", "evidence", snapshot->evidence.problem);
  if (snapshot->tickets_error)
    print_note("problem", "ticket store", snapshot->tickets_error);
  for (size_t i = 0; i < snapshot->problem_count; i++)
    print_note("problem", snapshot->problems[i].subject, snapshot->problems[i].text);
  return out_flush();
}
