/* tests/unit/test_view.c - whole screens: sound at every size, and showing what they must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tests/support/still.h"

/* Sets the scene up as number `kind`; false when there is none. */
static bool arrange(struct stage *stage, int kind) {
  struct bt_scene *scene = &stage->scene;
  static const enum bt_verb verbs[] = {BT_VERB_REPAIR, BT_VERB_BYPASS, BT_VERB_UNLOCK, BT_VERB_CONTINUE};
  scene->page = BT_PAGE_LIST;
  scene->overlay = BT_OVERLAY_NONE;
  scene->prompt = BT_PROMPT_NONE;
  stage_type(&scene->filter, "");
  if (kind == 0)
    return true;
  if (kind == 1)
    scene->page = BT_PAGE_LOCKS;
  else if (kind == 2)
    scene->overlay = BT_OVERLAY_HELP;
  else if (kind == 3)
    scene->prompt = BT_PROMPT_FILTER, stage_type(&scene->filter, "t-1");
  else if (kind < 4 + BT_TAB_COUNT)
    scene->page = BT_PAGE_SESSION, scene->tab = (enum bt_tab)(kind - 4);
  else if (kind < 8 + BT_TAB_COUNT)
    stage_dialog(stage, verbs[kind - 4 - BT_TAB_COUNT]);
  else
    return false;
  return true;
}

static const struct bt_raw_file raw[] = {{"handoffs/a.lock", "{\n\t\"pid\": 1\n}\n", 14, NULL},
                                         {"handoffs/b.json", NULL, 0, "missing"},
                                         {"handoffs/\033.json", "\xff\xfe\n\n\n漢", 9, NULL}};

static void draw_every_size(const struct bt_snapshot *snapshot, bool unicode, int step) {
  struct stage stage;
  stage_init(&stage, 1, 1, unicode);
  stage.scene.raw = raw;
  stage.scene.raw_count = 3;
  stage.scene.message = "漢字 message \033[31m";
  for (int rows = 1; rows <= 60; rows += rows < 26 ? 1 : step)
    for (int columns = 1; columns <= 200; columns += columns < 44 ? step : 7 * step) {
      stage_resize(&stage, rows, columns);
      for (int kind = 0; arrange(&stage, kind); kind++) {
        stage.scene.session_id = snapshot->session_count ? snapshot->sessions[0].id : NULL;
        stage_draw(&stage, snapshot);
        bt_view_move(&stage.scene, snapshot, 3);
        bt_view_move_to(&stage.scene, snapshot, SIZE_MAX);
        stage_draw(&stage, snapshot);
      }
    }
  stage_dispose(&stage);
}

static void every_screen_is_sound_at_every_size(void **state) {
  (void)state;
  draw_every_size(still_snapshot(), true, 4);
  draw_every_size(still_snapshot(), false, 9);
}

static void hostile_text_is_sound_at_every_size(void **state) {
  (void)state;
  draw_every_size(still_hostile(), true, 5);
  draw_every_size(still_hostile(), false, 9);
}

static void nothing_is_sound_at_every_size(void **state) {
  (void)state;
  draw_every_size(still_empty(), true, 7);
}

static void an_unloaded_ledger_is_said(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  bt_view_draw(&stage.surface, NULL, &stage.scene, &stage.cursor);
  assert_int_equal(bt_surface_cell(&stage.surface, 2, 1)->bytes[0], 'r');
  stage_dispose(&stage);
}

/* The supervisors of the host are on the locks screen, with a lock selected and without any. */
static void supervisors_are_shown_with_their_chains(void **state) {
  (void)state;
  static const char *const chain[] = {"first-one", "second-one"};
  static const struct bt_supervised carried = {.pid = 4711,
                                               .started_ms = STILL_NOW_MS - 90000,
                                               .root = "/elsewhere/r",
                                               .program = "claude",
                                               .state = "handing on",
                                               .sessions = chain,
                                               .session_count = 2};
  const struct bt_snapshot *const still[] = {still_snapshot(), still_empty()};
  for (size_t i = 0; i < 2; i++) {
    struct bt_snapshot snapshot = *still[i];
    struct stage stage;
    stage_init(&stage, 44, 120, false);
    stage.scene.page = BT_PAGE_LOCKS;
    snapshot.supervised = &carried;
    snapshot.supervised_count = 1;
    stage_draw(&stage, &snapshot);
    assert_true(stage_shows(&stage, "by supervise, pid 4711, for 1m: handing on"));
    assert_true(stage_shows(&stage, "/elsewhere/r"));
    assert_true(stage_shows(&stage, "chain       first-one"));
    assert_true(stage_shows(&stage, "> second-one"));
    assert_true(i == 0 || stage_shows(&stage, "supervised on this host"));
    stage_dispose(&stage);
  }
}

static void the_list_shows_states_in_words(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 36, 120, false);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "> ! BLOCKED"));
  assert_true(stage_shows(&stage, "x STALE-LOCK"));
  assert_true(stage_shows(&stage, "~ FOREIGN"));
  assert_true(stage_shows(&stage, "BLOCKED 3 "));
  assert_true(stage_shows(&stage, "CONTEXT USED"));
  assert_true(stage_shows(&stage, "[??????????]     ? ?"));
  assert_true(stage_shows(&stage, "open ORPHAN"));
  assert_true(stage_shows(&stage, "TAMPERED"));
  assert_true(stage_shows(&stage, "07:41 left"));
  assert_true(stage_shows(&stage, "SAFEST NEXT STEP"));
  assert_int_equal(stage.cursor.row, 4); /* on the selected row, for screen readers */
  assert_int_equal(stage.cursor.column, 0);
  stage_dispose(&stage);
}

static void eighty_by_twenty_four_is_enough(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "DONE       12ab34cd")); /* the eleventh row */
  assert_true(stage_shows(&stage, "? help  q quit"));
  assert_true(stage_shows(&stage, "c  continue: hand this work"));
  stage_dispose(&stage);
}

static void a_live_grant_does_not_hide_what_is_unread(void **state) {
  (void)state;
  struct stage stage;
  struct bt_snapshot pending = *still_snapshot();
  pending.transcripts_pending = 7;
  stage_init(&stage, 24, 80, true);
  stage_draw(&stage, &pending);
  assert_true(stage_shows(&stage, "grant 07:41, 7 unread"));
  stage_dispose(&stage);
}

static void a_long_message_keeps_its_end(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, true);
  stage.scene.message = "sess-1 is continued by d81c20aa-2b1f-4c61-9c1c-5a2b6f0c9a11, ticket T-118, brief "
                        "/home/op/w/payments-api/.adlc/handoffs/content/sess-1.md";
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, " sess-1 is continued by d81c20aa-2b1f"));
  assert_true(stage_shows(&stage, "content/sess-1.md"));
  assert_false(stage_shows(&stage, "? help  q quit"));
  assert_int_equal(bt_view_spot(&stage.scene, still_snapshot(), 22, 3).kind,
                   BT_SPOT_NOTHING); /* no hidden hint is pressed */
  stage.scene.message = "short";
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "? help  q quit"));
  stage_dispose(&stage);
}

static void too_small_is_said_and_passes(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 6, 30, true);
  assert_true(bt_view_too_small(&stage.scene));
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "too small"));
  assert_true(stage_shows(&stage, "! BLOCKED 3"));
  stage_resize(&stage, 24, 80);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "worst first"));
  stage_dispose(&stage);
}

static void text_of_a_session_stays_behind_its_bar(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 36, 120, false);
  stage.scene.page = BT_PAGE_SESSION;
  stage.scene.tab = BT_TAB_BRIEF;
  stage.scene.session_id = still_snapshot()->sessions[0].id;
  bt_view_settle(&stage.scene, still_snapshot());
  stage_draw(&stage, still_snapshot());
  bt_view_move_to(&stage.scene, still_snapshot(), SIZE_MAX);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, " | clear screen: ^[[2J title: ^[]0;owned^G return^M over"));
  assert_true(stage_shows(&stage, "<202E>"));
  assert_true(stage_shows(&stage, "<200B>"));
  assert_true(stage_shows(&stage, "nul: ^@ bad: <FF>"));
  assert_true(stage_shows(&stage, "/25  100%"));
  assert_int_equal(stage_role_row(&stage, BT_ROLE_TITLE), 0);
  stage_dispose(&stage);
}

static void the_header_says_what_is_not_normal(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 140, true);
  stage.scene.live = BT_LIVE_POLLING;
  stage_draw(&stage, still_hostile());
  assert_true(stage_shows(&stage, "SAMPLE LEDGER"));
  assert_true(stage_shows(&stage, "key missing"));
  assert_true(stage_shows(&stage, "read-only"));
  assert_true(stage_shows(&stage, "polling"));
  assert_true(stage_shows(&stage, ".adlc belongs to uid 4294967295, not to you"));
  stage_dispose(&stage);
}

static void a_dialog_shows_its_plan(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 36, 120, false);
  stage_dialog(&stage, BT_VERB_UNLOCK);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "+- Unlock 91ab77e0 -"));
  assert_true(stage_shows(&stage, "nonce         8e1f0c44a9d2b310"));
  assert_true(stage_shows(&stage, "build-07   this host"));
  assert_true(stage_shows(&stage, "from a shell baton unlock --dir"));
  assert_true(stage_shows(&stage, ">[ Cancel ]"));
  int row = stage_role_row(&stage, BT_ROLE_BUTTON_FOCUSED);
  assert_int_equal(stage.cursor.row, row);
  stage_dialog(&stage, BT_VERB_BYPASS);
  stage.scene.dialog.stale = "the deny changed while you were looking";
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "[!!] the deny changed while you were looking"));
  assert_true(stage_shows(&stage, "will NOT"));
  assert_true(stage_shows(&stage, "[no] no signing key"));
  assert_true(stage_shows(&stage, "( ) unbound"));
  assert_true(stage_shows(&stage, "[ grant ] (locked until typed)"));
  stage_dispose(&stage);
}

static void a_small_dialog_keeps_its_buttons(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 10, 40, false);
  stage_dialog(&stage, BT_VERB_BYPASS);
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, ">[ Cancel ] [ dry run ] [ grant ]"));
  assert_true(stage_shows(&stage, "scroll for more"));
  stage.scene.dialog.focus = 1;
  stage_type(&stage.scene.dialog.items[1].field, "a reason that is longer than the field is wide");
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "> reason"));
  assert_true(stage_shows(&stage, "is wide_]"));
  assert_true(stage.cursor.typing);
  stage_dispose(&stage);
}

static void a_plan_that_is_refused_says_why(void **state) {
  (void)state;
  struct stage stage;
  stage_init(&stage, 24, 80, false);
  stage_dialog(&stage, BT_VERB_REPAIR);
  stage.scene.dialog.plan = NULL;
  stage.scene.dialog.phase = BT_DIALOG_REFUSED;
  stage.scene.dialog.error = "no open deny for this session";
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "Repair 7f3a91c2-auth"));
  assert_true(stage_shows(&stage, "[no] no open deny for this session"));
  assert_null(strstr(stage.glyphs.data, "nothing has been written")); /* only the operation itself knows */
  stage_dispose(&stage);
}

/* What was left out is not searched, and a filter must not hide that. */
static void a_cut_log_says_so_under_a_filter(void **state) {
  (void)state;
  struct stage stage;
  const struct bt_log_row row = {
      .key = "1", .gate = "spec-lint", .chain_ok = true, .file = "manifest.jsonl", .line = 1};
  struct bt_log_view log = {.rows = &row, .count = 1, .entries = 9, .cut = true};
  stage_init(&stage, 24, 80, false);
  stage.scene.page = BT_PAGE_LOG;
  stage.scene.log = &log;
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "9 entries, the oldest not shown"));
  stage_type(&stage.scene.log_filter, "lint");
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "1 of the newest 1   filter: lint"));
  stage_type(&stage.scene.log_filter, "zebra foo:x");
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "No entry among the newest matches the filter."));
  assert_true(stage_shows(&stage, "foo:x is searched as plain text: no such field."));
  log.cut = false;
  log.entries = 1;
  stage_draw(&stage, still_snapshot());
  assert_true(stage_shows(&stage, "0 of 1   filter: zebra foo:x"));
  assert_true(stage_shows(&stage, "No entry matches the filter."));
  stage_dispose(&stage);
}

int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_screen_is_sound_at_every_size), cmocka_unit_test(hostile_text_is_sound_at_every_size),
      cmocka_unit_test(nothing_is_sound_at_every_size),      cmocka_unit_test(an_unloaded_ledger_is_said),
      cmocka_unit_test(supervisors_are_shown_with_their_chains),
      cmocka_unit_test(the_list_shows_states_in_words),      cmocka_unit_test(eighty_by_twenty_four_is_enough),
      cmocka_unit_test(too_small_is_said_and_passes),        cmocka_unit_test(text_of_a_session_stays_behind_its_bar),
      cmocka_unit_test(the_header_says_what_is_not_normal),  cmocka_unit_test(a_dialog_shows_its_plan),
      cmocka_unit_test(a_small_dialog_keeps_its_buttons),    cmocka_unit_test(a_plan_that_is_refused_says_why),
      cmocka_unit_test(a_cut_log_says_so_under_a_filter),    cmocka_unit_test(a_live_grant_does_not_hide_what_is_unread),
      cmocka_unit_test(a_long_message_keeps_its_end),
  };
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
