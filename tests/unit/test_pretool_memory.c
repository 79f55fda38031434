/* tests/unit/test_pretool_memory.c - every allocation of the pipeline fails once: a denial is never lost by it.
 *
 * malloc and its kin of our own code are replaced (test_pretool_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hook/pretool.h"
#include "core/hook/why.h"
#include "core/store/load.h"
#include "tests/support/gate_box.h"
#include "tests/support/failing_memory.h"

static const char *const edits[] = {".adlc/handoffs/denies/x.json"};

/* Fails the first, second, ... allocation until none does; `must_deny` tells what the right answer is. */
static void fail_each(const struct gate_box *box, const struct bt_pretool_input *input, bool must_deny) {
  long rounds = 0;
  bool failed;
  do {
    struct bt_pretool_decision decision;
    failing_memory_after(rounds++);
    enum bt_code code = bt_pretool_evaluate(&box->env, input, &decision, NULL);
    failed = failing_memory_end();
    if (code != BT_OK)
      assert_true(failed);
    if (must_deny || code != BT_OK)
      assert_true(decision.deny);
    bt_pretool_dispose(&decision);
  } while (failed && rounds < 20000);
  assert_true(rounds > 5 && rounds < 20000);
}

static struct bt_pretool_input asks(const char *session) {
  return (struct bt_pretool_input){.session_id = session, .key = {.bytes = GATE_KEY, .length = sizeof GATE_KEY - 1}};
}

static void a_foreign_deny(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_marker(box, "p", "open", NULL, NULL);
  gate_box_auth(box, "s", "o", "T", "h");
  struct bt_pretool_input input = asks("s");
  input.simulate = true;
  fail_each(box, &input, true);
  input.simulate = false;
  input.is_bash = true;
  input.bash_command = "adlc handoff write; cat a/b .adlc/x";
  fail_each(box, &input, true);
}

static void only_the_sentinel_remembers(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/.deny-store", "{\"sessions\":[\"s\",\"gone\"]}");
  struct bt_pretool_input input = asks("s");
  input.simulate = true;
  fail_each(box, &input, true);
  gate_box_marker(box, "o", "consumed", "T", "h");
  fail_each(box, &input, true);
}

static void a_protected_path(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.edit_paths = edits;
  input.edit_path_count = 1;
  fail_each(box, &input, true);
}

static void band_pressure(void **state) {
  const struct gate_box *box = *state;
  struct bt_pretool_input input = asks("s");
  input.observed.depth = bt_signal_number(40);
  fail_each(box, &input, true);
}

static void an_allowed_call_may_be_denied_but_says_so(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "o", "consumed", "T", "h");
  struct bt_pretool_input input = asks("s");
  fail_each(box, &input, false);
}

static void the_explanation(void **state) {
  const struct gate_box *box = *state;
  struct bt_snapshot *snapshot = NULL;
  gate_box_marker(box, "o", "open", "T", "h");
  gate_box_text(box, ".adlc/handoffs/denies/bad.json", "{");
  assert_int_equal(bt_store_load(&box->env, 0, NULL, &snapshot, NULL), BT_OK);
  const struct bt_why_request request = {.session = "s", .paths = edits, .path_count = 1, .bash = "ls .adlc"};
  long rounds = 0;
  bool failed;
  do {
    struct bt_why *why = NULL;
    failing_memory_after(rounds++);
    enum bt_code code = bt_why_explain(&box->env, snapshot, &request, &why, NULL);
    failed = failing_memory_end();
    assert_int_equal(code != BT_OK, why == NULL);
    if (code == BT_OK)
      assert_false(why->allowed);
    else
      assert_true(failed);
    bt_why_free(why);
  } while (failed && rounds < 20000);
  assert_true(rounds > 5 && rounds < 20000);
  bt_snapshot_free(snapshot);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {BOXED(a_foreign_deny),
                                     BOXED(only_the_sentinel_remembers),
                                     BOXED(a_protected_path),
                                     BOXED(band_pressure),
                                     BOXED(an_allowed_call_may_be_denied_but_says_so),
                                     BOXED(the_explanation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
