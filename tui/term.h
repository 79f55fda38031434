/* tui/term.h - the terminal: bytes to keys, cells to the screen, and leaving it as it was found.
 *
 * The only file that knows curses (design rule 2) and the only one with a writable global: whether the terminal is
 * ours, which the signal handlers must see. One terminal at a time. Facts: dashboard.md 4.1-4.3. */
#ifndef BATON_TUI_TERM_H
#define BATON_TUI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "tui/theme.h"
#include "views/surface.h"

enum term_colour { TERM_COLOUR_AUTO, TERM_COLOUR_ALWAYS, TERM_COLOUR_NEVER };

struct term_options {
  enum term_colour colour; /* AUTO: none where NO_COLOR is set and not empty */
  enum theme theme;
  bool ascii; /* never anything beyond ASCII; BATON_ASCII in the environment means the same */
  bool mouse; /* take clicks and the wheel; else the terminal selects text with them */
  bool meta;  /* Esc and a character in one piece are that character with Alt */
  bool title; /* term_title works, where the terminal has a title */
};

/* Takes the terminal over. BT_STATE when there is none that can address its cursor (not a terminal, TERM unknown or
 * dumb): nothing was written, the caller prints the plain table. */
enum bt_code term_open(const struct term_options *options, struct bt_error *err) BT_NODISCARD;
/* Gives it back: modes, screen, cursor, signal handlers. Does nothing when it is not open. */
void term_close(void);

bool term_unicode(void);                 /* the locale is UTF-8 and ASCII was not asked for */
void term_size(int *rows, int *columns); /* as of the last resize seen; each at least 1 */

enum term_event_kind {
  TERM_EVENT_NONE, /* nothing more to read now */
  TERM_EVENT_KEY,
  TERM_EVENT_PASTE,
  TERM_EVENT_MOUSE,
  TERM_EVENT_RESIZE,
  TERM_EVENT_GONE, /* the terminal hung up */
};
enum term_mouse { TERM_MOUSE_PRESS, TERM_MOUSE_WHEEL_UP, TERM_MOUSE_WHEEL_DOWN };
struct term_event {
  enum term_event_kind kind;
  uint32_t key;               /* keymaps/key.h */
  const struct bt_str *paste; /* internal text, borrowed until the next term_next */
  enum term_mouse mouse;
  int row, column; /* of the mouse */
};

#define TERM_PASTE_MAX ((size_t)64 * 1024) /* what is pasted beyond it is dropped */

/* The next event without waiting. */
struct term_event term_next(void);

/* Signals that arrived since the last call; they are blocked except inside term_wait. */
struct term_signals {
  int leave;    /* SIGTERM, SIGINT, SIGHUP, SIGQUIT or another that ends a program; 0: none */
  bool suspend; /* SIGTSTP */
  bool resumed; /* SIGCONT that term_suspend did not wait for */
};
struct term_signals term_take_signals(void);

/* Waits until a key, a signal, input on one of `fds` (-1 entries are skipped) or the timeout; -1: no timeout.
 * `ready[i]` says which descriptor has input. */
void term_wait(const int *fds, bool *ready, int fd_count, int timeout_ms);

/* Shows the surface: only cells that differ from what is shown are written, and nothing at all where nothing does.
 * The hardware cursor is parked at row/column; `typing` makes it an insertion point. */
void term_show(const struct bt_surface *surface, int row, int column, bool typing);
void term_redraw(void); /* the next term_show writes every cell */

/* Leaves the screen to a child in the foreground (a pager) and comes back: between the two the terminal has its old
 * modes, ^C is the child's and ^Z stops both. term_resume also mends the screen after a stop from outside. */
void term_lend(void);
void term_resume(void);

/* Stops this process as SIGTSTP does and comes back on SIGCONT. */
void term_suspend(void);

/* Bytes for the terminal itself that move nothing on the screen (an OSC string). */
void term_send(const char *bytes, size_t length);

/* The window's title from now on, `text` being visible text; the old one comes back when the screen is given up. Nothing
 * is written where it is the same as before, or where the terminal has none. */
void term_title(const char *text);

/* What is known of the terminal without taking it over. */
struct term_facts {
  char name[64];    /* TERM; empty when not set */
  bool usable;      /* it can address its cursor: a dashboard fits on it */
  int colours;      /* 0: none */
  bool utf8;        /* the locale's encoding */
  char library[64]; /* "ncurses 6.4.20221231" */
};
void term_facts(struct term_facts *facts);

#endif
