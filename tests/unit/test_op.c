/* tests/unit/test_op.c - plans say what is true, and execute does nothing once it no longer is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/ops/op.h"
#include "tests/support/fixture.h"

static int set_up(void **state) {
  *state = fixture_new(FIXTURE_SAMPLE);
  return *state == NULL;
}

static int tear_down(void **state) {
  fixture_free(*state);
  return 0;
}

static struct bt_plan *plan_of(const struct fixture *fixture, const struct bt_request *request) {
  struct bt_plan *plan = NULL;
  struct bt_error err = {0};
  char before[65], after[65];
  fixture_tree_hash(fixture, before);
  enum bt_code code = bt_op_plan(&fixture->env, request, &plan, &err);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
  if (code != BT_OK)
    fail_msg("no plan: %s", err.message);
  return plan;
}

static bool has_check(const struct bt_plan *plan, const char *words) {
  for (size_t i = 0; i < plan->check_count; i++) {
    if (strstr(plan->checks[i].text, words) != NULL)
      return true;
  }
  return false;
}

static bool has_line(const char *const *lines, size_t count, const char *words) {
  for (size_t i = 0; i < count; i++) {
    if (strstr(lines[i], words) != NULL)
      return true;
  }
  return false;
}

static const struct bt_plan_row *row(const struct bt_plan *plan, const char *label) {
  for (size_t i = 0; i < plan->row_count; i++) {
    if (strcmp(plan->rows[i].label, label) == 0)
      return &plan->rows[i];
  }
  fail_msg("no row %s", label);
  return NULL;
}

static const struct bt_request unlock_stale = {.verb = BT_VERB_UNLOCK, .session = "91ab77e0"};

/* The request with the proofs of the lock as the snapshot shows them. */
static struct bt_request with_proofs(const struct bt_snapshot *snapshot, struct bt_request request) {
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    const struct bt_lock *lock = &snapshot->locks[i];
    if (lock->kind != BT_LOCK_SESSION || strcmp(lock->name, request.session) != 0)
      continue;
    request.pid = lock->pid_text;
    request.started_at = lock->started_at;
    request.host = lock->host;
    request.nonce = lock->nonce;
    return request;
  }
  fail_msg("no lock of %s", request.session);
  return request;
}

static void expect_stale(struct fixture *fixture, const struct bt_plan *plan, const char *subject) {
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {0};
  char before[65], after[65];
  fixture_tree_hash(fixture, before);
  assert_int_equal(bt_op_execute(&fixture->env, plan, &receipt, &err), BT_STALE);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
  assert_null(receipt);
  assert_non_null(strstr(err.message, "changed under this command"));
  assert_string_equal(err.subject, subject);
}

static void continue_names_what_moves(void **state) {
  struct fixture *fixture = *state;
  const struct bt_request request = {.verb = BT_VERB_CONTINUE, .deny_session = "7f3a91c2-auth", .session = "next-1"};
  struct bt_plan *plan = plan_of(fixture, &request);
  assert_int_equal(plan->step_count, 8);
  assert_string_equal(plan->confirm_word, "auth");
  assert_string_equal(plan->confirm_label, "continue");
  assert_null(plan->disabled);
  assert_true(plan->needs_key);
  assert_string_equal(row(plan, "status")->now, "open");
  assert_string_equal(row(plan, "status")->after, "consumed by next-1");
  assert_true(has_check(plan, "sess-1 still blocks this repository"));
  assert_non_null(strstr(plan->command, "--deny-session 7f3a91c2-auth --session next-1"));
  fixture_append(fixture, ".adlc/handoffs/denies/7f3a91c2-auth.json", "\n");
  expect_stale(fixture, plan, "handoffs/denies/7f3a91c2-auth.json");
  bt_plan_free(plan);
}

static void a_fingerprint_is_of_facts_and_flags(void **state) {
  struct fixture *fixture = *state;
  struct bt_request request = {.verb = BT_VERB_REPAIR, .session = "sess-1", .ticket = "T-1", .content_hash = "h"};
  struct bt_plan *first = plan_of(fixture, &request), *again = plan_of(fixture, &request);
  assert_string_equal(first->fingerprint, again->fingerprint);
  fixture->now_ms += 60000; /* time alone moves nothing */
  struct bt_plan *later = plan_of(fixture, &request);
  assert_string_equal(first->fingerprint, later->fingerprint);
  request.ticket = "T-2";
  struct bt_plan *other = plan_of(fixture, &request);
  assert_string_not_equal(first->fingerprint, other->fingerprint);
  request.ticket = "T-1";
  fixture_write(fixture, ".adlc/handoffs/sess-1.lock", "{}");
  struct bt_plan *locked = plan_of(fixture, &request);
  assert_string_not_equal(first->fingerprint, locked->fingerprint);
  bt_plan_free(first);
  bt_plan_free(again);
  bt_plan_free(later);
  bt_plan_free(other);
  bt_plan_free(locked);
}

static void repair_warns_of_a_tampered_brief(void **state) {
  struct fixture *fixture = *state;
  const struct bt_request request = {
      .verb = BT_VERB_REPAIR, .session = "c0de4471", .ticket = "T-121", .content_hash = "h"};
  struct bt_plan *plan = plan_of(fixture, &request);
  assert_true(has_check(plan, "TAMPERED"));
  assert_string_equal(row(plan, "ticket_id")->after, "T-121");
  assert_true(row(plan, "ticket_id")->differs);
  assert_string_equal(row(plan, "status")->after, "open (still blocks the repository)");
  bt_plan_free(plan);
}

/* From a dialog nothing has to be known by heart: without a hash, what `write` would bind is bound. */
static void repair_binds_the_checkpoint_where_nothing_is_there_to_hash(void **state) {
  struct fixture *fixture = *state;
  struct bt_request request = {.verb = BT_VERB_REPAIR, .session = "sess-1", .ticket = "T-121", .host = "pi"};
  struct bt_plan *refused = NULL;
  struct bt_error err = {0};
  assert_int_equal(bt_op_plan(&fixture->env, &request, &refused, &err), BT_USAGE); /* the command line wants one */
  request.own_hash = true;
  struct bt_plan *plan = plan_of(fixture, &request);
  const struct bt_request write = {.verb = BT_VERB_WRITE, .session = "sess-1", .ticket = "T-121", .host = "pi"};
  struct bt_plan *written = plan_of(fixture, &write);
  assert_int_equal(strlen(plan->request.content_hash), 64);
  assert_non_null(strstr(written->payload, plan->request.content_hash));
  assert_non_null(strstr(plan->command, plan->request.content_hash));
  assert_true(has_check(plan, "as write does"));
  request.content_hash = "given";
  struct bt_plan *given = plan_of(fixture, &request);
  assert_string_equal(given->request.content_hash, "given");
  assert_false(has_check(given, "as write does"));
  bt_plan_free(plan);
  bt_plan_free(written);
  bt_plan_free(given);
}

static void bypass_says_what_it_clears(void **state) {
  struct fixture *fixture = *state;
  struct bt_request request = {.verb = BT_VERB_BYPASS, .session = "a81f3c55"};
  struct bt_plan *bound = plan_of(fixture, &request);
  request.unbound_reason = "  disk restored ";
  struct bt_plan *unbound = plan_of(fixture, &request);
  assert_string_equal(bound->confirm_word, "bypass");
  assert_string_equal(unbound->request.unbound_reason, "disk restored");
  assert_true(unbound->will_count > bound->will_count);
  assert_true(unbound->will_not_count >= 1);
  assert_true(has_check(bound, "continue 7f3a91c2-auth"));
  /* No grant lifts these two: the call is refused, whatever else is cleared for it. */
  assert_true(has_line(unbound->will_not, unbound->will_not_count, "capture_tamper:9a1d77e3:missing"));
  assert_true(has_line(unbound->will_not, unbound->will_not_count, "capture_tamper:c0de4471:content_hash mismatch"));
  assert_false(has_line(unbound->will, unbound->will_count, "capture_tamper"));
  bt_plan_free(bound);
  bt_plan_free(unbound);
}

static void unlock_keeps_a_copy_and_needs_no_key(void **state) {
  struct fixture *fixture = *state;
  struct bt_snapshot *snapshot = fixture_load(fixture);
  struct bt_request request = with_proofs(snapshot, unlock_stale);
  struct bt_receipt *receipt = NULL;
  fixture->env.key = NULL;
  struct bt_plan *plan = plan_of(fixture, &request);
  assert_null(plan->disabled);
  assert_null(plan->confirm_word);
  assert_int_equal(bt_op_execute(&fixture->env, plan, &receipt, NULL), BT_OK);
  assert_non_null(receipt->trash_path);
  assert_null(receipt->warning);
  assert_null(receipt->evidence_gate);
  bt_receipt_free(receipt);
  expect_stale(fixture, plan, "handoffs/91ab77e0.lock");
  bt_plan_free(plan);
  bt_snapshot_free(snapshot);
}

static void a_reused_pid_wants_a_word(void **state) {
  struct fixture *fixture = *state;
  struct bt_snapshot *snapshot = fixture_load(fixture);
  struct bt_request request = with_proofs(snapshot, (struct bt_request){.verb = BT_VERB_UNLOCK, .session = "5d20fe13"});
  struct bt_plan *plan = NULL;
  struct bt_error err = {0};
  assert_int_equal(bt_op_plan(&fixture->env, &request, &plan, &err), BT_REFUSED);
  assert_non_null(strstr(err.message, "still alive"));
  request.pid_reused = true;
  plan = plan_of(fixture, &request);
  assert_string_equal(plan->confirm_word, "unlock");
  assert_non_null(strstr(plan->command, "--pid-reused"));
  bool told = false; /* what the proof rests on stands in the plan */
  for (size_t i = 0; i < plan->check_count; i++)
    told = told ||
           (plan->checks[i].check == BT_CHECK_WARN && strstr(plan->checks[i].text, "unless the clock was set since"));
  assert_true(told);
  bt_plan_free(plan);
  bt_snapshot_free(snapshot);
}

static void nothing_runs_without_key_or_read_only(void **state) {
  struct fixture *fixture = *state;
  const struct bt_request request = {.verb = BT_VERB_BYPASS, .session = "a81f3c55"};
  struct bt_receipt *receipt = NULL;
  char before[65], after[65];
  fixture_tree_hash(fixture, before);
  fixture->env.key = NULL;
  struct bt_plan *plan = plan_of(fixture, &request);
  assert_non_null(strstr(plan->disabled, "no signing key"));
  assert_int_equal(bt_op_execute(&fixture->env, plan, &receipt, NULL), BT_KEY);
  bt_plan_free(plan);
  fixture->env.readonly = true;
  plan = plan_of(fixture, &request);
  assert_non_null(strstr(plan->disabled, "read-only"));
  assert_int_equal(bt_op_execute(&fixture->env, plan, &receipt, NULL), BT_READONLY);
  bt_plan_free(plan);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
}

static void a_terse_plan_prints_the_same(void **state) {
  struct fixture *fixture = *state;
  struct bt_request request = {.verb = BT_VERB_CONTINUE, .deny_session = "7f3a91c2-auth", .session = "next-1"};
  struct bt_plan *full = plan_of(fixture, &request);
  request.terse = true;
  struct bt_plan *terse = plan_of(fixture, &request);
  assert_string_equal(full->payload, terse->payload);
  assert_string_equal(full->human, terse->human);
  assert_int_equal(terse->row_count + terse->step_count + terse->check_count + terse->will_count, 0);
  bt_plan_free(full);
  bt_plan_free(terse);
}

static void a_confirm_word_can_be_typed(void **state) {
  struct fixture *fixture = *state;
  fixture_write(fixture, ".adlc/handoffs/denies/ab.json",
                "{\"session_id\":\"ab\",\"ticket_id\":\"T-118\",\"content_hash\":\"h\",\"status\":\"open\"}\n");
  const struct bt_request request = {.verb = BT_VERB_CONTINUE, .deny_session = "ab", .session = "next-1"};
  struct bt_plan *plan = plan_of(fixture, &request);
  assert_string_equal(plan->confirm_word, "ab");
  bt_plan_free(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(continue_names_what_moves, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_fingerprint_is_of_facts_and_flags, set_up, tear_down),
      cmocka_unit_test_setup_teardown(repair_warns_of_a_tampered_brief, set_up, tear_down),
      cmocka_unit_test_setup_teardown(repair_binds_the_checkpoint_where_nothing_is_there_to_hash, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bypass_says_what_it_clears, set_up, tear_down),
      cmocka_unit_test_setup_teardown(unlock_keeps_a_copy_and_needs_no_key, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_reused_pid_wants_a_word, set_up, tear_down),
      cmocka_unit_test_setup_teardown(nothing_runs_without_key_or_read_only, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_terse_plan_prints_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_confirm_word_can_be_typed, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
