/* tests/unit/test_prepare.c - filtered rows, wrapped lines and hits, and how selection and scrolling follow them. */
#include <setjmp.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tests/support/still.h"
#include "core/model/filter.h"

static void the_filter_narrows_as_it_is_typed(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage_type(&stage.scene.filter, "t-12");
  stage.scene.prompt = BT_PROMPT_FILTER;
  stage_draw(&stage, still_snapshot());
  assert_int_equal(stage.prepared.session_count, 4);
  assert_true(stage_shows(&stage, "4 of 11   filter: t-12"));
  assert_false(strstr(stage.glyphs.data, "sess-1") != NULL);
  assert_true(stage.cursor.typing);
  stage_type(&stage.scene.filter, "t-12 BLOCKED");
  stage_draw(&stage, still_snapshot());
  assert_int_equal(stage.prepared.session_count, 1);
  stage_type(&stage.scene.filter, "no such words");
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "No session matches"));
  assert_null(stage.scene.selected_id);
  stage_type(&stage.scene.filter, "");
  stage_draw(&stage, still_snapshot());
  assert_int_equal(stage.prepared.session_count, 11);
  stage_dispose(&stage);
}

static void fields_are_looked_into_by_name(void **state) {
  (void)state;
  const struct bt_session *session = &still_snapshot()->sessions[0];
  assert_true(bt_filter_session("state:blocked", session, STILL_NOW_MS));
  assert_true(bt_filter_session("band:hard ticket:T-118 brief:verif", session, STILL_NOW_MS));
  assert_false(bt_filter_session("harness:blocked", session, STILL_NOW_MS));
  assert_true(bt_filter_session("state:", session, STILL_NOW_MS)); /* still being typed */
  assert_true(bt_filter_session("age>1s", session, STILL_NOW_MS));
  assert_false(bt_filter_session("age<1s", session, STILL_NOW_MS));
  assert_false(bt_filter_session("age>9w", session, STILL_NOW_MS));
  assert_false(bt_filter_session("nofield:x", session, STILL_NOW_MS));
  assert_true(bt_filter_session("   ", session, STILL_NOW_MS));
  assert_true(bt_filter_lock("stale", &still_snapshot()->locks[0]));
  assert_false(bt_filter_lock("host:build-03", &still_snapshot()->locks[0]));
}

static void doubtful(enum bt_filter_rows rows, const char *filter, const char *wanted) {
  struct bt_slice doubt = bt_filter_doubt(filter, rows);
  if (wanted)
    assert_true(bt_slice_equals(doubt, wanted));
  else
    assert_null(doubt.data);
}

/* What reads like a condition and is none is named; what may be typed is what is understood. */
static void words_that_look_like_conditions(void **state) {
  (void)state;
  static const char *const sound[] = {"", "auth", "state:", "STATE:blocked age>1h", "session:x age<2d", ":", ":x"};
  for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
    doubtful(BT_FILTER_SESSIONS, sound[i], NULL);
  doubtful(BT_FILTER_SESSIONS, "auth foo:bar", "foo:bar");
  doubtful(BT_FILTER_SESSIONS, "age>abc", "age>abc");
  doubtful(BT_FILTER_SESSIONS, "age>=1d state:x", "age>=1d");
  doubtful(BT_FILTER_SESSIONS, "ages", NULL);
  doubtful(BT_FILTER_LOCKS, "host:x age>1h", "age>1h");
  doubtful(BT_FILTER_LOG, "gate:x", NULL);
  doubtful(BT_FILTER_LOG, "state:x", "state:x");
  doubtful(BT_FILTER_LOCKS, NULL, NULL);
  for (int rows = BT_FILTER_SESSIONS; rows <= BT_FILTER_LOG; rows++)
    doubtful((enum bt_filter_rows)rows, bt_filter_words((enum bt_filter_rows)rows), NULL);
}

/* A copy of the still snapshot with its sessions in another order. */
static struct bt_snapshot rotated(struct bt_session *room, size_t by) {
  struct bt_snapshot copy = *still_snapshot();
  for (size_t i = 0; i < copy.session_count; i++)
    room[(i + by) % copy.session_count] = copy.sessions[i];
  copy.sessions = room;
  return copy;
}

static void the_selection_follows_the_session(void **state) {
  (void)state;
  struct stage stage;
  struct bt_session room[16];
  stage_init(&stage, 24, 80, true);
  stage_draw(&stage, still_snapshot());
  bt_view_move_to(&stage.scene, still_snapshot(), 3);
  assert_string_equal(stage.scene.selected_id, "91ab77e0");
  struct bt_snapshot later = rotated(room, 5);
  stage_draw(&stage, &later);
  assert_string_equal(stage.scene.selected_id, "91ab77e0");
  assert_int_equal(stage.scene.list.row, 8);
  later.session_count = 4; /* the selected one is gone: the last row is selected */
  bt_prepared_forget(&stage.prepared);
  stage_draw(&stage, &later);
  assert_int_equal(stage.scene.list.row, 3);
  assert_string_equal(stage.scene.selected_id, room[3].id);
  later.session_count = 0;
  bt_prepared_forget(&stage.prepared);
  stage_draw(&stage, &later);
  assert_null(stage.scene.selected_id);
  stage_dispose(&stage);
}

static void resizing_keeps_the_selection_in_sight(void **state) {
  (void)state;
  struct stage stage;
  static const int sizes[][2] = {{36, 120}, {24, 80}, {60, 200}, {10, 40}, {3, 20}, {24, 80}};
  stage_init(&stage, 36, 120, true);
  stage_draw(&stage, still_snapshot());
  bt_view_move_to(&stage.scene, still_snapshot(), SIZE_MAX);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    stage_resize(&stage, sizes[i][0], sizes[i][1]);
    stage_draw(&stage, still_snapshot());
    assert_string_equal(stage.scene.selected_id, "12ab34cd");
    if (!bt_view_too_small(&stage.scene))
      assert_true(stage_role_row(&stage, BT_ROLE_SELECTION) > 0);
  }
  stage_dispose(&stage);
}

static void a_session_that_left_is_said(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.session_id = "nobody";
  stage_draw(&stage, still_snapshot());
  assert_null(stage.scene.session_id);
  assert_true(stage_shows(&stage, "is not there any more"));
  stage_dispose(&stage);
}

static void hits_are_found_shown_and_reached(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 20, 60, true);
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.tab = BT_TAB_BRIEF;
  stage.scene.session_id = still_snapshot()->sessions[0].id;
  stage_type(&stage.scene.search, "ROTATE");
  stage_draw(&stage, still_snapshot());
  const struct bt_text_rows *text = bt_prepared_text(&stage.scene);
  assert_int_equal(text->hit_count, 7);
  assert_int_equal(text->source_lines, 25);
  stage.scene.hit = 99;
  bt_view_show_hit(&stage.scene, still_snapshot());
  assert_int_equal(stage.scene.hit, 6);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_role_row(&stage, BT_ROLE_HIT_CURRENT) > 1);
  assert_true(stage.scene.tabs[BT_TAB_BRIEF].top > 0);
  stage_type(&stage.scene.search, "absent");
  stage.scene.prompt = BT_PROMPT_SEARCH;
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "not found"));
  stage_dispose(&stage);
}

static void a_hit_may_cross_a_wrapped_row(void **state) {
  (void)state;
  struct stage stage;
  static struct bt_raw_file file = {"a", "0123456789 0123456789 0123456789abcdef ghi", 42, NULL};
  stage_init(&stage, 12, 40, true); /* 36 columns of text */
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.tab = stage.scene.raw_for = BT_TAB_RAW;
  stage.scene.session_id = still_snapshot()->sessions[0].id;
  stage.scene.raw = &file;
  stage.scene.raw_count = 1;
  stage_type(&stage.scene.search, "789 0123456789abc");
  stage_draw(&stage, still_snapshot());
  const struct bt_text_rows *text = bt_prepared_text(&stage.scene);
  assert_int_equal(text->line_count, 3); /* the file's head and two rows */
  assert_true(text->lines[2].continued);
  assert_int_equal(text->hit_count, 1);
  assert_int_equal(text->hits[0].row, 1);
  int rows = 0;
  for (int row = 0; row < 12; row++)
    for (int column = 0; column < 40; column++)
      if (bt_surface_cell(&stage.surface, row, column)->role == BT_ROLE_HIT_CURRENT) {
        rows++;
        break;
      }
  assert_int_equal(rows, 2);
  stage_dispose(&stage);
}

static void several_texts_are_not_counted_as_the_lines_of_one(void **state) {
  (void)state;
  struct stage stage;
  static const char text[] = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n";
  struct bt_raw_file files[] = {{"one", text, sizeof text - 1, NULL}, {"two", text, sizeof text - 1, NULL}};
  stage_init(&stage, 12, 80, true);
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.tab = stage.scene.raw_for = BT_TAB_RAW;
  stage.scene.session_id = still_snapshot()->sessions[0].id;
  stage.scene.raw = files;
  for (size_t count = 1; count <= 2; count++) {
    stage.scene.raw_count = count;
    bt_prepared_forget(&stage.prepared);
    stage_draw(&stage, still_snapshot());
    bt_view_move_to(&stage.scene, still_snapshot(), SIZE_MAX);
    stage_draw(&stage, still_snapshot());
    assert_true(stage_shows(&stage, "100%"));
    assert_int_equal(stage_shows(&stage, "line "), count == 1);
  }
  stage_dispose(&stage);
}

static void many_lines_have_a_ceiling(void **state) {
  (void)state;
  struct stage stage;
  size_t length = 300000;
  char *text = malloc(length);
  assert_non_null(text);
  memset(text, '\n', length);
  struct bt_raw_file file = {"many", text, length, NULL};
  stage_init(&stage, 24, 80, true);
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.tab = stage.scene.raw_for = BT_TAB_RAW;
  stage.scene.session_id = still_snapshot()->sessions[0].id;
  stage.scene.raw = &file;
  stage.scene.raw_count = 1;
  stage_draw(&stage, still_snapshot());
  assert_int_equal(stage.prepared.raw.line_count, BT_TEXT_ROWS_MAX);
  assert_true(stage.prepared.raw.cut);
  bt_view_move_to(&stage.scene, still_snapshot(), SIZE_MAX);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "+  100%"));
  stage_dispose(&stage);
  free(text);
}

static void nothing_is_derived_twice(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage_draw(&stage, still_snapshot());
  stage.prepared.session_count = 1; /* would be put right if the rows were derived again */
  assert_int_equal(bt_prepared_update(&stage.prepared, still_snapshot(), &stage.scene, NULL), BT_OK);
  assert_int_equal(stage.prepared.session_count, 1);
  bt_prepared_forget(&stage.prepared);
  assert_int_equal(bt_prepared_update(&stage.prepared, still_snapshot(), &stage.scene, NULL), BT_OK);
  assert_int_equal(stage.prepared.session_count, 11);
  stage_dispose(&stage);
}

static void moving_is_clamped(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage_draw(&stage, still_snapshot());
  bt_view_move(&stage.scene, still_snapshot(), -5);
  assert_int_equal(stage.scene.list.row, 0);
  bt_view_move(&stage.scene, still_snapshot(), LONG_MAX);
  assert_int_equal(stage.scene.list.row, 10);
  bt_view_move(&stage.scene, still_snapshot(), LONG_MIN);
  assert_int_equal(stage.scene.list.row, 0);
  assert_true(bt_view_page_rows(&stage.scene, still_snapshot()) >= 1);
  stage.scene.overlay = BT_OVERLAY_HELP;
  bt_view_move(&stage.scene, still_snapshot(), 100000);
  size_t end = stage.scene.help_scroll.top;
  bt_view_move(&stage.scene, still_snapshot(), 1);
  assert_int_equal(stage.scene.help_scroll.top, end);
  assert_int_equal(stage.scene.list.row, 0);
  stage_dispose(&stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_texts_are_not_counted_as_the_lines_of_one),
      cmocka_unit_test(the_filter_narrows_as_it_is_typed),
      cmocka_unit_test(fields_are_looked_into_by_name),
      cmocka_unit_test(words_that_look_like_conditions),
      cmocka_unit_test(the_selection_follows_the_session),
      cmocka_unit_test(resizing_keeps_the_selection_in_sight),
      cmocka_unit_test(a_session_that_left_is_said),
      cmocka_unit_test(hits_are_found_shown_and_reached),
      cmocka_unit_test(a_hit_may_cross_a_wrapped_row),
      cmocka_unit_test(many_lines_have_a_ceiling),
      cmocka_unit_test(nothing_is_derived_twice),
      cmocka_unit_test(moving_is_clamped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
