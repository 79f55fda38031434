/* tests/unit/test_app_records.c - the page of the session records, and the dialog whose plan and outcome come late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "tests/support/app_world.h"

static const struct bt_scene *scene(const struct world *world) {
  return app_scene(world->app);
}

/* A store with a record for each word, in that order. */
static struct bt_records_view *view_of(const char *const *ids, size_t count) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  assert_non_null(arena);
  struct bt_records_view *view = BT_ARENA_NEW(arena, struct bt_records_view);
  struct bt_record_item *items = BT_ARENA_ARRAY(arena, struct bt_record_item, count + 1);
  for (size_t i = 0; i < count; i++)
    items[i] = (struct bt_record_item){.id = bt_arena_strdup(arena, ids[i]),
                                       .session = bt_arena_strdup(arena, ids[i]),
                                       .project = "p",
                                       .folder = bt_arena_printf(arena, "/store/projects/p/%s", ids[i])};
  *view = (struct bt_records_view){.arena = arena, .root = "/the store", .rule = "env", .items = items, .count = count};
  return view;
}

static struct bt_plan *late_plan(void) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  assert_non_null(arena);
  struct bt_plan *plan = BT_ARENA_NEW(arena, struct bt_plan);
  plan->arena = arena;
  plan->request = (struct bt_request){.verb = BT_VERB_RECORD, .session = "sess-idle"};
  plan->title = "Build the record of sess-idle";
  plan->confirm_label = "build";
  plan->command = "baton records build";
  plan->payload = "{}";
  strcpy(plan->fingerprint, "f");
  return plan;
}

static void test_the_page_and_its_rows(void **state) {
  struct world *world = *state;
  static const char *const two[] = {"sess-idle", "elsewhere"}, *const three[] = {"newer", "sess-idle", "elsewhere"};
  world_keys(world, "a");
  assert_int_equal(scene(world)->page, BT_PAGE_RECORDS);
  assert_int_equal(app_mode(world->app), BT_MODE_RECORDS);
  assert_int_equal(world->records_asked, 1);
  assert_true(scene(world)->records_busy);
  world_keys(world, "<Enter> j y"); /* nothing is there yet */
  assert_int_equal(world->pagers, 0);
  assert_string_equal(scene(world)->message, "there is no record to copy a command for");

  world_run(world, app_recorded(world->app, view_of(two, 2), NULL));
  assert_false(scene(world)->records_busy);
  world_keys(world, "j j j");
  assert_string_equal(bt_view_record(scene(world))->id, "elsewhere");
  world_run(world, app_recorded(world->app, view_of(three, 3), NULL));
  assert_string_equal(bt_view_record(scene(world))->id, "elsewhere"); /* the selection stays on its record */
  world_keys(world, "<Enter>");
  assert_string_equal(world->copied, "/store/projects/p/elsewhere");
  assert_int_equal(world->pagers, 1);
  world_keys(world, "y");
  assert_string_equal(world->copied, "HANDOFFS_ROOT='/the store' baton records verify --deep elsewhere");
  world_keys(world, "A"); /* the ledger has no such session */
  assert_null(world_dialog(world));
  assert_string_equal(scene(world)->message,
                      "record: the session of this record is not listed; --all lists those of every repository");
  world_keys(world, "k A");
  assert_string_equal(world_dialog(world)->subject, "sess-idle");
  world_keys(world, "<Esc> R");
  assert_int_equal(world->records_asked, 2);

  const struct bt_error err = {.code = BT_IO, .message = "no such disk"};
  world_run(world, app_recorded(world->app, NULL, &err));
  assert_string_equal(scene(world)->records_error, "no such disk");
  assert_null(bt_view_record(scene(world)));
  world_keys(world, "k G g <Esc>");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
}

static void test_a_record_needs_a_transcript(void **state) {
  struct world *world = *state;
  world_keys(world, "A");
  assert_null(world_dialog(world));
  assert_string_equal(scene(world)->message, "record: no transcript of this session was found");
}

static void test_the_dialog(void **state) {
  struct world *world = *state;
  world_select(world, "sess-idle");
  world_keys(world, "A");
  assert_non_null(world_dialog(world));
  assert_string_equal(world_focused(world)->label, "Cancel");
  assert_int_equal(world->request.verb, BT_VERB_RECORD);
  assert_string_equal(world->request.session, "sess-idle");
  assert_string_equal(world->request.transcript, "/home/op/.claude/projects/p/sess-idle.jsonl");
  assert_string_equal(world->request.harness, "claude-code");
  world_keys(world, "A"); /* the key that opened it does not confirm */
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  assert_null(world_dialog(world));
  world_keys(world, "A <Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, BT_VERB_RECORD);
  assert_null(world_dialog(world));
}

static void test_answers_that_come_late(void **state) {
  struct world *world = *state;
  world->hold_records = true;
  world_select(world, "sess-idle");
  world_keys(world, "A <Tab> <Tab> <Enter>");
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_PLANNING);
  assert_int_equal(world->executes, 0); /* nothing is confirmed that is not on show */
  world_keys(world, "<Esc>");
  world_run(world, app_planned(world->app, late_plan(), NULL)); /* nobody waits for it */
  assert_null(world_dialog(world));

  world_keys(world, "A");
  world_run(world, app_planned(world->app, late_plan(), NULL));
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_READY);
  world_keys(world, "<Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_BUSY);
  assert_string_equal(world_focused(world)->note, "at work; leaving stops it");
  size_t plans = world->plans;
  world_keys(world, "<Enter> p A");
  world_refresh(world); /* the plan that is being carried out stays what it is */
  assert_int_equal(world->plans, plans);
  assert_int_equal(world->executes, 1);
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_BUSY);

  const struct bt_error err = {.code = BT_STALE, .message = "the record changed"};
  world_run(world, app_executed(world->app, NULL, &err));
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_PLANNING);
  assert_true(world->plans > plans);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_run(world, app_planned(world->app, late_plan(), NULL));
  world_keys(world, "<Tab> <Tab> <Enter>");
  const struct bt_receipt receipt = {.human = "recorded 3 turns"};
  world_run(world, app_executed(world->app, &receipt, NULL));
  assert_null(world_dialog(world));
  assert_string_equal(scene(world)->message, "recorded 3 turns");
}

/* A build takes long, so that one can get out of it; what came of it is told by its answer. */
static void test_a_build_is_stopped(void **state) {
  struct world *world = *state;
  world->hold_records = true;
  world_select(world, "sess-idle");
  world_keys(world, "A");
  world_keys(world, "<Esc>");
  assert_int_equal(world->stops, 1); /* nobody waits for the plan */
  for (int round = 0; round < 3; round++) {
    world_keys(world, "A");
    world_run(world, app_planned(world->app, late_plan(), NULL));
    world_keys(world, "<Tab> <Tab> <Enter>");
    world->stops = 0;
    world_keys(world, "<Esc> <Esc> q");
    assert_int_equal(world->stops, 1);
    assert_int_equal(world_dialog(world)->phase, BT_DIALOG_BUSY);
    assert_string_equal(world_focused(world)->note, "stopping ...");
    const struct bt_receipt receipt = {.human = "recorded 3 turns"};
    const struct bt_error stopped = {.code = BT_STATE, .message = "stopped before its end"},
                          full = {.code = BT_IO, .message = "ENOSPC"};
    world_run(world, app_executed(world->app, round == 1 ? &receipt : NULL, round == 0 ? &stopped : &full));
    if (round == 2)
      break;
    assert_null(world_dialog(world));
    assert_string_equal(scene(world)->message, round == 0 ? "stopped: nothing was written" : "recorded 3 turns");
  }
  assert_string_equal(world_dialog(world)->error, "ENOSPC"); /* it ended otherwise: that is what is told */
  world_run(world, app_planned(world->app, late_plan(), NULL));
  world_keys(world, "<Tab> <Tab> <Enter>");
  assert_string_equal(world_focused(world)->note, "at work; leaving stops it");
}

static void test_by_name(void **state) {
  struct world *world = *state;
  world_keys(world, ":");
  world_type(world, "record sess-idle");
  world_keys(world, "<Enter>");
  assert_string_equal(world_dialog(world)->subject, "sess-idle");
  world_keys(world, "<Esc> :");
  world_type(world, "records");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->page, BT_PAGE_RECORDS);
  world_keys(world, "q q");
  assert_int_equal(world->quits, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_the_page_and_its_rows, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_a_record_needs_a_transcript, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_the_dialog, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_answers_that_come_late, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_a_build_is_stopped, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_by_name, world_set_up, world_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
