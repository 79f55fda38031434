/* tests/unit/test_shell.c - path candidates of a command, and the detector of handoff verbs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hook/shell.h"

static void expect(const char *command, const char *joined) {
  struct bt_candidates found;
  char actual[1024] = "";
  assert_int_equal(bt_shell_candidates(command, &found, NULL), BT_OK);
  for (size_t i = 0; i < found.count; i++) {
    strncat(actual, i ? "|" : "", sizeof actual - strlen(actual) - 1);
    strncat(actual, found.items[i], sizeof actual - strlen(actual) - 1);
  }
  assert_string_equal(actual, joined);
  bt_candidates_dispose(&found);
}

static void candidates(void **state) {
  (void)state;
  expect("", "");
  expect("  ;;|&()<>'\"", "");
  expect("cat a/b/c", "cat|a/b/c|a|a/b");
  expect("cat /a/b", "cat|/a/b|/a");
  expect("a//b //c", "a//b|a|a/|//c|/");
  expect("--dir=x -- - ---a", "dir=x|a");
  expect("a\\\\b\\c", "a//b/c|a|a/|a//b");
  expect("a/ / b///", "a|b");
  expect("x>y;z|w&v(u)t<s", "x|y|z|w|v|u|t|s");
  expect("a\xc2\xa0"
         "b\xe3\x80\x80"
         "c\xe2\x80\x8b"
         "d",
         "a|b|c\xe2\x80\x8b"
         "d");
  expect("$HOME/x `y` {a,b}", "$HOME/x|$HOME|`y`|{a,b}");
  expect("a a/b a", "a|a/b");
}

static void many_candidates(void **state) {
  (void)state;
  struct bt_candidates found;
  size_t count = 40000;
  char *command = malloc(count * 8 + 1), *at = command;
  assert_non_null(command);
  for (size_t i = 0; i < count; i++)
    at += sprintf(at, "t%zu ", i % 20000);
  assert_int_equal(bt_shell_candidates(command, &found, NULL), BT_OK);
  assert_int_equal(found.count, 20000);
  bt_candidates_dispose(&found);
  free(command);
}

/* A path of very many segments would make prefixes without end. */
static void limits(void **state) {
  (void)state;
  struct bt_candidates found;
  size_t length = 400000;
  char *command = malloc(length + 1);
  assert_non_null(command);
  for (size_t i = 0; i < length; i++)
    command[i] = i % 2 ? '/' : 'a';
  command[length] = '\0';
  assert_int_equal(bt_shell_candidates(command, &found, NULL), BT_TOO_LARGE);
  bt_candidates_dispose(&found);
  free(command);
}

static void detector(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const yes[] = {"handoff write", "xhandoff WRITE", "HandOff.MJS \t\n continue", "context-handoff resume;",
                                    "handoff  unlock)", "handoff\xc2\xa0repair", "handoff nothing handoff bypass", "handoffhandoff write"};
  /* clang-format on */
  static const char *const no[] = {"",
                                   "handoff",
                                   "handoff ",
                                   "handoffwrite",
                                   "handoff write_",
                                   "handoff write2",
                                   "handoff --json write",
                                   "handoff supervise",
                                   "handoff handoff write",
                                   "handoff.mj write",
                                   "handoff.mjs.mjs write",
                                   "handoff\xe2\x80\x8bwrite",
                                   "hand off write",
                                   "handoff w\xc5\xbfite",
                                   "handoff 'write"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    assert_true(bt_shell_runs_mutating_cli(yes[i]));
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    assert_false(bt_shell_runs_mutating_cli(no[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(candidates), cmocka_unit_test(many_candidates),
                                     cmocka_unit_test(limits), cmocka_unit_test(detector)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
