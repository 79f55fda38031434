/* tui/worker.c - the thread, its order and its mailbox. */
#include "tui/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/thread.h"
#include "tui/thread.h"

struct worker {
  const struct worker_kind *kind;
  void *context;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t asked;
  int news[2], end[2]; /* pipes: to the screen; to whom the job waits for */
  void *order, *result;
  bool working, ending;
};

/* The end of a job, with what came of it. NULL: nothing new. */
static void post(struct worker *worker, void *result) {
  pthread_mutex_lock(&worker->mutex);
  void *unseen = result ? worker->result : NULL;
  if (result)
    worker->result = result;
  worker->working = false;
  pthread_mutex_unlock(&worker->mutex);
  if (unseen)
    worker->kind->free_result(unseen);
  if (result)
    wake_poke(worker->news);
}

static void *work(void *context) {
  struct worker *worker = context;
  thread_step_back();
  pthread_mutex_lock(&worker->mutex);
  while (!worker->ending) {
    void *order = worker->order;
    if (!order) {
      pthread_cond_wait(&worker->asked, &worker->mutex);
      continue;
    }
    worker->order = NULL;
    worker->working = true;
    pthread_mutex_unlock(&worker->mutex);
    void *result = worker->kind->run(worker->context, order);
    worker->kind->free_order(order);
    post(worker, result);
    pthread_mutex_lock(&worker->mutex);
  }
  pthread_mutex_unlock(&worker->mutex);
  return NULL;
}

static void dispose(struct worker *worker) {
  if (worker->order)
    worker->kind->free_order(worker->order);
  if (worker->result)
    worker->kind->free_result(worker->result);
  wake_close(worker->news);
  wake_close(worker->end);
  thread_lock_dispose(&worker->mutex, &worker->asked);
  free(worker);
}

struct worker *worker_new(const struct worker_kind *kind, void *context, struct bt_error *err) {
  struct worker *worker = calloc(1, sizeof *worker);
  if (!worker) {
    (void)bt_error_set(err, BT_NOMEM, "worker", "out of memory");
    return NULL;
  }
  *worker = (struct worker){.kind = kind, .context = context, .news = {-1, -1}, .end = {-1, -1}};
  int failure = thread_lock_init(&worker->mutex, &worker->asked);
  if (failure != 0) {
    (void)bt_error_set_errno(err, failure, "worker", "no lock");
    free(worker);
    return NULL;
  }
  bool ok = wake_open(worker->news) && wake_open(worker->end);
  failure = ok ? bt_thread_start(&worker->thread, work, worker) : 0;
  if (ok && failure == 0)
    return worker;
  if (ok)
    (void)bt_error_set_errno(err, failure, "worker", "no thread");
  else
    (void)bt_error_set(err, BT_IO, "worker", "no pipe");
  dispose(worker);
  return NULL;
}

void worker_free(struct worker *worker) {
  if (!worker)
    return;
  pthread_mutex_lock(&worker->mutex);
  worker->ending = true;
  pthread_cond_signal(&worker->asked);
  pthread_mutex_unlock(&worker->mutex);
  close(worker->end[1]); /* who polls the other end sees it hang up */
  worker->end[1] = -1;
  pthread_join(worker->thread, NULL);
  dispose(worker);
}

const int *worker_give_up(const struct worker *worker) {
  return &worker->end[0];
}

void worker_ask(struct worker *worker, void *order) {
  pthread_mutex_lock(&worker->mutex);
  void *older = worker->order;
  if (older && worker->kind->merge)
    worker->kind->merge(order, older);
  worker->order = order;
  pthread_cond_signal(&worker->asked);
  pthread_mutex_unlock(&worker->mutex);
  if (older)
    worker->kind->free_order(older);
}

int worker_fd(const struct worker *worker) {
  return worker->news[0];
}

void *worker_take(struct worker *worker, bool *more) {
  wake_drain(worker->news);
  pthread_mutex_lock(&worker->mutex);
  void *result = worker->result;
  worker->result = NULL;
  if (more)
    *more = worker->order || worker->working;
  pthread_mutex_unlock(&worker->mutex);
  return result;
}
