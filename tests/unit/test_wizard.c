/* tests/unit/test_wizard.c - the steps of continuing: what is skipped, what is never passed, what is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/app_world.h"
#include "views/prepare.h"

static enum bt_wizard_step step_of(const struct world *world) {
  assert_non_null(world_dialog(world));
  assert_true(world_dialog(world)->wizard);
  return world_dialog(world)->step;
}

static void open(struct world *world, const char *session) {
  world_select(world, session);
  world_keys(world, "c");
}

static void forget_mark(struct world *world) {
  world->reviewed = false;
  world_refresh(world);
}

static void test_nothing_to_decide_is_skipped(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  assert_string_equal(world_focused(world)->label, "Cancel");
}

static void test_back_to_any_step_and_on(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  for (int step = BT_STEP_SUCCESSOR; step >= BT_STEP_CHECK; step--) {
    world_keys(world, "<lt>");
    assert_int_equal(step_of(world), step);
    assert_string_equal(world_focused(world)->label, "Cancel");
  }
  world_keys(world, "<lt>");
  assert_int_equal(step_of(world), BT_STEP_CHECK);
  world_keys(world, "<Tab>");
  assert_string_equal(world_focused(world)->label, "next >");
  world_keys(world, "<Enter>"); /* nothing to decide between here and there */
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  assert_int_equal(world->executes, 0);
}

/* What belongs to another step is neither focused nor pressed. */
static void test_focus_stays_on_the_step(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  world_keys(world, "<lt>");
  for (int i = 0; i < 8; i++) {
    const char *label = world_focused(world)->label;
    assert_false(world_focused(world)->hidden);
    assert_true(strcmp(label, "do it") != 0 && strcmp(label, "Type to confirm") != 0 && strcmp(label, "dry run") != 0);
    world_keys(world, i < 4 ? "<Tab>" : "<S-Tab>");
  }
}

static void test_an_unread_brief_stops(void **state) {
  struct world *world = *state;
  forget_mark(world);
  open(world, "sess-alpha");
  assert_int_equal(step_of(world), BT_STEP_BRIEF);
  assert_non_null(strstr(world_dialog(world)->reading.text, "rotate the keys next")); /* it is there to be read */
  world_keys(world, "<Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "next >");
  assert_true(world_focused(world)->locked);
  assert_string_equal(world_focused(world)->note, "locked: read it and mark it, or say why not");
  world_keys(world, "<Enter>");
  assert_int_equal(step_of(world), BT_STEP_BRIEF);
}

static void test_marking_it_leads_on(void **state) {
  struct world *world = *state;
  forget_mark(world);
  open(world, "sess-alpha");
  world_keys(world, "m");
  assert_true(world->reviewed);
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "<S-Tab>");
  world_type(world, "lpha");
  world_keys(world, "<Enter> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_null(world->request.reason);
}

/* A mark is only made where the text is: on any other step the key does nothing. */
static void test_only_what_is_on_the_screen_is_marked(void **state) {
  struct world *world = *state;
  forget_mark(world);
  open(world, "sess-alpha");
  world_keys(world, "<lt> m");
  assert_int_equal(step_of(world), BT_STEP_CHECK);
  assert_false(world->reviewed);
}

static void test_a_reason_goes_on_unread_and_is_handed_over(void **state) {
  struct world *world = *state;
  forget_mark(world);
  open(world, "sess-alpha");
  world_keys(world, "<S-Tab>");
  assert_string_equal(world_focused(world)->label, "not read: why");
  world_type(world, "   ");
  world_keys(world, "<Enter>");
  assert_int_equal(step_of(world), BT_STEP_BRIEF); /* blanks are no reason */
  world_keys(world, "<S-Tab>");
  world_type(world, "read in the pager");
  world_keys(world, "<Enter>");
  assert_string_equal(world_focused(world)->label, "next >");
  world_keys(world, "<Enter>");
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  world_keys(world, "<S-Tab>");
  world_type(world, "lpha");
  world_keys(world, "<Enter> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_non_null(strstr(world->request.reason, "read in the pager"));
  assert_false(world->reviewed);
}

static void test_an_unbound_deny_leads_to_repair(void **state) {
  struct world *world = *state;
  world->refuse_plan = "bound to no ticket";
  open(world, "sess-beta");
  assert_int_equal(step_of(world), BT_STEP_TICKET);
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_REFUSED);
  for (int i = 0; i < 8 && strcmp(world_focused(world)->label, "repair") != 0; i++)
    world_keys(world, "<Tab>");
  world->refuse_plan = NULL;
  world_keys(world, "<Enter>");
  assert_int_equal(world_dialog(world)->verb, BT_VERB_REPAIR);
  assert_string_equal(world_dialog(world)->subject, "sess-beta");
  assert_string_equal(world_focused(world)->label, "Cancel");
}

static void test_the_successor_is_minted_once_or_typed(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  assert_null(world->request.session);
  world_keys(world, "<lt> <S-Tab>");
  assert_string_equal(world_focused(world)->field.text, "minted");
  world_refresh(world);
  assert_string_equal(world->request.session, "minted");
  world_keys(world, "<C-u>");
  world_type(world, "mine-2");
  world_keys(world, "<Enter> <Enter>");
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  assert_string_equal(world->request.session, "mine-2");
  world_keys(world, "<lt> <S-Tab> <C-u> <Enter>"); /* erased: another one */
  assert_null(world->request.session);
  world_keys(world, "<S-Tab> <S-Tab> <S-Tab>");
}

static void test_an_id_that_is_taken_stops_at_its_step(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  world_keys(world, "<lt> <S-Tab> <C-u>");
  world_type(world, "session");
  world->refuse_plan = "session already holds an authorization"; /* its subject is "session" */
  world_keys(world, "<Tab>");
  assert_int_equal(step_of(world), BT_STEP_SUCCESSOR);
  assert_non_null(strstr(world_dialog(world)->error, "already holds"));
  world_keys(world, "<Tab> <Tab> <Enter>");
  assert_int_equal(step_of(world), BT_STEP_SUCCESSOR);
  world->refuse_plan = NULL;
  world_keys(world, "<S-Tab> <S-Tab> <S-Tab>");
  world_type(world, "2");
  world_keys(world, "<Enter> <Enter>");
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
}

/* The ledger moved: what was read is not what would be handed on now. */
static void test_a_change_goes_back_to_what_it_unsettles(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  world_keys(world, "<S-Tab>");
  world_type(world, "lpha");
  world->facts++;
  forget_mark(world);
  assert_int_equal(step_of(world), BT_STEP_BRIEF);
  assert_non_null(strstr(world_dialog(world)->stale, "changed"));
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "m");
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  world_keys(world, "<S-Tab>");
  assert_string_equal(world_focused(world)->field.text, ""); /* the word is typed again */
  assert_int_equal(world->executes, 0);
}

/* Another ticket became the active one: it is asked for now, and the plan is made with what is told. */
static void test_a_ticket_that_is_asked_for_later(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  assert_false(world_dialog(world)->ticket_asked);
  assert_null(world->request.ticket);
  world->active_ticket = "T-2";
  world_refresh(world);
  assert_true(world_dialog(world)->ticket_asked);
  assert_string_equal(world->request.ticket, "T-1");
  world_keys(world, "<lt> <lt> <S-Tab>");
  assert_int_equal(step_of(world), BT_STEP_TICKET);
  assert_string_equal(world_focused(world)->label, "ticket");
}

static void test_no_key_stops_at_the_check(void **state) {
  struct world *world = *state;
  world->disabled = "no signing key";
  open(world, "sess-alpha");
  assert_int_equal(step_of(world), BT_STEP_CHECK);
  world_keys(world, "<Tab> <Enter>"); /* the rest can be looked at */
  assert_int_equal(step_of(world), BT_STEP_CONFIRM);
  world_keys(world, "<S-Tab>");
  world_type(world, "lpha");
  world_keys(world, "<Enter> <Tab> <Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 0);
}

static void test_the_plan_is_shown_by_its_key(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  world_keys(world, "p");
  assert_int_equal(world->pagers, 1);
  assert_int_equal(world->executes, 0);
}

/* ---- repair ---- */

static void test_repair_wants_a_reason_where_the_plan_does(void **state) {
  struct world *world = *state;
  world->reason_for = "the brief is TAMPERED";
  world_select(world, "sess-alpha");
  world_keys(world, "r <S-Tab>");
  assert_string_equal(world_focused(world)->label, "why (logged)");
  world_keys(world, "<Tab> <Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "do it");
  assert_string_equal(world_focused(world)->note, "locked: say why");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  world_keys(world, "<Tab> <Tab> <Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "why (logged)");
  world_type(world, "edited by hand");
  world_keys(world, "<Tab> <Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_string_equal(world->request.reason, "edited by hand");
}

static void test_repair_without_a_need_takes_none(void **state) {
  struct world *world = *state;
  world_select(world, "sess-beta");
  world_keys(world, "r <Tab> <Tab> <Enter>");
  assert_int_equal(world->executes, 1);
  assert_null(world->request.reason);
}

/* Up and down take the tickets that are known; anything else may be typed. */
static void test_repair_picks_a_ticket(void **state) {
  struct world *world = *state;
  world_select(world, "sess-beta");
  world_keys(world, "r <Tab> <Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "ticket");
  assert_int_equal(world_focused(world)->option_count, 2);
  world_keys(world, "<Down>");
  assert_string_equal(world_focused(world)->field.text, "T-1");
  world_keys(world, "<Down>");
  assert_string_equal(world_focused(world)->field.text, "T-2");
  assert_string_equal(world->request.ticket, "T-2"); /* the plan is of what is shown */
  world_keys(world, "<Down> <Up> <Up>");
  assert_string_equal(world_focused(world)->field.text, "T-1");
  world_type(world, "99");
  world_keys(world, "<Tab>");
  assert_string_equal(world->request.ticket, "T-199");
}

static void test_tickets_that_are_read_later(void **state) {
  struct world *world = *state;
  world->no_tickets = true;
  world_refresh(world);
  world_select(world, "sess-beta");
  world_keys(world, "r <Tab> <Tab> <Tab> <Down>");
  assert_string_equal(world_focused(world)->field.text, "");
  world->no_tickets = false;
  world_refresh(world);
  world_keys(world, "<Down>");
  assert_string_equal(world_focused(world)->field.text, "T-1");
}

static void test_repair_shows_the_difference_and_back(void **state) {
  struct world *world = *state;
  world_select(world, "sess-alpha");
  world_keys(world, "r d");
  assert_int_equal(world->diffs, 1);
  assert_true(world_dialog(world)->reading.diff);
  assert_non_null(strstr(world_dialog(world)->reading.text, "+new"));
  world_keys(world, "d");
  assert_null(world_dialog(world)->reading.text);
  world_keys(world, "d");
  world->facts++;
  world_refresh(world); /* what changed is in the facts */
  assert_null(world_dialog(world)->reading.text);
  world->no_copy = true;
  world_keys(world, "d");
  assert_null(world_dialog(world)->reading.text);
  assert_non_null(strstr(app_scene(world->app)->message, "no copy"));
}

static void test_the_difference_on_the_page(void **state) {
  struct world *world = *state;
  world_select(world, "sess-alpha");
  world_keys(world, "2 d");
  assert_non_null(app_scene(world->app)->diff);
  assert_int_equal(app_scene(world->app)->prepared->brief.source_lines, 5);
  world_refresh(world); /* asked again: the brief may be another one */
  assert_int_equal(world->diffs, 2);
  assert_non_null(app_scene(world->app)->diff);
  world_keys(world, "d");
  assert_null(app_scene(world->app)->diff);
  world_keys(world, "d 1 2");
  assert_null(app_scene(world->app)->diff); /* another tab in between */
  world->no_copy = true;
  world_keys(world, "d");
  assert_null(app_scene(world->app)->diff);
  assert_non_null(strstr(app_scene(world->app)->message, "no copy"));
}

/* ---- the why page asks about something else ---- */

static void ask(struct world *world, const char *text) {
  world_keys(world, "t");
  world_type(world, text);
  world_keys(world, "<Enter>");
}

static void test_why_of_another_session_and_path(void **state) {
  struct world *world = *state;
  world_select(world, "sess-alpha");
  world_keys(world, "w");
  assert_string_equal(world->asked, "sess-alpha|");
  ask(world, "sess-beta src/a b.c ");
  assert_string_equal(world->asked, "sess-beta|src/a b.c");
  assert_string_equal(app_scene(world->app)->session_id, "sess-beta");
  world_refresh(world); /* the question stays what it was */
  assert_string_equal(world->asked, "sess-beta|src/a b.c");
  ask(world, "./Makefile");
  assert_string_equal(world->asked, "sess-beta|./Makefile");
  ask(world, "sess-g");
  assert_string_equal(world->asked, "sess-gamma|");
  size_t asked = world->whys;
  ask(world, "sess-");
  assert_non_null(strstr(app_scene(world->app)->message, "more than one"));
  ask(world, "nobody");
  assert_non_null(strstr(app_scene(world->app)->message, "no session"));
  assert_int_equal(world->whys, asked);
  ask(world, "");
  assert_string_equal(world->asked, "sess-gamma|");
  world_keys(world, "t");
  world_type(world, "sess-al");
  world_keys(world, "<Tab>");
  assert_string_equal(app_scene(world->app)->ask.text, "sess-alpha");
  world_keys(world, "<Esc>");
  assert_string_equal(app_scene(world->app)->session_id, "sess-gamma");
  world_keys(world, "<Esc> w"); /* asked anew from the list: about no path */
  assert_string_equal(world->asked, "sess-alpha|");
}

static void test_each_page_as_json(void **state) {
  static const struct {
    const char *keys, *copied;
  } pages[] = {{"J", "JSON of page 0"},         {"<Enter> J", "JSON of page 1"}, {"<Esc> l J", "JSON of page 2"},
               {"<Esc> w J", "JSON of page 3"}, {"<Esc> e J", "JSON of page 4"}, {"<Esc> a J", "JSON of page 5"},
               {"<Esc> V J", "JSON of page 6"}};
  struct world *world = *state;
  world_select(world, "sess-alpha");
  for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
    world_keys(world, pages[i].keys);
    assert_int_equal(world->copies, i + 1);
    assert_string_equal(world->copied, pages[i].copied);
    assert_non_null(strstr(app_scene(world->app)->message, "as JSON"));
  }
}

static void test_a_step_is_done_through_its_dialog(void **state) {
  struct world *world = *state;
  world_select(world, "sess-beta");
  world_keys(world, "w <Enter>"); /* the step is about sess-alpha's record */
  assert_int_equal(world_dialog(world)->verb, BT_VERB_CONTINUE);
  assert_string_equal(world_dialog(world)->subject, "sess-alpha");
  assert_string_equal(world_focused(world)->label, "Cancel");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)

/* The list is there before the transcripts are: what they say is not left out of the brief for that. */
static void test_a_transcript_that_is_read_later(void **state) {
  struct world *world = *state;
  open(world, "sess-alpha");
  assert_null(world->request.capture_from);
  world->transcript_known = true;
  world_refresh(world);
  assert_non_null(world->request.capture_from);
  assert_string_equal(world->request.capture_from, "/home/op/.claude/projects/p/sess-alpha.jsonl");
  assert_int_equal(world->executes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(test_nothing_to_decide_is_skipped),
      CASE(test_back_to_any_step_and_on),
      CASE(test_focus_stays_on_the_step),
      CASE(test_an_unread_brief_stops),
      CASE(test_marking_it_leads_on),
      CASE(test_only_what_is_on_the_screen_is_marked),
      CASE(test_a_reason_goes_on_unread_and_is_handed_over),
      CASE(test_an_unbound_deny_leads_to_repair),
      CASE(test_the_successor_is_minted_once_or_typed),
      CASE(test_an_id_that_is_taken_stops_at_its_step),
      CASE(test_a_change_goes_back_to_what_it_unsettles),
      CASE(test_a_ticket_that_is_asked_for_later),
      CASE(test_no_key_stops_at_the_check),
      CASE(test_the_plan_is_shown_by_its_key),
      CASE(test_repair_wants_a_reason_where_the_plan_does),
      CASE(test_repair_without_a_need_takes_none),
      CASE(test_repair_picks_a_ticket),
      CASE(test_tickets_that_are_read_later),
      CASE(test_a_transcript_that_is_read_later),
      CASE(test_repair_shows_the_difference_and_back),
      CASE(test_the_difference_on_the_page),
      CASE(test_why_of_another_session_and_path),
      CASE(test_each_page_as_json),
      CASE(test_a_step_is_done_through_its_dialog),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
