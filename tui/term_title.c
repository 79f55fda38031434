/* tui/term_title.c - bytes for the terminal itself, the window's title, and the time between two keys. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/term.h"
#include "tui/term_signals.h"

static const char title_keep[] = "\033[22;2t";

void term_send(const char *bytes, size_t length) {
  fflush(stdout);
  while (length > 0) {
    ssize_t written = write(STDOUT_FILENO, bytes, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    bytes += written;
    length -= (size_t)written;
  }
}

void term_title(const char *text) {
  char bytes[sizeof(term_hold.title) + 8];
  if (!term_hold.titled || term_hold.paused || strncmp(text, term_hold.title, sizeof(term_hold.title) - 1) == 0)
    return;
  if (!term_hold.title[0])
    term_send(title_keep, sizeof(title_keep) - 1);
  snprintf(term_hold.title, sizeof(term_hold.title), "%s", text);
  term_send(bytes, (size_t)snprintf(bytes, sizeof(bytes), "\033]2;%s\a", term_hold.title));
}

void term_title_back(void) {
  if (term_hold.title[0])
    term_send(TERM_TITLE_BACK, sizeof(TERM_TITLE_BACK) - 1);
  term_hold.title[0] = '\0';
}
