/* tests/unit/test_confirm.c - what a dialog lets through, and above all what it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/app_world.h"

static const struct {
  const char *session;
  const char *key;
  enum bt_verb verb;
} dialogs[] = {
    {"sess-gamma", "u", BT_VERB_UNLOCK},   {"sess-delta", "u", BT_VERB_UNLOCK}, {"sess-beta", "r", BT_VERB_REPAIR},
    {"sess-alpha", "r", BT_VERB_REPAIR},   {"sess-beta", "b", BT_VERB_BYPASS},  {"sess-idle", "b", BT_VERB_BYPASS},
    {"sess-alpha", "c", BT_VERB_CONTINUE},
};
#define DIALOGS (sizeof(dialogs) / sizeof(dialogs[0]))

static void open(struct world *world, size_t i) {
  world_select(world, dialogs[i].session);
  world_keys(world, dialogs[i].key);
  const struct bt_dialog *dialog = world_dialog(world);
  assert_non_null(dialog);
  assert_int_equal(dialog->verb, dialogs[i].verb);
}

static const struct bt_item *item(const struct world *world, const char *label) {
  const struct bt_dialog *dialog = world_dialog(world);
  for (size_t i = 0; i < dialog->item_count; i++)
    if (strcmp(dialog->items[i].label, label) == 0)
      return &dialog->items[i];
  fail_msg("no item '%s'", label);
  return NULL;
}

/* Moves to the item as a person does. */
static void go_to(struct world *world, const char *label) {
  for (int i = 0; i < BT_DIALOG_ITEMS && strcmp(world_focused(world)->label, label) != 0; i++)
    world_keys(world, "<Tab>");
  assert_string_equal(world_focused(world)->label, label);
}

static void test_cancel_has_the_focus(void **state) {
  struct world *world = *state;
  for (size_t i = 0; i < DIALOGS; i++) {
    open(world, i);
    assert_string_equal(world_focused(world)->label, "Cancel");
    assert_int_equal(world_dialog(world)->phase, BT_DIALOG_READY);
    world_keys(world, "<Enter>");
    assert_null(world_dialog(world));
  }
  assert_int_equal(world->executes, 0);
}

/* Esc, Enter, q, a paste, an unbound key, the opening key again: none of them does anything but leave. */
static void test_nothing_happens_in_a_fresh_dialog(void **state) {
  struct world *world = *state;
  const char *tries[] = {"<Esc>", "<Enter>", "q", "x", "<F9>", "u", "r", "b", "c", "d", "Z", "u u u <Enter> <Enter>"};
  for (size_t i = 0; i < DIALOGS; i++) {
    for (size_t k = 0; k < sizeof(tries) / sizeof(tries[0]); k++) {
      open(world, i);
      world_keys(world, tries[k]);
      world_keys(world, "<Esc> <Esc> <Esc>");
      assert_null(world_dialog(world));
    }
    open(world, i);
    world_paste(world, "ubcqy\n");
    assert_non_null(world_dialog(world));
    assert_string_equal(world_focused(world)->label, "Cancel");
    world_keys(world, "q");
    assert_null(world_dialog(world));
  }
  assert_int_equal(world->executes, 0);
  assert_int_equal(world->quits, 0);
}

static void test_unlock_by_keys(void **state) {
  struct world *world = *state;
  open(world, 0);
  assert_string_equal(world->request.nonce, "8e1f0c44a9d2b310");
  assert_string_equal(world->request.session, "sess-gamma");
  assert_false(world->request.pid_reused);
  assert_non_null(world_dialog(world)->lock);
  world_keys(world, "<Tab> <Tab>");
  assert_string_equal(world_focused(world)->label, "do it");
  assert_false(world_focused(world)->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, BT_VERB_UNLOCK);
  assert_null(world_dialog(world));
  assert_string_equal(app_scene(world->app)->message, "done");
}

/* The word is typed, not pasted, and Enter in its field only goes to the button. */
static void try_word(struct world *world, size_t i, const char *word) {
  open(world, i);
  go_to(world, "do it");
  assert_true(world_focused(world)->locked);
  assert_string_equal(world_focused(world)->note, "locked until typed");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  char told[64];
  snprintf(told, sizeof told, "locked: type %s into its field first", word);
  assert_string_equal(app_scene(world->app)->message, told);
  world_keys(world, "Q"); /* bound to nothing: it was meant for the field */
  assert_string_equal(app_scene(world->app)->message, "nothing is typed: move to the field first");
  go_to(world, "Type to confirm");
  world_paste(world, word);
  assert_string_equal(world_focused(world)->field.text, "");
  world_type(world, "nope");
  world_keys(world, "<Enter>");
  assert_string_equal(world_focused(world)->label, "Type to confirm");
  assert_string_equal(app_scene(world->app)->message, told);
  world_keys(world, "<C-u>");
  world_type(world, word);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  assert_string_equal(world_focused(world)->label, "do it");
  assert_false(world_focused(world)->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed, dialogs[i].verb);
}

static void test_word_of_continue(void **state) {
  try_word(*state, 6, "lpha");
}

static void test_word_of_bypass(void **state) {
  try_word(*state, 4, "bypass");
}

static void test_word_of_reused_pid(void **state) {
  try_word(*state, 1, "unlock");
  assert_true(((struct world *)*state)->request.pid_reused);
}

/* Somebody who is asked for a word types it, wherever the focus is: y and p would copy and open the pager. */
static void test_a_word_begun_on_a_button(void **state) {
  struct world *world = *state;
  open(world, 4);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "b b"); /* perhaps the key that opened it, twice */
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "y");
  assert_string_equal(world_focused(world)->label, "Type to confirm");
  world_type(world, "pass");
  assert_string_equal(world_focused(world)->field.text, "bypass");
  assert_int_equal(world->pagers + world->copies + world->executes, 0);
  go_to(world, "Cancel");
  world_keys(world, "b p"); /* the field holds something already */
  assert_int_equal(world->pagers, 1);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  assert_null(world_dialog(world));
}

/* In a text field q, u and the rest are text; Esc leaves. */
static void test_keys_in_a_text_field_are_text(void **state) {
  struct world *world = *state;
  open(world, 4);
  go_to(world, "reason");
  world_type(world, "quick bug, ?");
  assert_string_equal(world_focused(world)->field.text, "quick bug, ?");
  world_paste(world, " and\tpasted\n");
  assert_string_equal(world_focused(world)->field.text, "quick bug, ? and pasted");
  world_keys(world, "<Esc>");
  assert_null(world_dialog(world));
  assert_int_equal(world->executes, 0);
}

static void test_repair_form(void **state) {
  struct world *world = *state;
  open(world, 3);
  assert_string_equal(item(world, "ticket")->field.text, "T-1");
  assert_string_equal(item(world, "content hash")->field.text, "aaaa");
  assert_string_equal(item(world, "host")->field.text, "local");
  go_to(world, "ticket");
  world_keys(world, "<C-u>");
  world_type(world, "T-2");
  assert_true(item(world, "do it")->locked); /* the plan on show is not of this form */
  size_t plans = world->plans;
  world_keys(world, "<Enter>"); /* leaves the field: a new plan */
  assert_int_equal(world->plans, plans + 1);
  assert_string_equal(world->request.ticket, "T-2");
  assert_string_equal(world->request.content_hash, "aaaa");
  assert_false(item(world, "do it")->locked);
  assert_null(world_dialog(world)->stale);
  go_to(world, "do it");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
}

static void test_bypass_scope(void **state) {
  struct world *world = *state;
  open(world, 4);
  assert_null(world->request.unbound_reason);
  go_to(world, "scope");
  world_keys(world, "<Down>");
  assert_non_null(world->request.unbound_reason);
  assert_string_equal(world->request.unbound_reason, "");
  go_to(world, "reason");
  world_type(world, "incident 4411");
  world_keys(world, "<Tab>");
  assert_string_equal(world->request.unbound_reason, "incident 4411");
  go_to(world, "scope");
  world_keys(world, "<Up>");
  assert_null(world->request.unbound_reason);
}

/* A form whose plan is refused can be filled in and tried again. */
static void test_a_refused_form_can_be_mended(void **state) {
  struct world *world = *state;
  world->refuse_plan = "--ticket is required";
  open(world, 2);
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_REFUSED);
  assert_string_equal(world_dialog(world)->error, "--ticket is required");
  go_to(world, "ticket");
  world_type(world, "T-9");
  world->refuse_plan = NULL;
  world_keys(world, "<Tab>");
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_READY);
  assert_null(world_dialog(world)->error);
}

static void test_a_disabled_plan_cannot_be_pressed(void **state) {
  struct world *world = *state;
  world->disabled = "no signing key";
  open(world, 3);
  go_to(world, "do it");
  assert_true(world_focused(world)->locked);
  assert_string_equal(world_focused(world)->note, "no signing key");
  world_keys(world, "<Enter> <Enter>");
  assert_int_equal(world->executes, 0);
}

/* Facts that move under an open dialog: said, Cancel focused, the word gone, the button locked until looked at. */
static void test_a_change_is_noticed(void **state) {
  struct world *world = *state;
  open(world, 6);
  go_to(world, "Type to confirm");
  world_type(world, "lpha");
  world_keys(world, "<Enter>");
  assert_false(world_focused(world)->locked);
  world->facts++;
  world_refresh(world);
  assert_non_null(strstr(world_dialog(world)->stale, "changed"));
  assert_string_equal(world_focused(world)->label, "Cancel");
  assert_string_equal(item(world, "Type to confirm")->field.text, "");
  assert_true(item(world, "do it")->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
}

static void test_a_change_locks_a_dialog_without_a_word(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world->facts++;
  world_refresh(world);
  assert_true(item(world, "do it")->locked);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "<Tab> <Tab>");
  assert_false(world_focused(world)->locked);
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
  assert_int_equal(world->executed_facts, 1);
}

static void test_an_equal_refresh_changes_nothing(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world_refresh(world);
  assert_null(world_dialog(world)->stale);
  assert_string_equal(world_focused(world)->label, "do it");
  assert_false(world_focused(world)->locked);
}

static void test_a_plan_that_became_impossible(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world->refuse_plan = "the lock has another nonce";
  world_refresh(world);
  assert_int_equal(world_dialog(world)->phase, BT_DIALOG_REFUSED);
  assert_non_null(strstr(world_dialog(world)->stale, "changed"));
  assert_string_equal(world_dialog(world)->error, "the lock has another nonce");
  assert_string_equal(world_focused(world)->label, "Cancel");
  go_to(world, "unlock");
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
}

static void test_a_stale_execution(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world->execute_code = BT_STALE;
  world->facts++;
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
  assert_non_null(world_dialog(world));
  assert_non_null(strstr(world_dialog(world)->stale, "changed"));
  assert_non_null(world_dialog(world)->error);
  assert_string_equal(world_focused(world)->label, "Cancel");
  world_keys(world, "<Enter>");
  assert_null(world_dialog(world));
  assert_int_equal(world->executes, 1);
}

static void test_a_failed_execution_keeps_its_error(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world->execute_code = BT_IO;
  world_keys(world, "<Enter>");
  assert_string_equal(world_dialog(world)->error, "not done");
  assert_null(world_dialog(world)->stale);
  assert_true(item(world, "do it")->locked);
  /* What could not be put back stays readable, whatever is read after it. */
  world->refuse_plan = "gone";
  world_refresh(world);
  assert_non_null(strstr(world_dialog(world)->error, "not done; now: "));
  world_refresh(world);
  assert_non_null(strstr(world_dialog(world)->error, "not done; now: "));
}

static void test_successor_is_minted_once(void **state) {
  struct world *world = *state;
  open(world, 6);
  assert_null(world->request.session);
  world_refresh(world);
  assert_string_equal(world->request.session, "minted");
  assert_string_equal(world->request.deny_session, "sess-alpha");
}

static void test_dry_run_and_copy(void **state) {
  struct world *world = *state;
  open(world, 0);
  world_keys(world, "y");
  assert_string_equal(world->copied, "baton unlock --write");
  go_to(world, "dry run");
  world_keys(world, "<Enter>");
  assert_int_equal(world->pagers, 1);
  assert_non_null(world_dialog(world));
  assert_int_equal(world->executes, 0);
}

/* What cannot be read cannot be confirmed. */
static void test_too_small_a_screen_confirms_nothing(void **state) {
  struct world *world = *state;
  open(world, 0);
  go_to(world, "do it");
  world_run(world, app_resize(world->app, 4, 20));
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 0);
  world_run(world, app_resize(world->app, 24, 80));
  world_keys(world, "<Enter>");
  assert_int_equal(world->executes, 1);
}

static void test_help_over_a_dialog(void **state) {
  struct world *world = *state;
  open(world, 0);
  world_keys(world, "?");
  assert_int_equal(app_scene(world->app)->overlay, BT_OVERLAY_HELP);
  world_keys(world, "<Enter> u c");
  world_keys(world, "<Esc>");
  assert_non_null(world_dialog(world));
  assert_string_equal(world_focused(world)->label, "Cancel");
}

int main(void) {
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
  const struct CMUnitTest tests[] = {
      IN_WORLD(test_cancel_has_the_focus),
      IN_WORLD(test_nothing_happens_in_a_fresh_dialog),
      IN_WORLD(test_unlock_by_keys),
      IN_WORLD(test_word_of_continue),
      IN_WORLD(test_word_of_bypass),
      IN_WORLD(test_a_word_begun_on_a_button),
      IN_WORLD(test_word_of_reused_pid),
      IN_WORLD(test_keys_in_a_text_field_are_text),
      IN_WORLD(test_repair_form),
      IN_WORLD(test_bypass_scope),
      IN_WORLD(test_a_refused_form_can_be_mended),
      IN_WORLD(test_a_disabled_plan_cannot_be_pressed),
      IN_WORLD(test_a_change_is_noticed),
      IN_WORLD(test_a_change_locks_a_dialog_without_a_word),
      IN_WORLD(test_an_equal_refresh_changes_nothing),
      IN_WORLD(test_a_plan_that_became_impossible),
      IN_WORLD(test_a_stale_execution),
      IN_WORLD(test_a_failed_execution_keeps_its_error),
      IN_WORLD(test_successor_is_minted_once),
      IN_WORLD(test_dry_run_and_copy),
      IN_WORLD(test_too_small_a_screen_confirms_nothing),
      IN_WORLD(test_help_over_a_dialog),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
