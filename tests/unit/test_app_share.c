/* tests/unit/test_app_share.c - undo, the written view, the copy for an editor, times, and finding in the help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_undo, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_the_view_is_written_as_it_is_shown, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_an_editor_gets_the_brief, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_times, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_finding_in_the_help, world_set_up, world_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
