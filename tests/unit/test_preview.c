/* tests/unit/test_preview.c - where the preview of the list is, at which width, and that it is remembered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/ops/preferences.h"
#include "tests/support/app_world.h"
#include "tests/support/fixture.h"
#include "views/layout.h"

static struct bt_layout layout(struct world *world, int rows, int columns, enum bt_preview preview) {
  app_set_preview(world->app, bt_preview_spelling(preview));
  world_run(world, app_resize(world->app, rows, columns));
  return bt_layout_of(app_scene(world->app), app_snapshot(world->app));
}

static void test_each_width_has_what_it_has_room_for(void **state) {
  struct world world;
  (void)state;
  world_init(&world);
  struct bt_layout right = layout(&world, 36, 120, BT_PREVIEW_RIGHT);
  assert_int_equal(right.detail_column, right.list_columns + 1);
  assert_true(right.detail_rows > 20 && right.list_rows > 20);
  struct bt_layout below = layout(&world, 24, 80, BT_PREVIEW_RIGHT);
  assert_int_equal(below.detail_column, 0);
  assert_int_equal(below.list_columns, 80);
  assert_true(below.detail_rows > 0 && below.detail_rule > below.list_top);
  assert_int_equal(layout(&world, 36, 120, BT_PREVIEW_AUTO).detail_column, 0);
  assert_true(layout(&world, 36, 120, BT_PREVIEW_AUTO).detail_rows > 0);
  assert_true(layout(&world, 36, 200, BT_PREVIEW_AUTO).detail_column > 100);
  assert_int_equal(layout(&world, 36, 200, BT_PREVIEW_BELOW).detail_column, 0);
  assert_int_equal(layout(&world, 36, 200, BT_PREVIEW_OFF).detail_rows, 0);
  for (int preview = 0; preview < BT_PREVIEW_COUNT; preview++) {
    struct bt_layout narrow = layout(&world, 36, 50, (enum bt_preview)preview);
    assert_int_equal(narrow.detail_rows, 0);
    assert_int_equal(narrow.list_columns, 50);
  }
  world_dispose(&world);
}

static void test_the_key_goes_round_and_the_choice_is_kept(void **state) {
  struct world world;
  static const char *const kept[] = {"preview right", "preview below", "preview off", "preview auto"};
  (void)state;
  world_init(&world);
  for (int i = 0; i < BT_PREVIEW_COUNT; i++) {
    world_keys(&world, "p");
    assert_string_equal(world.copied, kept[i]);
    assert_string_equal(app_scene(world.app)->message, bt_preview_words(app_scene(world.app)->preview));
  }
  assert_int_equal(app_scene(world.app)->preview, BT_PREVIEW_AUTO);
  app_set_preview(world.app, "nonsense");
  assert_int_equal(app_scene(world.app)->preview, BT_PREVIEW_AUTO);
  world_dispose(&world);
}

/* A press beside the list is no press on its row. */
static void test_the_mouse_knows_where_the_list_ends(void **state) {
  struct world world;
  (void)state;
  world_init(&world);
  struct bt_layout right = layout(&world, 36, 120, BT_PREVIEW_RIGHT);
  int row = right.body_top + right.list_top + 2;
  world_run(&world, app_mouse(world.app, APP_MOUSE_PRESS, row, right.detail_column + 3));
  assert_string_equal(app_scene(world.app)->selected_id, "sess-alpha");
  world_run(&world, app_mouse(world.app, APP_MOUSE_PRESS, row, right.list_columns - 1));
  assert_string_equal(app_scene(world.app)->selected_id, "sess-gamma");
  world_dispose(&world);
}

static void test_the_file_holds_one_word(void **state) {
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_str word;
  bool reversed;
  (void)state;
  bt_str_init(&word, 64);
  bt_preferences_preview(&fixture->env, &word);
  assert_int_equal(word.length, 0);
  assert_int_equal(bt_preferences_keep_preview(&fixture->env, "right", NULL), BT_OK);
  assert_int_equal(bt_preferences_keep_order(&fixture->env, "age", true, NULL), BT_OK);
  bt_preferences_preview(&fixture->env, &word);
  assert_string_equal(word.data, "right");
  bt_preferences_order(&fixture->env, &word, &reversed);
  assert_string_equal(word.data, "age");
  assert_true(reversed);
  fixture->env.readonly = true;
  assert_int_equal(bt_preferences_keep_preview(&fixture->env, "off", NULL), BT_READONLY);
  bt_preferences_preview(&fixture->env, &word);
  assert_string_equal(word.data, "right");
  bt_str_dispose(&word);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_width_has_what_it_has_room_for),
      cmocka_unit_test(test_the_key_goes_round_and_the_choice_is_kept),
      cmocka_unit_test(test_the_mouse_knows_where_the_list_ends),
      cmocka_unit_test(test_the_file_holds_one_word),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
