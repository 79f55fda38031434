/* tui/term.c - curses, and the signals that may end a program which holds a terminal.
 *
 * newterm instead of initscr, which exits on an unknown TERM. SIGWINCH stays with curses: only its own handler
 * makes getch answer KEY_RESIZE. Our signals, SIGWINCH too, are blocked except inside pselect, so none is lost
 * between a look at the flags and the wait. LC_CTYPE alone is set: numbers are printed the C way. */
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

#include <errno.h>
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

#include "core/base/utf8.h"
#include "keymaps/key.h"
#include "tui/capture.h"
#include "tui/theme.h"

enum { PASTE_BEGINS = 0x1001, PASTE_ENDS, PASTE_SILENCE_MS = 1000 };

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
static const char crash_bytes[] = "\033[?1049l\033[?25h\033[?2004l\033[?1000l\033[0m\r\n";
static const int leave_signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
enum { SAVED_ACTIONS = 32 };

/* Is the terminal ours, and how was it before. */
static struct {
  bool is_open, paused;
  volatile sig_atomic_t leave, suspend, resumed;
  SCREEN *screen;
  struct termios modes;
  sigset_t outer_mask;
  struct sigaction saved[SAVED_ACTIONS]; /* by signal number */
  struct capture errors;
  bool unicode, coloured, gone, pasting;
  struct bt_str paste;
  attr_t attributes[BT_ROLE_COUNT];
  short pairs[BT_ROLE_COUNT];
  char crash_stack[64 * 1024];
} ours;

/* ---------------------------------------------------------------- signals ---------------------- */

static void on_signal(int number) {
  if (number == SIGTSTP)
    ours.suspend = 1;
  else if (number == SIGCONT)
    ours.resumed = 1;
  else
    ours.leave = number;
}

/* Only calls that are safe in a handler: no endwin here. */
static void on_crash(int number) {
  if (!ours.paused) {
    ssize_t ignored = write(STDOUT_FILENO, crash_bytes, sizeof(crash_bytes) - 1);
    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSANOW, &ours.modes);
  }
  if (ours.errors.fd >= 0)
    dup2(ours.errors.fd, STDERR_FILENO);
  signal(number, SIG_DFL);
  raise(number);
}

static void set_action(int number, void (*handler)(int), int flags, struct sigaction *before) {
  struct sigaction action = {.sa_flags = flags};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
}

static void take_signals(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGWINCH);
  sigaddset(&blocked, SIGTSTP);
  sigaddset(&blocked, SIGCONT);
  for (size_t i = 0; i < LENGTH(leave_signals); i++)
    sigaddset(&blocked, leave_signals[i]);
  sigprocmask(SIG_BLOCK, &blocked, &ours.outer_mask);

  stack_t stack = {.ss_sp = ours.crash_stack, .ss_size = sizeof(ours.crash_stack)};
  sigaltstack(&stack, NULL);
  for (size_t i = 0; i < LENGTH(leave_signals); i++)
    set_action(leave_signals[i], on_signal, 0, &ours.saved[leave_signals[i]]);
  set_action(SIGTSTP, on_signal, 0, &ours.saved[SIGTSTP]);
  set_action(SIGCONT, on_signal, 0, &ours.saved[SIGCONT]);
  set_action(SIGPIPE, SIG_IGN, 0, &ours.saved[SIGPIPE]);
  for (size_t i = 0; i < LENGTH(crash_signals); i++)
    set_action(crash_signals[i], on_crash, (int)(SA_ONSTACK | SA_RESETHAND), &ours.saved[crash_signals[i]]);
}

static void give_signals_back(void) {
  for (size_t i = 0; i < LENGTH(leave_signals); i++)
    sigaction(leave_signals[i], &ours.saved[leave_signals[i]], NULL);
  for (size_t i = 0; i < LENGTH(crash_signals); i++)
    sigaction(crash_signals[i], &ours.saved[crash_signals[i]], NULL);
  sigaction(SIGTSTP, &ours.saved[SIGTSTP], NULL);
  sigaction(SIGCONT, &ours.saved[SIGCONT], NULL);
  sigaction(SIGPIPE, &ours.saved[SIGPIPE], NULL);
  sigprocmask(SIG_SETMASK, &ours.outer_mask, NULL);
}

struct term_signals term_take_signals(void) {
  struct term_signals taken = {(int)ours.leave, ours.suspend != 0, ours.resumed != 0};
  ours.leave = 0;
  ours.suspend = 0;
  ours.resumed = 0;
  return taken;
}

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

static void start_colours(enum term_colour wanted) {
  bool allowed = wanted == TERM_COLOUR_ALWAYS || (wanted == TERM_COLOUR_AUTO && !environment_says("NO_COLOR"));
  ours.coloured = allowed && has_colors() && start_color() == OK && COLORS >= 8;
  if (ours.coloured) {
    bool own_background = use_default_colors() == OK;
    for (short colour = 0; colour < 8; colour++)
      init_pair((short)(colour + 1), colour, own_background ? -1 : COLOR_BLACK);
  }
  for (int role = 0; role < BT_ROLE_COUNT; role++) {
    struct theme_look look = theme_look((enum bt_role)role);
    ours.attributes[role] = (look.bold ? A_BOLD : A_NORMAL) | (look.dim ? A_DIM : A_NORMAL) |
                            (look.underline ? A_UNDERLINE : A_NORMAL) | (look.reverse ? A_REVERSE : A_NORMAL);
    ours.pairs[role] = (short)(ours.coloured && look.colour >= 0 ? look.colour + 1 : 0);
  }
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
  start_colours(options->colour);
  term_send(paste_on, sizeof(paste_on) - 1);
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
  tcgetattr(STDIN_FILENO, &ours.modes);
  use_env(TRUE);
  use_tioctl(TRUE);
  ours.errors.fd = -1;
  /* Before newterm: curses leaves handlers alone that are there already. Of its own SIGTSTP it throws away what
   * arrives while it writes to the screen. */
  take_signals();
  ours.screen = newterm(NULL, stdout, stdin);
  if (!ours.screen) {
    give_signals_back();
    return bt_error_set(err, BT_STATE, "TERM", "this terminal cannot be used: %s", name ? name : "not set");
  }
  ours.is_open = true;
  ours.paused = ours.gone = ours.pasting = false;
  bt_str_init(&ours.paste, TERM_PASTE_MAX);
  capture_start(&ours.errors);
  set_up_screen(options);
  return BT_OK;
}

static void pause_screen(void) {
  term_send(paste_off, sizeof(paste_off) - 1);
  endwin();
  tcsetattr(STDIN_FILENO, TCSANOW, &ours.modes);
  ours.paused = true;
}

static void mask_stop(int how) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(how, &stop, NULL);
}

void term_close(void) {
  if (!ours.is_open)
    return;
  if (!ours.paused)
    pause_screen();
  delscreen(ours.screen);
  ours.screen = NULL;
  ours.is_open = false;
  capture_stop(&ours.errors);
  give_signals_back();
  bt_str_dispose(&ours.paste);
}

void term_lend(void) {
  pause_screen();
  capture_stop(&ours.errors);
  set_action(SIGINT, SIG_IGN, 0, NULL);
  set_action(SIGQUIT, SIG_IGN, 0, NULL);
  set_action(SIGTSTP, SIG_DFL, 0, NULL);
  mask_stop(SIG_UNBLOCK);
}

void term_resume(void) {
  mask_stop(SIG_BLOCK);
  set_action(SIGINT, on_signal, 0, NULL);
  set_action(SIGQUIT, on_signal, 0, NULL);
  set_action(SIGTSTP, on_signal, 0, NULL);
  if (ours.errors.fd < 0)
    capture_start(&ours.errors);
  ours.paused = false;
  reset_prog_mode();
  clearok(curscr, TRUE);
  refresh();
  term_send(paste_on, sizeof(paste_on) - 1);
}

void term_suspend(void) {
  term_lend();
  raise(SIGTSTP); /* stops here until SIGCONT; ignored by the system where nobody could continue us */
  term_resume();
  ours.resumed = 0;
}

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

static uint32_t character_key(wint_t character) {
  switch (character) {
  case '\r':
  case '\n':
    return BT_KEY_ENTER;
  case '\t':
    return BT_KEY_TAB;
  case 0x1b:
    return BT_KEY_ESC;
  case 0x7f:
  case 0x08:
    return BT_KEY_BACKSPACE;
  default:
    return (uint32_t)character;
  }
}

static struct term_event end_paste(void) {
  ours.pasting = false;
  return (struct term_event){.kind = TERM_EVENT_PASTE, .paste = &ours.paste};
}

/* True when the paste is over. */
static bool paste_takes(int kind, wint_t code) {
  if (kind == KEY_CODE_YES)
    return code == PASTE_ENDS;
  bt_utf8_put(&ours.paste, code == '\r' ? '\n' : (uint32_t)code);
  return false;
}

struct term_event term_next(void) {
  if (ours.gone)
    return (struct term_event){.kind = TERM_EVENT_GONE};
  wint_t code;
  int kind;
  while ((kind = get_wch(&code)) != ERR) {
    if (kind == KEY_CODE_YES && code == KEY_RESIZE)
      return (struct term_event){.kind = TERM_EVENT_RESIZE};
    if (ours.pasting) {
      if (paste_takes(kind, code))
        return end_paste();
      continue;
    }
    if (kind == KEY_CODE_YES && code == PASTE_BEGINS) {
      ours.pasting = true;
      bt_str_clear(&ours.paste);
      continue;
    }
    uint32_t key = kind == KEY_CODE_YES ? named_key(code) : character_key(code);
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
  bool shortened = ours.pasting && (timeout_ms < 0 || timeout_ms > PASTE_SILENCE_MS);
  if (shortened)
    timeout_ms = PASTE_SILENCE_MS;
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
  int count = pselect(highest + 1, &set, NULL, NULL, timeout_ms < 0 ? NULL : &timeout, &ours.outer_mask);
  if (count == 0 && shortened)
    ungetch(PASTE_ENDS); /* the end mark never came: what is there is the paste */
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
