/* core/base/thread.c - starts threads. */
#include "core/base/thread.h"

#include <signal.h>

int bt_thread_start(pthread_t *thread, void *(*run)(void *context), void *context) {
  sigset_t all, before;
  sigfillset(&all);
  int failure = pthread_sigmask(SIG_BLOCK, &all, &before);
  if (failure == 0) {
    failure = pthread_create(thread, NULL, run, context);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  return failure;
}
