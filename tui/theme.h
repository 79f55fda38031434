/* tui/theme.h - how each role looks in each theme. Must not know: curses; any cell.
 *
 * Foregrounds only, on the terminal's own background; a role never means anything by colour alone (dashboard.md 6,
 * "Colour semantics", row 93). `cb` tells states apart by orange and blue, never by red and green. */
#ifndef BATON_TUI_THEME_H
#define BATON_TUI_THEME_H

#include <stdbool.h>

#include "views/role.h"

enum theme { THEME_DARK, THEME_LIGHT, THEME_CB, THEME_MONO, THEME_COUNT };
bool theme_parse(const char *word, enum theme *theme);

#define THEME_PLAIN (-1) /* the terminal's own foreground */

struct theme_look {
  short colour; /* of the terminal's palette, or THEME_PLAIN */
  bool bold, dim, underline, reverse;
};

/* On a terminal of so many colours; below 8 there are none. A role outside the table looks like BT_ROLE_DEFAULT. */
struct theme_look theme_look(enum theme theme, enum bt_role role, int colours);

#endif
