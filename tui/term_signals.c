/* tui/term_signals.c - flags for the loop, and the terminal given back before a crash. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* sigaltstack */
#endif
#include "tui/term_signals.h"

#include <unistd.h>

#include "tui/term.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Also the keypad and the cursor keys as they were: else the shell reads Esc O A for an arrow. */
static const char crash_bytes[] = "\033[?1049l\033[?25h\033[?2004l\033[?1000l\033[?1006l\033[?1l\033>\033[0m\r\n";

static void on_signal(int number) {
  if (number == SIGTSTP)
    term_hold.suspend = 1;
  else if (number == SIGCONT)
    term_hold.resumed = 1;
  else
    term_hold.leave = number;
}

/* Only calls that are safe in a handler: no endwin here. */
static void on_crash(int number) {
  if (!term_hold.paused) {
    ssize_t ignored = write(STDOUT_FILENO, crash_bytes, sizeof(crash_bytes) - 1);
    if (term_hold.title[0])
      ignored = write(STDOUT_FILENO, TERM_TITLE_BACK, sizeof(TERM_TITLE_BACK) - 1);
    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSANOW, &term_hold.modes);
  }
  if (term_hold.errors.fd >= 0)
    dup2(term_hold.errors.fd, STDERR_FILENO);
  signal(number, SIG_DFL);
  raise(number);
}

static void set_action(int number, void (*handler)(int), int flags, struct sigaction *before) {
  struct sigaction action = {.sa_flags = flags};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
}

/* SIGWINCH too is blocked, but curses keeps its handler. */
static const struct {
  int number;
  void (*handler)(int);
  int flags;
  bool blocked;
} handled[] = {
    {SIGTERM, on_signal, 0, true},
    {SIGINT, on_signal, 0, true},
    {SIGHUP, on_signal, 0, true},
    {SIGQUIT, on_signal, 0, true},
    {SIGUSR1, on_signal, 0, true}, /* these three too end a program that does not expect them */
    {SIGUSR2, on_signal, 0, true},
    {SIGALRM, on_signal, 0, true},
    {SIGTSTP, on_signal, 0, true},
    {SIGCONT, on_signal, 0, true},
    {SIGPIPE, SIG_IGN, 0, false},
    {SIGSEGV, on_crash, (int)(SA_ONSTACK | SA_RESETHAND), false},
    {SIGABRT, on_crash, (int)(SA_ONSTACK | SA_RESETHAND), false},
    {SIGBUS, on_crash, (int)(SA_ONSTACK | SA_RESETHAND), false},
    {SIGFPE, on_crash, (int)(SA_ONSTACK | SA_RESETHAND), false},
    {SIGILL, on_crash, (int)(SA_ONSTACK | SA_RESETHAND), false},
};

void term_signals_take(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGWINCH);
  for (size_t i = 0; i < LENGTH(handled); i++)
    if (handled[i].blocked)
      sigaddset(&blocked, handled[i].number);
  sigprocmask(SIG_BLOCK, &blocked, &term_hold.outer_mask);
  stack_t stack = {.ss_sp = term_hold.crash_stack, .ss_size = sizeof(term_hold.crash_stack)};
  sigaltstack(&stack, NULL);
  for (size_t i = 0; i < LENGTH(handled); i++)
    set_action(handled[i].number, handled[i].handler, handled[i].flags, &term_hold.saved[handled[i].number]);
}

void term_signals_give_back(void) {
  for (size_t i = 0; i < LENGTH(handled); i++)
    sigaction(handled[i].number, &term_hold.saved[handled[i].number], NULL);
  sigprocmask(SIG_SETMASK, &term_hold.outer_mask, NULL);
}

struct term_signals term_take_signals(void) {
  struct term_signals taken = {(int)term_hold.leave, term_hold.suspend != 0, term_hold.resumed != 0};
  term_hold.leave = 0;
  term_hold.suspend = 0;
  term_hold.resumed = 0;
  return taken;
}

static void mask_stop(int how) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(how, &stop, NULL);
}

void term_signals_lend(bool lent) {
  void (*interrupt)(int) = lent ? SIG_IGN : on_signal;
  if (!lent)
    mask_stop(SIG_BLOCK);
  set_action(SIGINT, interrupt, 0, NULL);
  set_action(SIGQUIT, interrupt, 0, NULL);
  set_action(SIGTSTP, lent ? SIG_DFL : on_signal, 0, NULL);
  if (lent)
    mask_stop(SIG_UNBLOCK);
}
