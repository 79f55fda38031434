/* tests/unit/test_delivery_words.c - every code that a delivery can end with says what it means, and what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/delivery/verdict.h"
#include "core/model/delivery_words.h"

static void every_verdict(void **state) {
  (void)state;
  for (int verdict = 0; verdict < BT_VERDICT_COUNT; verdict++) {
    const char *word = bt_verdict_word((enum bt_verdict)verdict);
    print_message("%s\n", word);
    assert_true(bt_delivery_verdict_means(word)[0] != '\0');
    assert_true(verdict == BT_VERDICT_USABLE || bt_delivery_what_next(word, NULL) != NULL);
  }
  assert_null(bt_delivery_what_next("usable", NULL)); /* its first line says the step */
  assert_string_equal(bt_delivery_verdict_means("closed-or-so"), "");
}

/* The codes of spec/delivery-handoff.md 2, 3.1, 6.1, 9, 10.4 and 15, with what follows a colon in some of them. */
static void every_code(void **state) {
  (void)state;
  static const char *const codes[] = {"store:unreadable",
                                      "limit:size",
                                      "limit:depth",
                                      "parse",
                                      "nul",
                                      "duplicate-key:a",
                                      "missing:branch",
                                      "type:$",
                                      "value:head_sha",
                                      "schema:unsupported",
                                      "inconsistent:open-without-pending",
                                      "inconsistent:pr-open-without-pr",
                                      "remote:none",
                                      "remote:ambiguous",
                                      "remote:unparseable",
                                      "repository:mismatch",
                                      "repository:case-differs",
                                      "directive:withdrawn",
                                      "directive:unconfirmed",
                                      "authorized-empty",
                                      "step:contradictory:merge",
                                      "step:out-of-scope:merge",
                                      "step:inexact-grant:merge",
                                      "step:not-authorized:merge",
                                      "pr:no-snapshot",
                                      "pr:unreadable",
                                      "pr:snapshot-old",
                                      "pr:wrong-number",
                                      "pr:unknown-state",
                                      "pr:contradictory",
                                      "pr:missing",
                                      "pr:closed",
                                      "pr:merged",
                                      "pr:merged-no-post-merge-verify",
                                      "head:object-format",
                                      "head:unknown",
                                      "head:unknown-live",
                                      "head:advanced",
                                      "head:rewound",
                                      "head:rewritten",
                                      "evidence:other-head",
                                      "branch:missing",
                                      "branch:change-dropped",
                                      "merge:extra-commits",
                                      "merge:unverifiable",
                                      "merge:conflicting-head",
                                      "merge:reverted",
                                      "store-mismatch",
                                      "pr-store-unchecked",
                                      "pr-unrecorded",
                                      "other-open-store",
                                      "multiple-blocks",
                                      "local-differs-from-pr",
                                      "pr-head-unknown",
                                      "base-unknown",
                                      "rollback-unchecked",
                                      "evidence-unbound:completed_steps[0]",
                                      "completed-not-pass:completed_steps[0]",
                                      "watcher-duplicate:w",
                                      "later-step-unauthorized:merge",
                                      "updated-in-future",
                                      "closed-with-faults",
                                      "repository-of-pr-differs"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    print_message("%s\n", codes[i]);
    assert_non_null(bt_delivery_code_means(codes[i]));
  }
  assert_null(bt_delivery_code_means("head:advanced-or-so"));
  assert_null(bt_delivery_code_means("written"));
}

static void every_refusal(void **state) {
  (void)state;
  static const char *const refusals[] = {
      "open-exists",       "corrupt-exists",  "reconcile-first",    "steps-remain", "evidence-unbound",
      "tracked",           "staged",          "not-excluded",       "unsafe-path",  "changed-meanwhile",
      "watcher-duplicate", "watcher-unknown", "publish-unconfirmed"};
  char code[64];
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    (void)snprintf(code, sizeof code, "refused:%s", refusals[i]);
    print_message("%s\n", code);
    assert_non_null(bt_delivery_code_means(code));
    assert_non_null(bt_delivery_what_next(code, NULL));
    assert_string_equal(bt_delivery_what_next(code, "pr:no-snapshot"), bt_delivery_what_next(code, NULL));
  }
}

static void the_reason_is_more_exact(void **state) {
  (void)state;
  assert_non_null(strstr(bt_delivery_what_next("ambiguous-live-state", "pr:no-snapshot"), "--gh"));
  assert_non_null(strstr(bt_delivery_what_next("ambiguous-live-state", "remote:ambiguous"), "--remote"));
  assert_string_equal(bt_delivery_what_next("stale:pr-closed", "pr:closed"),
                      bt_delivery_what_next("stale:pr-closed", NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_verdict), cmocka_unit_test(every_code),
                                     cmocka_unit_test(every_refusal), cmocka_unit_test(the_reason_is_more_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
