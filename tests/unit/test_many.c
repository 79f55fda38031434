/* tests/unit/test_many.c - marks follow what they name; the bulk dialog acts on stale locks only, and only when confirmed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "keymaps/key.h"
#include "tests/support/app_world.h"
#include "tui/marks.h"

static const struct bt_scene *scene(const struct world *world) {
  return app_scene(world->app);
}

static bool marked(const struct world *world, const char *id) {
  const struct bt_snapshot *snapshot = app_snapshot(world->app);
  for (size_t i = 0; i < snapshot->session_count; i++)
    if (bt_text_equals(snapshot->sessions[i].id, id))
      return scene(world)->marked_sessions && scene(world)->marked_sessions[i];
  return false;
}

static const struct bt_bulk_line *line(const struct world *world, const char *name) {
  for (size_t i = 0; i < scene(world)->bulk_count; i++)
    if (bt_text_equals(scene(world)->bulk[i].name, name))
      return &scene(world)->bulk[i];
  fail_msg("not in the list: %s", name);
  return NULL;
}

/* ---------------------------------------------------------------- marks ------------------------ */

static void test_a_mark_is_set_taken_away_and_moves_on(void **state) {
  struct world *world = *state;
  world_keys(world, "<Space> <Space>");
  assert_int_equal(scene(world)->mark_count, 2);
  assert_true(marked(world, "sess-alpha") && marked(world, "sess-beta"));
  assert_string_equal(scene(world)->selected_id, "sess-gamma");
  assert_string_equal(scene(world)->message, "2 marked, 0 stale locks among them");
  world_keys(world, "g <Space>");
  assert_false(marked(world, "sess-alpha"));
  assert_int_equal(scene(world)->mark_count, 1);
  world_keys(world, "-");
  assert_int_equal(scene(world)->mark_count, 0);
  assert_null(scene(world)->marked_sessions);
  assert_string_equal(scene(world)->message, "nothing is marked");
}

static void test_marks_are_by_id(void **state) {
  struct world *world = *state;
  world_select(world, "sess-gamma");
  world_keys(world, "<Space> s i S");
  assert_true(marked(world, "sess-gamma"));
  world_refresh(world);
  assert_true(marked(world, "sess-gamma"));
  assert_int_equal(scene(world)->mark_count, 1);
  world_keys(world, "/");
  world_type(world, "alpha");
  world_keys(world, "<Enter> <Space>");
  assert_string_equal(scene(world)->message, "2 marked (1 not in this list), 1 stale lock among them");
  assert_true(marked(world, "sess-gamma"));
}

/* A session and its lock are one thing to mark. */
static void test_lists_share_their_marks(void **state) {
  struct world *world = *state;
  world_keys(world, "l g <Space>");
  assert_true(scene(world)->marked_locks[0]);
  assert_true(marked(world, "sess-gamma"));
  world_keys(world, "q");
  world_select(world, "sess-gamma");
  world_keys(world, "<Space>");
  assert_int_equal(scene(world)->mark_count, 0);
}

static void test_every_stale_lock_shown(void **state) {
  struct world *world = *state;
  world_keys(world, "*");
  assert_int_equal(scene(world)->mark_count, 1);
  assert_true(marked(world, "sess-gamma"));
  world_keys(world, "- /");
  world_type(world, "idle");
  world_keys(world, "<Enter> *");
  assert_int_equal(scene(world)->mark_count, 0);
  assert_string_equal(scene(world)->message, "no stale lock is shown here");
}

static void test_a_mark_goes_with_what_it_names(void **state) {
  struct world *world = *state;
  struct marks marks = {.list = NULL};
  (void)world;
  char alpha[] = "sess-alpha", gone[] = "gone", path[] = "manifest.jsonl.lock";
  assert_true(marks_add(&marks, (struct mark){true, gone}));
  assert_true(marks_add(&marks, (struct mark){true, alpha}));
  assert_true(marks_add(&marks, (struct mark){false, path}));
  assert_true(marks_add(&marks, (struct mark){true, alpha}));
  assert_int_equal(marks.count, 3);
  assert_true(marks_fit(&marks, NULL));
  assert_int_equal(marks.count, 3);
  assert_true(marks_fit(&marks, app_snapshot(world->app)));
  assert_int_equal(marks.count, 1);
  assert_true(marks_has(&marks, (struct mark){true, alpha}));
  assert_false(marks_has(&marks, (struct mark){false, alpha}));
  marks_dispose(&marks);
}

/* ---------------------------------------------------------------- the dialog ------------------- */

static void test_nothing_marked_opens_nothing(void **state) {
  struct world *world = *state;
  world_keys(world, "U");
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_NONE);
  assert_string_equal(scene(world)->message, "nothing is marked: mark rows first, or every stale lock");
}

static void mark_all(struct world *world) {
  world_keys(world, "- g <Space> <Space> <Space> <Space> <Space>");
  assert_int_equal(scene(world)->mark_count, WORLD_SESSIONS);
}

static void test_every_item_is_named_with_its_verdict(void **state) {
  struct world *world = *state;
  mark_all(world);
  world_keys(world, "U");
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_BULK);
  assert_int_equal(scene(world)->bulk_count, WORLD_SESSIONS);
  assert_int_equal(world->plans, 1); /* what is refused beforehand is not even planned */
  assert_int_equal(line(world, "sess-gamma")->fate, BT_BULK_WOULD);
  assert_non_null(strstr(line(world, "sess-gamma")->record, "build-07, pid 48211"));
  assert_int_equal(line(world, "sess-delta")->fate, BT_BULK_REFUSED);
  assert_non_null(strstr(line(world, "sess-delta")->words, "PID-REUSE"));
  assert_false(line(world, "sess-idle")->has_lock);
  assert_string_equal(line(world, "sess-idle")->words, "it has no lock");
}

static void test_cancel_is_first_and_the_opening_key_confirms_nothing(void **state) {
  struct world *world = *state;
  world_keys(world, "* U U u <Enter>");
  assert_int_equal(world->executes, 0);
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_NONE);
  assert_string_equal(scene(world)->message, "left: nothing was written");
  world_keys(world, "U <Tab> <Esc>");
  world_keys(world, "U");
  world_paste(world, "\t\n");
  world_keys(world, "<Esc>");
  assert_int_equal(world->executes, 0);
  assert_int_equal(scene(world)->mark_count, 1); /* left as it was */
}

static void test_only_the_stale_one_is_removed(void **state) {
  struct world *world = *state;
  mark_all(world);
  world_keys(world, "U <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, BT_VERB_UNLOCK);
  assert_int_equal(scene(world)->bulk_phase, BT_BULK_DONE);
  assert_int_equal(line(world, "sess-gamma")->fate, BT_BULK_REMOVED);
  assert_int_equal(line(world, "sess-delta")->fate, BT_BULK_REFUSED);
  assert_string_equal(scene(world)->message, "locks: 1 removed, 4 refused");
  assert_false(marked(world, "sess-gamma"));
  assert_true(marked(world, "sess-delta"));
  world_keys(world, "<Tab> <Enter>"); /* the only button left closes it */
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_NONE);
  assert_int_equal(world->executes, 1);
}

static void test_nothing_to_remove_stays_locked(void **state) {
  struct world *world = *state;
  world_select(world, "sess-delta");
  world_keys(world, "<Space> U <Tab> <Enter>");
  assert_int_equal(world->executes, 0);
  assert_true(scene(world)->dialog.items[1].locked);
  world_keys(world, "<Esc> *");
  world->disabled = "read-only: started with --readonly";
  world_keys(world, "U <Tab> <Enter>");
  assert_int_equal(world->executes, 0);
  assert_string_equal(line(world, "sess-gamma")->words, "read-only: started with --readonly");
}

static void test_facts_that_move_take_the_focus_back(void **state) {
  struct world *world = *state;
  world_keys(world, "* U <Tab>");
  world_refresh(world); /* nothing has changed */
  assert_int_equal(scene(world)->dialog.focus, 1);
  assert_null(scene(world)->dialog.stale);
  world->facts++;
  world_refresh(world);
  assert_int_equal(scene(world)->dialog.focus, 0);
  assert_non_null(scene(world)->dialog.stale);
  assert_true(scene(world)->dialog.items[1].locked);
  world_keys(world, "<Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed_facts, world->facts);
}

static void test_a_failure_is_named_and_stays_marked(void **state) {
  struct world *world = *state;
  world->execute_code = BT_STALE;
  world_keys(world, "* U <Tab> <Enter>");
  assert_int_equal(line(world, "sess-gamma")->fate, BT_BULK_FAILED);
  assert_string_equal(line(world, "sess-gamma")->words, "not done");
  assert_true(marked(world, "sess-gamma"));
  assert_string_equal(scene(world)->message, "locks: 1 failed");
}

static void test_the_commands_are_copied(void **state) {
  struct world *world = *state;
  world_keys(world, "* U y");
  assert_int_equal(world->copies, 1);
  assert_string_equal(world->copied, "baton unlock --write");
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_BULK);
}

/* ---------------------------------------------------------------- random hands ------------------ */

struct hands {
  bool armed; /* the acting button had the focus, unlocked, and Enter was pressed */
  size_t done;
};

static void checked(struct world *world, const struct bt_plan *plan) {
  assert_int_equal(scene(world)->overlay, BT_OVERLAY_BULK);
  assert_true(scene(world)->bulk_phase == BT_BULK_BUSY);
  assert_int_equal(plan->request.verb, BT_VERB_UNLOCK);
  assert_string_equal(plan->request.session, "sess-gamma"); /* the one stale lock there is */
  assert_false(plan->request.pid_reused);
  assert_int_equal(strtoul(plan->fingerprint, NULL, 10), world->facts);
}

static void test_random_hands(void **state) {
  struct world *world = *state;
  static const char letters[] = "  **--UUjkgGlq/sifpnR";
  uint64_t random = UINT64_C(0x2545f4914f6cdd1d);
  size_t confirmed = 0;
  world->on_execute = checked;
  for (int i = 0; i < 60000; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    unsigned dice = (unsigned)(random >> 33) % 16, pick = (unsigned)(random >> 40) % (sizeof(letters) - 1);
    uint32_t key = dice < 2 ? BT_KEY_TAB : dice < 4 ? BT_KEY_ENTER : dice == 4 ? BT_KEY_ESC : (uint32_t)letters[pick];
    const struct bt_dialog *dialog = &scene(world)->dialog;
    bool ready = scene(world)->overlay == BT_OVERLAY_BULK && scene(world)->bulk_phase == BT_BULK_READY &&
                 dialog->focus == 1 && !dialog->items[1].locked && key == BT_KEY_ENTER;
    size_t before = world->executes;
    if (dice == 15) {
      world->facts += pick & 1;
      world->execute_code = pick % 3 ? BT_OK : BT_STALE;
      world_refresh(world);
    } else {
      world_key(world, key);
    }
    assert_int_equal(world->executes - before, dice != 15 && ready);
    confirmed += world->executes - before;
  }
  assert_in_range(confirmed, 20, SIZE_MAX);
}

int main(void) {
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
  const struct CMUnitTest tests[] = {
      IN_WORLD(test_a_mark_is_set_taken_away_and_moves_on),
      IN_WORLD(test_marks_are_by_id),
      IN_WORLD(test_lists_share_their_marks),
      IN_WORLD(test_every_stale_lock_shown),
      IN_WORLD(test_a_mark_goes_with_what_it_names),
      IN_WORLD(test_nothing_marked_opens_nothing),
      IN_WORLD(test_every_item_is_named_with_its_verdict),
      IN_WORLD(test_cancel_is_first_and_the_opening_key_confirms_nothing),
      IN_WORLD(test_only_the_stale_one_is_removed),
      IN_WORLD(test_nothing_to_remove_stays_locked),
      IN_WORLD(test_facts_that_move_take_the_focus_back),
      IN_WORLD(test_a_failure_is_named_and_stays_marked),
      IN_WORLD(test_the_commands_are_copied),
      IN_WORLD(test_random_hands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
