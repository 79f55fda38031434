/* tui/thread.h - what every thread beside the screen needs: locks, to give way, and a pipe that wakes whoever polls it. */
#ifndef BATON_TUI_THREAD_H
#define BATON_TUI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* A mutex and a condition (NULL: none) for one. 0, or an errno with neither of them made. */
int thread_lock_init(pthread_mutex_t *mutex, pthread_cond_t *asked);
void thread_lock_dispose(pthread_mutex_t *mutex, pthread_cond_t *asked);
/* Gives way to the screen: of the calling thread alone on Linux; elsewhere it does no harm. */
void thread_step_back(void);

/* Both ends non-blocking and not inherited. False: no descriptors; `ends` is {-1, -1}. */
bool wake_open(int ends[2]);
void wake_close(const int ends[2]); /* what is open of it; -1 is allowed */
void wake_poke(const int ends[2]);  /* its reading end has input now */
void wake_drain(const int ends[2]);

#endif
