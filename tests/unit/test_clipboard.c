/* tests/unit/test_clipboard.c - what goes to a terminal's clipboard, to the pager, and how roles look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/clipboard.h"
#include "tui/child.h"

static void test_osc52(void **state) {
  (void)state;
  const struct {
    const char *text, *encoded;
  } cases[] = {{"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
               {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe\xfd", "//79"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    struct bt_str out;
    bt_str_init(&out, 1024);
    clipboard_osc52(&out, cases[i].text, strlen(cases[i].text));
    assert_memory_equal(out.data, "\033]52;c;", 7);
    assert_memory_equal(out.data + 7, cases[i].encoded, strlen(cases[i].encoded));
    assert_string_equal(out.data + 7 + strlen(cases[i].encoded), "\a");
    bt_str_dispose(&out);
  }
}

static void test_osc52_has_a_limit(void **state) {
  (void)state;
  struct bt_str out;
  char *text = calloc(1, CLIPBOARD_BYTES_MAX + 1);
  assert_non_null(text);
  bt_str_init(&out, 4 * CLIPBOARD_BYTES_MAX);
  clipboard_osc52(&out, text, CLIPBOARD_BYTES_MAX + 1);
  assert_int_equal(out.length, 0);
  clipboard_osc52(&out, text, CLIPBOARD_BYTES_MAX);
  assert_true(out.length > CLIPBOARD_BYTES_MAX);
  bt_str_dispose(&out);
  free(text);
}

static void test_a_pager_is_words_not_shell(void **state) {
  (void)state;
  char command[] = "  less\t-R  ;rm $HOME ";
  char *words[CHILD_WORDS_MAX + 1];
  assert_true(child_split(command, words));
  assert_string_equal(words[0], "less");
  assert_string_equal(words[2], ";rm");
  assert_string_equal(words[3], "$HOME");
  assert_null(words[4]);
  char blank[] = " \t ";
  assert_true(child_split(blank, words));
  assert_null(words[0]);
  char all[] = "a a a a a a a a a a a a a a a a", many[] = "a a a a a a a a a a a a a a a a a";
  assert_true(child_split(all, words));
  assert_null(words[CHILD_WORDS_MAX]);
  assert_false(child_split(many, words));
}

static void test_quotes_hold_a_word_together(void **state) {
  (void)state;
  char *words[CHILD_WORDS_MAX + 1];
  char editor[] = "emacsclient -a '' \"-c x\"y \\  'a\\b' \"q\\\"q\" $(id)";
  assert_true(child_split(editor, words));
  const char *const wanted[] = {"emacsclient", "-a", "", "-c xy", " ", "a\\b", "q\"q", "$(id)"};
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
    assert_string_equal(words[i], wanted[i]);
  assert_null(words[sizeof(wanted) / sizeof(wanted[0])]);
  char open[] = "less \"-p x", single[] = "'", last[] = "less \\";
  assert_false(child_split(open, words));
  assert_false(child_split(single, words));
  assert_true(child_split(last, words));
  assert_string_equal(words[1], "\\");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_osc52),
      cmocka_unit_test(test_osc52_has_a_limit),
      cmocka_unit_test(test_a_pager_is_words_not_shell),
      cmocka_unit_test(test_quotes_hold_a_word_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
