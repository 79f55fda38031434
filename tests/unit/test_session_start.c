/* tests/unit/test_session_start.c - what a new session is told, and when it is told nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/digest.h"
#include "core/hook/answer.h"
#include "core/hook/session_start.h"
#include "tests/support/gate_box.h"

static struct bt_str told;

static const char *tell(struct gate_box *box, const char *session, bool supervised) {
  bt_str_dispose(&told);
  bt_str_init(&told, BT_START_TEXT_MAX);
  assert_int_equal(bt_session_start_text(&box->env, session, supervised, &told, NULL), BT_OK);
  return told.data;
}

static int teardown(void **state) {
  bt_str_dispose(&told);
  return gate_box_teardown(state);
}

static void nothing_to_say(void **state) {
  struct gate_box *box = *state;
  assert_string_equal(tell(box, "s2", false), "");
  gate_box_marker(box, "s1", "consumed", "T-1", "h");
  assert_string_equal(tell(box, "s2", false), "");
}

static void a_brief_that_verifies(void **state) {
  struct gate_box *box = *state;
  char hash[BT_SHA256_HEX];
  bt_sha256_hex("the brief\n", 10, hash);
  gate_box_text(box, ".adlc/handoffs/content/s1.md", "the brief\n");
  gate_box_auth(box, "s2", "s1", "T-1", hash);
  box->env.key = NULL; /* keyless */
  const char *text = tell(box, "s2", false);
  assert_non_null(strstr(text, "the brief\n"));
  assert_non_null(strstr(text, "possibly be a continuation of session s1"));
  assert_non_null(strstr(text, "NOT VERIFIED"));
  assert_string_equal(tell(box, "s2", true), ""); /* its supervisor has told it */
  gate_box_text(box, ".adlc/handoffs/content/s1.md", "another brief\n");
  gate_box_marker(box, "open", "open", NULL, NULL);
  assert_string_equal(tell(box, "s2", false), ""); /* and no line instead of it */
  assert_true(strlen(tell(box, "s3", false)) > 0);
}

static void ids_that_no_prompt_may_hold(void **state) {
  struct gate_box *box = *state;
  char hash[BT_SHA256_HEX];
  bt_sha256_hex("b\n", 2, hash);
  gate_box_text(box, ".adlc/handoffs/content/s 1.md", "b\n");
  gate_box_auth(box, "s2", "s 1", "T-1", hash);
  assert_string_equal(tell(box, "s2", false), "");
  gate_box_auth(box, "s3", "../s1", "T-1", hash);
  assert_string_equal(tell(box, "s3", false), "");
}

static void the_newest_open_deny(void **state) {
  struct gate_box *box = *state;
#define MARKER(id, since) "{\"session_id\":\"" id "\",\"status\":\"open\",\"since\":" since "}"
  gate_box_text(box, ".adlc/handoffs/denies/a.json", MARKER("a", "\"not a time\""));
  assert_non_null(strstr(tell(box, "", false), "--deny-session a --write"));
  gate_box_text(box, ".adlc/handoffs/denies/b.json", MARKER("b", "\"2026-01-01T00:00:00.000Z\""));
  gate_box_text(box, ".adlc/handoffs/denies/c.json", MARKER("c", "\"2026-01-02T00:00:00.000Z\""));
  gate_box_text(box, ".adlc/handoffs/denies/d.json", MARKER("d", "\"2026-01-02T00:00:00.000Z\""));
  assert_non_null(
      strstr(tell(box, "s", false), "ADLC_MANIFEST_KEY=\xE2\x80\xA6 adlc handoff continue --deny-session c --write"));
  gate_box_text(box, ".adlc/handoffs/denies/z z.json", MARKER("z z", "\"2026-02-02T00:00:00.000Z\""));
  const char *text = tell(box, "s", false);
  assert_null(strstr(text, "z z"));
  assert_non_null(strstr(text, "handoffs/denies"));
}

static void documents(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 4096);
  bt_answer_session_start(&out, "a \"b\"\n\x1b");
  assert_string_equal(out.data, "{\"hookSpecificOutput\":{\"hookEventName\":\"SessionStart\",\"additionalContext\":"
                                "\"a \\\"b\\\"\\n\\u001b\"}}\n");
  bt_str_clear(&out);
  bt_answer_deny(&out, "no");
  assert_string_equal(out.data,
                      "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\","
                      "\"permissionDecisionReason\":\"no\"}}\n");
  bt_str_dispose(&out);
}

static void reasons(void **state) {
  (void)state;
  struct bt_str out;
  const char *codes[64];
  char longest[4000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  for (size_t i = 0; i < 64; i++)
    codes[i] = i == 0 ? "D3:unauthorized_open:\x1b[2J" : longest;
  struct bt_denial denial = {
      .kind = BT_DENIAL_HANDOFF, .reasons = codes, .count = 64, .program = "/opt/baton", .session_id = "s1"};
  bt_str_init(&out, BT_ANSWER_MAX);
  bt_answer_reason(&out, &denial);
  assert_null(strchr(out.data, '\x1b'));
  assert_non_null(strstr(out.data, "and 24 more"));
  assert_true(out.length < 65536 / 2); /* both documents must fit into a pipe */
  assert_non_null(strstr(out.data, "/opt/baton bypass --session s1 --write"));
  assert_non_null(strstr(out.data, "dead ends"));
  bt_str_clear(&out);
  denial = (struct bt_denial){.kind = BT_DENIAL_TARGET, .reasons = codes, .count = 1, .session_id = ""};
  bt_answer_reason(&out, &denial);
  assert_null(strstr(out.data, "handoff is active"));
  assert_non_null(
      strstr(out.data, "Where you cannot, work in this session is over. Your final message must be a summary"));
  bt_str_dispose(&out);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, gate_box_setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(nothing_to_say),       CASE(a_brief_that_verifies), CASE(ids_that_no_prompt_may_hold),
      CASE(the_newest_open_deny), cmocka_unit_test(documents), cmocka_unit_test(reasons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
