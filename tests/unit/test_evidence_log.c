/* tests/unit/test_evidence_log.c - newest first over all chains, and what became of an entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/store/evidence_log.h"
#include "core/store/evidence_outcome.h"
#include "core/store/manifest.h"
#include "tests/support/chain_box.h"

#define ROOT ".adlc/manifest.jsonl"
#define FOLDER ".adlc/manifest.d/"

/* The lines of the log as "chain/line" joined by blanks, a ! behind what does not hold. */
static void expect_log(const struct fixture *fixture, const char *wanted) {
  struct bt_log log;
  struct bt_str got, line;
  int ledger = open_ledger(fixture);
  bt_str_init(&got, 65536);
  bt_str_init(&line, 1 << 20);
  assert_int_equal(bt_log_load(ledger, (struct bt_key){.bytes = CHAIN_KEY, .length = strlen(CHAIN_KEY)}, &log, NULL),
                   BT_OK);
  for (size_t i = 0; i < log.count; i++) {
    const struct bt_log_entry *entry = &log.entries[i];
    bt_str_printf(&got, "%s%.1s/%d%s", i > 0 ? " " : "", log.forest.chains[entry->chain].name, (int)entry->line,
                  entry->chain_ok ? "" : "!");
    assert_int_equal(entry->chain_ok, entry->reason == NULL);
    assert_int_equal(bt_log_read(ledger, &log, entry, &line, NULL), BT_OK);
    assert_int_equal(line.length, entry->length);
  }
  assert_string_equal(got.data, wanted);
  bt_log_dispose(&log);
  bt_str_dispose(&got);
  bt_str_dispose(&line);
  close(ledger);
}

static void chains_are_merged_by_time(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct chain_box box;
  expect_log(fixture, "");
  chain_box_init(&box);
  chain_box_add(&box, "\"ts\":\"2026-01-01T00:00:01.000Z\",", NULL);
  chain_box_add(&box, "\"ts\":\"2026-01-01T00:00:05.000Z\",", NULL);
  chain_box_add(&box, "\"ts\":\"2026-01-01T00:00:02.000Z\",", NULL); /* the clock went back: the chain's order stays */
  chain_box_write(&box, fixture, ROOT);
  expect_log(fixture, "r/3 r/2 r/1");
  char more[300];
  (void)snprintf(more, sizeof more,
                 "\"ts\":\"2026-01-01T00:00:03.000Z\",\"anchor\":{\"segment\":\"root\",\"seq\":3,\"lineHash\":\"%s\"},",
                 box.hash);
  struct chain_box segment;
  chain_box_init(&segment);
  chain_box_add(&segment, more, NULL);
  chain_box_add(&segment, "\"ts\":\"2026-01-01T00:00:09.000Z\",", NULL);
  chain_box_write(&segment, fixture, FOLDER "a-01KF0000000000000000000000.jsonl");
  expect_log(fixture, "a/2 a/1 r/3 r/2 r/1");
  chain_box_dispose(&segment);
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void a_changed_byte_is_marked_where_it_is(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct chain_box box;
  chain_box_init(&box);
  for (int i = 0; i < 4; i++)
    chain_box_add(&box, NULL, NULL);
  *strstr(strchr(box.text.data, '\n'), "s1") = 'S';
  chain_box_write(&box, fixture, ROOT);
  expect_log(fixture, "r/4 r/3! r/2! r/1"); /* the break lies between them */
  fixture_append(fixture, ROOT, "{cut");
  expect_log(fixture, "r/5! r/4 r/3! r/2! r/1");
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void a_shrunk_file_is_noticed(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_log log;
  struct bt_str line;
  int ledger = open_ledger(fixture);
  fixture_write(fixture, ROOT, "{\"seq\":1}\n");
  bt_str_init(&line, 1 << 20);
  assert_int_equal(bt_log_load(ledger, (struct bt_key){0}, &log, NULL), BT_OK);
  assert_int_equal(log.count, 1);
  fixture_write(fixture, ROOT, "{}");
  assert_int_equal(bt_log_read(ledger, &log, &log.entries[0], &line, NULL), BT_STALE);
  bt_log_dispose(&log);
  bt_str_dispose(&line);
  close(ledger);
  fixture_free(fixture);
}

/* ---- outcomes ---- */

static enum bt_outcome judge_text(struct bt_outcome_judge *judge, const char *gate, const char *data,
                                  const char *word) {
  enum bt_outcome outcome;
  const char *text;
  struct bt_str entry;
  bt_str_init(&entry, 65536);
  bt_str_printf(&entry, "{\"gate\":\"%s\",\"data\":%s}", gate, data);
  struct bt_json *json = bt_json_parse(entry.data, entry.length, NULL);
  assert_non_null(json);
  assert_int_equal(bt_outcome_of(judge, json, &outcome, &text, NULL), BT_OK);
  if (word == NULL)
    assert_null(text);
  else
    assert_string_equal(text, word);
  bt_json_free(json);
  bt_str_dispose(&entry);
  return outcome;
}

static void words_of_the_gates(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_outcome_judge judge;
  int ledger = open_ledger(fixture);
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  assert_int_equal(judge_text(&judge, "context-handoff-write", "{}", "recorded"), BT_OUTCOME_RECORDED);
  assert_int_equal(judge_text(&judge, "context-handoff-bypass", "{}", "granted"), BT_OUTCOME_GRANTED);
  assert_int_equal(judge_text(&judge, "context-handoff-repair", "{}", "bound"), BT_OUTCOME_BOUND);
  assert_int_equal(judge_text(&judge, "cross-model-review", "{\"verdict\":\"approve\"}", "approve"), BT_OUTCOME_OTHER);
  assert_int_equal(judge_text(&judge, "spec-lint", "{\"outcome\":\"pass\"}", "pass"), BT_OUTCOME_OTHER);
  assert_int_equal(judge_text(&judge, "x", "null", NULL), BT_OUTCOME_NONE);
  bt_outcome_judge_dispose(&judge);
  close(ledger);
  fixture_free(fixture);
}

static void write_marker(const struct fixture *fixture, const char *status, const char *consumed_by) {
  char text[400];
  (void)snprintf(text, sizeof text,
                 "{\"session_id\":\"s1\",\"ticket_id\":\"T\",\"content_hash\":\"h\",\"status\":\"%s\"%s%s%s}", status,
                 consumed_by != NULL ? ",\"consumed_by\":\"" : "", consumed_by != NULL ? consumed_by : "",
                 consumed_by != NULL ? "\"" : "");
  fixture_write(fixture, ".adlc/handoffs/denies/s1.json", text);
}

static void authorised_but_never_consumed(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_outcome_judge judge;
  static const char resume[] = "{\"consumer_session_id\":\"s2\",\"deny_session_id\":\"s1\"}";
  static const char go_on[] = "{\"successor_session_id\":\"s3\",\"deny_session_id\":\"s1\"}";
  int ledger = open_ledger(fixture);
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "unknown"), BT_OUTCOME_UNKNOWN);
  bt_outcome_judge_dispose(&judge);
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  write_marker(fixture, "open", NULL);
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "ABORTED"), BT_OUTCOME_ABORTED);
  bt_outcome_judge_dispose(&judge);
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  write_marker(fixture, "consumed", "s2"); /* newest first: the last run got through, an earlier one did not */
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "authorised"), BT_OUTCOME_AUTHORISED);
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "ABORTED"), BT_OUTCOME_ABORTED);
  assert_int_equal(judge_text(&judge, "context-handoff-continue", go_on, "ABORTED"), BT_OUTCOME_ABORTED);
  assert_int_equal(judge_text(&judge, "context-handoff-resume", "{\"deny_session_id\":\"../x\"}", "unknown"),
                   BT_OUTCOME_UNKNOWN);
  bt_outcome_judge_dispose(&judge);
  close(ledger);
  fixture_free(fixture);
}

static void a_verb_at_work_is_not_aborted(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_outcome_judge judge;
  static const char resume[] = "{\"consumer_session_id\":\"s2\",\"deny_session_id\":\"s1\"}";
  char lock[400], started[BT_ISO_MS];
  int ledger = open_ledger(fixture);
  write_marker(fixture, "open", NULL);
  bt_time_iso(started, FIXTURE_NOW_MS);
  (void)snprintf(lock, sizeof lock,
                 "{\"schema\":1,\"session_id\":\"s1\",\"pid\":%d,\"started_at\":\"%s\",\"host\":\"build-07\","
                 "\"nonce\":\"00112233aabbccdd\"}",
                 FIXTURE_LIVE_PID, started);
  fixture_write(fixture, ".adlc/handoffs/s1.lock", lock);
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "in progress"), BT_OUTCOME_PENDING);
  bt_outcome_judge_dispose(&judge);
  fixture_remove(fixture, ".adlc/handoffs/s1.lock");
  bt_outcome_judge_init(&judge, &fixture->env, ledger);
  judge.entries_may_be_new = true;
  assert_int_equal(judge_text(&judge, "context-handoff-resume", resume, "in progress"), BT_OUTCOME_PENDING);
  bt_outcome_judge_dispose(&judge);
  close(ledger);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_are_merged_by_time),     cmocka_unit_test(a_changed_byte_is_marked_where_it_is),
      cmocka_unit_test(a_shrunk_file_is_noticed),      cmocka_unit_test(words_of_the_gates),
      cmocka_unit_test(authorised_but_never_consumed), cmocka_unit_test(a_verb_at_work_is_not_aborted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
