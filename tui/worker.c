/* tui/worker.c - the thread, its order and its mailbox. */
#include "tui/worker.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define NICE 10

struct worker {
  const struct worker_kind *kind;
  void *context;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t asked;
  int news[2], end[2]; /* pipes: to the screen; to whom the job waits for */
  void *order, *result;
  bool ending;
};

static void post(struct worker *worker, void *result) {
  pthread_mutex_lock(&worker->mutex);
  void *unseen = worker->result;
  worker->result = result;
  pthread_mutex_unlock(&worker->mutex);
  if (unseen)
    worker->kind->free_result(unseen);
  ssize_t ignored = write(worker->news[1], "x", 1); /* a full pipe has woken the reader already */
  (void)ignored;
}

static void *work(void *context) {
  struct worker *worker = context;
  (void)setpriority(PRIO_PROCESS, 0, NICE); /* of this thread alone, on Linux; elsewhere it does no harm */
  pthread_mutex_lock(&worker->mutex);
  while (!worker->ending) {
    void *order = worker->order;
    if (!order) {
      pthread_cond_wait(&worker->asked, &worker->mutex);
      continue;
    }
    worker->order = NULL;
    pthread_mutex_unlock(&worker->mutex);
    void *result = worker->kind->run(worker->context, order);
    worker->kind->free_order(order);
    if (result)
      post(worker, result);
    pthread_mutex_lock(&worker->mutex);
  }
  pthread_mutex_unlock(&worker->mutex);
  return NULL;
}

/* Signals are the main thread's business. */
static int start(struct worker *worker) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failure = pthread_create(&worker->thread, NULL, work, worker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure;
}

static bool make_pipe(int fds[2]) {
  if (pipe(fds) != 0)
    return false;
  for (int i = 0; i < 2; i++) {
    fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    fcntl(fds[i], F_SETFL, O_NONBLOCK);
  }
  return true;
}

static void close_pipe(const int fds[2]) {
  for (int i = 0; i < 2; i++)
    if (fds[i] >= 0)
      close(fds[i]);
}

static void dispose(struct worker *worker) {
  if (worker->order)
    worker->kind->free_order(worker->order);
  if (worker->result)
    worker->kind->free_result(worker->result);
  close_pipe(worker->news);
  close_pipe(worker->end);
  pthread_cond_destroy(&worker->asked);
  pthread_mutex_destroy(&worker->mutex);
  free(worker);
}

struct worker *worker_new(const struct worker_kind *kind, void *context, struct bt_error *err) {
  struct worker *worker = calloc(1, sizeof *worker);
  if (!worker) {
    (void)bt_error_set(err, BT_NOMEM, "worker", "out of memory");
    return NULL;
  }
  *worker = (struct worker){.kind = kind, .context = context, .news = {-1, -1}, .end = {-1, -1}};
  pthread_mutex_init(&worker->mutex, NULL);
  pthread_cond_init(&worker->asked, NULL);
  bool ok = make_pipe(worker->news) && make_pipe(worker->end);
  int failure = ok ? start(worker) : 0;
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
  worker->order = order;
  pthread_cond_signal(&worker->asked);
  pthread_mutex_unlock(&worker->mutex);
  if (older)
    worker->kind->free_order(older);
}

int worker_fd(const struct worker *worker) {
  return worker->news[0];
}

void *worker_take(struct worker *worker) {
  char drained[64];
  while (read(worker->news[0], drained, sizeof drained) > 0)
    continue;
  pthread_mutex_lock(&worker->mutex);
  void *result = worker->result;
  worker->result = NULL;
  pthread_mutex_unlock(&worker->mutex);
  return result;
}
