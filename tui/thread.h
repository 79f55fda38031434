/* tui/thread.h - what every thread beside the screen needs: to give way, and a pipe that wakes whoever polls it. */
#ifndef BATON_TUI_THREAD_H
#define BATON_TUI_THREAD_H

#include <stdbool.h>

/* Gives way to the screen: of the calling thread alone on Linux; elsewhere it does no harm. */
void thread_step_back(void);

/* Both ends non-blocking and not inherited. False: no descriptors; `ends` is {-1, -1}. */
bool wake_open(int ends[2]);
void wake_close(const int ends[2]); /* what is open of it; -1 is allowed */
void wake_poke(const int ends[2]);  /* its reading end has input now */
void wake_drain(const int ends[2]);

#endif
