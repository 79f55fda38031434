/* tests/unit/test_librarian.c - plans and executions on the thread: what is asked gets there, and only the newest comes back. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "tui/act.h"
#include "tui/librarian.h"

enum { PATIENCE_MS = 10000 };

/* Every plan and execution ends when it is let go. What was asked for is kept as a line. */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  unsigned begun, let_go;
  char asked[256];
} core = {.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static void wait_for_leave(void) {
  pthread_mutex_lock(&core.mutex);
  unsigned mine = ++core.begun;
  pthread_cond_broadcast(&core.moved);
  while (core.let_go < mine)
    pthread_cond_wait(&core.moved, &core.mutex);
  pthread_mutex_unlock(&core.mutex);
}

enum bt_code __wrap_act_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                             struct bt_error *err);
enum bt_code __wrap_act_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                             struct bt_error *err) {
  (void)env;
  wait_for_leave();
  (void)snprintf(core.asked, sizeof core.asked, "%s|%s|%s|%s|%d|%s", request->tree ? request->tree : "-",
                 request->detail ? request->detail : "-", request->pr_state ? request->pr_state : "-",
                 request->transcript ? request->transcript : "-", request->resumable,
                 request->pr_taken_ms == 7 ? "7" : "-");
  if (request->tree && strcmp(request->tree, "/refused") == 0)
    return bt_error_set(err, BT_STATE, "delivery", "nothing is to be written");
  struct bt_arena *arena = bt_arena_new(1 << 16);
  *plan = arena ? BT_ARENA_NEW(arena, struct bt_plan) : NULL;
  if (!*plan)
    return BT_NOMEM;
  (*plan)->arena = arena;
  (*plan)->request.verb = request->verb;
  (*plan)->title = bt_arena_strdup(arena, request->tree ? request->tree : "record");
  return BT_OK;
}

enum bt_code __wrap_act_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                                struct bt_error *err);
enum bt_code __wrap_act_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                                struct bt_error *err) {
  (void)env;
  (void)receipt;
  wait_for_leave();
  return bt_error_set(err, BT_STALE, plan->title, "changed");
}

static void let_go(unsigned jobs) {
  pthread_mutex_lock(&core.mutex);
  core.let_go = jobs;
  pthread_cond_broadcast(&core.moved);
  pthread_mutex_unlock(&core.mutex);
}

static void until_begun(unsigned jobs) {
  pthread_mutex_lock(&core.mutex);
  while (core.begun < jobs)
    pthread_cond_wait(&core.moved, &core.mutex);
  pthread_mutex_unlock(&core.mutex);
}

static struct librarian *fresh(void) {
  static const struct bt_env env = {.root = "/nowhere"};
  core.begun = core.let_go = 0;
  struct librarian *librarian = librarian_new(&env, NULL);
  assert_non_null(librarian);
  return librarian;
}

static struct librarian_answer next(struct librarian *librarian) {
  struct pollfd news = {.fd = librarian_fd(librarian), .events = POLLIN};
  assert_int_equal(poll(&news, 1, PATIENCE_MS), 1);
  return librarian_take(librarian);
}

static void everything_that_is_asked_gets_there(void **state) {
  struct librarian *librarian = fresh();
  char tree[] = "/w/a", detail[] = "the grant ends", forge[] = "{}";
  const struct bt_request request = {
      .verb = BT_VERB_STOP, .tree = tree, .detail = detail, .pr_state = forge, .pr_taken_ms = 7, .resumable = true};
  (void)state;
  assert_true(librarian_plan(librarian, &request));
  memset(tree, 'x', sizeof tree - 1); /* the dialog's own texts may go */
  memset(detail, 'x', sizeof detail - 1);
  memset(forge, 'x', sizeof forge - 1);
  let_go(1);
  struct librarian_answer answer = next(librarian);
  assert_int_equal(answer.kind, LIBRARIAN_PLANNED);
  assert_int_equal(answer.verb, BT_VERB_STOP);
  assert_string_equal(core.asked, "/w/a|the grant ends|{}|-|1|7");
  bt_plan_free(answer.plan);
  (void)librarian_free(librarian);
}

static void only_the_newest_plan_comes_back(void **state) {
  struct librarian *librarian = fresh();
  const struct bt_request first = {.verb = BT_VERB_STOP, .tree = "/first"},
                          second = {.verb = BT_VERB_RECONCILE, .tree = "/second"};
  (void)state;
  assert_true(librarian_plan(librarian, &first));
  until_begun(1);
  assert_true(librarian_plan(librarian, &second));
  let_go(2);
  struct librarian_answer answer = next(librarian);
  assert_int_equal(answer.kind, LIBRARIAN_PLANNED);
  assert_int_equal(answer.verb, BT_VERB_RECONCILE);
  assert_string_equal(answer.plan->title, "/second");
  bt_plan_free(answer.plan);
  assert_int_equal(librarian_take(librarian).kind, LIBRARIAN_NOTHING);
  (void)librarian_free(librarian);
}

static void a_refusal_says_what_was_asked(void **state) {
  struct librarian *librarian = fresh();
  const struct bt_request request = {.verb = BT_VERB_RECONCILE, .tree = "/refused"};
  (void)state;
  let_go(1);
  assert_true(librarian_plan(librarian, &request));
  struct librarian_answer answer = next(librarian);
  assert_int_equal(answer.verb, BT_VERB_RECONCILE);
  assert_null(answer.plan);
  assert_int_equal(answer.error.code, BT_STATE);
  (void)librarian_free(librarian);
}

static void what_is_carried_out_drops_the_plan_behind_it(void **state) {
  struct librarian *librarian = fresh();
  const struct bt_request request = {.verb = BT_VERB_STOP, .tree = "/w/a"};
  const struct bt_plan plan = {.request = request, .title = "/w/a"};
  (void)state;
  assert_true(librarian_plan(librarian, &request));
  until_begun(1);
  librarian_execute(librarian, &plan);
  let_go(2);
  struct librarian_answer answer = next(librarian);
  assert_int_equal(answer.kind, LIBRARIAN_DONE);
  assert_null(answer.receipt);
  assert_int_equal(answer.error.code, BT_STALE);
  assert_int_equal(librarian_take(librarian).kind, LIBRARIAN_NOTHING);
  assert_false(librarian_free(librarian)); /* no build was stopped */
}

static void it_ends_with_what_nobody_has_taken(void **state) {
  struct librarian *librarian = fresh();
  const struct bt_request request = {.verb = BT_VERB_RECORD, .transcript = "/t", .session = "s", .harness = "h"};
  (void)state;
  let_go(UINT32_MAX);
  assert_true(librarian_plan(librarian, &request));
  until_begun(1);
  assert_false(librarian_free(librarian));
  assert_false(librarian_free(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_that_is_asked_gets_there),
      cmocka_unit_test(only_the_newest_plan_comes_back),
      cmocka_unit_test(a_refusal_says_what_was_asked),
      cmocka_unit_test(what_is_carried_out_drops_the_plan_behind_it),
      cmocka_unit_test(it_ends_with_what_nobody_has_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
