/* tests/unit/test_load.c - the sample ledger as one snapshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/store/load.h"
#include "tests/support/fixture.h"

static void shows_every_state(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  assert_non_null(fixture);
  struct bt_snapshot *snapshot = fixture_load(fixture);
  for (size_t i = 0; i < snapshot->session_count; i++) {
    const struct bt_session *s = &snapshot->sessions[i];
    printf("%c %-10s %-14s %-8s %-6s %s\n", bt_state_glyph(s->state), bt_state_word(s->state), s->id_short,
           s->deny ? bt_deny_class_word(s->deny->class_) : "-", s->lock ? bt_lock_verdict_word(s->lock->verdict) : "-",
           s->capture ? bt_brief_word(s->capture->status) : "none");
    for (size_t k = 0; k < s->reason_count; k++)
      printf("      %-22s %s\n", s->reasons[k].code, s->reasons[k].text);
    printf("    > [%s] %s (%s)\n", bt_verb_word(s->next.verb), s->next.text, s->next.blocked_by ? s->next.blocked_by : "");
    for (size_t k = 0; k < s->other_count; k++)
      printf("    . [%s] %s (%s)\n", bt_verb_word(s->others[k].verb), s->others[k].text,
             s->others[k].blocked_by ? s->others[k].blocked_by : "");
  }
  for (size_t i = 0; i < snapshot->problem_count; i++)
    printf("problem %s: %s\n", snapshot->problems[i].subject, snapshot->problems[i].text);
  bt_snapshot_free(snapshot);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shows_every_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
