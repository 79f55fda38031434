/* tests/unit/test_machine_degrade.c - supervise cannot hand on: the session is left alone, and what is told is true. */
#include "tests/support/machine_steps.h"

static void degrade_while_it_runs(void **state) {
  (void)state;
  tick(true, 5);
  now += 6000;
  tick(true, 5);
  assert_string_equal(plain(BT_SUP_CONTINUE_FAILED), "tell");
  const char *text = said(BT_SUP_DO_TELL);
  assert_non_null(strstr(text, "why not"));
  assert_non_null(strstr(text, "still running and still denied"));
  assert_non_null(strstr(text, "Nothing was consumed"));
  assert_non_null(strstr(text, "ADLC_MANIFEST_KEY=\xE2\x80\xA6 adlc handoff continue --deny-session s1 --write"));
  assert_int_equal(machine.state, BT_SUP_WAITING);
  assert_string_equal(tick(true, 5), "");
  assert_string_equal(exits(9), ""); /* whatever it ends with */
  ended(BT_SUP_DEGRADED, 2);
  assert_int_equal(machine.child.code, 9);
  assert_int_equal(machine.continuations, 0);
}

/* The continue step has consumed the deny and authorised a successor: the line that hands on would be refused. */
static void degrade_after_it_was_handed_on(void **state) {
  (void)state;
  until_verifying();
  assert_string_equal(step((struct bt_sup_event){.kind = BT_SUP_VERIFY_FAILED, .text = "why not", .consumed = true}),
                      "tell");
  const char *text = said(BT_SUP_DO_TELL);
  assert_non_null(strstr(text, "still running and still denied. Its deny was consumed: s2 may go on"));
  assert_non_null(strstr(text, "baton bootstrap s2"));
  assert_null(strstr(text, "Nothing was consumed"));
  assert_null(strstr(text, "handoff continue"));
  exits(0);
  ended(BT_SUP_DEGRADED, 2);
}

static void degrade_after_somebody_else_handed_it_on(void **state) {
  (void)state;
  tick(true, 5);
  now += 6000;
  tick(true, 5);
  assert_string_equal(step((struct bt_sup_event){.kind = BT_SUP_CONTINUE_FAILED, .text = "why not", .consumed = true}),
                      "tell");
  assert_non_null(strstr(said(BT_SUP_DO_TELL), "Its deny is consumed all the same.\n"));
  assert_non_null(strstr(said(BT_SUP_DO_TELL), "baton show s1\n"));
}

static void degrade_after_it_ended(void **state) {
  (void)state;
  exits(0);
  tick(true, 5);
  assert_string_equal(plain(BT_SUP_CONTINUE_FAILED), "tell");
  assert_non_null(strstr(said(BT_SUP_DO_TELL), "has ended"));
  ended(BT_SUP_DEGRADED, 2);
}

static void degrade_after_it_crashed(void **state) {
  (void)state;
  killed(SIGSEGV);
  tick(true, 5);
  assert_string_equal(continued("s2"), "verify");
  assert_string_equal(plain(BT_SUP_VERIFY_FAILED), "tell");
  assert_non_null(strstr(said(BT_SUP_DO_TELL), "SIGSEGV"));
  ended(BT_SUP_DEGRADED, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(degrade_while_it_runs),
      CASE(degrade_after_it_was_handed_on),
      CASE(degrade_after_somebody_else_handed_it_on),
      CASE(degrade_after_it_ended),
      CASE(degrade_after_it_crashed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
