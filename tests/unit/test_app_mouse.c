/* tests/unit/test_app_mouse.c - what a press and the wheel may do, and what they may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/app_world.h"

static const struct bt_scene *scene(const struct world *world) {
  return app_scene(world->app);
}

/* Where those words are on the screen. */
static void find(const struct world *world, const char *words, int *row, int *column) {
  struct bt_surface surface;
  struct bt_view_cursor cursor;
  static struct bt_cell cells[36 * 120];
  bt_surface_init(&surface, cells, 36, 120, false);
  app_draw(world->app, &surface, &cursor);
  for (*row = 35; *row >= 0; (*row)--) {
    char line[121];
    for (int i = 0; i < 120; i++)
      line[i] = bt_surface_cell(&surface, *row, i)->bytes[0];
    line[120] = '\0';
    const char *found = strstr(line, words);
    if (found) {
      *column = (int)(found - line);
      return;
    }
  }
  fail_msg("not on the screen: %s", words);
}

static void press(struct world *world, const char *words) {
  int row = 0, column = 0;
  find(world, words, &row, &column);
  world_run(world, app_mouse(world->app, APP_MOUSE_PRESS, row, column));
}

static void test_a_press_selects_a_row(void **state) {
  struct world *world = *state;
  press(world, "sess-gamma");
  assert_string_equal(scene(world)->selected_id, "sess-gamma");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  world_keys(world, "l");
  press(world, "sess-delta");
  assert_int_equal(scene(world)->page, BT_PAGE_LOCKS);
  assert_int_equal(scene(world)->locks.row, 1);
}

static void test_the_wheel_scrolls(void **state) {
  struct world *world = *state;
  world_run(world, app_mouse(world->app, APP_MOUSE_WHEEL_DOWN, 10, 10));
  assert_int_equal(scene(world)->list.row, 3);
  world_run(world, app_mouse(world->app, APP_MOUSE_WHEEL_UP, 10, 10));
  assert_int_equal(scene(world)->list.row, 0);
  world_keys(world, "/");
  world_run(world, app_mouse(world->app, APP_MOUSE_WHEEL_DOWN, 10, 10));
  assert_int_equal(scene(world)->list.row, 0);
}

static void test_a_hint_is_its_key(void **state) {
  struct world *world = *state;
  press(world, "l locks");
  assert_int_equal(scene(world)->page, BT_PAGE_LOCKS);
  press(world, "esc back");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  press(world, "? help");
  assert_int_equal(app_mode(world->app), BT_MODE_HELP);
  press(world, "close");
  press(world, "quit");
  assert_int_equal(world->quits, 1);
}

/* In a dialog only the hints can be pressed, and Cancel has the focus. */
static void test_no_press_confirms(void **state) {
  struct world *world = *state;
  world_select(world, "sess-gamma");
  press(world, "u unlock");
  assert_non_null(world_dialog(world));
  const char *selected = scene(world)->selected_id;
  for (int row = 0; row < 36; row++)
    for (int column = 0; column < 120 && row != 34; column++)
      world_run(world, app_mouse(world->app, APP_MOUSE_PRESS, row, column));
  assert_non_null(world_dialog(world));
  assert_string_equal(scene(world)->selected_id, selected);
  press(world, "enter press");
  assert_null(world_dialog(world));
  assert_int_equal(world->executes, 0);
}

static void test_places_that_are_none(void **state) {
  struct world *world = *state;
  const int outside[][2] = {{-1, 5}, {5, -1}, {36, 5}, {5, 120}, {100000, 100000}, {-100000, -100000}};
  for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
    world_run(world, app_mouse(world->app, APP_MOUSE_PRESS, outside[i][0], outside[i][1]));
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  world_run(world, app_resize(world->app, 3, 20));
  world_run(world, app_mouse(world->app, APP_MOUSE_PRESS, 1, 1));
  world_run(world, app_resize(world->app, 9, 40));
  for (int row = 0; row < 9; row++)
    world_run(world, app_mouse(world->app, APP_MOUSE_PRESS, row, 1));
  assert_int_equal(world->executes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_a_press_selects_a_row, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_the_wheel_scrolls, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_a_hint_is_its_key, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_no_press_confirms, world_set_up, world_tear_down),
      cmocka_unit_test_setup_teardown(test_places_that_are_none, world_set_up, world_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
