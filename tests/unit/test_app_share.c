/* tests/unit/test_app_share.c - undo, the command of a successor, the written view, the copy for an editor, times, and
 * finding in the help. */
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

/* Undo is about no row: it opens anywhere, Cancel first, and executes only by its own button. */
static void test_undo(void **state) {
  struct world *world = *state;
  world_select(world, "sess-idle");
  world_keys(world, "z");
  assert_non_null(world_dialog(world));
  assert_int_equal(world_dialog(world)->verb, BT_VERB_UNDO);
  assert_int_equal(world->request.verb, BT_VERB_UNDO);
  assert_null(world->request.session);
  world_keys(world, "z z <Enter>");
  assert_null(world_dialog(world));
  assert_int_equal(world->executes, 0);
  world_keys(world, "l z <Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, BT_VERB_UNDO);
}

static void test_the_view_is_written_as_it_is_shown(void **state) {
  struct world *world = *state;
  world_keys(world, "W");
  assert_int_equal(world->views, 1);
  assert_non_null(strstr(world->copied, "baton"));
  assert_non_null(strstr(world->copied, "sess-alpha"));
  assert_null(strstr(world->copied, " \n"));
  assert_string_equal(scene(world)->message, "written to /state/views/screen.txt");
  world_keys(world, "? W");
  assert_int_equal(world->views, 2);
}

static void test_an_editor_gets_the_brief(void **state) {
  struct world *world = *state;
  world_keys(world, "E");
  assert_int_equal(world->editors, 1);
  world_keys(world, "<Enter> 5 E");
  assert_int_equal(world->editors, 2);
  world_keys(world, "<Esc>");
  world_select(world, "sess-idle");
  world_keys(world, "E");
  assert_int_equal(world->editors, 2);
  assert_string_equal(scene(world)->message, "there is no file to open here");
}

static void test_times(void **state) {
  struct world *world = *state;
  world_run(world, app_tick(world->app, scene(world)->now_ms + 60000, 7200));
  assert_int_equal(scene(world)->utc_offset_s, 7200);
  world_keys(world, "t");
  assert_true(scene(world)->utc);
  assert_int_equal(scene(world)->utc_offset_s, 0);
  world_run(world, app_tick(world->app, scene(world)->now_ms + 60000, 7200));
  assert_int_equal(scene(world)->utc_offset_s, 0);
  world_keys(world, "t");
  assert_int_equal(scene(world)->utc_offset_s, 7200);
}

static void test_finding_in_the_help(void **state) {
  struct world *world = *state;
  world_keys(world, "?");
  size_t all = scene(world)->help_count;
  world_keys(world, "/");
  assert_int_equal(app_mode(world->app), BT_MODE_INPUT);
  world_type(world, "UNLOCK");
  assert_true(scene(world)->help_count > 0 && scene(world)->help_count < all);
  for (size_t i = 0; i < scene(world)->help_count; i++)
    assert_non_null(strstr(scene(world)->help[i].sentence, "unlock"));
  world_keys(world, "<Enter>");
  assert_int_equal(app_mode(world->app), BT_MODE_HELP);
  world_keys(world, "/");
  world_type(world, " zebra");
  assert_int_equal(scene(world)->help_count, 0);
  world_keys(world, "<Enter> <Esc>");
  assert_int_equal(app_mode(world->app), BT_MODE_HELP);
  assert_int_equal(scene(world)->help_count, all);
  world_keys(world, "/ q <Esc>");
  assert_int_equal(scene(world)->help_count, all);
  world_keys(world, "<Esc>");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
}

static enum bt_deny_status left; /* of the record that the successor takes over */
static const char *successor;

static struct bt_snapshot *read_successor(struct world *world) {
  (void)world;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  assert_non_null(arena);
  struct bt_snapshot *snapshot = BT_ARENA_NEW(arena, struct bt_snapshot);
  struct bt_session *session = BT_ARENA_NEW(arena, struct bt_session);
  struct bt_auth *auth = BT_ARENA_NEW(arena, struct bt_auth);
  struct bt_deny *deny = BT_ARENA_NEW(arena, struct bt_deny);
  snapshot->arena = arena;
  snapshot->ledger_present = true;
  snapshot->root = snapshot->ledger_short = snapshot->project = snapshot->host = snapshot->user = "";
  snapshot->ledger_dir = "/it's here/.adlc";
  snapshot->sessions = session;
  snapshot->session_count = 1;
  deny->status = left;
  auth->deny_session_id = "before";
  session->id = successor;
  session->state = BT_STATE_READY;
  session->auth = auth;
  session->auth_deny = deny;
  session->next.verb = left == BT_DENY_CONSUMED ? BT_VERB_NONE : BT_VERB_RESUME;
  session->next.text = "start it";
  return snapshot;
}

/* What is left to do after a continuation is to start the successor: that is the command. */
static void test_a_ready_session_is_started_by_its_command(void **state) {
  struct world *world = *state;
  world->read = read_successor;
  left = BT_DENY_CONSUMED;
  successor = "next-1";
  world_refresh(world);
  static const char line[] = "claude --session-id next-1 \"$(baton bootstrap next-1 --dir '/it'\\''s here/.adlc')\"";
  world_keys(world, "y");
  assert_string_equal(world->copied, line);
  world->copied[0] = '\0';
  world_keys(world, "<Enter> y");
  assert_string_equal(world->copied, line);
  world->copied[0] = '\0';
  world_keys(world, "q");
  left = BT_DENY_OPEN; /* it may not begin yet */
  world_refresh(world);
  world_keys(world, "y");
  assert_string_equal(world->copied, "");
  assert_string_equal(scene(world)->message, "the command of this step is on its why page: copy it there");
  left = BT_DENY_CONSUMED;
  successor = "no id $(of ours)";
  world_refresh(world);
  world_keys(world, "y");
  assert_string_equal(world->copied, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_undo, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_the_view_is_written_as_it_is_shown, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_an_editor_gets_the_brief, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_a_ready_session_is_started_by_its_command, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_times, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_finding_in_the_help, world_set_up, world_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
