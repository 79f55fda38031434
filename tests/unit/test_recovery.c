/* tests/unit/test_recovery.c - the grammar of the recovery command, in both its forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdbool.h>

#include "core/hook/recovery.h"
#include "tests/support/gate_box.h"

struct places {
  char interpreter[128], script[128], program[128];
  struct bt_recovery_self self;
};

static void prepare(const struct gate_box *box, struct places *places) {
  gate_box_text(box, "bin/interp", "x");
  gate_box_text(box, "pkg/handoff", "x");
  gate_box_text(box, "bin/baton", "x");
  scratch_link(&box->scratch, "odd name", "pkg");
  snprintf(places->interpreter, sizeof places->interpreter, "%s/bin/interp", box->scratch.path);
  snprintf(places->script, sizeof places->script, "%s/pkg/handoff", box->scratch.path);
  snprintf(places->program, sizeof places->program, "%s/bin/baton", box->scratch.path);
  places->self = (struct bt_recovery_self){places->interpreter, places->script, places->program};
}

/* In `command` I, S and B at the start of a word stand for the three paths. */
static const char *match(const struct places *places, const char *command, const char *session) {
  char full[2048] = "";
  size_t used = 0;
  for (const char *at = command; *at && used < sizeof full - 200; at++) {
    bool starts = at == command || at[-1] == ' ' || at[-1] == '\'';
    bool ends = at[1] == ' ' || at[1] == '\'' || at[1] == '\0' || at[1] == '/';
    const char *path = *at == 'I'   ? places->interpreter
                       : *at == 'S' ? places->script
                       : *at == 'B' ? places->program
                                    : NULL;
    if (path && starts && ends)
      used += (size_t)snprintf(full + used, sizeof full - used, "%s", path);
    else
      full[used++] = *at;
  }
  full[used] = '\0';
  return bt_recovery_match(full, &places->self, session);
}

static void both_forms(void **state) {
  struct places places;
  prepare(*state, &places);
  static const char *const verbs[] = {"bypass", "unlock", "repair", "write", "resume"};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    char command[128];
    snprintf(command, sizeof command, "I S %s --session s", verbs[i]);
    assert_string_equal(match(&places, command, "s"), verbs[i]);
    snprintf(command, sizeof command, "B %s --write --session s --json", verbs[i]);
    assert_string_equal(match(&places, command, "s"), verbs[i]);
  }
  assert_non_null(match(&places, "'I' 'S' bypass --session s", "s"));
  assert_non_null(match(&places, "I/ S/ bypass --session s", "s"));
  assert_non_null(
      match(&places, "'B' unlock --session s --pid 7 --started-at 2031-01-02T03:04:05.678Z --host -h --nonce 00", "s"));
  struct bt_recovery_self only = {.program = places.program};
  places.self = only;
  assert_null(match(&places, "I S bypass --session s", "s"));
  assert_non_null(match(&places, "B bypass --session s", "s"));
}

static void what_does_not_match(void **state) {
  struct places places;
  prepare(*state, &places);
  /* clang-format off */
  static const char *const commands[] = {
      "", " ", "pwd", "I S", "I S bypass", "B bypass", "I S bypass --session", "I S bypass --session t", "I S bypass --write",
      "I S continue --session s", "B supervise --session s", "I S Bypass --session s", "I S 'bypass' --session s",
      "I  S bypass --session s", " I S bypass --session s", "I S bypass --session s ", "I\tS bypass --session s",
      "I S bypass --session s\n", "I S bypass\r --session s", "I S bypass --session=s", "I S bypass --session 's'",
      "I S bypass --session s --session s", "I S bypass --session s --write --write", "I S bypass --session s --host h",
      "I S bypass --session s --dir x", "I S bypass --session s --help", "I S bypass --session s --ticket --write",
      "I S bypass --session s --ticket a;b", "I S bypass --session s --ticket $x", "I S bypass --session s extra",
      "I S resume --session s --ticket T", "I S write --session s --pid 1", "S I bypass --session s", "I I bypass --session s",
      "B B bypass --session s", "bin/interp S bypass --session s", "'I S bypass --session s", "I'' S bypass --session s",
      "I 'S'x bypass --session s", "X=1 I S bypass --session s", "I S bypass --session s && ls", "I S bypass --session s;ls"};
  /* clang-format on */
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (match(&places, commands[i], "s"))
      fail_msg("matched: %s", commands[i]);
  assert_null(match(&places, "I S bypass --session s", NULL));
  assert_null(match(&places, "I S bypass --session s", ""));
}

static void a_value_may_start_with_one_dash(void **state) {
  struct places places;
  prepare(*state, &places);
  assert_non_null(match(&places, "I S bypass --session s --ticket -", "s"));
  assert_non_null(match(&places, "I S bypass --session s --ticket -x:/.=", "s"));
  assert_null(match(&places, "I S bypass --session s --ticket --", "s"));
}

static void paths_that_do_not_resolve(void **state) {
  const struct gate_box *box = *state;
  struct places places;
  prepare(box, &places);
  char command[512];
  snprintf(command, sizeof command, "%s '%s/odd name/handoff' bypass --session s", places.interpreter,
           box->scratch.path);
  assert_non_null(bt_recovery_match(command, &places.self, "s"));
  snprintf(command, sizeof command, "%s %s/pkg/none bypass --session s", places.interpreter, box->scratch.path);
  assert_null(bt_recovery_match(command, &places.self, "s"));
  snprintf(command, sizeof command, "%s '%s/pkg/hand\xc0\x80off' bypass --session s", places.interpreter,
           box->scratch.path);
  assert_null(bt_recovery_match(command, &places.self, "s"));
  snprintf(command, sizeof command, "%s '' bypass --session s", places.interpreter);
  assert_null(bt_recovery_match(command, &places.self, "s"));
}

static void very_many_tokens(void **state) {
  struct places places;
  prepare(*state, &places);
  char command[4096] = "I S bypass --session s";
  for (int i = 0; i < 200; i++)
    strcat(command, " --write");
  assert_null(match(&places, command, "s"));
}

static void looking_around(void **state) {
  (void)state;
  assert_true(bt_recovery_is_pwd("pwd"));
  assert_false(bt_recovery_is_pwd("pwd\n"));
  assert_false(bt_recovery_is_pwd(" pwd"));
  assert_false(bt_recovery_is_pwd("pwd -P"));
  assert_false(bt_recovery_is_pwd(""));
}

static void expect_format(struct bt_recovery_self self, const char *session, enum bt_recovery_kind kind,
                          const char *line) {
  struct bt_str out;
  bt_str_init(&out, 4096);
  assert_int_equal(bt_recovery_format(&out, &self, session), kind);
  assert_false(out.failed);
  if (line)
    assert_string_equal(out.data, line);
  else
    assert_null(strstr(out.data, "--session"));
  bt_str_dispose(&out);
}

static void display(void **state) {
  (void)state;
  struct bt_recovery_self two = {.interpreter = "/usr/bin/node", .script = "/opt/my x/h.mjs"};
  struct bt_recovery_self one = {.program = "/usr/bin/baton"};
  expect_format(two, "s-1", BT_RECOVERY_COMMAND, "/usr/bin/node '/opt/my x/h.mjs' bypass --session s-1 --write");
  expect_format(one, "s-1", BT_RECOVERY_COMMAND, "/usr/bin/baton bypass --session s-1 --write");
  expect_format(one, "a b", BT_RECOVERY_NO_SESSION, NULL);
  expect_format(one, NULL, BT_RECOVERY_NO_SESSION, NULL);
  expect_format(one, "", BT_RECOVERY_NO_SESSION, NULL);
  one.program = "/opt/it's/baton";
  expect_format(one, "s", BT_RECOVERY_UNSAFE_PATH, NULL);
  two.script = "/opt/a\nb";
  expect_format(two, "s", BT_RECOVERY_UNSAFE_PATH, NULL);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {BOXED(both_forms),
                                     BOXED(what_does_not_match),
                                     BOXED(a_value_may_start_with_one_dash),
                                     BOXED(paths_that_do_not_resolve),
                                     BOXED(very_many_tokens),
                                     cmocka_unit_test(looking_around),
                                     cmocka_unit_test(display)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
