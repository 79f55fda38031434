/* tests/unit/test_deliverer.c - what is asked about the deliveries while git is still at the question before. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/delivery/view.h"
#include "tests/support/beside.h"
#include "tui/deliverer.h"

enum { PATIENCE_MS = 10000 };

/* Every evaluation ends when it is let go. */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  unsigned begun, let_go, forges;
  bool refused, can_be_given_up;
} git = {.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

enum bt_code __wrap_bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                          struct bt_error *err);
enum bt_code __wrap_bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                          struct bt_error *err) {
  pthread_mutex_lock(&git.mutex);
  unsigned mine = ++git.begun;
  git.forges += ask_forge;
  git.can_be_given_up = env->give_up != NULL;
  pthread_cond_broadcast(&git.moved);
  while (git.let_go < mine)
    pthread_cond_wait(&git.moved, &git.mutex);
  bool refused = git.refused;
  pthread_mutex_unlock(&git.mutex);
  *view = refused ? NULL : beside_deliveries(1772362800000, ask_forge);
  return refused ? bt_error_set(err, BT_STATE, "git", "no repository") : BT_OK;
}

static void let_go(unsigned evaluations) {
  pthread_mutex_lock(&git.mutex);
  git.let_go = evaluations;
  pthread_cond_broadcast(&git.moved);
  pthread_mutex_unlock(&git.mutex);
}

static void until_begun(unsigned evaluations) {
  pthread_mutex_lock(&git.mutex);
  while (git.begun < evaluations)
    pthread_cond_wait(&git.moved, &git.mutex);
  pthread_mutex_unlock(&git.mutex);
}

static struct deliverer *fresh(void) {
  static const struct bt_env env = {.root = "/nowhere"};
  git.begun = git.let_go = git.forges = 0;
  git.refused = false;
  struct deliverer *deliverer = deliverer_new(&env, NULL);
  assert_non_null(deliverer);
  return deliverer;
}

/* The next answer; NULL: `err` says why. */
static struct bt_delivery_view *next(struct deliverer *deliverer, bool *more, struct bt_error *err) {
  struct bt_delivery_view *view = NULL;
  struct pollfd news = {.fd = deliverer_fd(deliverer), .events = POLLIN};
  assert_int_equal(poll(&news, 1, PATIENCE_MS), 1);
  assert_true(deliverer_take(deliverer, &view, more, err));
  return view;
}

static void a_question_to_the_forge_outlives_a_look_behind_it(void **state) {
  struct deliverer *deliverer = fresh();
  struct bt_error err = {0};
  bool more;
  (void)state;
  assert_true(deliverer_ask(deliverer, false));
  until_begun(1);
  assert_true(deliverer_ask(deliverer, true));
  assert_true(deliverer_ask(deliverer, false));
  let_go(1);
  struct bt_delivery_view *view = next(deliverer, &more, &err);
  assert_non_null(view);
  assert_false(view->forge_asked);
  assert_true(more);
  bt_delivery_view_free(view);
  let_go(2);
  view = next(deliverer, &more, &err);
  assert_non_null(view);
  assert_true(view->forge_asked);
  assert_false(more);
  bt_delivery_view_free(view);
  assert_int_equal(git.begun, 2); /* the two that waited were one */
  assert_int_equal(git.forges, 1);
  assert_true(git.can_be_given_up);
  deliverer_free(deliverer);
}

static void what_cannot_be_found_out_is_told(void **state) {
  struct deliverer *deliverer = fresh();
  struct bt_error err = {0};
  bool more;
  (void)state;
  git.refused = true;
  let_go(1);
  assert_true(deliverer_ask(deliverer, true));
  assert_null(next(deliverer, &more, &err));
  assert_int_equal(err.code, BT_STATE);
  assert_false(more);
  deliverer_free(deliverer);
}

static void it_ends_with_what_nobody_has_taken(void **state) {
  (void)state;
  for (unsigned asked = 0; asked < 4; asked++) {
    struct deliverer *deliverer = fresh();
    let_go(UINT32_MAX);
    for (unsigned i = 0; i < asked; i++)
      assert_true(deliverer_ask(deliverer, i % 2 == 0));
    deliverer_free(deliverer);
  }
  deliverer_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_question_to_the_forge_outlives_a_look_behind_it),
      cmocka_unit_test(what_cannot_be_found_out_is_told),
      cmocka_unit_test(it_ends_with_what_nobody_has_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
