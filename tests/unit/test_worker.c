/* tests/unit/test_worker.c - one job at a time on a thread: what is asked meanwhile, and what comes of it. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tui/worker.h"

enum { PATIENCE_MS = 10000 };

/* A job is a number; it ends when it is let go, with that number as its result. */
struct shop {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  unsigned begun, let_go, freed;
  const int *give_up;
  struct worker *worker;
};

static void *run(void *context, void *order) {
  struct shop *shop = context;
  const int *number = order;
  pthread_mutex_lock(&shop->mutex);
  unsigned mine = ++shop->begun;
  pthread_cond_broadcast(&shop->moved);
  while (shop->let_go < mine)
    pthread_cond_wait(&shop->moved, &shop->mutex);
  pthread_mutex_unlock(&shop->mutex);
  if (*number < 0)
    return NULL;
  int *result = malloc(sizeof *result);
  if (result)
    *result = *number;
  return result;
}

static void take_over(void *order, const void *older) {
  *(int *)order += *(const int *)older;
}

static const struct worker_kind merging = {run, take_over, free, free}, replacing = {run, NULL, free, free};

static void open_shop(struct shop *shop, const struct worker_kind *kind) {
  *shop = (struct shop){.begun = 0};
  pthread_mutex_init(&shop->mutex, NULL);
  pthread_cond_init(&shop->moved, NULL);
  shop->worker = worker_new(kind, shop, NULL);
  assert_non_null(shop->worker);
}

static void let_go(struct shop *shop, unsigned jobs) {
  pthread_mutex_lock(&shop->mutex);
  shop->let_go = jobs;
  pthread_cond_broadcast(&shop->moved);
  pthread_mutex_unlock(&shop->mutex);
}

static void close_shop(struct shop *shop) {
  let_go(shop, UINT32_MAX);
  worker_free(shop->worker);
  pthread_cond_destroy(&shop->moved);
  pthread_mutex_destroy(&shop->mutex);
}

static void until_begun(struct shop *shop, unsigned jobs) {
  pthread_mutex_lock(&shop->mutex);
  while (shop->begun < jobs)
    pthread_cond_wait(&shop->moved, &shop->mutex);
  pthread_mutex_unlock(&shop->mutex);
}

static void ask(struct shop *shop, int number) {
  int *order = malloc(sizeof *order);
  assert_non_null(order);
  *order = number;
  worker_ask(shop->worker, order);
}

/* The next result; -1: none came. */
static int next(struct shop *shop, bool *more) {
  struct pollfd news = {.fd = worker_fd(shop->worker), .events = POLLIN};
  int number = -1;
  *more = false;
  if (poll(&news, 1, PATIENCE_MS) != 1)
    return number;
  int *result = worker_take(shop->worker, more);
  number = result ? *result : number;
  free(result);
  return number;
}

static void a_newer_order_takes_the_place_of_one_that_waits(void **state) {
  struct shop shop;
  bool more;
  (void)state;
  open_shop(&shop, &replacing);
  ask(&shop, 1);
  until_begun(&shop, 1);
  ask(&shop, 10);
  ask(&shop, 20);
  let_go(&shop, 1);
  assert_int_equal(next(&shop, &more), 1);
  assert_true(more); /* the screen goes on waiting */
  let_go(&shop, 2);
  assert_int_equal(next(&shop, &more), 20);
  assert_false(more);
  close_shop(&shop);
}

static void what_the_dropped_one_asked_for_is_not_lost(void **state) {
  struct shop shop;
  bool more;
  (void)state;
  open_shop(&shop, &merging);
  ask(&shop, 1);
  until_begun(&shop, 1);
  ask(&shop, 10);
  ask(&shop, 20);
  ask(&shop, 40);
  let_go(&shop, 1);
  assert_int_equal(next(&shop, &more), 1);
  let_go(&shop, 2);
  assert_int_equal(next(&shop, &more), 70);
  assert_false(more);
  close_shop(&shop);
}

static void a_job_without_news_wakes_nobody(void **state) {
  struct shop shop;
  bool more;
  (void)state;
  open_shop(&shop, &replacing);
  ask(&shop, -1);
  until_begun(&shop, 1);
  ask(&shop, 7);
  let_go(&shop, 1);
  until_begun(&shop, 2);
  assert_null(worker_take(shop.worker, &more));
  assert_true(more);
  let_go(&shop, 2);
  assert_int_equal(next(&shop, &more), 7);
  assert_null(worker_take(shop.worker, &more));
  assert_false(more);
  close_shop(&shop);
}

static void of_two_results_the_newest_is_kept(void **state) {
  struct shop shop;
  bool more;
  (void)state;
  open_shop(&shop, &replacing);
  let_go(&shop, 2);
  ask(&shop, 1);
  until_begun(&shop, 1);
  ask(&shop, 2);
  until_begun(&shop, 2);
  ask(&shop, 3);
  until_begun(&shop, 3); /* it stands there: the two before it are done */
  assert_int_equal(next(&shop, &more), 2);
  assert_true(more);
  close_shop(&shop);
}

static void it_tells_its_job_that_nobody_waits(void **state) {
  struct shop shop;
  (void)state;
  open_shop(&shop, &replacing);
  struct pollfd given_up = {.fd = *worker_give_up(shop.worker), .events = POLLIN};
  assert_int_equal(poll(&given_up, 1, 0), 0);
  close_shop(&shop);
  worker_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_newer_order_takes_the_place_of_one_that_waits),
      cmocka_unit_test(what_the_dropped_one_asked_for_is_not_lost),
      cmocka_unit_test(a_job_without_news_wakes_nobody),
      cmocka_unit_test(of_two_results_the_newest_is_kept),
      cmocka_unit_test(it_tells_its_job_that_nobody_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
