/* tests/unit/test_app.c - pages, keys and effects of the state machine (random hands: test_hands.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "tests/support/app_world.h"
#include "views/prepare.h"

static const struct bt_scene *scene(const struct world *world) {
  return app_scene(world->app);
}

static void test_moving(void **state) {
  struct world *world = *state;
  assert_string_equal(scene(world)->selected_id, "sess-alpha");
  world_keys(world, "j");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
  world_keys(world, "<Down> <Up> k k");
  assert_string_equal(scene(world)->selected_id, "sess-alpha");
  world_keys(world, "G");
  assert_string_equal(scene(world)->selected_id, "sess-idle");
  world_keys(world, "N");
  assert_string_equal(scene(world)->selected_id, "sess-delta");
  world_keys(world, "n");
  assert_string_equal(scene(world)->selected_id, "sess-delta");
  assert_string_equal(scene(world)->message, "no problem below");
  world_keys(world, "<C-u> <C-d> <PageUp> <PageDown> g");
  assert_string_equal(scene(world)->selected_id, "sess-alpha");
}

static void test_the_selection_follows_the_session(void **state) {
  struct world *world = *state;
  world_select(world, "sess-gamma");
  world_refresh(world);
  assert_string_equal(scene(world)->selected_id, "sess-gamma");
  world_keys(world, "<Enter>");
  world_refresh(world);
  assert_string_equal(scene(world)->session_id, "sess-gamma");
  assert_int_equal(scene(world)->page, BT_PAGE_SESSION);
}

static struct bt_snapshot *read_nothing(struct world *world) {
  (void)world;
  return world_bare_snapshot();
}

static void test_a_page_keeps_to_its_session(void **state) {
  struct world *world = *state;
  const char *const pages[] = {"<Enter>", "w"};
  for (size_t i = 0; i < 2; i++) {
    world_select(world, "sess-gamma");
    world_keys(world, pages[i]);
    world->read = read_nothing;
    world_refresh(world);
    assert_null(scene(world)->session_id);
    world_refresh(world);
    world->read = NULL;
    world_refresh(world);
    assert_string_equal(scene(world)->session_id, "sess-gamma");
    world_keys(world, "<Esc>");
  }
}

static void test_pages_and_the_way_back(void **state) {
  struct world *world = *state;
  world_keys(world, "<Enter>");
  assert_int_equal(app_mode(world->app), BT_MODE_SESSION);
  assert_int_equal(scene(world)->tab, BT_TAB_OVERVIEW);
  world_keys(world, "2");
  assert_int_equal(scene(world)->tab, BT_TAB_BRIEF);
  world_keys(world, "5");
  assert_int_equal(scene(world)->tab, BT_TAB_RAW);
  assert_int_equal(world->raws, 1);
  assert_int_equal(scene(world)->raw_count, 2);
  world_keys(world, "<Tab>");
  assert_int_equal(scene(world)->tab, BT_TAB_OVERVIEW);
  world_keys(world, "]");
  assert_string_equal(scene(world)->session_id, "sess-beta");
  world_keys(world, "[ [");
  assert_string_equal(scene(world)->session_id, "sess-alpha");
  assert_string_equal(scene(world)->message, "this is the first session");
  world_keys(world, "<Esc>");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  world_select(world, "sess-delta");
  world_keys(world, "l");
  assert_int_equal(app_mode(world->app), BT_MODE_LOCKS);
  assert_string_equal(scene(world)->selected_lock, "handoffs/sess-delta.lock");
  world_keys(world, "<Enter>");
  assert_string_equal(scene(world)->session_id, "sess-delta");
  world_keys(world, "q");
  assert_int_equal(app_mode(world->app), BT_MODE_LOCKS);
  world_keys(world, "q");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  assert_int_equal(world->quits, 0);
  world_keys(world, "q");
  assert_int_equal(world->quits, 1);
}

static void test_the_why_page(void **state) {
  struct world *world = *state;
  world_keys(world, "w");
  assert_int_equal(app_mode(world->app), BT_MODE_WHY);
  assert_int_equal(world->whys, 1);
  assert_int_equal(scene(world)->why_scroll.row, 1); /* on the most durable step */
  world_keys(world, "<Enter>");
  assert_int_equal(world_dialog(world)->verb, BT_VERB_CONTINUE);
  assert_string_equal(world->request.deny_session, "sess-alpha");
  world_keys(world, "<Esc> j y");
  assert_string_equal(world->copied, "baton bypass");
  world_refresh(world);
  assert_int_equal(world->whys, 2);
  assert_int_equal(scene(world)->why_scroll.row, 2);
  world_keys(world, "j <Enter>");
  assert_null(world_dialog(world));
  world_keys(world, "G y");
  assert_string_equal(world->copied, "baton why");
  world_keys(world, "2");
  assert_int_equal(scene(world)->page, BT_PAGE_SESSION);
  world_keys(world, "] w");
  assert_int_equal(scene(world)->page, BT_PAGE_WHY);
  assert_string_equal(scene(world)->session_id, "sess-beta");
  assert_string_equal(scene(world)->why->session, "sess-beta");
  world_keys(world, "<Esc>");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  world_keys(world, "j j j l w <Esc>"); /* a lock's session; back to the locks */
  assert_int_equal(scene(world)->page, BT_PAGE_LOCKS);
  world_keys(world, "w 1 w l <Esc>");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  assert_int_equal(scene(world)->filter.length, 0);
}

static void test_the_evidence_log(void **state) {
  struct world *world = *state;
  world_keys(world, "e");
  assert_int_equal(app_mode(world->app), BT_MODE_LOG);
  assert_int_equal(scene(world)->prepared->log_count, 2);
  world->facts++;
  world_refresh(world); /* on the newest: it follows */
  assert_int_equal(scene(world)->prepared->log_count, 3);
  assert_int_equal(scene(world)->log_scroll.row, 0);
  world_keys(world, "j");
  const char *key = bt_view_log_row(scene(world))->key;
  assert_string_equal(key, "m:2");
  world->facts++;
  world_refresh(world); /* on an older one: it stays on that */
  assert_string_equal(bt_view_log_row(scene(world))->key, "m:2");
  world_keys(world, "g f");
  world->facts++;
  world_refresh(world);
  assert_string_equal(bt_view_log_row(scene(world))->key, "m:4");
  world_keys(world, "/");
  world_type(world, "gate:write");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->prepared->log_count, 2);
  assert_int_equal(scene(world)->filter.length, 0);
  world_keys(world, "<Enter>");
  assert_string_equal(scene(world)->session_id, "sess-beta");
  world_keys(world, "<Esc> y <Esc> <Esc>");
  assert_int_equal(world->copies, 1);
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  assert_int_equal(scene(world)->prepared->session_count, WORLD_SESSIONS);
}

static void test_sorting_and_problems(void **state) {
  struct world *world = *state;
  world_keys(world, "j s i");
  assert_int_equal(scene(world)->sort, BT_SORT_SESSION);
  assert_string_equal(world->copied, "session 0");
  assert_string_equal(scene(world)->selected_id, "sess-beta"); /* the selection stays with its session */
  assert_int_equal(scene(world)->list.row, 1);
  world_keys(world, "S");
  assert_string_equal(world->copied, "session 1");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
  world_keys(world, "g");
  assert_string_equal(scene(world)->selected_id, "sess-idle");
  world_keys(world, "s <Esc>");
  assert_int_equal(scene(world)->sort, BT_SORT_SESSION);
  world_keys(world, "s t g f");
  assert_string_equal(scene(world)->selected_id, "sess-alpha");
  assert_int_equal(scene(world)->prepared->session_count, WORLD_SESSIONS - 1);
  world_keys(world, "f");
  assert_int_equal(scene(world)->prepared->session_count, WORLD_SESSIONS);
}

static void test_a_brief_is_marked_where_it_is_read(void **state) {
  struct world *world = *state;
  world_keys(world, "m");
  assert_false(world->reviewed);
  world_keys(world, "m"); /* not on the screen: cannot have been read */
  assert_false(world->reviewed);
  world_keys(world, "2 m");
  assert_true(world->reviewed);
  assert_true(bt_view_session(scene(world), app_snapshot(world->app))->capture->reviewed);
  world_keys(world, "m");
  assert_false(world->reviewed);
}

static void test_the_command_palette(void **state) {
  struct world *world = *state;
  world_keys(world, ":");
  world_type(world, "wh");
  world_keys(world, "<Tab>");
  assert_string_equal(scene(world)->command.text, "why ");
  world_type(world, "sess-b");
  world_keys(world, "<Tab>");
  assert_string_equal(scene(world)->command.text, "why sess-beta");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->page, BT_PAGE_WHY);
  assert_string_equal(scene(world)->why->session, "sess-beta");
  world_keys(world, ":");
  world_type(world, "continue sess-alpha");
  world_keys(world, "<Enter>");
  assert_int_equal(world_dialog(world)->verb, BT_VERB_CONTINUE);
  assert_string_equal(world->request.deny_session, "sess-alpha");
  assert_int_equal(scene(world)->page, BT_PAGE_LIST);
  world_keys(world, "<Esc> / z <Enter> :"); /* a filter that hides it gives way */
  world_type(world, "show sess-gamma");
  world_keys(world, "<Enter>");
  assert_string_equal(scene(world)->session_id, "sess-gamma");
  world_keys(world, ":");
  world_type(world, "why sess-");
  world_keys(world, "<Enter>");
  assert_string_equal(scene(world)->message, "more than one session begins with sess-");
  world_keys(world, ":");
  world_type(world, "rm -rf x");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->severity, BT_SEVERITY_WARN);
  assert_int_equal(world->executes, 0);
  world_keys(world, ":");
  world_type(world, "locks");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->page, BT_PAGE_LOCKS);
  world_keys(world, ":");
  world_type(world, "quit");
  world_keys(world, "<Enter>");
  assert_int_equal(world->quits, 1);
}

static void test_filter(void **state) {
  struct world *world = *state;
  world_keys(world, "/");
  assert_int_equal(app_mode(world->app), BT_MODE_INPUT);
  world_type(world, "gamm");
  world_paste(world, "a\n");
  assert_string_equal(scene(world)->filter.text, "gamma");
  assert_int_equal(scene(world)->prepared->session_count, 1);
  world_keys(world, "<Enter>");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  assert_int_equal(scene(world)->prepared->session_count, 1);
  world_refresh(world);
  assert_int_equal(scene(world)->prepared->session_count, 1);
  world_keys(world, "<Esc>");
  assert_int_equal(scene(world)->prepared->session_count, WORLD_SESSIONS);
  assert_string_equal(scene(world)->selected_id, "sess-gamma");
  world_keys(world, "/");
  world_type(world, "q");
  world_keys(world, "<Esc>");
  assert_int_equal(scene(world)->filter.length, 0);
  assert_int_equal(world->quits, 0);
}

static void test_a_filter_given_up_leaves_the_selection(void **state) {
  struct world *world = *state;
  world_select(world, "sess-beta");
  world_keys(world, "/");
  world_type(world, "gamma");
  assert_string_equal(scene(world)->selected_id, "sess-gamma");
  world_refresh(world);
  world_keys(world, "<Esc>");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
  world_keys(world, "/");
  world_type(world, "alphx");
  world_keys(world, "<C-u>");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
  world_type(world, "gamma");
  world_keys(world, "<Enter> \\");
  assert_string_equal(scene(world)->selected_id, "sess-gamma"); /* kept: it is what was looked for */
  world_keys(world, "l G");
  const char *lock = scene(world)->selected_lock;
  world_keys(world, "/");
  world_type(world, "zzz");
  assert_null(scene(world)->selected_lock);
  world_keys(world, "<Esc>");
  assert_string_equal(scene(world)->selected_lock, lock);
}

static void test_list_and_locks_have_a_filter_each(void **state) {
  struct world *world = *state;
  world_keys(world, "/");
  world_type(world, "alpha");
  world_keys(world, "<Enter> l");
  assert_int_equal(scene(world)->filter.length, 0);
  assert_int_equal(scene(world)->prepared->lock_count, 2);
  world_keys(world, "/");
  world_type(world, "delta");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->prepared->lock_count, 1);
  world_keys(world, "<Enter> q q");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  assert_string_equal(scene(world)->filter.text, "alpha");
  world_keys(world, "<Enter> l");
  assert_string_equal(scene(world)->filter.text, "delta");
  world_keys(world, "<Esc>");
  assert_int_equal(scene(world)->filter.length, 0);
  world_keys(world, "<Esc>");
  assert_string_equal(scene(world)->filter.text, "alpha");
  world_keys(world, "<Esc>");
  world_select(world, "sess-beta");
  world_keys(world, "l /");
  world_type(world, "nothing like it");
  world_keys(world, "<Enter> q");
  assert_string_equal(scene(world)->selected_id, "sess-beta");
}

static void test_search(void **state) {
  struct world *world = *state;
  world_keys(world, "<Enter> /");
  assert_int_equal(scene(world)->tab, BT_TAB_BRIEF);
  world_type(world, "rotate");
  world_keys(world, "<Enter>");
  assert_int_equal(scene(world)->prepared->brief.hit_count, 2);
  assert_int_equal(scene(world)->hit, 0);
  world_keys(world, "n");
  assert_int_equal(scene(world)->hit, 1);
  world_keys(world, "n N");
  assert_int_equal(scene(world)->hit, 1);
  world_keys(world, "/ <C-u>");
  world_type(world, "nowhere");
  world_keys(world, "<Enter> n");
  assert_string_equal(scene(world)->message, "no match");
}

static void test_verbs_without_a_subject_say_why(void **state) {
  struct world *world = *state;
  const struct {
    const char *session, *key, *words;
  } cases[] = {
      {"sess-idle", "u", "unlock: there is no lock to remove"},
      {"sess-idle", "r", "repair: this session has no open deny"},
      {"sess-gamma", "c", "continue: this session has no open deny"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    world_select(world, cases[i].session);
    world_keys(world, cases[i].key);
    assert_null(world_dialog(world));
    assert_string_equal(scene(world)->message, cases[i].words);
  }
  assert_int_equal(world->plans, 0);
  assert_non_null(scene(world)->verbs[BT_VERB_CONTINUE].off);
  assert_string_equal(scene(world)->verbs[BT_VERB_CONTINUE].keys, "c");
  world_select(world, "sess-alpha");
  assert_null(scene(world)->verbs[BT_VERB_CONTINUE].off);
}

static void test_copying_the_next_step(void **state) {
  struct world *world = *state;
  world_keys(world, "y");
  assert_string_equal(world->copied, "baton continue --write");
  assert_non_null(strstr(scene(world)->message, "baton continue --write"));
  world_select(world, "sess-idle");
  world_keys(world, "y");
  assert_int_equal(world->copies, 1);
  world_select(world, "sess-gamma");
  world_keys(world, "l y");
  assert_string_equal(world->copied, "baton unlock --write");
  assert_null(world_dialog(world));
}

static void test_pager(void **state) {
  struct world *world = *state;
  world_keys(world, "v");
  assert_int_equal(world->pagers, 1);
  world_select(world, "sess-idle");
  world_keys(world, "v");
  assert_int_equal(world->pagers, 1);
  assert_string_equal(scene(world)->message, "there is no brief to show");
}

static void test_help_comes_from_the_keymap(void **state) {
  struct world *world = *state;
  struct bt_error err;
  const char mine[] = "unbind any u\nbind any x unlock\n";
  assert_int_equal(bt_keymap_read(world->keymap, "mine", mine, strlen(mine), &err), BT_OK);
  world_keys(world, "?");
  assert_int_equal(app_mode(world->app), BT_MODE_HELP);
  bool found = false;
  for (size_t i = 0; i < scene(world)->help_count; i++) {
    const struct bt_help_row *row = &scene(world)->help[i];
    found = found || (strcmp(row->keys, "x'") == 0 && strstr(row->sentence, "unlock"));
  }
  assert_true(found);
  world_keys(world, "j k <PageDown> u q");
  assert_int_equal(app_mode(world->app), BT_MODE_LIST);
  assert_int_equal(world->quits, 0);
}

static void test_an_unbound_key_changes_nothing(void **state) {
  struct world *world = *state;
  world_keys(world, "y");
  struct effects effects = app_key(world->app, 'Z');
  assert_int_equal(effects.count, 0);
  assert_false(effects.changed);
  assert_non_null(scene(world)->message);
}

static void test_paste_is_not_read_as_keys(void **state) {
  struct world *world = *state;
  world_paste(world, "ubcqy\n");
  assert_null(world_dialog(world));
  assert_int_equal(world->plans + world->copies + world->quits, 0);
  assert_non_null(scene(world)->message);
}

static void test_the_clock_wakes_once_a_minute(void **state) {
  struct world *world = *state;
  int64_t now = scene(world)->now_ms;
  assert_int_equal(app_wakes_at(world->app, now), (now / 60000 + 1) * 60000);
  struct effects effects = app_tick(world->app, now + 100, 0);
  assert_false(effects.changed);
  assert_int_equal(scene(world)->now_ms, now);
  effects = app_tick(world->app, now + 60000, 0);
  assert_true(effects.changed);
  assert_int_equal(effects.count, 1); /* locks are there: their owners may have died */
  assert_int_equal(effects.list[0].kind, EFFECT_REFRESH);
}

static void test_before_anything_is_loaded(void **state) {
  (void)state;
  struct world world = {.facts = 0};
  struct bt_error err;
  world.keymap = bt_keymap_new_named("default", &err);
  const struct app_options options = {.keymap = world.keymap, .keymap_name = "default", .unicode = true};
  world.app = app_new(&options);
  world_keys(&world, "j k G n <Enter> l u r c b y v / a <Enter> ? q e i 2 5 q q");
  assert_int_equal(world.plans + world.executes, 0);
  world_dispose(&world);
}

int main(void) {
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
  const struct CMUnitTest tests[] = {
      IN_WORLD(test_moving),
      IN_WORLD(test_the_selection_follows_the_session),
      IN_WORLD(test_a_page_keeps_to_its_session),
      IN_WORLD(test_pages_and_the_way_back),
      IN_WORLD(test_the_why_page),
      IN_WORLD(test_the_evidence_log),
      IN_WORLD(test_sorting_and_problems),
      IN_WORLD(test_a_brief_is_marked_where_it_is_read),
      IN_WORLD(test_the_command_palette),
      IN_WORLD(test_filter),
      IN_WORLD(test_a_filter_given_up_leaves_the_selection),
      IN_WORLD(test_list_and_locks_have_a_filter_each),
      IN_WORLD(test_search),
      IN_WORLD(test_verbs_without_a_subject_say_why),
      IN_WORLD(test_copying_the_next_step),
      IN_WORLD(test_pager),
      IN_WORLD(test_help_comes_from_the_keymap),
      IN_WORLD(test_an_unbound_key_changes_nothing),
      IN_WORLD(test_paste_is_not_read_as_keys),
      IN_WORLD(test_the_clock_wakes_once_a_minute),
      cmocka_unit_test(test_before_anything_is_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
