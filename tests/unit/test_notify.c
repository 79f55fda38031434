/* tests/unit/test_notify.c - the user's command runs once for each session that becomes BLOCKED, and holds nothing up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/scratch.h"
#include "tui/notify.h"

#define MANY 80

struct box {
  struct scratch scratch;
  char command[256];
  struct notify notify;
};

static void open_box(struct box *box, const char *script) {
  *box = (struct box){.notify = {.command = NULL}};
  scratch_make(&box->scratch);
  scratch_folder(&box->scratch, "told");
  scratch_text(&box->scratch, "run", script);
  assert_int_equal(fchmodat(box->scratch.dir, "run", 0700, 0), 0);
  snprintf(box->command, sizeof(box->command), "%s/run %s/told", box->scratch.path, box->scratch.path);
  box->notify.command = box->command;
}

/* Ends what is still there, by its own id. */
static void close_box(struct box *box) {
  for (size_t i = 0; i < box->notify.count; i++) {
    kill(box->notify.children[i], SIGKILL);
    waitpid(box->notify.children[i], NULL, 0);
  }
  scratch_remove(&box->scratch);
}

static void wait_for_all(struct box *box) {
  for (size_t i = 0; i < box->notify.count; i++)
    assert_int_equal(waitpid(box->notify.children[i], NULL, 0), box->notify.children[i]);
  box->notify.count = 0;
}

/* Tells each call by a file of the session's name that holds what the command was given. */
static const char telling[] =
    "#!/bin/sh\n"
    "{ echo \"$BATON_SESSION $BATON_STATE $BATON_BEFORE $BATON_LEDGER $#\"; cat; } > \"$1/$BATON_SESSION\"\n"
    "echo out; echo err >&2\n";

struct list { /* a ledger of sessions, nothing else */
  struct bt_snapshot snapshot;
  struct bt_session sessions[MANY];
  char ids[MANY][16];
};

static struct bt_snapshot *ledger(struct list *list, size_t count, enum bt_state state) {
  memset(list, 0, sizeof(*list));
  for (size_t i = 0; i < count; i++) {
    snprintf(list->ids[i], sizeof(list->ids[i]), "sess-%02u", (unsigned)i % 100);
    list->sessions[i] = (struct bt_session){.id = list->ids[i], .id_short = list->ids[i], .state = state};
  }
  list->snapshot.sessions = list->sessions;
  list->snapshot.session_count = count;
  list->snapshot.ledger_dir = "/home/op/w/.adlc";
  return &list->snapshot;
}

static void test_a_transition_is_told_with_its_facts(void **state) {
  struct box box;
  static struct list before, after;
  struct bt_error err;
  (void)state;
  open_box(&box, telling);
  ledger(&before, 1, BT_STATE_WARN);
  ledger(&after, 2, BT_STATE_BLOCKED);
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_OK);
  assert_int_equal(box.notify.count, 2);
  wait_for_all(&box);
  scratch_expect_text(&box.scratch, "told/sess-00", "sess-00 BLOCKED WARN /home/op/w/.adlc 1\n");
  scratch_expect_text(&box.scratch, "told/sess-01", "sess-01 BLOCKED new /home/op/w/.adlc 1\n");
  close_box(&box);
}

static void test_what_is_no_transition_is_not_told(void **state) {
  struct box box;
  static struct list blocked, same, idle;
  struct bt_error err;
  (void)state;
  open_box(&box, telling);
  ledger(&blocked, 3, BT_STATE_BLOCKED);
  ledger(&same, 3, BT_STATE_BLOCKED);
  ledger(&idle, 3, BT_STATE_IDLE);
  assert_int_equal(notify_changes(&box.notify, NULL, &blocked.snapshot, &err), BT_OK); /* what was so at the start */
  assert_int_equal(notify_changes(&box.notify, &blocked.snapshot, &same.snapshot, &err), BT_OK);
  assert_int_equal(notify_changes(&box.notify, &same.snapshot, &idle.snapshot, &err), BT_OK);
  idle.snapshot.session_count = 0;
  assert_int_equal(notify_changes(&box.notify, &same.snapshot, &idle.snapshot, &err), BT_OK); /* gone */
  assert_int_equal(box.notify.count, 0);
  assert_int_equal(scratch_count(&box.scratch, "told"), 0);
  close_box(&box);
}

static void test_without_a_command_nothing_is_run(void **state) {
  static struct list before, after;
  struct notify none = {.command = NULL}, empty = {.command = ""};
  struct bt_error err;
  (void)state;
  ledger(&before, 1, BT_STATE_IDLE);
  ledger(&after, 1, BT_STATE_BLOCKED);
  assert_int_equal(notify_changes(&none, &before.snapshot, &after.snapshot, &err), BT_OK);
  assert_int_equal(notify_changes(&empty, &before.snapshot, &after.snapshot, &err), BT_OK);
  assert_int_equal(none.count + empty.count, 0);
}

static void test_one_change_starts_only_so_many(void **state) {
  struct box box;
  static struct list before, after;
  struct bt_error err;
  (void)state;
  open_box(&box, telling);
  ledger(&before, MANY, BT_STATE_IDLE);
  ledger(&after, MANY, BT_STATE_BLOCKED);
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_STATE);
  assert_non_null(strstr(err.message, "was run for 8 of ")); /* nobody is left out in silence */
  assert_int_equal(box.notify.count, NOTIFY_AT_ONCE);
  wait_for_all(&box);
  assert_int_equal(scratch_count(&box.scratch, "told"), NOTIFY_AT_ONCE);
  close_box(&box);
}

/* Commands that do not end are never waited for, and never become more than the limit. */
static void test_commands_that_hang_are_bounded(void **state) {
  struct box box;
  static struct list before, after;
  struct bt_error err;
  (void)state;
  open_box(&box, "#!/bin/sh\nexec sleep 600\n");
  ledger(&before, NOTIFY_AT_ONCE, BT_STATE_IDLE);
  ledger(&after, NOTIFY_AT_ONCE, BT_STATE_BLOCKED);
  for (int i = 0; i < NOTIFY_CHILDREN / NOTIFY_AT_ONCE + 2; i++)
    assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err),
                     i < NOTIFY_CHILDREN / NOTIFY_AT_ONCE ? BT_OK : BT_STATE);
  assert_non_null(strstr(err.message, "was run for 0 of 8 sessions"));
  assert_int_equal(box.notify.count, NOTIFY_CHILDREN);
  close_box(&box);
}

static void test_those_that_ended_are_collected(void **state) {
  struct box box;
  static struct list before, after, same;
  struct bt_error err;
  const struct timespec pause = {0, 10 * 1000 * 1000};
  (void)state;
  open_box(&box, "#!/bin/sh\nexit 3\n");
  ledger(&before, 4, BT_STATE_IDLE);
  ledger(&after, 4, BT_STATE_BLOCKED);
  ledger(&same, 4, BT_STATE_BLOCKED);
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_OK);
  assert_int_equal(box.notify.count, 4);
  for (int i = 0; i < 1000 && box.notify.count > 0; i++) {
    assert_int_equal(notify_changes(&box.notify, &after.snapshot, &same.snapshot, &err), BT_OK);
    nanosleep(&pause, NULL);
  }
  assert_int_equal(box.notify.count, 0);
  close_box(&box);
}

static void test_what_cannot_be_started_is_named(void **state) {
  struct box box;
  static struct list before, after;
  struct bt_error err;
  (void)state;
  open_box(&box, telling);
  ledger(&before, 2, BT_STATE_IDLE);
  ledger(&after, 2, BT_STATE_BLOCKED);
  box.notify.command = "/proc/nonexistent/command with words";
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_MISSING);
  assert_non_null(strstr(err.message, "/proc/nonexistent/command"));
  assert_int_equal(box.notify.count, 0);
  box.notify.command = "   ";
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_INPUT);
  box.notify.command = "a b c d e f g h i j k l m n o p q"; /* a word too many: never run with fewer */
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_INPUT);
  close_box(&box);
}

/* No shell reads the command or what the ledger says: both stay words. */
static void test_no_shell_is_in_between(void **state) {
  struct box box;
  static struct list before, after;
  struct bt_error err;
  char command[512];
  (void)state;
  open_box(&box, telling);
  ledger(&before, 1, BT_STATE_IDLE);
  ledger(&after, 1, BT_STATE_BLOCKED);
  after.snapshot.ledger_dir = "$(touch owned);`touch owned`";
  snprintf(command, sizeof(command), "%s; touch %s/told/owned", box.command, box.scratch.path);
  box.notify.command = command;
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_OK);
  wait_for_all(&box);
  assert_int_equal(scratch_count(&box.scratch, "told"),
                   0); /* "told;" is no folder: the words were not cut as a shell does */
  box.notify.command = box.command;
  assert_int_equal(notify_changes(&box.notify, &before.snapshot, &after.snapshot, &err), BT_OK);
  wait_for_all(&box);
  scratch_expect_text(&box.scratch, "told/sess-00", "sess-00 BLOCKED IDLE $(touch owned);`touch owned` 1\n");
  assert_int_equal(scratch_count(&box.scratch, "told"), 1);
  close_box(&box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_transition_is_told_with_its_facts),
      cmocka_unit_test(test_what_is_no_transition_is_not_told),
      cmocka_unit_test(test_without_a_command_nothing_is_run),
      cmocka_unit_test(test_one_change_starts_only_so_many),
      cmocka_unit_test(test_commands_that_hang_are_bounded),
      cmocka_unit_test(test_those_that_ended_are_collected),
      cmocka_unit_test(test_what_cannot_be_started_is_named),
      cmocka_unit_test(test_no_shell_is_in_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
