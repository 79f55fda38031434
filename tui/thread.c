/* tui/thread.c - threads that give way, and pipes that wake. */
#define _GNU_SOURCE /* pipe2 */
#include "tui/thread.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define NICE 10

int thread_lock_init(pthread_mutex_t *mutex, pthread_cond_t *asked) {
  int failure = pthread_mutex_init(mutex, NULL);
  if (failure == 0 && asked != NULL) {
    failure = pthread_cond_init(asked, NULL);
    if (failure != 0)
      pthread_mutex_destroy(mutex);
  }
  return failure;
}

void thread_lock_dispose(pthread_mutex_t *mutex, pthread_cond_t *asked) {
  if (asked != NULL)
    pthread_cond_destroy(asked);
  pthread_mutex_destroy(mutex);
}

void thread_step_back(void) {
  (void)setpriority(PRIO_PROCESS, 0, NICE);
}

bool wake_open(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0)
    return true;
  ends[0] = ends[1] = -1;
  return false;
}

void wake_close(const int ends[2]) {
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0)
      close(ends[i]);
}

void wake_poke(const int ends[2]) {
  ssize_t ignored = write(ends[1], "x", 1); /* a full pipe has woken the reader already */
  (void)ignored;
}

void wake_drain(const int ends[2]) {
  char drained[64];
  while (read(ends[0], drained, sizeof drained) > 0)
    continue;
}
