/* tests/unit/test_surface.c - clipping, wide and combining characters, rules and boxes at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/picture.h"
#include "views/surface.h"

struct sheet {
  struct bt_surface surface;
  struct bt_cell *cells; /* exactly as many as needed: a sanitizer sees every step outside */
};

static struct sheet sheet_new(int rows, int columns, bool unicode) {
  struct sheet sheet;
  sheet.cells = malloc(bt_surface_cells_needed(rows, columns) * sizeof *sheet.cells);
  assert_non_null(sheet.cells);
  bt_surface_init(&sheet.surface, sheet.cells, rows, columns, unicode);
  return sheet;
}

static void assert_rows(const struct sheet *sheet, const char *wanted) {
  struct bt_str found;
  bt_str_init(&found, 1 << 16);
  picture_glyphs(&found, &sheet->surface);
  assert_string_equal(found.data, wanted);
  assert_true(picture_is_sound(&sheet->surface));
  bt_str_dispose(&found);
}

static void text_is_clipped_at_every_edge(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(2, 5, true);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  assert_int_equal(bt_pane_text(pane, 0, 0, BT_ROLE_BOLD, "abcdefgh"), 5);
  assert_int_equal(bt_pane_text(pane, 1, 3, BT_ROLE_BOLD, "xyz"), 2);
  assert_int_equal(bt_pane_text(pane, 2, 0, BT_ROLE_BOLD, "no"), 0);
  assert_int_equal(bt_pane_text(pane, -1, 0, BT_ROLE_BOLD, "no"), 0);
  assert_int_equal(bt_pane_text(pane, 0, 5, BT_ROLE_BOLD, "no"), 0);
  assert_int_equal(bt_pane_text(pane, 0, 0, BT_ROLE_BOLD, NULL), 0);
  bt_pane_text(pane, 1, -2, BT_ROLE_DIM, "0123");
  assert_rows(&sheet, "abcde\n23 xy\n");
  assert_int_equal(bt_surface_cell(&sheet.surface, 1, 0)->role, BT_ROLE_DIM);
  assert_null(bt_surface_cell(&sheet.surface, 0, 5));
  assert_null(bt_surface_cell(&sheet.surface, -1, 0));
  free(sheet.cells);
}

static void wide_characters_stay_whole(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(1, 5, true);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  assert_int_equal(bt_pane_text(pane, 0, 0, BT_ROLE_DEFAULT, "漢字漢"), 4); /* the third does not fit */
  assert_rows(&sheet, "漢字\n");
  bt_pane_text(pane, 0, 1, BT_ROLE_DEFAULT, "x"); /* over the right half of the first */
  assert_rows(&sheet, " x字\n");
  bt_pane_text(pane, 0, 2, BT_ROLE_DEFAULT, "y"); /* over the left half of the second */
  assert_rows(&sheet, " xy\n");
  free(sheet.cells);
}

static void combining_marks_take_no_column(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(1, 6, true);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  int used = bt_pane_text(pane, 0, 0, BT_ROLE_DEFAULT, "e\xcc\x81x");
  bt_pane_text(pane, 0, used, BT_ROLE_DEFAULT, "|");
  assert_int_equal(used, 2);
  assert_rows(&sheet, "e\xcc\x81x|\n");
  used = bt_pane_text(pane, 0, 0, BT_ROLE_DEFAULT, "שלום"); /* right to left, in memory order, a cell each */
  assert_int_equal(used, 4);
  assert_rows(&sheet, "שלום\n");
  free(sheet.cells);
}

static void controls_and_bidi_become_escapes(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(1, 40, true);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  bt_pane_text(pane, 0, 0, BT_ROLE_DEFAULT,
               "a\033[2Jb\nc\xe2\x80\xae"
               "d\te\xff");
  assert_true(picture_is_sound(&sheet.surface));
  struct bt_str found;
  bt_str_init(&found, 4096);
  picture_glyphs(&found, &sheet.surface);
  assert_non_null(strstr(found.data, "a^[[2Jb^Jc<202E>d e<FF>"));
  assert_int_equal(bt_surface_cell(&sheet.surface, 0, 1)->role, BT_ROLE_ESCAPED);
  assert_int_equal(bt_surface_cell(&sheet.surface, 0, 3)->role, BT_ROLE_DEFAULT);
  bt_str_dispose(&found);
  free(sheet.cells);
}

static void ascii_surface_holds_ascii_only(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(3, 20, false);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  bt_pane_box(pane, BT_ROLE_BOX_TITLE, "b漢x", "end");
  bt_pane_field(pane, 1, 1, 8, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, "too long for it");
  assert_rows(&sheet, "+- b<6F22>x -------+\n|too lon~          |\n+- end ------------+\n");
  free(sheet.cells);
}

static void fields_are_exact(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(4, 8, true);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  bt_pane_fill(pane, BT_ROLE_SELECTION);
  assert_int_equal(bt_pane_field(pane, 0, 0, 4, BT_ALIGN_RIGHT, BT_ROLE_DEFAULT, "ab"), 4);
  bt_pane_field(pane, 1, 0, 4, BT_ALIGN_LEFT, BT_ROLE_DEFAULT,
                "漢字漢"); /* 6 columns into 4: one, a blank's room, mark */
  bt_pane_field(pane, 2, 0, 6, BT_ALIGN_CENTRE, BT_ROLE_DEFAULT, "ab");
  bt_pane_field(pane, 3, 6, 9, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, "abc"); /* cut by the pane */
  assert_rows(&sheet, "  ab\n漢…\n  ab\n      ab\n");
  free(sheet.cells);
}

static void cut_panes_never_leave_their_parent(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(4, 6, true);
  struct bt_pane whole = bt_pane_whole(&sheet.surface);
  for (int row = -3; row < 7; row++)
    for (int column = -3; column < 9; column++)
      for (int size = -1; size < 9; size++) {
        struct bt_pane part = bt_pane_cut(whole, row, column, size, size);
        assert_true(part.rows >= 0 && part.columns >= 0);
        assert_true(part.row >= 0 && part.row + part.rows <= 4);
        assert_true(part.column >= 0 && part.column + part.columns <= 6);
        bt_pane_box(part, BT_ROLE_BOX_TITLE, "title 漢字", "漢");
        bt_pane_rule(part, 0, "left", "right");
        bt_pane_field(part, 0, -1, 4, BT_ALIGN_RIGHT, BT_ROLE_DEFAULT, "漢字漢字");
        bt_pane_text(part, 1, size - 2, BT_ROLE_DEFAULT, "漢字漢字");
        assert_true(picture_is_sound(&sheet.surface));
      }
  struct bt_pane huge = bt_pane_cut(whole, 1, 1, INT32_MAX, INT32_MAX);
  assert_int_equal(huge.rows, 3);
  assert_int_equal(huge.columns, 5);
  free(sheet.cells);
}

static void rules_hold_words_where_they_fit(void **state) {
  (void)state;
  struct sheet sheet = sheet_new(2, 30, false);
  struct bt_pane pane = bt_pane_whole(&sheet.surface);
  bt_pane_rule(pane, 0, "left words", "right");
  bt_pane_rule(pane, 1, "a very long title that must be cut", "right");
  assert_rows(&sheet, "-- left words ------- right --\n-- a very long tit~ - right --\n");
  free(sheet.cells);
}

static void sides_are_bounded(void **state) {
  (void)state;
  assert_int_equal(bt_surface_cells_needed(-5, 10), 1);
  assert_int_equal(bt_surface_cells_needed(1000000, 1000000), (size_t)BT_SURFACE_SIDE_MAX * BT_SURFACE_SIDE_MAX);
  struct sheet sheet = sheet_new(0, 0, true);
  bt_pane_text(bt_pane_whole(&sheet.surface), 0, 0, BT_ROLE_DEFAULT, "x");
  free(sheet.cells);
}

static void letters_are_unique(void **state) {
  (void)state;
  bool seen[256] = {false};
  for (int role = 0; role < BT_ROLE_COUNT; role++) {
    unsigned char letter = (unsigned char)bt_role_letter((enum bt_role)role);
    assert_false(seen[letter]);
    seen[letter] = true;
  }
  assert_int_equal(bt_role_letter(BT_ROLE_COUNT), '.');
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_clipped_at_every_edge),
      cmocka_unit_test(wide_characters_stay_whole),
      cmocka_unit_test(combining_marks_take_no_column),
      cmocka_unit_test(controls_and_bidi_become_escapes),
      cmocka_unit_test(ascii_surface_holds_ascii_only),
      cmocka_unit_test(fields_are_exact),
      cmocka_unit_test(cut_panes_never_leave_their_parent),
      cmocka_unit_test(rules_hold_words_where_they_fit),
      cmocka_unit_test(sides_are_bounded),
      cmocka_unit_test(letters_are_unique),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
