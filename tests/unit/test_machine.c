/* tests/unit/test_machine.c - the loop of supervise: every step and every way out, and what holds after any events. */
#include "tests/support/machine_steps.h"

/* ---- ways out without a deny ---- */

static void an_unsafe_first_id(void **state) {
  (void)state;
  bt_sup_dispose(&machine);
  bt_sup_init(&machine, bt_sup_defaults());
  assert_string_equal(step((struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "a b"}), "");
  ended(BT_SUP_UNSAFE_SESSION_ID, 1);
  assert_int_equal(machine.session_count, 0);
  assert_null(bt_sup_session(&machine));
}

static void it_exits(void **state) {
  (void)state;
  tick(false, 1);
  assert_int_equal(machine.wake_ms, now + 2000);
  assert_string_equal(exits(0), "");
  assert_int_equal(machine.wake_ms, now); /* the deny is looked at once more */
  assert_string_equal(tick(false, 1), "");
  ended(BT_SUP_CHILD_EXITED, 0);
  assert_true(machine.child_known);
}

static void it_fails(void **state) {
  (void)state;
  exits(7);
  assert_string_equal(tick(false, 1), "log");
  assert_non_null(strstr(said(BT_SUP_DO_LOG), "exited with 7"));
  ended(BT_SUP_CHILD_FAILED, 3);
}

static void it_is_killed(void **state) {
  (void)state;
  killed(SIGKILL);
  assert_string_equal(tick(false, 1), "log");
  assert_non_null(strstr(said(BT_SUP_DO_LOG), "SIGKILL"));
  ended(BT_SUP_CHILD_SIGNALLED, 3);
}

static void it_cannot_be_started(void **state) {
  (void)state;
  bt_sup_dispose(&machine);
  bt_sup_init(&machine, bt_sup_defaults());
  step((struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "s1"});
  step((struct bt_sup_event){.kind = BT_SUP_EXITED, .exit = {.failed_to_start = true, .error = "spawn x ENOENT"}});
  assert_int_equal(machine.wake_ms, now);
  assert_string_equal(tick(false, 0), "log");
  assert_non_null(strstr(said(BT_SUP_DO_LOG), "spawn x ENOENT"));
  ended(BT_SUP_SPAWN_FAILED, 4);
  assert_string_equal(machine.child.error, "spawn x ENOENT");
}

/* ---- interruption ---- */

static void interrupted_while_it_runs(void **state) {
  (void)state;
  assert_string_equal(plain(BT_SUP_INTERRUPT), "signal:2");
  assert_string_equal(plain(BT_SUP_INTERRUPT), "signal:2"); /* a second Ctrl-C is passed on too */
  assert_string_equal(tick(false, 1), "");
  assert_int_equal(machine.state, BT_SUP_WAITING); /* for as long as it takes */
  assert_true(machine.wake_ms == BT_SUP_NEVER);
  assert_string_equal(exits(130), "");
  ended(BT_SUP_INTERRUPTED, 0);
  assert_true(machine.child_known);
  assert_int_equal(machine.child.code, 130);
}

static void interrupted_and_dead_at_once(void **state) {
  (void)state;
  plain(BT_SUP_INTERRUPT);
  killed(SIGINT);
  assert_string_equal(tick(false, 1), "");
  ended(BT_SUP_INTERRUPTED, 0);
}

static void a_deny_comes_before_an_interruption(void **state) {
  (void)state;
  plain(BT_SUP_INTERRUPT);
  tick(true, 1);
  assert_int_equal(machine.state, BT_SUP_QUIESCING);
}

static void interrupted_while_it_is_handed_on(void **state) {
  (void)state;
  exits(0);
  assert_string_equal(tick(true, 1), "log continue:transcript");
  assert_string_equal(plain(BT_SUP_INTERRUPT), ""); /* nobody is there to be told */
  assert_string_equal(continued("s2"), "verify");
  assert_string_equal(plain(BT_SUP_VERIFIED), "log");
  ended(BT_SUP_INTERRUPTED, 0);
  assert_int_equal(machine.session_count, 2); /* listed, but not started */
  assert_false(machine.child_known);
}

/* ---- succession ---- */

static void a_quiet_transcript_takes_six_seconds(void **state) {
  (void)state;
  assert_string_equal(tick(true, 5), "log");
  assert_int_equal(machine.wake_ms, now + 2000);
  now += 2000;
  assert_string_equal(tick(true, 5), "");
  now += 2000;
  assert_string_equal(tick(true, 5), "");
  now += 2000;
  assert_string_equal(tick(true, 5), "continue:transcript");
  assert_true(machine.wake_ms == BT_SUP_NEVER);
}

static void a_growing_transcript_starts_the_clock_anew(void **state) {
  (void)state;
  tick(true, 5);
  for (int i = 0; i < 20; i++) {
    now += 2000;
    assert_string_equal(tick(true, 6 + i), "");
  }
  now += 2000;
  assert_string_equal(tick(true, 0), ""); /* gone is another value */
  now += 4999;
  assert_string_equal(tick(true, 0), "");
  now += 1;
  assert_string_equal(tick(true, 0), "log continue:bare");
  assert_non_null(strstr(said(BT_SUP_DO_LOG), "WARNING"));
}

static void the_deny_may_go_again(void **state) {
  (void)state;
  tick(true, 5);
  now += 6000;
  assert_string_equal(tick(false, 5), "continue:transcript"); /* continue itself will tell */
}

static void dead_is_quiet(void **state) {
  (void)state;
  tick(true, 5);
  exits(0);
  assert_int_equal(machine.wake_ms, now);
  assert_string_equal(tick(true, 6), "continue:transcript");
}

static void it_ends_when_asked(void **state) {
  (void)state;
  until_verifying();
  assert_string_equal(plain(BT_SUP_VERIFIED), "signal:15");
  assert_int_equal(machine.wake_ms, now + 2000);
  now += 500;
  killed(SIGTERM);
  assert_int_equal(machine.wake_ms, now);
  assert_string_equal(tick(false, 5), "log spawn");
  assert_int_equal(machine.abnormal_count, 0); /* it was asked to */
  assert_int_equal(machine.continuations, 1);
  assert_string_equal(bt_sup_session(&machine), "s2");
  assert_string_equal(machine.prompt.data, "go on");
  plain(BT_SUP_SPAWNED);
  exits(0);
  tick(false, 0);
  ended(BT_SUP_CHILD_EXITED, 0);
}

static void it_does_not_end_when_asked(void **state) {
  (void)state;
  until_verifying();
  plain(BT_SUP_VERIFIED);
  for (int i = 0; i < 4; i++) {
    now += 2000;
    assert_string_equal(tick(false, 5), "");
  }
  assert_int_equal(machine.wake_ms, now + 2000);
  now += 2000;
  assert_string_equal(tick(false, 5), "log signal:9");
  assert_int_equal(machine.state, BT_SUP_KILLING);
  now += 9999;
  assert_string_equal(tick(false, 5), "");
  now += 1;
  assert_string_equal(tick(false, 5), "log spawn"); /* on regardless */
  assert_int_equal(machine.abnormal_count, 0);
}

static void it_was_gone_already(void **state) {
  (void)state;
  until_verifying();
  assert_string_equal(killed(SIGSEGV), "");
  assert_string_equal(plain(BT_SUP_VERIFIED), "log log spawn");
  assert_int_equal(machine.abnormal_count, 1);
  assert_string_equal(machine.abnormal[0].session, "s1");
  assert_int_equal(machine.abnormal[0].signal, SIGSEGV);
  assert_int_equal(machine.continuations, 1); /* the run has not failed */
}

static void it_was_gone_without_a_word(void **state) {
  (void)state;
  until_verifying();
  plain(BT_SUP_VERIFIED);
  assert_string_equal(plain(BT_SUP_GONE), "log spawn");
  assert_false(machine.signalled);
}

static void a_clean_end_is_not_abnormal(void **state) {
  (void)state;
  until_verifying();
  exits(0);
  assert_string_equal(plain(BT_SUP_VERIFIED), "log spawn");
  assert_int_equal(machine.abnormal_count, 0);
}

/* ---- any events at all ---- */

static void check_always(bool was_done) {
  assert_true(machine.action_count <= BT_SUP_ACTIONS_MAX);
  assert_false(machine.no_memory);
  for (size_t i = 0; i < machine.action_count; i++) {
    const struct bt_sup_action *action = &machine.actions[i];
    bool from_loop = action->signal == SIGTERM || action->signal == SIGKILL;
    if (action->kind == BT_SUP_DO_SIGNAL) {
      assert_true(machine.running);
      if (from_loop) /* only a session whose work is safely handed on is ever ended */
        assert_true(machine.successor.length > 0 && machine.reason == BT_SUP_REASON_NONE);
    }
    if (action->kind == BT_SUP_DO_SPAWN)
      assert_false(machine.reason != BT_SUP_REASON_NONE);
    assert_false(was_done && action->kind != BT_SUP_DO_SIGNAL);
  }
  if (machine.state == BT_SUP_DONE)
    assert_true(machine.wake_ms == BT_SUP_NEVER && machine.reason != BT_SUP_REASON_NONE);
  assert_true(machine.continuations + 1 >= machine.session_count);
  assert_true(machine.state != BT_SUP_WATCHING || machine.wake_ms != BT_SUP_NEVER);
  assert_true(machine.state != BT_SUP_QUIESCING || machine.wake_ms != BT_SUP_NEVER);
  assert_true(machine.state != BT_SUP_TERMINATING || machine.wake_ms != BT_SUP_NEVER);
}

#define KINDS 12
static void fire(unsigned kind) {
  now += 3000;
  switch (kind) {
  case 0:
    plain(BT_SUP_SPAWNED);
    break;
  case 1:
    exits(0);
    break;
  case 2:
    killed(SIGSEGV);
    break;
  case 3:
    tick(true, 5);
    break;
  case 4:
    tick(false, 5);
    break;
  case 5:
    plain(BT_SUP_INTERRUPT);
    break;
  case 6:
    plain(BT_SUP_GONE);
    break;
  case 7:
    continued("s2");
    break;
  case 8:
    plain(BT_SUP_CONTINUE_FAILED);
    break;
  case 9:
    plain(BT_SUP_VERIFIED);
    break;
  case 10:
    plain(BT_SUP_VERIFY_FAILED);
    break;
  default:
    tick(true, now);
    break;
  }
}

static void every_sequence_of_five(void **state) {
  (void)state;
  for (unsigned number = 0; number < KINDS * KINDS * KINDS * KINDS * KINDS; number++) {
    bt_sup_dispose(&machine);
    bt_sup_init(&machine, bt_sup_defaults());
    step((struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "s1"});
    plain(BT_SUP_SPAWNED);
    unsigned rest = number;
    for (int i = 0; i < 5; i++, rest /= KINDS) {
      bool was_done = machine.state == BT_SUP_DONE;
      fire(rest % KINDS);
      check_always(was_done);
    }
  }
}

static void long_random_sequences(void **state) {
  (void)state;
  unsigned random = 12345;
  for (int run = 0; run < 2000; run++) {
    bt_sup_dispose(&machine);
    bt_sup_init(&machine, bt_sup_defaults());
    step((struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "s1"});
    for (int i = 0; i < 60; i++) {
      bool was_done = machine.state == BT_SUP_DONE;
      random = random * 1103515245u + 12345u;
      fire((random >> 16) % KINDS);
      check_always(was_done);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(an_unsafe_first_id),
      CASE(it_exits),
      CASE(it_fails),
      CASE(it_is_killed),
      CASE(it_cannot_be_started),
      CASE(interrupted_while_it_runs),
      CASE(interrupted_and_dead_at_once),
      CASE(a_deny_comes_before_an_interruption),
      CASE(interrupted_while_it_is_handed_on),
      CASE(a_quiet_transcript_takes_six_seconds),
      CASE(a_growing_transcript_starts_the_clock_anew),
      CASE(the_deny_may_go_again),
      CASE(dead_is_quiet),
      CASE(it_ends_when_asked),
      CASE(it_does_not_end_when_asked),
      CASE(it_was_gone_already),
      CASE(it_was_gone_without_a_word),
      CASE(a_clean_end_is_not_abnormal),
      CASE(every_sequence_of_five),
      CASE(long_random_sequences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
