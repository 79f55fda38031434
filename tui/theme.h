/* tui/theme.h - how each role looks. Must not know: curses; any cell.
 *
 * Colours are the terminal's own eight on its own background, so light and dark terminals both stay readable; a
 * role never means anything by colour alone (dashboard.md 6, "Colour semantics"). */
#ifndef BATON_TUI_THEME_H
#define BATON_TUI_THEME_H

#include <stdbool.h>

#include "views/role.h"

enum theme_colour {
  THEME_PLAIN = -1, /* the terminal's own */
  THEME_BLACK,
  THEME_RED,
  THEME_GREEN,
  THEME_YELLOW,
  THEME_BLUE,
  THEME_MAGENTA,
  THEME_CYAN,
  THEME_WHITE,
};

struct theme_look {
  enum theme_colour colour;
  bool bold, dim, underline, reverse;
};

/* A role outside the table looks like BT_ROLE_DEFAULT. */
struct theme_look theme_look(enum bt_role role);

#endif
