/* tests/faults/test_steps.c - every call of every verb made to fail in turn: the ledger is as before or as after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/faults/inject.h"
#include "tests/faults/scenario.h"

static void expect_secret_kept(const struct stage *stage, const struct tree *now, const struct bt_error *err,
                               const char *what) {
  struct tree own;
  tree_take(&own, stage->fixture->home);
  if (tree_holds(now, FAULT_KEY) || tree_holds(&own, FAULT_KEY) || strstr(err->message, FAULT_KEY) != NULL)
    fail_msg("%s: the key is written down", what);
  tree_dispose(&own);
}

static void run_one(struct stage *stage, const struct scenario *scenario, enum inject_mode mode, enum inject_kind kind,
                    size_t nth) {
  char what[160];
  snprintf(what, sizeof what, "%s, %s %zu fails%s", scenario->name, inject_word(kind), nth,
           mode == INJECT_HALF_WRITE ? " half way" : "");
  stage_reset(stage);
  struct bt_error err = {0};
  struct tree now;
  inject_begin(mode, kind, nth);
  enum bt_code code = stage_run(stage, scenario, &err);
  inject_end();
  tree_take(&now, stage->fixture->root);
  if (code == BT_OK && kind == INJECT_OPEN) {
    expect_sound_state(stage, &now, what);
  } else if (code == BT_OK) {
    expect_new_state(stage, &now, false, what);
  } else {
    if (err.message[0] == '\0')
      fail_msg("%s: refused without a word", what);
    expect_old_state(stage, scenario, &now, false, what);
  }
  expect_evidence(stage, what);
  expect_secret_kept(stage, &now, &err, what);
  tree_dispose(&now);
}

static void run_scenario(const struct scenario *scenario, bool segmented) {
  struct stage stage;
  stage_open(&stage, scenario, segmented);
  struct bt_error err = {0};
  inject_begin(INJECT_COUNT, INJECT_WRITE, 0);
  assert_int_equal(stage_run(&stage, scenario, &err), BT_OK);
  inject_end();
  size_t counts[INJECT_KIND_COUNT];
  for (int kind = 0; kind < INJECT_KIND_COUNT; kind++)
    counts[kind] = inject_count((enum inject_kind)kind);
  for (int kind = 0; kind < INJECT_KIND_COUNT; kind++) {
    for (size_t nth = 1; nth <= counts[kind]; nth++)
      run_one(&stage, scenario, INJECT_FAIL_ONCE, (enum inject_kind)kind, nth);
  }
  for (size_t nth = 1; nth <= counts[INJECT_WRITE]; nth++)
    run_one(&stage, scenario, INJECT_HALF_WRITE, INJECT_WRITE, nth);
  stage_close(&stage);
}

static void test_plain(void **state) {
  run_scenario(*state, false);
}

static void test_segmented(void **state) {
  run_scenario(*state, true);
}

/* An argument picks scenarios by a pattern of their names. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[64];
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  size_t count = 0;
  for (size_t i = 0; i < scenario_count; i++) {
    void *scenario = (void *)(uintptr_t)&scenarios[i];
    tests[count++] = (struct CMUnitTest){scenarios[i].name, test_plain, NULL, NULL, scenario};
    tests[count++] = (struct CMUnitTest){scenarios[i].name, test_segmented, NULL, NULL, scenario};
  }
  return _cmocka_run_group_tests("faults", tests, count, NULL, NULL);
}
