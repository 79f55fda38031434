/* core/hook/deadline.c - one thread, one flag. */
#include "core/hook/deadline.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/steady.h"
#include "core/base/thread.h"

struct bt_deadline {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed, never;
  bool claimed;   /* by the work, or by the thread once the time is up */
  bool given_up;  /* the work waits for its end */
  int64_t end_ms; /* steady */
  const struct bt_late_answer *answer;
};

static void write_all(int fd, struct bt_slice text) {
  while (text.length > 0) {
    ssize_t written = write(fd, text.data, text.length);
    if (written < 0 && errno != EINTR)
      return;
    if (written > 0) {
      text.data += written;
      text.length -= (size_t)written;
    }
  }
}

/* The mutex is still held when the process ends: the work can claim nothing meanwhile. */
static void *watch(void *context) {
  struct bt_deadline *deadline = context;
  const struct timespec end = {.tv_sec = (time_t)(deadline->end_ms / 1000),
                               .tv_nsec = (long)(deadline->end_ms % 1000) * 1000000};
  int status = 0;
  pthread_mutex_lock(&deadline->mutex);
  while (!deadline->claimed && !deadline->given_up && status == 0)
    status = pthread_cond_timedwait(&deadline->changed, &deadline->mutex, &end);
  if (!deadline->claimed) {
    write_all(STDOUT_FILENO, deadline->answer->output);
    write_all(STDERR_FILENO, deadline->answer->complaint);
    _exit(deadline->answer->exit_status);
  }
  pthread_mutex_unlock(&deadline->mutex);
  return NULL;
}

/* An errno, with nothing to be destroyed, or 0. */
static int init_waiting(struct bt_deadline *deadline) {
  pthread_condattr_t attributes;
  int status = pthread_condattr_init(&attributes);
  if (status != 0)
    return status;
  status = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (status == 0)
    status = pthread_cond_init(&deadline->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
  if (status != 0)
    return status;
  status = pthread_cond_init(&deadline->never, NULL);
  if (status == 0) {
    status = pthread_mutex_init(&deadline->mutex, NULL);
    if (status == 0)
      return 0;
    (void)pthread_cond_destroy(&deadline->never);
  }
  (void)pthread_cond_destroy(&deadline->changed);
  return status;
}

static void dispose(struct bt_deadline *deadline) {
  (void)pthread_cond_destroy(&deadline->changed);
  (void)pthread_cond_destroy(&deadline->never);
  (void)pthread_mutex_destroy(&deadline->mutex);
  free(deadline);
}

struct bt_deadline *bt_deadline_start(unsigned budget_ms, const struct bt_late_answer *answer, struct bt_error *err) {
  struct bt_deadline *deadline = calloc(1, sizeof *deadline);
  if (deadline == NULL) {
    (void)bt_error_set(err, BT_NOMEM, "deadline", "out of memory");
    return NULL;
  }
  deadline->answer = answer;
  deadline->end_ms = bt_steady_ms() + budget_ms;
  int status = init_waiting(deadline);
  if (status == 0) {
    status = bt_thread_start(&deadline->thread, watch, deadline);
    if (status != 0)
      dispose(deadline);
  } else {
    free(deadline);
  }
  if (status != 0) {
    (void)bt_error_set_errno(err, status, "deadline", "the time cannot be watched");
    return NULL;
  }
  return deadline;
}

void bt_deadline_answer(struct bt_deadline *deadline, const struct bt_late_answer *answer) {
  if (deadline == NULL)
    return;
  pthread_mutex_lock(&deadline->mutex);
  deadline->answer = answer;
  pthread_mutex_unlock(&deadline->mutex);
}

static bool fits(const struct bt_deadline *deadline, unsigned needed_ms) {
  return bt_steady_ms() + needed_ms < deadline->end_ms;
}

/* What counts is the time, not whether the thread has woken. It is woken here, so that nobody waits for the rest. */
void bt_deadline_check(struct bt_deadline *deadline, unsigned needed_ms) {
  if (deadline == NULL)
    return;
  pthread_mutex_lock(&deadline->mutex);
  if (!fits(deadline, needed_ms)) {
    deadline->given_up = true;
    pthread_cond_signal(&deadline->changed);
    for (;;)
      (void)pthread_cond_wait(&deadline->never, &deadline->mutex); /* the thread needs the mutex to end the process */
  }
  pthread_mutex_unlock(&deadline->mutex);
}

void bt_deadline_claim(struct bt_deadline *deadline) {
  if (deadline == NULL)
    return;
  pthread_mutex_lock(&deadline->mutex);
  deadline->claimed = true;
  pthread_cond_signal(&deadline->changed);
  pthread_mutex_unlock(&deadline->mutex);
  (void)pthread_join(deadline->thread, NULL);
  dispose(deadline);
}
