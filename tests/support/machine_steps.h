/* tests/support/machine_steps.h - the machine of supervise, driven event by event; for the unit tests of it.
 *
 * One machine a program: `fresh` begins it with session s1 at work, `dispose` ends it. */
#ifndef BATON_TESTS_SUPPORT_MACHINE_STEPS_H
#define BATON_TESTS_SUPPORT_MACHINE_STEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/supervise/machine.h"

#define HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct bt_sup_machine machine;
static int64_t now;
static char done[4096]; /* what the last event led to, in short words */

static inline void note_actions(void) {
  done[0] = '\0';
  for (size_t i = 0; i < machine.action_count; i++) {
    const struct bt_sup_action *action = &machine.actions[i];
    size_t used = strlen(done);
    static const char *const words[] = {"spawn", "log", "tell", "signal", "continue", "verify"};
    snprintf(done + used, sizeof done - used, "%s%s", used > 0 ? " " : "", words[action->kind]);
    used = strlen(done);
    if (action->kind == BT_SUP_DO_SIGNAL)
      snprintf(done + used, sizeof done - used, ":%d", action->signal);
    if (action->kind == BT_SUP_DO_CONTINUE)
      snprintf(done + used, sizeof done - used, ":%s", action->with_transcript ? "transcript" : "bare");
  }
}

static inline const char *step(struct bt_sup_event event) {
  event.now_ms = now;
  bt_sup_step(&machine, &event);
  note_actions();
  return done;
}

/* The text of the last event's action of this kind. */
static inline const char *said(enum bt_sup_action_kind kind) {
  for (size_t i = 0; i < machine.action_count; i++) {
    if (machine.actions[i].kind == kind)
      return machine.actions[i].text;
  }
  return "";
}

static inline const char *tick(bool deny, int64_t mtime) {
  return step((struct bt_sup_event){
      .kind = BT_SUP_TICK, .deny_open = deny, .transcript_there = mtime != 0, .transcript_ns = mtime});
}
static inline const char *plain(enum bt_sup_event_kind kind) {
  return step((struct bt_sup_event){.kind = kind, .text = "why not"});
}
static inline const char *exits(int code) {
  return step((struct bt_sup_event){.kind = BT_SUP_EXITED, .exit = {.code = code}});
}
static inline const char *killed(int number) {
  return step((struct bt_sup_event){.kind = BT_SUP_EXITED, .exit = {.signalled = true, .signal = number}});
}
static inline const char *continued(const char *successor) {
  const struct bt_sup_payload payload = {.successor_session_id = successor,
                                         .ticket_id = "T-1",
                                         .content_hash = HASH,
                                         .content_path = "/r/brief.md",
                                         .bootstrap_prompt = "go on"};
  return step((struct bt_sup_event){.kind = BT_SUP_CONTINUED, .payload = &payload});
}

static inline int fresh(void **state) {
  (void)state;
  now = 1000;
  bt_sup_init(&machine, bt_sup_defaults());
  assert_string_equal(step((struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "s1"}), "spawn");
  assert_string_equal(plain(BT_SUP_SPAWNED), "");
  assert_int_equal(machine.state, BT_SUP_WATCHING);
  assert_int_equal(machine.wake_ms, now); /* every 2000 ms, starting at once */
  return 0;
}

static inline int dispose(void **state) {
  (void)state;
  assert_false(machine.no_memory);
  bt_sup_dispose(&machine);
  return 0;
}

static inline void ended(enum bt_sup_reason reason, int status) {
  assert_int_equal(machine.state, BT_SUP_DONE);
  assert_int_equal(machine.reason, reason);
  assert_int_equal(bt_sup_exit_status(machine.reason), status);
  assert_true(machine.wake_ms == BT_SUP_NEVER);
}

/* Quiet, continued as s2, and about to be looked at. */
static inline void until_verifying(void) {
  tick(true, 5);
  for (int i = 0; i < 3; i++) {
    now += 2000;
    tick(true, 5);
  }
  assert_int_equal(machine.state, BT_SUP_CONTINUING);
  assert_string_equal(continued("s2"), "verify");
  assert_int_equal(machine.state, BT_SUP_VERIFYING);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fresh, dispose)

#endif
