/* tests/unit/test_git_run.c - the child that is asked: what it gets to see, and how long it may take. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/store/git_run.h"
#include "tests/support/fixture.h"

static const char *const question[] = {"rev-parse", "--abbrev-ref", "HEAD", NULL};

/* Runs a script in the place of git; everything the real PATH holds stays within its reach. */
static struct bt_git_result run_script(const char *script, bool own_repository, struct bt_str *output) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  char path[700], search[4096];
  const char *old = getenv("PATH");
  char *kept = strdup(old != NULL ? old : "/usr/bin:/bin");
  assert_non_null(kept);
  (void)snprintf(search, sizeof search, "%s/bin:%.3000s", fixture->root, kept);
  fixture_write(fixture, "bin/git", script);
  (void)snprintf(path, sizeof path, "%s/bin/git", fixture->root);
  assert_int_equal(chmod(path, 0755), 0);
  assert_int_equal(setenv("PATH", search, 1), 0);
  struct bt_git_result result;
  assert_int_equal(bt_git_run(fixture->root, question, own_repository, output, &result, NULL), BT_OK);
  assert_int_equal(setenv("PATH", kept, 1), 0);
  free(kept);
  fixture_free(fixture);
  return result;
}

static void arguments_arrive_one_by_one(void **state) {
  (void)state;
  struct bt_str output;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  struct bt_git_result result =
      run_script("#!/bin/sh\nshift 2\nprintf '[%s]' \"$@\"\ncat\necho noise >&2\nexit 3\n", false, &output);
  assert_int_equal(result.end, BT_GIT_EXITED);
  assert_int_equal(result.exit_status, 3);
  assert_string_equal(output.data, "[-c][core.fsmonitor=false][rev-parse][--abbrev-ref][HEAD]");
  bt_str_dispose(&output);
}

static void the_key_stays_here(void **state) {
  (void)state;
  struct bt_str output;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  assert_int_equal(setenv("ADLC_MANIFEST_KEY", "very secret", 1), 0);
  assert_int_equal(setenv("ADLC_ADMIN_KEY", "very secret", 1), 0);
  assert_int_equal(setenv("GIT_DIR", "elsewhere", 1), 0);
  assert_int_equal(setenv("BATON_TEST_VARIABLE", "inherited", 1), 0);
  (void)run_script("#!/bin/sh\nenv\n", false, &output);
  assert_null(strstr(output.data, "secret"));
  assert_non_null(strstr(output.data, "BATON_TEST_VARIABLE=inherited\n"));
  assert_non_null(strstr(output.data, "GIT_DIR=elsewhere\n"));
  assert_non_null(strstr(output.data, "GIT_OPTIONAL_LOCKS=0\n"));
  bt_str_clear(&output);
  (void)run_script("#!/bin/sh\nenv\n", true, &output);
  assert_null(strstr(output.data, "GIT_DIR="));
  assert_int_equal(unsetenv("ADLC_MANIFEST_KEY") | unsetenv("ADLC_ADMIN_KEY") | unsetenv("GIT_DIR"), 0);
  bt_str_dispose(&output);
}

static void too_much_output_is_a_failure(void **state) {
  (void)state;
  struct bt_str output;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  struct bt_git_result result =
      run_script("#!/bin/sh\nwhile :; do echo 0123456789012345678901234567890123456789; done\n", false, &output);
  assert_int_equal(result.end, BT_GIT_TOO_MUCH);
  bt_str_dispose(&output);
}

static void a_killed_child_gave_no_answer(void **state) {
  (void)state;
  struct bt_git_result result = run_script("#!/bin/sh\nkill -9 $$\n", false, NULL);
  assert_int_equal(result.end, BT_GIT_BROKEN);
}

static void ten_seconds_are_enough(void **state) {
  (void)state;
  struct timespec begin, end;
  assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &begin), 0);
  struct bt_git_result result = run_script("#!/bin/sh\nexec sleep 60\n", false, NULL);
  assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &end), 0);
  assert_int_equal(result.end, BT_GIT_TIMED_OUT);
  assert_in_range((uintmax_t)(end.tv_sec - begin.tv_sec), BT_GIT_TIMEOUT_MS / 1000 - 1, 40);
}

static void no_git_at_all(void **state) {
  (void)state;
  struct bt_git_result result;
  char *kept = strdup(getenv("PATH") != NULL ? getenv("PATH") : "");
  assert_non_null(kept);
  assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
  assert_int_equal(bt_git_run("/", question, false, NULL, &result, NULL), BT_OK);
  assert_int_equal(setenv("PATH", kept, 1), 0);
  assert_int_equal(result.end, BT_GIT_ABSENT);
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments_arrive_one_by_one),  cmocka_unit_test(the_key_stays_here),
      cmocka_unit_test(too_much_output_is_a_failure), cmocka_unit_test(a_killed_child_gave_no_answer),
      cmocka_unit_test(ten_seconds_are_enough),       cmocka_unit_test(no_git_at_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
