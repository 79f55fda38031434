/* cli/ui.h - what the rest of cli/ may know of the terminal; answered by cmd_ui*.c, the only files that see tui/. */
#ifndef BATON_CLI_UI_H
#define BATON_CLI_UI_H

#include <stdbool.h>

struct ui_terminal {
  char name[64]; /* TERM; empty when not set */
  bool usable;   /* a dashboard fits on it */
  int colours;
  bool utf8;
  char library[64]; /* "ncurses 6.4.20221231" */
};
void ui_terminal(struct ui_terminal *terminal);

#endif
