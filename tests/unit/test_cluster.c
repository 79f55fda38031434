/* tests/unit/test_cluster.c - what a terminal is shown of hostile text, and how wide it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <string.h>

#include "core/base/utf8.h"

struct shown {
  const char *text, *visible;
  int columns;
};

static void expect_shown(const struct shown *rows, size_t count, bool ascii_only) {
  for (size_t i = 0; i < count; i++) {
    char visible[256] = "";
    size_t length = strlen(rows[i].text);
    int columns = 0;
    struct bt_cluster cluster;
    for (size_t at = 0; at < length; at += cluster.consumed) {
      bt_cluster_next(&cluster, rows[i].text + at, length - at, ascii_only);
      assert_true(cluster.consumed >= 1 && cluster.consumed <= length - at);
      assert_true(cluster.columns >= 1);
      strcat(visible, cluster.bytes);
      columns += cluster.columns;
    }
    assert_string_equal(visible, rows[i].visible);
    assert_int_equal(columns, rows[i].columns);
    assert_int_equal(bt_text_columns(rows[i].text, length, ascii_only), columns);
  }
}

static const struct shown rows[] = {
    {"plain ~", "plain ~", 7},
    {"\x1b[31m", "^[[31m", 6},
    {"a\tb\nc\rd", "a^Ib^Jc^Md", 10},
    {"\x7f", "^?", 2},
    {"\xc0\x80", "^@", 2},
    {"\xc2\x9b", "<009B>", 6}, /* the one-byte CSI of C1 */
    {"\xff\x80", "<FF><80>", 8},
    {"\xe2\x80\xae"
     "abc",
     "<202E>abc", 9}, /* right-to-left override */
    {"a\xe2\x80\x8b"
     "b",
     "a<200B>b", 8}, /* zero width space */
    {"\xe2\x80\xa8", "<2028>", 6},
    {"\xef\xbb\xbf", "<FEFF>", 6},
    {"\xed\xa0\xbd", "<D83D>", 6},      /* a lone half */
    {"\xf3\xa0\x80\x81", "<E0001>", 7}, /* a tag character */
    {"\xef\xbf\xbf", "<FFFF>", 6},      /* no character */
    {"\xee\x80\x80", "<E000>", 6},      /* private use */
    {"\xc2\xad", "<00AD>", 6},          /* soft hyphen */
    {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", 3},
    {"e\xcc\x81x", "e\xcc\x81x", 2}, /* a mark rides on its base */
    {"\xcc\x81x", "<0301>x", 7},     /* but not on nothing */
    {"\xe6\xbc\xa2\xe5\xad\x97", "\xe6\xbc\xa2\xe5\xad\x97", 4},
    {"\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80", 2}, /* halves that meet */
    {"\xe2\x9a\xa0\xef\xb8\x8f!", "\xe2\x9a\xa0!", 2},   /* presentation selector is taken in */
    {"a\xef\xb8\x8f", "a<FE0F>", 7},                     /* elsewhere it hides something */
    {"\xef\xbf\xbd", "\xef\xbf\xbd", 1},
};

static void hostile_text_is_escaped(void **state) {
  (void)state;
  expect_shown(rows, sizeof rows / sizeof *rows, false);
}

static void so_it_is_under_a_unicode_locale(void **state) {
  (void)state;
  if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) {
    print_message("skipped: no C.UTF-8 locale here\n");
    skip();
  }
  expect_shown(rows, sizeof rows / sizeof *rows, false);
  (void)setlocale(LC_CTYPE, "C");
}

static void ascii_only_escapes_all_else(void **state) {
  (void)state;
  const struct shown ascii[] = {
      {"abc", "abc", 3},           {"\xc3\xa9", "<00E9>", 6},
      {"e\xcc\x81", "e<0301>", 7}, {"\xf0\x9f\x98\x80", "<1F600>", 7},
      {"\x1b\xfe", "^[<FE>", 6},
  };
  expect_shown(ascii, sizeof ascii / sizeof *ascii, true);
}

static void a_pile_of_marks_is_cut(void **state) {
  (void)state;
  char text[200] = "e";
  for (int i = 0; i < 60; i++) {
    strcat(text, "\xcc\x81");
  }
  struct bt_cluster cluster;
  bt_cluster_next(&cluster, text, strlen(text), false);
  assert_int_equal(cluster.consumed, 1 + 4 * 2);
  assert_int_equal(cluster.columns, 1);
  bt_cluster_next(&cluster, text + 9, strlen(text) - 9, false);
  assert_string_equal(cluster.bytes, "<0301>");
}

static void visible_text_is_one_printable_line(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 10000);
  char all[256];
  for (int i = 0; i < 256; i++) {
    all[i] = (char)i;
  }
  bt_text_visible(&out, all, sizeof all);
  assert_false(out.failed);
  for (size_t i = 0; i < out.length; i++) {
    assert_true(out.data[i] >= 0x20 && out.data[i] < 0x7F);
  }
  bt_str_dispose(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hostile_text_is_escaped),
      cmocka_unit_test(so_it_is_under_a_unicode_locale),
      cmocka_unit_test(ascii_only_escapes_all_else),
      cmocka_unit_test(a_pile_of_marks_is_cut),
      cmocka_unit_test(visible_text_is_one_printable_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
