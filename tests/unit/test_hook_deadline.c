/* tests/unit/test_hook_deadline.c - an answer in time, and no change begun once the time is up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/hook/deadline.h"

#define LONG_MS 600000u

static const struct bt_late_answer late = {.output = {"out\n", 4}, .complaint = {"err\n", 4}, .exit_status = 7};
static const struct bt_late_answer later = {.output = {"more\n", 5}, .exit_status = 8};

/* What a child that does `work` prints on standard output, and its exit status. */
static int run(void (*work)(void), char *printed, size_t size) {
  int ends[2], status = -1;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    (void)dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    close(STDERR_FILENO);
    work();
    _exit(99);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got;
  while ((got = read(ends[0], printed + length, size - 1 - length)) > 0)
    length += (size_t)got;
  printed[length] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void hang(void) {
  struct bt_deadline *deadline = bt_deadline_start(1, &late, NULL);
  bt_deadline_answer(deadline, &later);
  for (;;)
    (void)pause();
}

static void change_too_late(void) {
  bt_deadline_check(bt_deadline_start(0, &late, NULL), 0);
  (void)!write(STDOUT_FILENO, "changed\n", 8);
}

static void change_too_long(void) { /* and nobody waits for the time that is left */
  bt_deadline_check(bt_deadline_start(LONG_MS, &late, NULL), LONG_MS);
  (void)!write(STDOUT_FILENO, "changed\n", 8);
}

static void change_in_time(void) {
  struct bt_deadline *deadline = bt_deadline_start(LONG_MS, &late, NULL);
  bt_deadline_check(deadline, 1000);
  bt_deadline_check(deadline, 1000);
  (void)!write(STDOUT_FILENO, "changed\n", 8);
  bt_deadline_claim(deadline);
  _exit(0);
}

static void the_late_answer(void **state) {
  (void)state;
  char printed[64];
  int status = run(hang, printed, sizeof printed);
  if (status == 7) /* the time was up before there was another */
    assert_string_equal(printed, "out\n");
  else
    assert_string_equal(printed, "more\n");
  assert_true(status == 7 || status == 8);
}

static void no_change_is_begun_too_late(void **state) {
  (void)state;
  char printed[64];
  assert_int_equal(run(change_too_late, printed, sizeof printed), 7);
  assert_string_equal(printed, "out\n");
}

static void a_change_that_takes_longer_is_not_begun(void **state) {
  (void)state;
  char printed[64];
  assert_int_equal(run(change_too_long, printed, sizeof printed), 7);
  assert_string_equal(printed, "out\n");
}

static void a_change_in_time(void **state) {
  (void)state;
  char printed[64];
  assert_int_equal(run(change_in_time, printed, sizeof printed), 0);
  assert_string_equal(printed, "changed\n");
  bt_deadline_check(NULL, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_late_answer),
      cmocka_unit_test(no_change_is_begun_too_late),
      cmocka_unit_test(a_change_that_takes_longer_is_not_begun),
      cmocka_unit_test(a_change_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
