/* tests/unit/test_why.c - the explanation says what the gate says, names the record, and touches nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hook/why.h"
#include "core/store/load.h"
#include "tests/support/gate_box.h"

static struct bt_why *explain(const struct gate_box *box, struct bt_why_request request) {
  struct bt_snapshot *snapshot = NULL;
  struct bt_why *why = NULL;
  assert_int_equal(bt_store_load(&box->env, 0, NULL, &snapshot, NULL), BT_OK);
  assert_int_equal(bt_why_explain(&box->env, snapshot, &request, &why, NULL), BT_OK);
  bt_snapshot_free(snapshot);
  return why;
}

static const struct bt_why_rule *rule(const struct bt_why *why, const char *id) {
  for (size_t i = 0; i < why->rule_count; i++)
    if (strcmp(why->rules[i].id, id) == 0)
      return &why->rules[i];
  fail_msg("no rule %s", id);
  return NULL;
}

static const struct bt_why_step *step(const struct bt_why *why, const char *part) {
  for (size_t i = 0; i < why->step_count; i++)
    if (strstr(why->steps[i].text, part))
      return &why->steps[i];
  fail_msg("no step about %s", part);
  return NULL;
}

static void allowed(void **state) {
  struct bt_why *why = explain(*state, (struct bt_why_request){.session = "s"});
  assert_true(why->allowed);
  assert_int_equal(why->reason_count, 0);
  assert_int_equal(why->step_count, 0);
  assert_int_equal(rule(why, "D1")->verdict, BT_RULE_UNKNOWN);
  assert_int_equal(rule(why, "D3")->verdict, BT_RULE_PASS);
  assert_int_equal(why->unknown_count, 1);
  bt_why_free(why);
}

static void one_foreign_open_deny(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_marker(box, "done", "consumed", "T", "h");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_false(why->allowed);
  assert_int_equal(why->reason_count, 1);
  const struct bt_why_rule *d3 = rule(why, "D3");
  assert_int_equal(d3->verdict, BT_RULE_REFUSE);
  assert_string_equal(d3->code, "D3:unauthorized_open:o");
  assert_string_equal(d3->record, "o");
  assert_string_equal(d3->file, ".adlc/handoffs/denies/o.json");
  assert_int_equal(d3->blocks, 1);
  assert_int_equal(why->blocks, 1);
  assert_int_equal(step(why, "continue")->number, 1);
  assert_string_equal(step(why, "continue")->lasts, "for good");
  assert_non_null(step(why, "let s take over")->blocked_by); /* there is no final */
  assert_string_equal(step(why, "bypass")->lasts, "one gated call");
  assert_null(step(why, "bypass")->blocked_by);
  assert_false(step(why, "start a new")->number);
  assert_false(step(why, "unlock")->helps);
  assert_non_null(strstr(step(why, "bypass")->command, "bypass --dir "));
  for (size_t i = 1; i < why->step_count; i++)
    assert_true(why->steps[i].helps <= why->steps[i - 1].helps);
  bt_why_free(why);
}

static void own_records(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(
      box, ".adlc/handoffs/denies/s.json",
      "{\"session_id\":\"s\",\"status\":\"consumed\",\"ticket_id\":\"T\",\"content_hash\":\"h\",\"consumed_by\":\"next\"}");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_int_equal(rule(why, "D2")->verdict, BT_RULE_REFUSE);
  assert_int_equal(rule(why, "D3")->verdict, BT_RULE_PASS);
  assert_true(step(why, "go on in next")->helps);
  assert_true(step(why, "start a new")->helps);
  bt_why_free(why);
  why = explain(box, (struct bt_why_request){.session = NULL});
  assert_true(why->allowed);
  assert_null(why->session);
  bt_why_free(why);
}

static void what_no_grant_lifts(void **state) {
  const struct gate_box *box = *state;
  static const char *const paths[] = {"src/a.c", ".adlc/.deny-store"};
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s", .paths = paths, .path_count = 2});
  assert_int_equal(rule(why, "path")->verdict, BT_RULE_REFUSE);
  assert_string_equal(rule(why, "path")->code, "path_protected:.adlc/.deny-store");
  assert_false(step(why, "bypass")->helps);
  assert_false(step(why, "start a new")->helps);
  assert_int_equal(why->blocks, 0);
  bt_why_free(why);
  why = explain(box, (struct bt_why_request){.session = "s", .bash = "rm -rf .adlc"});
  assert_string_equal(rule(why, "shell")->code, "path_protected_shell:.adlc");
  bt_why_free(why);
}

static void a_lost_store(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"a\",\"s\"]}");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_int_equal(rule(why, "D0")->verdict, BT_RULE_REFUSE);
  assert_int_equal(rule(why, "D1")->verdict, BT_RULE_REFUSE);
  assert_string_equal(rule(why, "D0")->code, "D0:deny_store_unavailable");
  assert_true(step(why, "put .adlc/handoffs/denies back")->helps);
  assert_false(step(why, "bypass")->helps); /* D1 is never lifted */
  bt_why_free(why);
  why = explain(box, (struct bt_why_request){.session = "b"});
  assert_string_equal(step(why, "bypass")->needs, "key, reason");
  assert_null(step(why, "bypass")->command);
  bt_why_free(why);
}

static void nothing_is_touched(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_grant(box, "s", NULL, GATE_NOW_MS);
  struct bt_why *why =
      explain(box, (struct bt_why_request){.session = "s", .observed = {.depth = bt_signal_number(35)}});
  assert_true(why->allowed);
  assert_int_equal(why->note_count, 3); /* heal, marker, grant */
  bt_why_free(why);
  assert_true(gate_box_exists(box, ".adlc/handoffs/s.bypass-grant.json"));
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
  assert_false(gate_box_exists(box, ".adlc/handoffs/denies/s.json"));
}

static void invalid_records(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies/bad.json", "{");
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"gone\"]}");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_int_equal(why->reason_count, 2);
  assert_int_equal(why->refused_count, 2);
  for (size_t i = 0; i < why->rule_count; i++) {
    const struct bt_why_rule *one = &why->rules[i];
    if (one->record && strcmp(one->record, "gone") == 0)
      assert_string_equal(one->file, ".adlc/.deny-store");
    if (one->record && strcmp(one->record, "bad") == 0)
      assert_string_equal(one->file, ".adlc/handoffs/denies/bad.json");
  }
  assert_string_equal(step(why, "bypass")->needs, "key, reason");
  bt_why_free(why);
}

static void without_a_key(void **state) {
  struct gate_box *box = *state;
  box->env.key = NULL;
  box->env.key_length = 0;
  gate_box_marker(box, "o", "open", "T", "h");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_non_null(step(why, "continue")->blocked_by);
  assert_non_null(step(why, "bypass")->blocked_by);
  bt_why_free(why);
}

/* A lock denies nothing, and taking over work does not mend its brief. */
static void a_held_lock_and_a_lost_brief(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(
      box, ".adlc/handoffs/denies/o.json",
      "{\"session_id\":\"o\",\"status\":\"open\",\"ticket_id\":\"T\",\"content_hash\":\"h\",\"content_kind\":\"capture\"}");
  gate_box_text(
      box, ".adlc/handoffs/o.lock",
      "{\"schema\":1,\"session_id\":\"o\",\"pid\":7,\"started_at\":\"2026-10-09T14:00:00.000Z\",\"host\":\"elsewhere\","
      "\"nonce\":\"00\"}");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_int_equal(rule(why, "cap")->verdict, BT_RULE_REFUSE);
  assert_string_equal(rule(why, "cap")->file, ".adlc/handoffs/content/o.md");
  assert_non_null(step(why, "continue")->blocked_by); /* the lock */
  assert_false(step(why, "bypass")->helps);
  for (size_t i = 0; i < why->step_count; i++) {
    assert_null(strstr(why->steps[i].text, "elsewhere"));
    assert_null(strstr(why->steps[i].text, "take over"));
  }
  bt_why_free(why);
}

/* A session with a record of its own is refused whatever is authorised for it (D2), so it can take nothing over. */
static void a_denied_session_takes_nothing_over(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_marker(box, "s", "consumed", "T", "h");
  struct bt_why *why = explain(box, (struct bt_why_request){.session = "s"});
  assert_int_equal(rule(why, "D2")->verdict, BT_RULE_REFUSE);
  assert_int_equal(rule(why, "D3")->verdict, BT_RULE_REFUSE);
  for (size_t i = 0; i < why->step_count; i++)
    assert_null(strstr(why->steps[i].text, "take over"));
  bt_why_free(why);
}

static void no_such_id(void **state) {
  const struct gate_box *box = *state;
  struct bt_snapshot *snapshot = NULL;
  struct bt_why *why = NULL;
  const struct bt_why_request request = {.session = "a/b"};
  assert_int_equal(bt_store_load(&box->env, 0, NULL, &snapshot, NULL), BT_OK);
  assert_int_equal(bt_why_explain(&box->env, snapshot, &request, &why, NULL), BT_UNSAFE);
  assert_null(why);
  bt_snapshot_free(snapshot);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {BOXED(allowed), BOXED(one_foreign_open_deny), BOXED(own_records),
                                     BOXED(what_no_grant_lifts), BOXED(a_lost_store), BOXED(nothing_is_touched),
                                     BOXED(invalid_records), BOXED(without_a_key),
                                     BOXED(a_held_lock_and_a_lost_brief), BOXED(a_denied_session_takes_nothing_over),
                                     BOXED(no_such_id)};
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
