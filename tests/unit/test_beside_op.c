/* tests/unit/test_beside_op.c - plans of what lies beside the ledger, and their execution: on a real repository and a
 * real transcript, with something else changing in between. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "core/delivery/op.h"
#include "core/delivery/work.h"
#include "core/handover/op.h"
#include "tests/support/chain_box.h"
#include "tests/support/fixture.h"

#define OTHER_HEAD "0123456789abcdef0123456789abcdef01234567"

static const char pattern[] =
    "{\n  \"schema\": \"verified-delivery/handoff-v1\",\n  \"status\": \"open\",\n"
    "  \"store\": \".verified-delivery/handoff.json\",\n  \"directive\": \"Ship it\",\n"
    "  \"authorization_boundary\": { \"authorized\": [\"merge\"], \"out_of_scope\": [] },\n"
    "  \"repository\": \"github.com/acme/pager\",\n  \"pull_request\": null,\n  \"branch\": \"main\",\n"
    "  \"head_sha\": \"%s\",\n  \"completed_steps\": [ { \"gate\": \"change-ready\", \"verdict\": \"pass\", "
    "\"evidence\": \"green\" } ],\n  \"pending_steps\": [\"ci-green\"],\n  \"watchers\": [],\n"
    "  \"stop_reason\": \"tool-limit\",\n  \"updated_at\": \"2026-03-01T10:00:00Z\"\n}\n";

static struct fixture *repository(const char *head) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  char text[2048];
  git_box(fixture->root, "init", "-q", "-b", "main", NULL);
  git_box(fixture->root, "commit", "-q", "--allow-empty", "-m", "x", NULL);
  git_box(fixture->root, "remote", "add", "origin", "https://op:secret@github.com/acme/pager", NULL);
  (void)snprintf(text, sizeof text, pattern, head);
  fixture_write(fixture, BT_RECORD_PATH, text);
  return fixture;
}

static char *record_of(const struct fixture *fixture) {
  char path[700];
  static char text[4096];
  (void)snprintf(path, sizeof path, "%s/%s", fixture->root, BT_RECORD_PATH);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  (void)fclose(file);
  return text;
}

static struct bt_plan *plan_of(const struct fixture *fixture, enum bt_verb verb, const char *detail) {
  const struct bt_request request = {.verb = verb, .tree = fixture->root, .detail = detail};
  struct bt_plan *plan = NULL;
  struct bt_error err = {0};
  if (bt_delivery_op_plan(&fixture->env, &request, &plan, &err) != BT_OK)
    fail_msg("%s", err.message);
  return plan;
}

static enum bt_code execute(const struct fixture *fixture, const struct bt_plan *plan) {
  struct bt_receipt *receipt = NULL;
  enum bt_code code = bt_delivery_op_execute(&fixture->env, plan, &receipt, NULL);
  assert_true((code == BT_OK) == (receipt != NULL));
  bt_receipt_free(receipt);
  return code;
}

/* ---- deliveries ---- */

static void reconciles_what_the_plan_says(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  assert_null(plan->disabled);
  assert_true(plan->row_count >= 3);
  assert_true(strstr(plan->command, "baton delivery reconcile --repo ") == plan->command);
  assert_null(strstr(plan->payload, "secret"));
  assert_non_null(strstr(record_of(fixture), OTHER_HEAD)); /* a plan writes nothing */
  assert_int_equal(execute(fixture, plan), BT_OK);
  assert_non_null(strstr(record_of(fixture), "\"change-ready\",\n    \"ci-green\""));
  assert_int_equal(execute(fixture, plan), BT_STALE); /* it is done */
  bt_plan_free(plan);
  fixture_free(fixture);
}

static void nothing_to_reconcile_is_no_plan(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  assert_int_equal(execute(fixture, plan), BT_OK);
  bt_plan_free(plan);
  const struct bt_request request = {.verb = BT_VERB_RECONCILE, .tree = fixture->root};
  struct bt_error err = {0};
  assert_int_equal(bt_delivery_op_plan(&fixture->env, &request, &plan, &err), BT_STATE);
  assert_null(plan);
  assert_true(bt_starts_with(err.message, "nothing-to-do"));
  fixture_write(fixture, BT_RECORD_PATH, "{");
  assert_int_equal(bt_delivery_op_plan(&fixture->env, &request, &plan, &err), BT_STATE);
  assert_true(bt_starts_with(err.message, "corrupt, parse"));
  fixture_free(fixture);
}

static void a_record_that_changed_meanwhile_is_left_alone(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  char theirs[2048];
  (void)snprintf(theirs, sizeof theirs, pattern, "89abcdef0123456789abcdef0123456789abcdef");
  fixture_write(fixture, BT_RECORD_PATH, theirs);
  assert_int_equal(execute(fixture, plan), BT_STALE);
  assert_string_equal(record_of(fixture), theirs);
  bt_plan_free(plan);
  fixture_free(fixture);
}

static void a_branch_that_moved_meanwhile_is_another_plan(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  git_box(fixture->root, "commit", "-q", "--allow-empty", "-m", "y", NULL);
  assert_int_equal(execute(fixture, plan), BT_STALE);
  assert_non_null(strstr(record_of(fixture), OTHER_HEAD));
  bt_plan_free(plan);
  fixture_free(fixture);
}

static void a_tracked_record_locks_the_plan(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *before = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  git_box(fixture->root, "add", "-f", BT_RECORD_PATH, NULL);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  assert_string_equal(plan->disabled, "refused:staged");
  assert_int_equal(execute(fixture, plan), BT_REFUSED);
  assert_int_equal(execute(fixture, before), BT_REFUSED); /* and one that was made when it was not */
  assert_non_null(strstr(record_of(fixture), OTHER_HEAD));
  bt_plan_free(before);
  bt_plan_free(plan);
  fixture_free(fixture);
}

static void read_only_writes_nothing(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_RECONCILE, NULL);
  char before[65], after[65];
  fixture->env.readonly = true;
  fixture_tree_hash(fixture, before);
  assert_int_equal(execute(fixture, plan), BT_READONLY);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
  bt_plan_free(plan);
  fixture_free(fixture);
}

static void a_stop_needs_its_words(void **state) {
  (void)state;
  struct fixture *fixture = repository(OTHER_HEAD);
  struct bt_plan *plan = plan_of(fixture, BT_VERB_STOP, " \t");
  assert_string_equal(plan->disabled, "say what stopped it");
  assert_int_equal(execute(fixture, plan), BT_REFUSED);
  bt_plan_free(plan);
  plan = plan_of(fixture, BT_VERB_STOP, "the grant ends");
  assert_null(plan->disabled);
  assert_non_null(strstr(plan->command, "--detail 'the grant ends'"));
  assert_int_equal(execute(fixture, plan), BT_OK);
  assert_non_null(strstr(record_of(fixture), "\"status\": \"closed\""));
  assert_non_null(strstr(record_of(fixture), "\"stop_detail\": \"the grant ends\""));
  bt_plan_free(plan);
  fixture_free(fixture);
}

/* ---- acknowledgements ---- */

static void put_transcript(const struct fixture *fixture, const char *more) {
  char folder[900], path[1000];
  (void)snprintf(folder, sizeof folder, "%s/projects", fixture->env.claude_dir);
  (void)mkdir(fixture->env.claude_dir, 0700);
  (void)mkdir(folder, 0700);
  (void)snprintf(path, sizeof path, "%s/p", folder);
  (void)mkdir(path, 0700);
  (void)snprintf(path, sizeof path, "%s/p/s1.jsonl", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  (void)fprintf(
      file,
      "{\"type\":\"assistant\",\"cwd\":\"%s\",\"timestamp\":\"2026-03-01T10:00:00.000Z\",\"message\":{\"model\":\"m\","
      "\"usage\":{\"input_tokens\":150000}}}\n%s",
      fixture->root, more);
  (void)fclose(file);
}

static void acknowledges_one_window(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  const struct bt_request request = {.verb = BT_VERB_ACK, .session = "s1"};
  struct bt_plan *plan = NULL;
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {0};
  assert_int_equal(bt_ask_op_plan(&fixture->env, &request, &plan, &err), BT_MISSING);
  put_transcript(fixture, "");
  assert_int_equal(bt_ask_op_plan(&fixture->env, &request, &plan, &err), BT_STATE); /* nobody supervises it */
  fixture_write(fixture, ".ai/manifest.yaml", "x");
  assert_int_equal(bt_ask_op_plan(&fixture->env, &request, &plan, &err), BT_OK);
  assert_string_equal(plan->command, "baton ask ack s1");
  put_transcript(fixture, "{\"type\":\"system\",\"subtype\":\"compact_boundary\"}\n");
  assert_int_equal(bt_ask_op_execute(&fixture->env, plan, &receipt, &err), BT_STALE); /* another window */
  put_transcript(fixture, "");
  assert_int_equal(bt_ask_op_execute(&fixture->env, plan, &receipt, &err), BT_OK);
  bt_receipt_free(receipt);
  bt_plan_free(plan);
  assert_int_equal(bt_ask_op_plan(&fixture->env, &request, &plan, &err), BT_STATE);
  assert_non_null(strstr(err.message, "asked"));
  fixture_free(fixture);
}

int main(void) {
  (void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  (void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(reconciles_what_the_plan_says),
                                     cmocka_unit_test(nothing_to_reconcile_is_no_plan),
                                     cmocka_unit_test(a_record_that_changed_meanwhile_is_left_alone),
                                     cmocka_unit_test(a_branch_that_moved_meanwhile_is_another_plan),
                                     cmocka_unit_test(a_tracked_record_locks_the_plan),
                                     cmocka_unit_test(read_only_writes_nothing),
                                     cmocka_unit_test(a_stop_needs_its_words),
                                     cmocka_unit_test(acknowledges_one_window)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
