/* tests/unit/test_changes.c - what changed between two looks, and when a screen may say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/model/changes.h"
#include "tui/steady.h"

/* "a=BLOCKED b=IDLE": a snapshot of its own arena. */
static struct bt_snapshot *snapshot_of(const char *text) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  assert_non_null(arena);
  struct bt_snapshot *snapshot = BT_ARENA_NEW(arena, struct bt_snapshot);
  struct bt_session *sessions = BT_ARENA_ARRAY(arena, struct bt_session, 16);
  char *copy = bt_arena_strdup(arena, text), *rest = NULL;
  assert_non_null(copy);
  snapshot->arena = arena;
  snapshot->sessions = sessions;
  for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    char *equals = strchr(word, '=');
    *equals = '\0';
    sessions[snapshot->session_count].id = word;
    for (int state = 0; state < BT_STATE_COUNT; state++)
      if (strcmp(bt_state_word((enum bt_state)state), equals + 1) == 0)
        sessions[snapshot->session_count].state = (enum bt_state)state;
    snapshot->session_count++;
  }
  return snapshot;
}

static void test_changes(void **state) {
  (void)state;
  struct bt_snapshot *before = snapshot_of("c=IDLE a=RUN gone=DONE b=BLOCKED");
  struct bt_snapshot *after = snapshot_of("b=BLOCKED new=BLOCKED a=BLOCKED c=IDLE");
  struct bt_changes changes;
  assert_int_equal(bt_changes_between(before, after, &changes, NULL), BT_OK);
  assert_int_equal(changes.count, 3);
  assert_string_equal(changes.items[0].after->id, "new");
  assert_null(changes.items[0].before);
  assert_true(bt_change_blocks(&changes.items[0]));
  assert_string_equal(changes.items[1].after->id, "a");
  assert_int_equal(changes.items[1].before->state, BT_STATE_RUN);
  assert_true(bt_change_blocks(&changes.items[1]));
  assert_null(changes.items[2].after);
  assert_string_equal(changes.items[2].before->id, "gone");
  assert_false(bt_change_blocks(&changes.items[2]));
  bt_changes_dispose(&changes);
  assert_int_equal(bt_changes_between(after, after, &changes, NULL), BT_OK);
  assert_int_equal(changes.count, 0);
  bt_changes_dispose(&changes);
  assert_int_equal(bt_changes_between(NULL, after, &changes, NULL), BT_OK);
  assert_int_equal(changes.count, 4);
  bt_changes_dispose(&changes);
  assert_int_equal(bt_changes_between(after, NULL, &changes, NULL), BT_OK);
  assert_int_equal(changes.count, 4);
  bt_changes_dispose(&changes);
  bt_snapshot_free(before);
  bt_snapshot_free(after);
}

static void test_two_looks_must_agree(void **state) {
  (void)state;
  struct steady steady = {NULL, 0, false, false};
  struct bt_snapshot *shown = snapshot_of("a=RUN"), *next = snapshot_of("a=RUN");
  assert_ptr_equal(steady_take(&steady, NULL, shown, 0), shown); /* the first is shown */
  assert_ptr_equal(steady_take(&steady, shown, next, 1), next);  /* the same states: nothing to wait for */
  bt_snapshot_free(next);
  assert_null(steady_take(&steady, shown, snapshot_of("a=BLOCKED"), 10));
  next = snapshot_of("a=BLOCKED");
  assert_ptr_equal(steady_take(&steady, shown, next, 160), next);
  assert_null(steady.held);
  bt_snapshot_free(next);
  /* gone again before the second look: never shown */
  assert_null(steady_take(&steady, shown, snapshot_of("a=BLOCKED"), 200));
  next = snapshot_of("a=RUN");
  assert_ptr_equal(steady_take(&steady, shown, next, 350), next);
  bt_snapshot_free(next);
  /* equal, but something moved between the two */
  assert_null(steady_take(&steady, shown, snapshot_of("a=BLOCKED"), 400));
  steady_disturb(&steady);
  assert_null(steady_take(&steady, shown, snapshot_of("a=BLOCKED"), 500));
  next = snapshot_of("a=BLOCKED");
  assert_ptr_equal(steady_take(&steady, shown, next, 650), next);
  bt_snapshot_free(next);
  /* asked for */
  steady.at_once = true;
  next = snapshot_of("a=BLOCKED b=RUN");
  assert_ptr_equal(steady_take(&steady, shown, next, 700), next);
  assert_false(steady.at_once);
  bt_snapshot_free(next);
  bt_snapshot_free(shown);
  steady_dispose(&steady);
}

/* A ledger that flips all the time: at most one change of the screen in two seconds, and not none for ever. */
static void test_flicker(void **state) {
  (void)state;
  struct steady steady = {NULL, 0, false, false};
  struct bt_snapshot *shown = snapshot_of("a=RUN");
  int visible = 0;
  int64_t first = -1;
  for (int64_t now = 0; now < 6000; now += 100) {
    steady_disturb(&steady);
    struct bt_snapshot *next = steady_take(&steady, shown, snapshot_of(now / 100 % 3 ? "a=BLOCKED" : "a=WARN"), now);
    if (!next)
      continue;
    visible++;
    first = first < 0 ? now : first;
    bt_snapshot_free(shown);
    shown = next;
    if (now <= 2000)
      fail_msg("shown after %d ms", (int)now);
  }
  assert_in_range(visible, 1, 24);
  assert_in_range(first, STEADY_MOST_MS, STEADY_MOST_MS + 200);
  bt_snapshot_free(shown);
  steady_dispose(&steady);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_two_looks_must_agree),
      cmocka_unit_test(test_flicker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
