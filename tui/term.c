/* tui/term.c - curses.
 *
 * newterm instead of initscr, which exits on an unknown TERM. LC_CTYPE alone is set: numbers are printed the C way. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* sigaltstack */
#endif
#include "tui/term.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
/* curses.h and term.h define short names as macros. */
#undef columns
#undef lines

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "core/base/steady.h"
#include "core/base/utf8.h"
#include "keymaps/key.h"
#include "tui/capture.h"
#include "tui/paste.h"
#include "tui/sequence.h"
#include "tui/term_signals.h"

enum { PASTE_BEGINS = 0x1001, PASTE_ENDS, SEQUENCE_SILENCE_MS = 50, ESC_LATE_MS = 200 };

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct term_hold term_hold; /* what signal handlers must see */

static struct {
  SCREEN *screen;
  bool unicode, coloured, gone, mouse, meta;
  struct paste paste;
  struct sequence sequence;
  uint32_t owed;  /* a key that was held back until it was clear that no sequence begins with it */
  int64_t esc_at; /* when Esc alone was last read */
  attr_t attributes[BT_ROLE_COUNT];
  short pairs[BT_ROLE_COUNT];
} ours;

/* ---------------------------------------------------------------- open and close --------------- */

/* Asks terminfo before curses may write anything. */
static bool can_address_cursor(void) {
  int answer = 0;
  if (setupterm(NULL, STDOUT_FILENO, &answer) != OK || answer != 1)
    return false;
  const char *cup = tigetstr("cup"), *clear_screen_string = tigetstr("clear");
  bool can = cup && cup != (const char *)-1 && clear_screen_string && clear_screen_string != (const char *)-1;
  del_curterm(cur_term);
  return can;
}

static bool environment_says(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

/* One pair a colour, in the order they turn up. */
static short pair_of(short colour, short background, short used[BT_ROLE_COUNT + 1], short *count) {
  for (short pair = 1; pair <= *count; pair++)
    if (used[pair] == colour)
      return pair;
  used[++*count] = colour;
  init_pair(*count, colour, background);
  return *count;
}

static void start_colours(const struct term_options *options) {
  enum term_colour wanted = options->colour;
  bool allowed = wanted == TERM_COLOUR_ALWAYS || (wanted == TERM_COLOUR_AUTO && !environment_says("NO_COLOR"));
  short used[BT_ROLE_COUNT + 1], count = 0, background = COLOR_BLACK;
  ours.coloured = allowed && has_colors() && start_color() == OK && COLORS >= 8;
  if (ours.coloured && use_default_colors() == OK)
    background = -1;
  for (int role = 0; role < BT_ROLE_COUNT; role++) {
    struct theme_look look = theme_look(options->theme, (enum bt_role)role, ours.coloured ? COLORS : 0);
    ours.attributes[role] = (look.bold ? A_BOLD : A_NORMAL) | (look.dim ? A_DIM : A_NORMAL) |
                            (look.underline ? A_UNDERLINE : A_NORMAL) | (look.reverse ? A_REVERSE : A_NORMAL);
    ours.pairs[role] = look.colour == THEME_PLAIN ? 0 : pair_of(look.colour, background, used, &count);
  }
}

/* What is asked of the terminal beside drawing; taken back whenever the screen is. */
static void ask_extras(bool on) {
  term_title_back();
  if (ours.mouse)
    mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
  term_send(on ? paste_on : paste_off, sizeof(paste_on) - 1);
}

/* TERM's that are known to have a title where terminfo does not say so. */
static bool has_title(void) {
  const char *name = getenv("TERM"), *line = tigetstr("tsl");
  static const char *const known[] = {"xterm", "tmux", "rxvt", "foot", "alacritty", "kitty"};
  for (size_t i = 0; i < LENGTH(known); i++)
    if (name && bt_starts_with(name, known[i]))
      return true;
  return tigetflag("XT") > 0 || (line && line != (const char *)-1);
}

static void set_up_screen(const struct term_options *options) {
  if (!environment_says("ESCDELAY"))
    set_escdelay(25);
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  curs_set(1);
  define_key("\033[200~", PASTE_BEGINS);
  define_key("\033[201~", PASTE_ENDS);
  start_colours(options);
  ours.mouse = options->mouse;
  ours.meta = options->meta;
  term_hold.titled = options->title && has_title();
  mouseinterval(0); /* else a press waits for its release */
  ask_extras(true);
}

enum bt_code term_open(const struct term_options *options, struct bt_error *err) {
  const char *name = getenv("TERM");
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return bt_error_set(err, BT_STATE, "terminal", "standard input and output are not both a terminal");
  if (!can_address_cursor())
    return bt_error_set(err, BT_STATE, "TERM", "no terminal that can address its cursor: %s",
                        name && *name ? name : "not set");
  setlocale(LC_CTYPE, "");
  ours.unicode = !options->ascii && !environment_says("BATON_ASCII") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  tcgetattr(STDIN_FILENO, &term_hold.modes);
  use_env(TRUE);
  use_tioctl(TRUE);
  term_hold.errors.fd = -1;
  /* Before newterm: curses leaves handlers alone that are there already; its own of SIGTSTP throws input away. */
  term_signals_take();
  ours.screen = newterm(NULL, stdout, stdin);
  if (!ours.screen) {
    term_signals_give_back();
    return bt_error_set(err, BT_STATE, "TERM", "this terminal cannot be used: %s", name ? name : "not set");
  }
  term_hold.is_open = true;
  term_hold.paused = ours.gone = ours.paste.open = false;
  bt_str_init(&ours.paste.text, TERM_PASTE_MAX);
  capture_start(&term_hold.errors);
  set_up_screen(options);
  return BT_OK;
}

static void pause_screen(void) {
  ask_extras(false);
  endwin();
  tcsetattr(STDIN_FILENO, TCSANOW, &term_hold.modes);
  term_hold.paused = true;
}

void term_close(void) {
  if (!term_hold.is_open)
    return;
  if (!term_hold.paused)
    pause_screen();
  delscreen(ours.screen);
  ours.screen = NULL;
  term_hold.is_open = false;
  capture_stop(&term_hold.errors);
  term_signals_give_back();
  bt_str_dispose(&ours.paste.text);
}

void term_lend(void) {
  pause_screen();
  capture_stop(&term_hold.errors);
  term_signals_lend(true);
}

void term_resume(void) {
  term_signals_lend(false);
  if (term_hold.errors.fd < 0)
    capture_start(&term_hold.errors);
  term_hold.paused = false;
  reset_prog_mode();
  clearok(curscr, TRUE);
  refresh();
  ask_extras(true);
}

void term_suspend(void) {
  term_lend();
  raise(SIGTSTP); /* stops here until SIGCONT; ignored by the system where nobody could continue us */
  term_resume();
  term_hold.resumed = 0;
}

void term_facts(struct term_facts *facts) {
  const char *name = getenv("TERM");
  int answer = 0;
  memset(facts, 0, sizeof(*facts));
  snprintf(facts->name, sizeof(facts->name), "%s", name ? name : "");
  snprintf(facts->library, sizeof(facts->library), "%s", curses_version());
  facts->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  facts->usable = can_address_cursor();
  if (setupterm(NULL, STDOUT_FILENO, &answer) != OK || answer != 1)
    return;
  facts->colours = tigetnum("colors") < 0 ? 0 : tigetnum("colors");
  del_curterm(cur_term);
}

/* ---------------------------------------------------------------- keys ------------------------- */

static uint32_t named_key(wint_t code) {
  static const struct {
    int code;
    uint32_t key;
  } keys[] = {
      {KEY_ENTER, BT_KEY_ENTER},     {KEY_BTAB, BT_KEY_S_TAB},    {KEY_BACKSPACE, BT_KEY_BACKSPACE},
      {KEY_DC, BT_KEY_DELETE},       {KEY_IC, BT_KEY_INSERT},     {KEY_UP, BT_KEY_UP},
      {KEY_DOWN, BT_KEY_DOWN},       {KEY_LEFT, BT_KEY_LEFT},     {KEY_RIGHT, BT_KEY_RIGHT},
      {KEY_HOME, BT_KEY_HOME},       {KEY_A1, BT_KEY_HOME},       {KEY_END, BT_KEY_END},
      {KEY_C1, BT_KEY_END},          {KEY_PPAGE, BT_KEY_PAGE_UP}, {KEY_A3, BT_KEY_PAGE_UP},
      {KEY_NPAGE, BT_KEY_PAGE_DOWN}, {KEY_C3, BT_KEY_PAGE_DOWN},
  };
  for (size_t i = 0; i < LENGTH(keys); i++)
    if (keys[i].code == (int)code)
      return keys[i].key;
  if (code >= KEY_F(1) && code <= KEY_F(12))
    return BT_KEY_F1 + (uint32_t)(code - KEY_F(1));
  return BT_KEY_NONE;
}

/* Esc came: what came in the same piece begins a sequence, or is that key with Alt. */
static uint32_t after_esc(void) {
  wint_t code;
  int kind = get_wch(&code);
  if (kind == OK && sequence_introducer(code)) {
    sequence_open(&ours.sequence, code);
    return BT_KEY_NONE;
  }
  if (kind == OK && ours.meta && code > ' ' && code < 0x7f)
    return BT_KEY_META | (uint32_t)code;
  if (kind == KEY_CODE_YES)
    ungetch((int)code);
  else if (kind == OK)
    unget_wch((wchar_t)code);
  ours.esc_at = bt_steady_ms();
  return BT_KEY_ESC;
}

/* A slow line may cut a key's sequence behind its Esc, which was read as that key then: at least the rest is none. */
static bool late_sequence(wint_t code) {
  wint_t next;
  int kind = bt_steady_ms() - ours.esc_at > ESC_LATE_MS ? ERR : get_wch(&next);
  if (kind == ERR)
    return false;
  (void)(kind == OK ? unget_wch((wchar_t)next) : ungetch((int)next));
  if (kind != OK || !sequence_follows(code, next))
    return false;
  sequence_open(&ours.sequence, code);
  return true;
}

/* True when the character was taken; else the caller goes on with `*code`. */
static bool sequence_takes(wint_t *code, uint32_t *key) {
  bool escape = ours.sequence.escape;
  if (sequence_take(&ours.sequence, *code, key))
    return true;
  if (escape) {
    unget_wch((wchar_t)*code);
    *code = 0x1b;
  }
  return false;
}

/* Nothing more came. Where nothing at all did, it was a person: Esc and then a key, or both at once. */
static void end_sequence(void) {
  uint32_t introducer = ours.sequence.introducer;
  if (ours.sequence.taken == 0 && !ours.sequence.escape) {
    ours.owed = ours.meta ? BT_KEY_META | introducer : (uint32_t)BT_KEY_ESC;
    if (!ours.meta)
      unget_wch((wchar_t)introducer);
  }
  ours.sequence.introducer = 0;
}

/* Curses knows how a report of the mouse begins, and leaves the rest of it where it was not asked for one. */
static void mouse_unasked(void) {
  const char *begins = tigetstr("kmous");
  uint32_t ignored;
  sequence_open(&ours.sequence, '[');
  if (begins && begins != (const char *)-1 && bt_starts_with(begins, "\033["))
    for (begins += 2; *begins && ours.sequence.introducer; begins++)
      (void)sequence_take(&ours.sequence, (unsigned char)*begins, &ignored);
}

static struct term_event mouse_event(void) {
  MEVENT event;
  if (getmouse(&event) != OK)
    return (struct term_event){.kind = TERM_EVENT_NONE};
  enum term_mouse mouse = event.bstate & BUTTON4_PRESSED   ? TERM_MOUSE_WHEEL_UP
                          : event.bstate & BUTTON5_PRESSED ? TERM_MOUSE_WHEEL_DOWN
                                                           : TERM_MOUSE_PRESS;
  return (struct term_event){.kind = TERM_EVENT_MOUSE, .mouse = mouse, .row = event.y, .column = event.x};
}

/* True when the paste is over. */
static bool paste_takes(int kind, wint_t code) {
  if (kind != KEY_CODE_YES)
    paste_take(&ours.paste, (uint32_t)code, bt_steady_ms());
  else if (code == PASTE_ENDS)
    ours.paste.open = false;
  return !ours.paste.open;
}

struct term_event term_next(void) {
  if (ours.gone)
    return (struct term_event){.kind = TERM_EVENT_GONE};
  wint_t code;
  int kind;
  uint32_t key = ours.owed;
  ours.owed = BT_KEY_NONE;
  if (key != BT_KEY_NONE)
    return (struct term_event){.kind = TERM_EVENT_KEY, .key = key};
  while ((kind = get_wch(&code)) != ERR) {
    if (kind == KEY_CODE_YES && code == KEY_RESIZE)
      return (struct term_event){.kind = TERM_EVENT_RESIZE};
    if (ours.paste.open) {
      if (paste_takes(kind, code))
        return (struct term_event){.kind = TERM_EVENT_PASTE, .paste = &ours.paste.text};
      continue;
    }
    if (kind == KEY_CODE_YES && code == PASTE_BEGINS) {
      paste_open(&ours.paste, bt_steady_ms());
      continue;
    }
    if (kind == KEY_CODE_YES && code == KEY_MOUSE && !ours.mouse) {
      mouse_unasked();
      continue;
    }
    if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
      struct term_event event = mouse_event();
      if (event.kind != TERM_EVENT_NONE)
        return event;
      continue;
    }
    if (kind == KEY_CODE_YES)
      ours.sequence.introducer = 0;
    if (!ours.sequence.introducer || !sequence_takes(&code, &key)) {
      if (kind == OK && late_sequence(code))
        continue;
      key = kind == KEY_CODE_YES ? named_key(code) : sequence_control_key(code);
      if (key == BT_KEY_ESC)
        key = after_esc();
    }
    if (key != BT_KEY_NONE)
      return (struct term_event){.kind = TERM_EVENT_KEY, .key = key};
  }
  return (struct term_event){.kind = TERM_EVENT_NONE};
}

/* ---------------------------------------------------------------- waiting ---------------------- */

static bool hung_up(void) {
  int waiting = 0;
  return ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0;
}

void term_wait(const int *fds, bool *ready, int fd_count, int timeout_ms) {
  int patience = paste_patience(&ours.paste, bt_steady_ms());
  int silence = patience < 0 && ours.sequence.introducer ? SEQUENCE_SILENCE_MS : patience;
  bool shortened = silence >= 0 && (timeout_ms < 0 || timeout_ms >= silence);
  if (shortened)
    timeout_ms = silence;
  fd_set set;
  FD_ZERO(&set);
  FD_SET(STDIN_FILENO, &set);
  int highest = STDIN_FILENO;
  for (int i = 0; i < fd_count; i++) {
    ready[i] = false;
    if (fds[i] < 0 || fds[i] >= FD_SETSIZE)
      continue;
    FD_SET(fds[i], &set);
    highest = fds[i] > highest ? fds[i] : highest;
  }
  struct timespec timeout = {timeout_ms / 1000, (timeout_ms % 1000) * 1000000L};
  int count = pselect(highest + 1, &set, NULL, NULL, timeout_ms < 0 ? NULL : &timeout, &term_hold.outer_mask);
  if (count >= 0 && !(count && FD_ISSET(STDIN_FILENO, &set)) && paste_patience(&ours.paste, bt_steady_ms()) == 0)
    ungetch(PASTE_ENDS); /* the end mark never came: what is there is the paste */
  else if (count == 0 && shortened && !ours.paste.open)
    end_sequence();
  if (count <= 0)
    return;
  ours.gone = FD_ISSET(STDIN_FILENO, &set) && hung_up();
  for (int i = 0; i < fd_count; i++)
    ready[i] = fds[i] >= 0 && fds[i] < FD_SETSIZE && FD_ISSET(fds[i], &set);
}

/* ---------------------------------------------------------------- cells ------------------------ */

bool term_unicode(void) {
  return ours.unicode;
}

void term_size(int *rows, int *columns) {
  int height, width;
  getmaxyx(stdscr, height, width);
  *rows = height < 1 ? 1 : height;
  *columns = width < 1 ? 1 : width;
}

static void put_cell(int row, int column, const struct bt_cell *cell) {
  wchar_t text[CCHARW_MAX + 1] = {0};
  size_t length = mbstowcs(text, cell->bytes, CCHARW_MAX);
  if (length == (size_t)-1 || length == 0) {
    text[0] = L'?';
    text[1] = L'\0';
  }
  unsigned role = cell->role < BT_ROLE_COUNT ? cell->role : BT_ROLE_DEFAULT;
  cchar_t shown;
  if (setcchar(&shown, text, ours.attributes[role], ours.pairs[role], NULL) == OK)
    mvadd_wch(row, column, &shown);
}

void term_show(const struct bt_surface *surface, int row, int column, bool typing) {
  (void)typing; /* the cursor is always shown: screen readers follow it */
  erase();
  for (int y = 0; y < surface->rows && y < LINES; y++)
    for (int x = 0; x < surface->columns && x < COLS; x++) {
      const struct bt_cell *cell = bt_surface_cell(surface, y, x);
      if (cell && cell->width > 0)
        put_cell(y, x, cell);
    }
  move(row < 0 || row >= LINES ? LINES - 1 : row, column < 0 || column >= COLS ? COLS - 1 : column);
  refresh(); /* curses compares with what is shown: equal cells are not written */
}

void term_redraw(void) {
  clearok(curscr, TRUE);
}
