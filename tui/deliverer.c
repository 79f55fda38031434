/* tui/deliverer.c - one evaluation at a time. */
#include "tui/deliverer.h"

#include <stdlib.h>

#include "core/delivery/view.h"
#include "tui/worker.h"

struct deliverer {
  struct bt_env env; /* a copy that knows when nobody waits any more */
  struct worker *worker;
};

struct answer {
  struct bt_delivery_view *view;
  struct bt_error error;
};

static void free_answer(void *result) {
  struct answer *answer = result;
  bt_delivery_view_free(answer->view);
  free(answer);
}

static void *run(void *context, void *order) {
  struct deliverer *deliverer = context;
  const bool *ask_forge = order;
  struct answer *answer = calloc(1, sizeof *answer);
  if (answer && bt_delivery_view_load(&deliverer->env, *ask_forge, &answer->view, &answer->error) != BT_OK)
    answer->view = NULL;
  return answer;
}

/* Whoever asked for the forge gets its answer, whatever is asked for behind it. */
static void merge(void *order, const void *older) {
  bool *ask_forge = order;
  const bool *asked_before = older;
  *ask_forge = *ask_forge || *asked_before;
}

static const struct worker_kind kind = {run, merge, free, free_answer};

struct deliverer *deliverer_new(const struct bt_env *env, struct bt_error *err) {
  struct deliverer *deliverer = calloc(1, sizeof *deliverer);
  if (!deliverer) {
    (void)bt_error_set(err, BT_NOMEM, "deliveries", "out of memory");
    return NULL;
  }
  deliverer->env = *env;
  deliverer->worker = worker_new(&kind, deliverer, err);
  if (!deliverer->worker) {
    free(deliverer);
    return NULL;
  }
  deliverer->env.give_up = worker_give_up(deliverer->worker); /* before the first order: nothing runs yet */
  return deliverer;
}

void deliverer_free(struct deliverer *deliverer) {
  if (!deliverer)
    return;
  worker_free(deliverer->worker);
  free(deliverer);
}

bool deliverer_ask(struct deliverer *deliverer, bool ask_forge) {
  bool *order = malloc(sizeof *order);
  if (!order)
    return false;
  *order = ask_forge;
  worker_ask(deliverer->worker, order);
  return true;
}

int deliverer_fd(const struct deliverer *deliverer) {
  return worker_fd(deliverer->worker);
}

bool deliverer_take(struct deliverer *deliverer, struct bt_delivery_view **view, bool *more, struct bt_error *err) {
  struct answer *answer = worker_take(deliverer->worker, more);
  if (!answer)
    return false;
  *view = answer->view;
  *err = answer->error;
  free(answer);
  return true;
}
