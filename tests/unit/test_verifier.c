/* tests/unit/test_verifier.c - chains are checked on a thread, once for each state of the files. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/store/log_view.h"
#include "tests/support/fixture.h"
#include "tui/verifier.h"

#define CHAIN ".adlc/manifest.d/main-01K7A0Q5T8N4D2R6V9X3B1C7E5.jsonl"
enum { PATIENCE_MS = 10000, QUIET_MS = 200 };

/* The next answer; NULL: none came in that time. */
static struct bt_log_source *next(struct verifier *verifier, int patience_ms, struct bt_error *err) {
  struct bt_log_source *source = NULL;
  struct pollfd fd = {.fd = verifier_fd(verifier), .events = POLLIN};
  for (int tries = 0; tries < 10; tries++)
    if (poll(&fd, 1, patience_ms) == 1 && verifier_take(verifier, &source, err))
      return source;
    else if (patience_ms < PATIENCE_MS)
      return NULL;
  return NULL;
}

static void test_a_check_comes_once_for_each_state(void **state) {
  struct bt_error err = {0};
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct verifier *verifier = verifier_new(&fixture->env, &err);
  (void)state;
  assert_non_null(verifier);
  verifier_ask(verifier);
  struct bt_log_source *source = next(verifier, PATIENCE_MS, &err);
  assert_non_null(source);
  assert_true(bt_log_source_is_current(&fixture->env, source));
  bt_log_source_free(source);
  verifier_ask(verifier);
  assert_null(next(verifier, QUIET_MS, &err)); /* nothing has changed */
  fixture_append(fixture, CHAIN, "{\"seq\":13,\"gate\":\"x\"}\n");
  verifier_ask(verifier);
  source = next(verifier, PATIENCE_MS, &err);
  assert_non_null(source);
  bt_log_source_free(source);
  verifier_free(verifier);
  fixture_free(fixture);
}

static void test_it_ends_whatever_was_asked(void **state) {
  struct bt_error err;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  (void)state;
  for (int i = 0; i < 20; i++) {
    struct verifier *verifier = verifier_new(&fixture->env, &err);
    assert_non_null(verifier);
    for (int j = 0; j < i % 4; j++)
      verifier_ask(verifier);
    verifier_free(verifier);
  }
  verifier_free(NULL);
  fixture_free(fixture);
}

static void test_what_cannot_be_read_is_told(void **state) {
  struct bt_error err = {0};
  struct bt_log_source *source;
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  struct verifier *verifier = verifier_new(&fixture->env, &err);
  struct pollfd fd = {.fd = verifier_fd(verifier), .events = POLLIN};
  (void)state;
  verifier_ask(verifier);
  assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
  assert_true(verifier_take(verifier, &source, &err));
  assert_null(source);
  assert_int_equal(err.code, BT_MISSING);
  verifier_free(verifier);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_check_comes_once_for_each_state),
      cmocka_unit_test(test_it_ends_whatever_was_asked),
      cmocka_unit_test(test_what_cannot_be_read_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
