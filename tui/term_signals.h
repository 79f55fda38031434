/* tui/term_signals.h - the signals that may end or stop a program which holds a terminal; for tui/term.c and its title
 * only.
 *
 * SIGWINCH stays with curses: only its own handler makes getch answer KEY_RESIZE. Our signals, SIGWINCH too, are
 * blocked except inside pselect, so none is lost between a look at the flags and the wait. */
#ifndef BATON_TUI_TERM_SIGNALS_H
#define BATON_TUI_TERM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "tui/capture.h"

#define TERM_TITLE_BACK "\033[23;2t" /* the title that was there before ours */

/* Is the terminal ours, and how was it before. Defined in tui/term.c, the one file with a writable global. */
struct term_hold {
  bool is_open, paused, titled; /* titled: it has a title, and ours is wanted */
  volatile sig_atomic_t leave, suspend, resumed;
  struct termios modes;
  sigset_t outer_mask;
  struct sigaction saved[32]; /* by signal number */
  struct capture errors;
  char title[256]; /* ours on show; empty: none was set */
  char crash_stack[64 * 1024];
};
extern struct term_hold term_hold;

void term_signals_take(void);
void term_signals_give_back(void);
void term_signals_lend(bool lent); /* to a child in the foreground, and back */

void term_title_back(void); /* the title that was there before ours, if ours is on show */

#endif
