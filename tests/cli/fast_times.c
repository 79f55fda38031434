/* tests/cli/fast_times.c - the program with other times: a test of minutes takes seconds, and a busy machine fails none.
 *
 * BATON_TEST_TIMES holds poll, quiescence and grace of supervise, BATON_TEST_BUDGET the time a hook has, in milliseconds;
 * without them the times are the real ones. With BATON_TEST_TAMPER somebody writes to the brief between the continue step
 * and the look at it. */
#include <stdio.h>
#include <stdlib.h>

#include "core/hook/deadline.h"
#include "core/supervise/continue_step.h"
#include "core/supervise/machine.h"

struct bt_sup_config __real_bt_sup_defaults(void);
struct bt_sup_config __wrap_bt_sup_defaults(void);
struct bt_deadline *__real_bt_deadline_start(unsigned budget_ms, const struct bt_late_answer *answer,
                                             struct bt_error *err);
struct bt_deadline *__wrap_bt_deadline_start(unsigned budget_ms, const struct bt_late_answer *answer,
                                             struct bt_error *err);
enum bt_code __real_bt_sup_verify(const struct bt_env *env, const char *session, const char *content_hash,
                                  struct bt_error *err);
enum bt_code __wrap_bt_sup_verify(const struct bt_env *env, const char *session, const char *content_hash,
                                  struct bt_error *err);

struct bt_sup_config __wrap_bt_sup_defaults(void) {
  struct bt_sup_config config = __real_bt_sup_defaults();
  long poll, quiescence, grace;
  const char *times = getenv("BATON_TEST_TIMES");
  if (times != NULL && sscanf(times, "%ld %ld %ld", &poll, &quiescence, &grace) == 3)
    config = (struct bt_sup_config){.poll_ms = poll, .quiescence_ms = quiescence, .grace_ms = grace};
  return config;
}

struct bt_deadline *__wrap_bt_deadline_start(unsigned budget_ms, const struct bt_late_answer *answer,
                                             struct bt_error *err) {
  const char *budget = getenv("BATON_TEST_BUDGET");
  unsigned long given = budget != NULL ? strtoul(budget, NULL, 10) : 0;
  return __real_bt_deadline_start(given > 0 ? (unsigned)given : budget_ms, answer, err);
}

enum bt_code __wrap_bt_sup_verify(const struct bt_env *env, const char *session, const char *content_hash,
                                  struct bt_error *err) {
  char path[4096];
  snprintf(path, sizeof path, "%s/handoffs/content/%s.md", env->ledger_dir, session);
  FILE *brief = getenv("BATON_TEST_TAMPER") != NULL ? fopen(path, "a") : NULL;
  if (brief != NULL) {
    fputs("one more line\n", brief);
    fclose(brief);
  }
  return __real_bt_sup_verify(env, session, content_hash, err);
}
