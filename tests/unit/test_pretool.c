/* tests/unit/test_pretool.c - the pipeline: what it answers, what it writes, and what it foresees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/hook/pretool.h"
#include "core/text/capture.h"
#include "tests/support/gate_box.h"

static const struct bt_key key = {.bytes = GATE_KEY, .length = sizeof GATE_KEY - 1};
#define GRANT ".adlc/handoffs/s.bypass-grant.json"

static void join(const struct bt_pretool_decision *decision, char *out, size_t size) {
  out[0] = '\0';
  for (size_t i = 0; i < decision->reasons.count; i++) {
    strncat(out, i ? " " : "", size - strlen(out) - 1);
    strncat(out, decision->reasons.items[i].code, size - strlen(out) - 1);
  }
}

/* Asks twice: first without touching anything, then for real. Both must say the same. */
static void expect(const struct gate_box *box, struct bt_pretool_input input, const char *reasons) {
  char foreseen[2048], real[2048];
  struct bt_pretool_decision decision;
  input.simulate = true;
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_OK);
  join(&decision, foreseen, sizeof foreseen);
  bt_pretool_dispose(&decision);
  input.simulate = false;
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_OK);
  join(&decision, real, sizeof real);
  assert_int_equal(decision.deny, decision.reasons.count > 0);
  bt_pretool_dispose(&decision);
  assert_string_equal(real, reasons);
  assert_string_equal(foreseen, reasons);
}

static struct bt_pretool_input asks(const char *session) {
  return (struct bt_pretool_input){.session_id = session, .key = key};
}

static void a_clean_folder(void **state) {
  const struct gate_box *box = *state;
  static const char *const edits[] = {"src/a.c"};
  struct bt_pretool_input input = asks("s");
  input.edit_paths = edits;
  input.edit_path_count = 1;
  expect(box, input, "");
  expect(box, asks(NULL), "");
  expect(box, asks(""), "");
  assert_int_equal(scratch_count(&box->scratch, ".adlc"), 0);
}

static void band_pressure_writes_the_marker(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.observed.depth = bt_signal_number(30);
  input.ticket_id = "T";
  expect(box, input, "D2:denier_session D3:unauthorized_open:s");
  assert_true(gate_box_exists(box, ".adlc/handoffs/denies/s.json"));
  scratch_expect_text(&box->scratch, ".adlc/.deny-store", "{\"schema\":1,\"sessions\":[\"s\"]}\n");
  input.session_id = NULL;
  expect(box, input, "D0:invalid_session_id");
}

struct asked {
  const struct gate_box *box;
  int times;
  bool there; /* what is about to be written, or to be spent */
};

static void note_marker(void *context) {
  struct asked *asked = context;
  asked->times++;
  asked->there = scratch_count(&asked->box->scratch, ".adlc") > 0;
}

static void note_grant(void *context) {
  struct asked *asked = context;
  asked->times++;
  asked->there = gate_box_exists(asked->box, GRANT);
}

static void it_asks_before_it_writes(void **state) {
  const struct gate_box *box = *state;
  struct asked marker = {.box = box}, grant = {.box = box};
  struct bt_pretool_input input = asks("s");
  input.before_write = (struct bt_before_write){note_marker, &marker};
  expect(box, input, "");
  assert_int_equal(marker.times, 0);
  input.observed.depth = bt_signal_number(30);
  expect(box, input, "D2:denier_session D3:unauthorized_open:s");
  assert_int_equal(marker.times, 1);
  assert_false(marker.there);
  expect(box, input, "D2:denier_session D3:unauthorized_open:s"); /* it is marked already */
  assert_int_equal(marker.times, 1);
  gate_box_grant(box, "s", "r", GATE_NOW_MS);
  input.before_write = (struct bt_before_write){note_grant, &grant};
  expect(box, input, "");
  assert_int_equal(grant.times, 1);
  assert_true(grant.there);
  assert_false(gate_box_exists(box, GRANT));
}

static void a_simulation_touches_nothing(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_grant(box, "s", NULL, GATE_NOW_MS);
  struct bt_pretool_input input = asks("s");
  struct bt_pretool_decision decision;
  input.observed.depth = bt_signal_number(40);
  input.simulate = true;
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_OK);
  assert_false(decision.deny);
  assert_int_equal(decision.grant_use, BT_GRANT_CLAIMED);
  assert_true(decision.ensure_fresh && decision.ensured_marker && decision.deny_ever_written);
  bt_pretool_dispose(&decision);
  assert_true(gate_box_exists(box, GRANT));
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
  assert_false(gate_box_exists(box, ".adlc/handoffs/denies/s.json"));
}

static void a_grant_is_spent_once(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_grant(box, "s", NULL, GATE_NOW_MS);
  expect(box, asks("s"), "");
  assert_false(gate_box_exists(box, GRANT));
  expect(box, asks("s"), "D3:unauthorized_open:o");
}

static void a_grant_is_spent_even_in_vain(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", NULL, NULL);
  gate_box_grant(box, "s", NULL, GATE_NOW_MS); /* bound: does not lift a foreign unbound record */
  expect(box, asks("s"), "D3:unauthorized_open:o");
  assert_false(gate_box_exists(box, GRANT));
}

static void a_reason_before_keeps_the_grant(void **state) {
  const struct gate_box *box = *state;
  static const char *const edits[] = {".adlc/handoffs"};
  gate_box_grant(box, "s", "r", GATE_NOW_MS);
  struct bt_pretool_input input = asks("s");
  input.edit_paths = edits;
  input.edit_path_count = 1;
  expect(box, input, "path_protected:.adlc/handoffs");
  input.edit_path_count = 0;
  input.scan_truncated = true;
  input.observed.depth = bt_signal_number(3);
  expect(box, input, "incomplete_scan_lower_bound");
  assert_true(gate_box_exists(box, GRANT));
}

static void scan_bounds(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.scan_truncated = true;
  expect(box, input, "");
  input.observed.depth = bt_signal_number(-0.0);
  expect(box, input, "incomplete_scan_lower_bound");
  input.observed.depth = bt_signal_number(29.9);
  expect(box, input, "incomplete_scan_lower_bound");
  input.is_bash = true;
  input.bash_command = "ls";
  expect(box, input, "incomplete_scan_lower_bound bash_fail_closed_under_deny");
}

static void the_hosts_verdict(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  struct bt_pretool_input input = asks("s");
  input.host_grant_given = true;
  gate_box_grant(box, "s", NULL, GATE_NOW_MS);
  expect(box, input, "D3:unauthorized_open:o"); /* none: the file is not read */
  struct bt_json *verdict = gate_json("{'session_id':'s','unbound_reason':null,'verified':true}");
  struct bt_json *other = gate_json("{'session_id':'x','unbound_reason':null,'verified':true}");
  struct bt_json *odd = gate_json("{'session_id':'s','unbound_reason':7,'verified':true}");
  input.host_grant = other;
  expect(box, input, "D3:unauthorized_open:o");
  input.host_grant = odd;
  expect(box, input, "D3:unauthorized_open:o");
  assert_true(gate_box_exists(box, GRANT));
  input.host_grant = verdict;
  input.key = (struct bt_key){0};
  expect(box, input, "");
  assert_false(gate_box_exists(box, GRANT));
  expect(box, input, "D3:unauthorized_open:o"); /* nothing left to claim */
  bt_json_free(verdict);
  bt_json_free(other);
  bt_json_free(odd);
}

static void authorizations(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_auth(box, "s", "o", "T", "h");
  expect(box, asks("s"), "");
  struct bt_pretool_input input = asks("s");
  input.key = (struct bt_key){0};
  expect(box, input, "D3:unauthorized_open:o resume_auth_unverifiable:no_manifest_key");
  input.key = (struct bt_key){.bytes = "other", .length = 5};
  expect(box, input, "D3:unauthorized_open:o resume_auth_unverified");
}

static void re_entry(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.deny_ever_written = true;
  gate_box_grant(box, "s", "r", GATE_NOW_MS);
  expect(box, input, "D1:marker_vanished D1:process_sticky");
  gate_box_marker(box, "s", "consumed", "T", "h");
  expect(box, input, "D1:consumed_deny_persists D2:denier_session");
  assert_true(gate_box_exists(box, GRANT));
}

static void shell_commands(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.is_bash = true;
  input.bash_command = "cat .adlc/tickets.json";
  expect(box, input, "path_protected_shell:.adlc");
  input.bash_command = NULL;
  expect(box, input, "");
  gate_box_marker(box, "o", "open", NULL, NULL);
  input.bash_command = "adlc handoff write --session s";
  expect(box, input, "D3:unauthorized_open:o bash_fail_closed_under_deny bash_handoff_mutating_cli");
}

static void captures_are_checked(void **state) {
  const struct gate_box *box = *state;
  char hash[BT_SHA256_HEX], text[512];
  assert_int_equal(bt_capture_hash("body\n", 5, hash, NULL), BT_OK);
  snprintf(
      text, sizeof text,
      "{\"session_id\":\"o\",\"status\":\"consumed\",\"ticket_id\":\"T\",\"content_hash\":\"%s\",\"content_kind\":\"capture\"}",
      hash);
  gate_box_text(box, ".adlc/handoffs/denies/o.json", text);
  expect(box, asks("s"), "capture_tamper:o:missing");
  gate_box_text(box, ".adlc/handoffs/content/o.md", "body  \r\n");
  expect(box, asks("s"), "");
  gate_box_text(box, ".adlc/handoffs/content/o.md", "bodi\n");
  expect(box, asks("s"), "capture_tamper:o:content_hash mismatch");
}

static void a_linked_capture(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies/o.json",
                "{\"session_id\":\"o\",\"status\":\"consumed\",\"content_hash\":\"h\",\"content_kind\":\"capture\"}");
  gate_box_text(box, "elsewhere.md", "body");
  gate_box_folder(box, ".adlc/handoffs/content");
  scratch_link(&box->scratch, ".adlc/handoffs/content/o.md", "../../../elsewhere.md");
  expect(box, asks("s"), "capture_tamper:o:ELOOP");
}

static void what_is_no_decision(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_decision decision;
  struct bt_pretool_input input = asks("up/../x");
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_UNSAFE);
  assert_true(decision.deny);
  bt_pretool_dispose(&decision);
  input = asks("s");
  input.is_bash = true;
  char *command = malloc(600001);
  assert_non_null(command);
  for (size_t i = 0; i < 600000; i++)
    command[i] = i % 2 ? '/' : 'a';
  command[600000] = '\0';
  input.bash_command = command;
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_TOO_LARGE);
  assert_true(decision.deny);
  bt_pretool_dispose(&decision);
  free(command);
}

static void read_only(void **state) {
  struct gate_box *box = *state;
  box->env.readonly = true;
  struct bt_pretool_input input = asks("s");
  struct bt_pretool_decision decision;
  input.observed.depth = bt_signal_number(40);
  assert_int_equal(bt_pretool_evaluate(&box->env, &input, &decision, NULL), BT_OK);
  char reasons[512];
  join(&decision, reasons, sizeof reasons);
  assert_string_equal(reasons, "ensure_deny_marker:write_failed:EROFS D1:process_sticky");
  bt_pretool_dispose(&decision);
  assert_int_equal(scratch_count(&box->scratch, ".adlc"), 0);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  /* clang-format off */
  const struct CMUnitTest tests[] = {
      BOXED(a_clean_folder), BOXED(band_pressure_writes_the_marker), BOXED(a_simulation_touches_nothing),
      BOXED(it_asks_before_it_writes),
      BOXED(a_grant_is_spent_once), BOXED(a_grant_is_spent_even_in_vain), BOXED(a_reason_before_keeps_the_grant),
      BOXED(scan_bounds), BOXED(the_hosts_verdict), BOXED(authorizations), BOXED(re_entry), BOXED(shell_commands),
      BOXED(captures_are_checked), BOXED(a_linked_capture), BOXED(what_is_no_decision), BOXED(read_only)};
  /* clang-format on */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
