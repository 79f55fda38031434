/* tests/unit/test_flow.c - commands broken over rows, tables fitted into widths, lines flowing down a pane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/picture.h"
#include "views/command.h"
#include "views/table.h"

static void assert_command(int columns, const char *command, const char *wanted) {
  struct bt_surface surface;
  struct bt_cell *cells = malloc(bt_surface_cells_needed(8, columns) * sizeof *cells);
  struct bt_str found;
  struct bt_flow flow;
  assert_non_null(cells);
  bt_str_init(&found, 65536);
  bt_surface_init(&surface, cells, 8, columns, true);
  bt_flow_start(&flow, bt_pane_whole(&surface), 0);
  bt_flow_command(&flow, 0, NULL, 0, command);
  picture_glyphs(&found, &surface);
  while (found.length && found.data[found.length - 1] == '\n')
    bt_str_truncate(&found, found.length - 1);
  assert_string_equal(found.data, wanted);
  bt_str_dispose(&found);
  free(cells);
}

static void commands_break_where_sh_allows_it(void **state) {
  (void)state;
  assert_command(40, "baton unlock --write", "baton unlock --write");
  assert_command(20, "baton unlock --session a --write", "baton unlock \\\n  --session a \\\n  --write");
  assert_command(25, "baton x --dir 'a b c d' --write", "baton x --dir 'a b c d' \\\n  --write");
  assert_command(22, "baton x --dir 'a b c d' --write", "baton x \\\n  --dir 'a b c d' \\\n  --write");
  assert_command(20, "x 'it'\\''s a b' --y", "x 'it'\\''s a b' --y");
  assert_command(18, "x 'it'\\''s a b' --y", "x 'it'\\''s a b' \\\n  --y");
  assert_command(12, "x abcdefghijklmnop e", "x \\\n  abcdefghij\n  klmnop e"); /* one word too wide: cut */
  assert_command(10, "", "");
}

static const struct bt_column columns[] = {{"A", 4, 6, 0, 0, BT_ALIGN_LEFT},
                                           {"B", 5, 5, 1, 0, BT_ALIGN_LEFT},
                                           {"C", 3, 3, 2, 0, BT_ALIGN_RIGHT},
                                           {"D", 2, 4, 0, 9, BT_ALIGN_LEFT}};

static void tables_drop_the_least_first(void **state) {
  (void)state;
  struct bt_table table;
  bt_table_fit(&table, columns, 4, 0, 30); /* 4+5+3+2 and three blanks: 13 to spare */
  assert_int_equal(table.width[0], 6);
  assert_int_equal(table.width[3], 9);
  assert_int_equal(table.at[1], 7);
  bt_table_fit(&table, columns, 4, 0, 17);
  assert_int_equal(table.width[1], 5);
  assert_int_equal(table.width[3], 2);
  bt_table_fit(&table, columns, 4, 0, 16);
  assert_int_equal(table.width[1], 0);
  assert_int_equal(table.width[2], 3);
  bt_table_fit(&table, columns, 4, 0, 9);
  assert_int_equal(table.width[2], 0);
  for (int to = -3; to < 9; to++) { /* what may never leave is cut at the edge */
    bt_table_fit(&table, columns, 4, 2, to);
    for (size_t i = 0; i < 4; i++)
      assert_true(table.width[i] >= 0 && (table.width[i] == 0 || table.at[i] + table.width[i] <= to));
  }
}

static void flows_count_what_they_draw(void **state) {
  (void)state;
  static const char text[] = "one two three four five six seven eight";
  struct bt_cell cells[3 * 12];
  struct bt_surface surface;
  struct bt_flow drawn, counted;
  struct bt_str found;
  bt_str_init(&found, 4096);
  bt_surface_init(&surface, cells, 3, 12, true);
  bt_flow_start(&drawn, bt_pane_whole(&surface), 1);
  bt_flow_count(&counted, 12, true);
  bt_flow_labelled(&drawn, 0, BT_ROLE_LABEL, "L", 3, BT_ROLE_DEFAULT, text);
  bt_flow_labelled(&counted, 0, BT_ROLE_LABEL, "L", 3, BT_ROLE_DEFAULT, text);
  assert_int_equal(drawn.line, counted.line);
  assert_int_equal(drawn.line, 5);
  picture_glyphs(&found, &surface);
  assert_string_equal(found.data, "   three\n   four five\n   six seven\n");
  bt_str_dispose(&found);
}

/* Whatever lies before it: cut between characters, and said. 100 columns, so that 1 KiB of "ä" takes six rows. */
static void what_is_cut_says_so(void **state) {
  (void)state;
  enum { ROWS = 8, COLUMNS = 100 };
  struct bt_cell *cells = malloc(bt_surface_cells_needed(ROWS, COLUMNS) * sizeof *cells);
  char text[1500];
  for (size_t i = 0; i + 1 < sizeof text; i += 2)
    memcpy(text + i, "\xc3\xa4", 2);
  text[sizeof text - 2] = '\0';
  for (const char *before = "abc"; *before != '\0'; before++) {
    struct bt_surface surface;
    struct bt_flow flow;
    struct bt_str found;
    bt_str_init(&found, 65536);
    bt_surface_init(&surface, cells, ROWS, COLUMNS, true);
    bt_flow_start(&flow, bt_pane_whole(&surface), 0);
    bt_flow_printf(&flow, 0, BT_ROLE_LABEL, NULL, 0, BT_ROLE_DEFAULT, "%s%s", before, text);
    picture_glyphs(&found, &surface);
    assert_non_null(strstr(found.data, "\xc3\xa4 ... (cut here)"));
    assert_null(strstr(found.data, "<"));
    bt_str_dispose(&found);
  }
  free(cells);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_break_where_sh_allows_it),
      cmocka_unit_test(tables_drop_the_least_first),
      cmocka_unit_test(flows_count_what_they_draw),
      cmocka_unit_test(what_is_cut_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
