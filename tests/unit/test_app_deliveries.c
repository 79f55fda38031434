/* tests/unit/test_app_deliveries.c - keys of the deliveries page and of handover requests, against a made-up world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/str.h"
#include "tests/support/app_world.h"
#include "tests/support/beside.h"

#define NOW_MS INT64_C(1772362800000)

static const struct bt_scene *scene(const struct world *world) {
  return app_scene(world->app);
}

static void looks_only_when_it_is_opened_or_asked_to(void **state) {
  struct world *world = *state;
  assert_int_equal(world->looks, 0);
  world_keys(world, "V");
  assert_int_equal(scene(world)->page, BT_PAGE_DELIVERIES);
  assert_int_equal(world->looks, 1);
  assert_int_equal(world->forges, 0);
  world_refresh(world); /* something changed in the ledger: no git for that */
  assert_int_equal(world->looks, 1);
  world_keys(world, "R");
  assert_int_equal(world->looks, 2);
  world_keys(world, "f");
  assert_int_equal(world->looks, 3);
  assert_int_equal(world->forges, 1);
  world_keys(world, "q");
  world_keys(world, "R");
  assert_int_equal(world->looks, 3);
}

static void says_that_it_waits(void **state) {
  struct world *world = *state;
  world->keep_waiting = true;
  world_keys(world, "V");
  assert_true(scene(world)->deliveries_pending && scene(world)->deliveries == NULL);
  world_keys(world, "r <Enter> y f");
  assert_null(world_dialog(world));
  assert_true(scene(world)->forge_pending);
  assert_int_equal(world->plans, 0);
}

/* git is slow: both are asked before the first answer is there. */
static void asking_the_forge_outlasts_a_look(void **state) {
  struct world *world = *state;
  world->keep_waiting = true;
  world_keys(world, "V f");
  world_run(world, app_delivered(world->app, beside_deliveries(NOW_MS, false), true, NULL));
  assert_non_null(scene(world)->deliveries);
  assert_true(scene(world)->deliveries_pending && scene(world)->forge_pending);
  world_run(world, app_delivered(world->app, beside_deliveries(NOW_MS, true), false, NULL));
  assert_false(scene(world)->deliveries_pending || scene(world)->forge_pending);
}

static void a_look_does_not_answer_for_the_forge(void **state) {
  struct world *world = *state;
  world->keep_waiting = true;
  world_keys(world, "V f R");
  assert_int_equal(world->looks, 3);
  assert_int_equal(world->forges, 2);
  world_keys(world, "q V"); /* away and back */
  assert_int_equal(world->forges, 3);
  assert_true(scene(world)->forge_pending);
  world_run(world, app_delivered(world->app, beside_deliveries(NOW_MS, true), false, NULL));
  world_keys(world, "R");
  assert_int_equal(world->forges, 3);
}

static void keeps_its_row_over_a_new_look(void **state) {
  struct world *world = *state;
  world_keys(world, "V j j");
  assert_string_equal(bt_view_delivery(scene(world))->name, "wt-7");
  world_keys(world, "f");
  assert_string_equal(bt_view_delivery(scene(world))->name, "wt-7");
  assert_string_equal(bt_view_delivery(scene(world))->verdict, "reconcile:merged");
}

static void opens_one_and_comes_back(void **state) {
  struct world *world = *state;
  world_keys(world, "V <Enter>");
  assert_true(scene(world)->delivery_open);
  world_keys(world, "<Esc>");
  assert_false(scene(world)->delivery_open);
  assert_int_equal(scene(world)->page, BT_PAGE_DELIVERIES);
  world_keys(world, "<Esc>");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
}

static void reconciles_through_a_dialog_with_cancel_focused(void **state) {
  struct world *world = *state;
  world_keys(world, "V r");
  assert_non_null(world_dialog(world));
  assert_string_equal(world_focused(world)->label, "Cancel");
  assert_int_equal(world->request.verb, BT_VERB_RECONCILE);
  assert_string_equal(world->request.tree, "/home/op/w/payments-api");
  assert_null(world->request.pr_state);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  world_keys(world, "r <Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "do it");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, BT_VERB_RECONCILE);
  assert_int_equal(world->looks, 2); /* what came of it is looked at */
}

static void takes_along_what_the_forge_said(void **state) {
  struct world *world = *state;
  world_keys(world, "V j j f r");
  assert_non_null(world_dialog(world));
  assert_string_equal(world->request.pr_state, "{\"state\": \"MERGED\"}");
}

static void offers_only_what_there_is(void **state) {
  struct world *world = *state;
  world_keys(world, "V j r"); /* usable */
  assert_null(world_dialog(world));
  assert_true(strstr(scene(world)->message, "nothing to reconcile") != NULL);
  world_keys(world, "j j s"); /* corrupt */
  assert_null(world_dialog(world));
  world_keys(world, "G s"); /* not readable */
  assert_null(world_dialog(world));
  assert_true(strstr(scene(world)->message, "no open record") != NULL);
  world_keys(world, "H");
  assert_int_equal(world->plans, 0);
}

static void a_stop_says_what_stopped_it(void **state) {
  struct world *world = *state;
  world_keys(world, "V s");
  assert_int_equal(world->request.verb, BT_VERB_STOP);
  assert_string_equal(world->request.detail != NULL ? world->request.detail : "", "");
  assert_false(world->request.resumable);
  world_keys(world, "<S-Tab> <S-Tab> <S-Tab>"); /* buttons, then the field */
  for (int i = 0; i < 6 && world_focused(world)->kind != BT_ITEM_TEXT; i++)
    world_keys(world, "<Tab>");
  world_type(world, "the grant ends here");
  world_keys(world, "<Tab>");
  assert_string_equal(world->request.detail, "the grant ends here");
  for (int i = 0; i < 6 && world_focused(world)->kind != BT_ITEM_RADIO; i++)
    world_keys(world, "<Tab>");
  world_keys(world, "<Down>");
  assert_true(world->request.resumable);
}

/* ---- git is slow ---- */

static struct bt_plan *late_plan(const char *fingerprint, const char *disabled) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  assert_non_null(arena);
  struct bt_plan *plan = BT_ARENA_NEW(arena, struct bt_plan);
  plan->arena = arena;
  plan->request = (struct bt_request){.verb = BT_VERB_STOP, .tree = "/home/op/w/payments-api"};
  plan->title = "Stop the delivery";
  plan->confirm_label = "stop";
  plan->payload = "{}";
  plan->disabled = disabled;
  assert_true(strlen(fingerprint) < sizeof plan->fingerprint);
  strcpy(plan->fingerprint, fingerprint);
  return plan;
}

static void to_the_text(struct world *world) {
  world_keys(world, "<S-Tab> <S-Tab> <S-Tab>");
  for (int i = 0; i < 6 && world_focused(world)->kind != BT_ITEM_TEXT; i++)
    world_keys(world, "<Tab>");
}

static void to_the_button(struct world *world, const char *label) {
  for (int i = 0;
       i < 8 && !(world_focused(world)->kind == BT_ITEM_BUTTON && strcmp(world_focused(world)->label, label) == 0); i++)
    world_keys(world, "<Tab>");
}

/* The plan that comes while somebody types is of what stood there before: it unlocks nothing, and is not the last. */
static void a_late_plan_is_not_that_of_what_was_typed(void **state) {
  struct world *world = *state;
  world_keys(world, "V");
  world->hold_records = true;
  size_t before = world->plans;
  world_keys(world, "s");
  assert_int_equal(world->plans, before + 1);
  to_the_text(world);
  world_type(world, "the grant ends here");
  assert_int_equal(world->plans, before + 1);
  world_run(world, app_planned(world->app, late_plan("1", NULL), NULL));
  to_the_button(world, "stop"); /* leaving the field asks again, once */
  assert_int_equal(world->plans, before + 2);
  assert_true(world_focused(world)->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  world_run(world, app_planned(world->app, late_plan("2", NULL), NULL));
  assert_false(world_focused(world)->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
}

/* A ledger that never rests must not keep a plan from being shown; what it says is looked at once more behind it. */
static void a_refresh_waits_for_the_plan_that_is_being_made(void **state) {
  struct world *world = *state;
  world_keys(world, "V");
  world->hold_records = true;
  size_t before = world->plans;
  world_keys(world, "s");
  for (int i = 0; i < 3; i++)
    world_refresh(world);
  assert_int_equal(world->plans, before + 1);
  world_run(world, app_planned(world->app, late_plan("1", NULL), NULL));
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_READY);
  assert_int_equal(world->plans, before + 2);
  to_the_button(world, "stop");
  world_run(world, app_planned(world->app, late_plan("2", NULL), NULL)); /* the facts moved */
  assert_non_null(world_dialog(world)->stale);
  assert_string_equal(world_focused(world)->label, "Cancel");
  assert_int_equal(world->plans, before + 2);
}

static void copies_the_same_question(void **state) {
  struct world *world = *state;
  world_keys(world, "V y");
  assert_string_equal(world->copied, "baton delivery validate --repo /home/op/w/payments-api");
  world_keys(world, "j y");
  assert_string_equal(world->copied, "baton delivery validate --repo /home/op/w/payments-api-hot --gh");
}

static void comes_by_its_name(void **state) {
  struct world *world = *state;
  world_keys(world, ":");
  world_type(world, "deliveries");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->page, BT_PAGE_DELIVERIES);
}

/* ---- handovers ---- */

static void what_is_due_comes_first(void **state) {
  struct world *world = *state;
  assert_string_equal(scene(world)->selected_id, "sess-alpha");
  world->with_handovers = true;
  world_refresh(world);
  world_keys(world, "g");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
}

static void acknowledges_only_what_is_due(void **state) {
  struct world *world = *state;
  world->with_handovers = true;
  world_refresh(world);
  world_keys(world, "g H");
  assert_non_null(world_dialog(world));
  assert_string_equal(world_focused(world)->label, "Cancel");
  assert_int_equal(world->request.verb, BT_VERB_ACK);
  assert_string_equal(world->request.session, "sess-beta");
  world_keys(world, "<Tab> <Tab> <Enter>");
  assert_int_equal(world->executed, BT_VERB_ACK);
  size_t plans = world->plans;
  world_keys(world, "g j H");
  assert_null(world_dialog(world));
  assert_int_equal(world->plans, plans);
}

static void copies_the_request(void **state) {
  struct world *world = *state;
  world->with_handovers = true;
  world_refresh(world);
  world_keys(world, "g Y");
  assert_true(bt_starts_with(world->copied, "[baton:handover-request v1 fill=151000 window=200000 line=140000]\n"));
  assert_true(strstr(world->copied, "# Next Action") != NULL);
}

static void nothing_is_known_of_a_session_without_a_transcript(void **state) {
  struct world *world = *state;
  size_t copies = world->copies;
  world_keys(world, "Y H");
  assert_int_equal(world->copies, copies);
  assert_null(world_dialog(world));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(looks_only_when_it_is_opened_or_asked_to, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(says_that_it_waits, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(asking_the_forge_outlasts_a_look, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(a_look_does_not_answer_for_the_forge, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(keeps_its_row_over_a_new_look, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(opens_one_and_comes_back, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(reconciles_through_a_dialog_with_cancel_focused, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(takes_along_what_the_forge_said, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(offers_only_what_there_is, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(a_stop_says_what_stopped_it, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(a_late_plan_is_not_that_of_what_was_typed, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(a_refresh_waits_for_the_plan_that_is_being_made, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(copies_the_same_question, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(comes_by_its_name, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(what_is_due_comes_first, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(acknowledges_only_what_is_due, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(copies_the_request, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(nothing_is_known_of_a_session_without_a_transcript, world_set_up,
                                      world_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
