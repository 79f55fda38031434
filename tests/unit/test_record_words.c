/* tests/unit/test_record_words.c - names and words of the record store: slugs, tags, folder names, keywords, cuts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/records/units.h"
#include "core/records/words.h"

static void expect_slug(const char *text, const char *wanted) {
  struct bt_str out;
  bt_str_init(&out, 4096);
  bt_words_slug(&out, text, strlen(text));
  assert_string_equal(out.data, wanted);
  bt_str_dispose(&out);
}

static void slugs(void **state) {
  (void)state;
  expect_slug(" North Pier ", "north-pier");
  expect_slug("Tide--Watch", "tide--watch"); /* runs that were there stay */
  expect_slug("été #4", "t-4");
  expect_slug("!!!", "");
  expect_slug("\xE2\x84\xAA"
              "elvin",
              "kelvin");
  expect_slug("a\xC4\xB0z", "ai-z"); /* i and a mark that is no slug character */
  expect_slug("../..", "..-..");
  expect_slug("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bcd",
              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-"); /* the cut comes last */
}

static void expect_tag(const char *text, const char *wanted) {
  struct bt_str out;
  bt_str_init(&out, 4096);
  assert_int_equal(bt_words_tag(&out, text, strlen(text)), wanted != NULL);
  assert_string_equal(out.data, wanted != NULL ? wanted : "");
  bt_str_dispose(&out);
}

static void tags(void **state) {
  (void)state;
  expect_tag("x--home-mara-lantern--y", "lantern");
  expect_tag("--C-Users-me-x1--", "me-x1");
  expect_tag("--a--b--", "b");
  expect_tag("---foo--", "foo");
  expect_tag("--D---", "unsorted");
  expect_tag("--home-my~Rig.v2--", "my-rig.v2");
  expect_tag("--no tag--", NULL);
  expect_tag("----", NULL);
  expect_tag("--a", NULL);
  expect_tag("", NULL);
  expect_tag("--x y--z--", "z"); /* the leftmost place where all of it fits */
}

static void folders(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"Deck 2/left: été #4", "Deck_2_left___t___4"}, {"\xF0\x9F\x98\x80", "__"}, {"../x", ".._x"}};
  for (size_t i = 0; i < 3; i++) {
    struct bt_str out;
    bt_str_init(&out, 4096);
    bt_words_folder(&out, cases[i][0], strlen(cases[i][0]));
    assert_string_equal(out.data, cases[i][1]);
    bt_str_dispose(&out);
  }
  assert_false(bt_words_is_name(""));
  assert_false(bt_words_is_name("."));
  assert_false(bt_words_is_name(".."));
  assert_true(bt_words_is_name("..."));
}

static void machine_ids(void **state) {
  (void)state;
  assert_true(bt_words_is_machine_id("0a1b2c3d-4e5f-6789-abcd-ef0123456789"));
  assert_true(bt_words_is_machine_id("abcdefgh-ijkl and more"));
  assert_true(bt_words_is_machine_id("job2041"));
  assert_false(bt_words_is_machine_id("jobs2041x"));
  assert_false(bt_words_is_machine_id("worker2041"));
  assert_false(bt_words_is_machine_id("ab123"));
  assert_false(bt_words_is_machine_id("2041"));
  assert_false(bt_words_is_machine_id("abcdefghi-1234"));
  assert_false(bt_words_is_machine_id(""));
}

static void keywords(void **state) {
  (void)state;
  struct bt_keywords a, b;
  const char *one = "Survey ANCHOR chain with the anchor near harbour", *two = "anchor chain: what, when? repair";
  bt_keywords_init(&a);
  bt_keywords_init(&b);
  bt_keywords_add(&a, one, strlen(one));
  bt_keywords_add(&b, two, strlen(two));
  assert_int_equal(a.count, 5);
  assert_string_equal(a.words[1], "anchor");
  assert_int_equal(b.count, 3);
  assert_true(bt_keywords_overlap(&a, &b) == 2.0 / 6.0);
  bt_keywords_dispose(&a);
  bt_keywords_dispose(&b);
  assert_true(bt_keywords_overlap(&a, &b) == 0);
}

static void overlaps(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0.125, "0.13"},   {0.375, "0.38"}, {0.625, "0.63"}, {0.875, "0.88"},
               {1.0 / 3, "0.33"}, {0.06, "0.06"},  {1, "1.00"},     {0.145, "0.14"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[8];
    bt_words_overlap_text(text, cases[i].value);
    assert_string_equal(text, cases[i].text);
  }
}

static void cuts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t units;
    const char *head, *tail;
  } cases[] = {{"abc", 2, "ab", "bc"},
               {"a\xF0\x9F\x98\x80"
                "b",
                2, "a\xED\xA0\xBD",
                "\xED\xB8\x80"
                "b"}, /* inside a pair: a lone half */
               {"\xC3\xA9\xC3\xA9", 1, "\xC3\xA9", "\xC3\xA9"},
               {"abc", 0, "", ""},
               {"abc", 9, "abc", "abc"},
               {"a\xC0\x80"
                "b",
                2, "a\xC0\x80",
                "\xC0\x80"
                "b"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_str head, tail;
    bt_str_init(&head, 64);
    bt_str_init(&tail, 64);
    bt_units_head(&head, cases[i].text, strlen(cases[i].text), cases[i].units);
    bt_units_tail(&tail, cases[i].text, strlen(cases[i].text), cases[i].units);
    assert_string_equal(head.data, cases[i].head);
    assert_string_equal(tail.data, cases[i].tail);
    bt_str_dispose(&head);
    bt_str_dispose(&tail);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slugs),    cmocka_unit_test(tags),     cmocka_unit_test(folders), cmocka_unit_test(machine_ids),
      cmocka_unit_test(keywords), cmocka_unit_test(overlaps), cmocka_unit_test(cuts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
