/* tests/unit/test_marker.c - ensuring, rewriting, rebinding, re-entry and consuming of a deny marker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/ops/marker.h"
#include "tests/support/gate_box.h"

#define MARKER ".adlc/handoffs/denies/s.json"

static struct bt_txn *open_txn(const struct gate_box *box) {
  struct bt_txn *txn = bt_txn_open(&box->env, true, NULL);
  assert_non_null(txn);
  return txn;
}

static void ensure(const struct gate_box *box, const char *reason) {
  const struct bt_ensure_request request = {.session_id = "s", .ticket_id = " T ", .content_hash = "", .host = "h"};
  struct bt_txn *txn = open_txn(box);
  struct bt_ensure done;
  assert_int_equal(bt_marker_ensure(txn, &request, GATE_NOW_MS, &done, NULL), BT_OK);
  assert_string_equal(done.reason, reason);
  assert_int_equal(done.ok, strcmp(reason, "ok") == 0 || strcmp(reason, "already_present") == 0);
  bt_txn_close(txn);
}

static void ensure_writes_once(void **state) {
  const struct gate_box *box = *state;
  ensure(box, "ok");
  const char *text =
      "{\n  \"session_id\": \"s\",\n  \"ticket_id\": \"T\",\n  \"content_hash\": null,\n  \"status\": \"open\",\n"
      "  \"since\": \"2026-10-09T14:22:07.000Z\",\n  \"host\": \"h\",\n  \"schema\": 1\n}\n";
  scratch_expect_text(&box->scratch, MARKER, text);
  scratch_expect_text(&box->scratch, ".adlc/.deny-store", "{\"schema\":1,\"sessions\":[\"s\"]}\n");
  ensure(box, "already_present");
  scratch_expect_text(&box->scratch, MARKER, text);
}

static void ensure_never_touches_what_it_does_not_know(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, MARKER, "{\"session_id\":\"other\",\"status\":\"open\"}");
  ensure(box, "session_id_mismatch");
  gate_box_text(box, MARKER, "{\"session_id\":\"s\",\"status\":\"paused\"}");
  ensure(box, "invalid_status");
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
}

static void ensure_sets_junk_aside(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, MARKER, "{broken");
  ensure(box, "ok");
  gate_box_text(box, MARKER, "7");
  ensure(box, "ok");
  gate_box_text(box, MARKER, "{again");
  ensure(box, "ok");
  scratch_expect_text(&box->scratch, ".adlc/handoffs/denies/quarantine/s.json.corrupt_json.1791555727000", "{broken");
  scratch_expect_text(&box->scratch, ".adlc/handoffs/denies/quarantine/s.json.corrupt_json.1791555727000.1", "{again");
  scratch_expect_text(&box->scratch, ".adlc/handoffs/denies/quarantine/s.json.invalid_shape.1791555727000", "7");
}

static void ensure_refuses_links(void **state) {
  const struct gate_box *box = *state;
  gate_box_folder(box, ".adlc/handoffs/denies");
  scratch_link(&box->scratch, MARKER, "nowhere");
  ensure(box, "unreadable_marker");
  gate_box_text(box, "outside", "x");
  assert_true(gate_box_exists(box, MARKER));
}

static void ensure_tells_why_it_could_not(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies", "a file");
  ensure(box, "write_failed:EEXIST");
}

static void ensure_below_a_file(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs", "a file");
  ensure(box, "write_failed:ENOTDIR");
}

static void a_sentinel_that_cannot_be_written(void **state) {
  const struct gate_box *box = *state;
  gate_box_folder(box, ".adlc/.deny-store");
  ensure(box, "sentinel_write_failed");
  assert_true(gate_box_exists(box, MARKER)); /* the marker itself stays */
  ensure(box, "sentinel_write_failed");
}

static void quarantine_that_is_a_file(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies/quarantine", "a file");
  gate_box_text(box, MARKER, "{");
  ensure(box, "quarantine_failed:corrupt_json");
  scratch_expect_text(&box->scratch, MARKER, "{");
}

static void a_plan_changes_nothing(void **state) {
  const struct gate_box *box = *state;
  const struct bt_ensure_request request = {.session_id = "s", .host = "h"};
  struct bt_ensure_plan plan;
  assert_int_equal(bt_marker_ensure_plan(box->ledger, &request, &plan, NULL), BT_OK);
  assert_true(plan.writes && plan.fresh && plan.verdict.ok);
  gate_box_marker(box, "s", "open", NULL, NULL);
  assert_int_equal(bt_marker_ensure_plan(box->ledger, &request, &plan, NULL), BT_OK);
  assert_true(plan.writes && !plan.fresh);
  assert_string_equal(plan.verdict.reason, "already_present");
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"s\"]}");
  assert_int_equal(bt_marker_ensure_plan(box->ledger, &request, &plan, NULL), BT_OK);
  assert_false(plan.writes);
  assert_int_equal(bt_marker_ensure_plan(-1, &request, &plan, NULL), BT_OK);
  assert_true(plan.fresh);
  const struct bt_ensure_request unsafe = {.session_id = "a/b", .host = "h"};
  assert_int_equal(bt_marker_ensure_plan(box->ledger, &unsafe, &plan, NULL), BT_UNSAFE);
}

/* Unknown keys, key order and numbers survive a rewrite, through parsing and printing. */
static void rewrites_keep_what_they_do_not_know(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, MARKER,
                "{\"session_id\":\"s\",\"10\":1,\"status\":\"open\",\"extra\":1.50,\"big\":1e21,\"ticket_id\":null,"
                "\"content_kind\":\"capture\",\"extra\":2.50}");
  struct bt_txn *txn = open_txn(box);
  struct bt_json *stored = NULL;
  assert_int_equal(bt_marker_repair(txn, "s", " T", "h ", NULL, NULL, &stored, NULL), BT_OK);
  assert_non_null(stored);
  bt_json_free(stored);
  scratch_expect_text(
      &box->scratch, MARKER,
      "{\n  \"10\": 1,\n  \"session_id\": \"s\",\n  \"status\": \"open\",\n  \"extra\": 2.5,\n  \"big\": 1e+21,\n"
      "  \"ticket_id\": \"T\",\n  \"content_hash\": \"h\",\n  \"schema\": 1\n}\n");
  assert_int_equal(bt_marker_repair(txn, "s", "T", "h", " capture ", "", &stored, NULL), BT_OK);
  assert_string_equal(bt_json_get_string(stored, "content_kind"), "capture");
  assert_string_equal(bt_json_get_string(stored, "host"), "");
  bt_json_free(stored);
  bt_txn_close(txn);
}

static void repair_refuses(void **state) {
  const struct gate_box *box = *state;
  struct bt_txn *txn = open_txn(box);
  assert_int_equal(bt_marker_repair(txn, "s", "T", "h", NULL, NULL, NULL, NULL), BT_MISSING);
  gate_box_marker(box, "s", "consumed", "T", "h");
  assert_int_equal(bt_marker_repair(txn, "s", "T", "h", NULL, NULL, NULL, NULL), BT_STATE);
  gate_box_marker(box, "s", "open", "T", "h");
  assert_int_equal(bt_marker_repair(txn, "s", " ", "h", NULL, NULL, NULL, NULL), BT_INPUT);
  gate_box_text(box, MARKER, "{");
  assert_int_equal(bt_marker_repair(txn, "s", "T", "h", NULL, NULL, NULL, NULL), BT_CORRUPT);
  struct bt_json *record = gate_json("{'session_id':'s','status':'paused'}");
  assert_int_equal(bt_marker_write(txn, record, NULL, NULL), BT_INPUT);
  bt_json_free(record);
  record = gate_json("{'session_id':'a/b','status':'open'}");
  assert_int_equal(bt_marker_write(txn, record, NULL, NULL), BT_INPUT);
  bt_json_free(record);
  bt_txn_close(txn);
}

static void expect_unchanged(const struct gate_box *box, const char *stored, const char *expected, bool same) {
  struct bt_json *wanted = gate_json(expected);
  struct bt_json *now = gate_json(stored);
  struct bt_str text;
  bt_str_init(&text, 4096);
  bt_json_print_compact(&text, now);
  gate_box_text(box, MARKER, text.data);
  assert_int_equal(bt_marker_unchanged(box->ledger, "s", wanted, NULL), same ? BT_OK : BT_STALE);
  bt_str_dispose(&text);
  bt_json_free(now);
  bt_json_free(wanted);
}

static void unchanged_is_lopsided(void **state) {
  const struct gate_box *box = *state;
  struct bt_json *wanted = gate_json("{'status':'open'}");
  assert_int_equal(bt_marker_unchanged(box->ledger, "s", wanted, NULL), BT_STALE);
  bt_json_free(wanted);
#define S "{'session_id':'s','status':'open',"
  expect_unchanged(box, S "'ticket_id':'T','content_hash':null}", S "'ticket_id':' T ','content_hash':'  '}", true);
  expect_unchanged(box, S "'ticket_id':' T','content_hash':null}", S "'ticket_id':' T','content_hash':null}", false);
  expect_unchanged(box, S "'ticket_id':'T'}", S "'ticket_id':'T'}", false); /* an absent key is not null */
  expect_unchanged(box, S "'ticket_id':'T','content_hash':''}", S "'ticket_id':'T','content_hash':''}", false);
  expect_unchanged(box, S "'ticket_id':7,'content_hash':null}", S "'ticket_id':7,'content_hash':null}", false);
  expect_unchanged(box, "{'session_id':'s','status':'consumed','ticket_id':'T','content_hash':null}",
                   S "'ticket_id':'T','content_hash':null}", false);
}

static void expect_reentry(const struct gate_box *box, enum bt_handoff_signal signal, bool ever, const char *expected) {
  struct bt_reentry found;
  char actual[128];
  assert_int_equal(bt_marker_reentry(box->ledger, "s", signal, ever, &found, NULL), BT_OK);
  snprintf(actual, sizeof actual, "%d%d%d %s", found.deny, found.process_sticky, found.retry_write, found.reason);
  assert_string_equal(actual, expected);
}

static void reentry(void **state) {
  const struct gate_box *box = *state;
  expect_reentry(box, BT_HANDOFF_NOT_BOOLEAN, false, "111 invalid_handoff_signal");
  expect_reentry(box, BT_HANDOFF_NO, false, "000 no_handoff_no_marker");
  expect_reentry(box, BT_HANDOFF_NO, true, "110 marker_vanished");
  expect_reentry(box, BT_HANDOFF_YES, false, "111 missing_marker");
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"s\"]}");
  expect_reentry(box, BT_HANDOFF_NO, false, "110 marker_vanished");
  gate_box_text(box, MARKER, "{");
  expect_reentry(box, BT_HANDOFF_NO, false, "110 corrupt_json");
  expect_reentry(box, BT_HANDOFF_YES, false, "111 corrupt_json");
  gate_box_marker(box, "s", "open", NULL, NULL);
  expect_reentry(box, BT_HANDOFF_NO, true, "100 open_deny_persists");
  expect_reentry(box, BT_HANDOFF_YES, true, "100 handoff_active");
  gate_box_marker(box, "s", "consumed", NULL, NULL);
  expect_reentry(box, BT_HANDOFF_NO, false, "100 consumed_deny_persists");
}

static void expect_consume(const char *record, const char *consumer, const struct bt_gate_auth *auth, int exit_status) {
  struct bt_json *json = record ? gate_json(record) : NULL;
  struct bt_json *consumed = NULL;
  enum bt_code code = bt_marker_consume(json, consumer, auth, false, GATE_NOW_MS, &consumed, NULL);
  assert_int_equal(bt_code_exit_status(code), exit_status);
  if (code == BT_OK) {
    assert_string_equal(bt_json_get_string(consumed, "status"), "consumed");
    assert_string_equal(bt_json_get_string(consumed, "consumed_by"), consumer);
    assert_string_equal(bt_json_get_string(consumed, "consumed_at"), "2026-10-09T14:22:07.000Z");
    assert_string_equal(bt_json_get_string(consumed, "note"), "kept");
  }
  bt_json_free(consumed);
  bt_json_free(json);
}

static void consume(void **state) {
  (void)state;
  struct bt_gate_auth auth = {.ticket_id = "T", .content_hash = "h", .deny_session_id = "s", .verified = true};
#define OPEN_RECORD "{'session_id':'s','ticket_id':'T','content_hash':'h','status':'open','note':'kept'}"
  expect_consume(OPEN_RECORD, "c", &auth, 0);
  expect_consume(NULL, "c", &auth, 1);
  expect_consume("null", "c", &auth, 1);
  expect_consume(OPEN_RECORD, "s", &auth, 2);
  expect_consume(OPEN_RECORD, " c", &auth, 1);
  expect_consume(OPEN_RECORD, NULL, &auth, 1);
  expect_consume(OPEN_RECORD, "c", NULL, 1);
  expect_consume("{'session_id':'s','ticket_id':'T','content_hash':'h','status':'consumed'}", "s", &auth, 1);
  expect_consume("{'session_id':'s','ticket_id':' ','content_hash':'h','status':'open'}", "s", &auth, 2);
  expect_consume("{'session_id':'s','ticket_id':' ','content_hash':'h','status':'open'}", "c", &auth, 1);
  expect_consume("{'session_id':'../s','ticket_id':'T','content_hash':'h','status':'open'}", "../s", &auth, 1);
  auth.verified = false;
  expect_consume(OPEN_RECORD, "c", &auth, 1);
  auth.verified = true;
  auth.deny_session_id = "x";
  expect_consume(OPEN_RECORD, "c", &auth, 1);
}

static void read_only_writes_nothing(void **state) {
  struct gate_box *box = *state;
  struct bt_error err = {0};
  box->env.readonly = true;
  assert_null(bt_txn_open(&box->env, true, &err));
  assert_int_equal(err.code, BT_READONLY);
  gate_box_marker(box, "s", "open", NULL, NULL);
  struct bt_txn *txn = NULL;
  struct bt_marker_healing healing = {.env = &box->env, .txn = &txn};
  struct bt_deny_healer healer = bt_marker_healer(&healing);
  const struct bt_deny_load_options options = {.mode = BT_DENY_HEAL, .healer = &healer};
  struct bt_deny_set set;
  assert_int_equal(bt_deny_load(box->ledger, &options, &set, NULL), BT_OK);
  assert_int_equal(bt_json_count(set.records), 1);
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
  bt_deny_set_dispose(&set);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {
      BOXED(ensure_writes_once), BOXED(ensure_never_touches_what_it_does_not_know), BOXED(ensure_sets_junk_aside),
      BOXED(ensure_refuses_links), BOXED(ensure_tells_why_it_could_not), BOXED(ensure_below_a_file),
      BOXED(a_sentinel_that_cannot_be_written), BOXED(quarantine_that_is_a_file), BOXED(a_plan_changes_nothing),
      BOXED(rewrites_keep_what_they_do_not_know), BOXED(repair_refuses), BOXED(unchanged_is_lopsided), BOXED(reentry),
      cmocka_unit_test(consume), BOXED(read_only_writes_nothing)};
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
