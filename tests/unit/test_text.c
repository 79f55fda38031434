/* tests/unit/test_text.c - measuring, breaking and finding in text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "views/text.h"

static void assert_row(const char *text, int columns, const char *first, size_t skipped) {
  size_t skip, take = bt_text_row(text, strlen(text), columns, BT_TEXT_TAB, true, &skip);
  assert_int_equal(take, strlen(first));
  assert_memory_equal(text, first, take);
  assert_int_equal(skip, skipped);
}

static void rows_break_after_blanks(void **state) {
  (void)state;
  assert_row("short", 10, "short", 0);
  assert_row("exactly ten", 7, "exactly", 1); /* the blank at the break is swallowed */
  assert_row("one two three", 9, "one two ", 0);
  assert_row("unbreakable", 4, "unbr", 0);
  assert_row("  indented", 6, "  inde", 0); /* indentation is no place to break at */
  assert_row("", 5, "", 0);
  assert_row("a    b", 1, "a", 4);
}

static void rows_never_split_a_cluster(void **state) {
  (void)state;
  assert_row("漢字漢", 5, "漢字", 0);
  assert_row("漢字", 1, "漢", 0); /* one cluster is taken even where it does not fit */
  assert_row("e\xcc\x81"
             "f",
             1, "e\xcc\x81", 0);
  assert_row("\xe2\x80\xaex", 6, "\xe2\x80\xae", 0); /* <202E> is 6 columns and stays whole; x would make 7 */
}

static void tabs_reach_the_next_stop(void **state) {
  (void)state;
  struct bt_walk walk;
  bt_walk_start(&walk, "a\tb", 3, 4, true);
  assert_true(bt_walk_next(&walk));
  assert_true(bt_walk_next(&walk));
  assert_int_equal(walk.columns, 3);
  assert_true(bt_walk_next(&walk));
  assert_int_equal(walk.column, 4);
  assert_false(bt_walk_next(&walk));
  assert_int_equal(walk.column, 5);
}

static void widths_stop_at_the_limit(void **state) {
  (void)state;
  assert_int_equal(bt_text_width("漢字", strlen("漢字"), true, 100), 4);
  assert_int_equal(bt_text_width("漢字", strlen("漢字"), false, 100), 12); /* <6F22><5B57> */
  assert_int_equal(bt_text_width("abcdef", 6, true, 3), 4);
  assert_int_equal(bt_text_width(NULL, 7, true, 3), 0);
}

static void every_text_is_walked_to_its_end(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int round = 0; round < 3000; round++) { /* random bytes: rows must always advance and cover everything */
    char text[48];
    size_t length = (size_t)(round % (int)sizeof text), done = 0;
    for (size_t i = 0; i < length; i++) {
      seed = seed * 1103515245u + 12345u;
      text[i] = (char)(seed >> 16);
    }
    while (done < length) {
      size_t skip, take = bt_text_row(text + done, length - done, 1 + round % 9, 4, round & 1, &skip);
      assert_true(take >= 1 && take + skip <= length - done);
      done += take + skip;
    }
  }
}

static void lines_lose_their_ends(void **state) {
  (void)state;
  size_t whole;
  assert_int_equal(bt_text_line("ab\r\ncd", 6, &whole), 2);
  assert_int_equal(whole, 4);
  assert_int_equal(bt_text_line("a\rb\n", 4, &whole), 3); /* a CR inside a line stays, to be shown */
  assert_int_equal(bt_text_line("last\r", 5, &whole), 5);
  assert_int_equal(whole, 5);
  assert_int_equal(bt_text_line("", 0, &whole), 0);
}

static void search_is_case_blind(void **state) {
  (void)state;
  assert_int_equal(bt_text_search("xxTokEn", 7, "tOKen", 5), 2);
  assert_int_equal(bt_text_search("aab", 3, "ab", 2), 1);
  assert_true(bt_text_search("abc", 3, "", 0) == SIZE_MAX);
  assert_true(bt_text_search("ab", 2, "abc", 3) == SIZE_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_break_after_blanks),
      cmocka_unit_test(rows_never_split_a_cluster),
      cmocka_unit_test(tabs_reach_the_next_stop),
      cmocka_unit_test(widths_stop_at_the_limit),
      cmocka_unit_test(every_text_is_walked_to_its_end),
      cmocka_unit_test(lines_lose_their_ends),
      cmocka_unit_test(search_is_case_blind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
