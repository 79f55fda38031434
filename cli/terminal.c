/* cli/terminal.c - modes, the foreground group, and what a killed full-screen program leaves on. */
#include "cli/terminal.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Cursor on, plain text, ordinary screen, no bracketed paste, no mouse, no focus reports, ordinary keys, a fresh line. */
static const char tidy[] =
    "\033[0m\033[?25h\033[?1047l\033[?2004l\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1004l"
    "\033[?1l\033>\r\n";

void terminal_save(struct terminal *terminal) {
  terminal->fd = -1;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && terminal->fd < 0; fd++) {
    if (isatty(fd) && tcgetattr(fd, &terminal->modes) == 0)
      terminal->fd = fd;
  }
  terminal->group = terminal->fd >= 0 ? tcgetpgrp(terminal->fd) : -1;
}

void terminal_restore(const struct terminal *terminal, bool killed) {
  sigset_t stops, before;
  if (terminal->fd < 0 || terminal->group != getpgrp())
    return; /* it was not ours to begin with */
  /* Changing a terminal that another group still holds would stop this process. */
  sigemptyset(&stops);
  sigaddset(&stops, SIGTTOU);
  (void)sigprocmask(SIG_BLOCK, &stops, &before);
  if (tcgetpgrp(terminal->fd) != terminal->group)
    (void)tcsetpgrp(terminal->fd, terminal->group);
  (void)tcsetattr(terminal->fd, TCSANOW, &terminal->modes);
  for (int fd = STDOUT_FILENO; killed && fd <= STDERR_FILENO; fd++) {
    if (isatty(fd)) {
      (void)!write(fd, tidy, strlen(tidy));
      break;
    }
  }
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
}
