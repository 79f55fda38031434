/* tui/paste.h - a bracketed paste while it arrives: its text, and when a line that fell silent has lost its end.
 *
 * A slow line may stall in the middle; what comes after too early an end would be read as keys (dashboard.md row 46). Must
 * not know: curses, waiting. Times are milliseconds of one steady clock. */
#ifndef BATON_TUI_PASTE_H
#define BATON_TUI_PASTE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"

enum { PASTE_SILENCE_MS = 5000 }; /* longer than a lost packet takes to be sent again */

struct paste {
  bool open;
  int64_t at_ms;      /* when a part of it came last */
  struct bt_str text; /* internal text */
};

void paste_open(struct paste *paste, int64_t now_ms);
void paste_take(struct paste *paste, uint32_t character, int64_t now_ms);
int paste_patience(const struct paste *paste,
                   int64_t now_ms); /* how long it may still be silent, ms; -1: none is open */

#endif
