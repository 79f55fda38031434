/* core/base/thread.h - starts threads. */
#ifndef BATON_CORE_BASE_THREAD_H
#define BATON_CORE_BASE_THREAD_H

#include <pthread.h>

/* Starts `run(context)` with every signal blocked: signals are the main thread's business. 0, or an errno and no thread. The
 * caller joins it; `context` must outlive it. */
int bt_thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
