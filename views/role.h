/* views/role.h - what a cell means; how that looks is the theme's business (tui/theme.c).
 *
 * One table: the enum, the letter of the golden role grids (tests/scenes) and the sentence. Letters are unique.
 * A role never carries meaning alone: the word or glyph is always in the cell too (dashboard.md row 2). */
#ifndef BATON_VIEWS_ROLE_H
#define BATON_VIEWS_ROLE_H

/* clang-format off */
/*  name                 letter  what it marks; the look that is meant */
#define BT_ROLES(X)                                                                      \
  X(DEFAULT,             '.',  "ordinary text")                                          \
  X(DIM,                 'd',  "context")                                                \
  X(BOLD,                'b',  "differs from normal")                                    \
  X(TITLE,               't',  "name of the program and of the page; bold")              \
  X(LABEL,               'l',  "label left of a value; dim")                             \
  X(HEAD,                'h',  "column head; dim")                                       \
  X(HEAD_SORT,           'H',  "head of the column that sorts; underlined")              \
  X(RULE,                'r',  "horizontal rule; dim")                                   \
  X(RULE_TITLE,          'R',  "words set into a rule")                                  \
  X(SELECTION,           's',  "selected row; reverse")                                  \
  X(MARK,                'M',  "marked row: its + and its name; bold")                  \
  X(SELECTION_IDLE,      'z',  "selected row of a pane without the focus; bold")         \
  X(STATE_BLOCKED,       'B',  "refuses work now; red bold")                             \
  X(STATE_STALE_LOCK,    'S',  "owner gone; magenta")                                    \
  X(STATE_FOREIGN,       'F',  "not ours to judge; cyan")                                \
  X(STATE_READY,         'Y',  "ready for you; blue")                                    \
  X(STATE_WARN,          'W',  "soon or doubtful; yellow")                               \
  X(STATE_RUN,           'u',  "running; default")                                       \
  X(STATE_IDLE,          'i',  "idle; dim")                                              \
  X(STATE_DONE,          'o',  "done; dim")                                              \
  X(VERDICT_STALE,       '1',  "lock: owner gone; magenta")                              \
  X(VERDICT_PID_REUSE,   '2',  "lock: the pid is another process now; magenta bold")     \
  X(VERDICT_FOREIGN,     '3',  "lock of another host; cyan")                             \
  X(VERDICT_UNREADABLE,  '4',  "lock that cannot be read; yellow")                       \
  X(VERDICT_UNKNOWN,     '5',  "lock that cannot be judged; yellow")                     \
  X(VERDICT_LIVE,        '6',  "lock held; default")                                     \
  X(BAND_UNKNOWN,        '?',  "band not known; dim")                                    \
  X(BAND_OK,             '7',  "band ok; default")                                       \
  X(BAND_WARN,           '8',  "band WARN; yellow")                                      \
  X(BAND_HANDOFF,        '9',  "band HANDOFF; yellow bold")                              \
  X(BAND_HARD,           '0',  "band HARD; red bold")                                    \
  X(VERIFIED,            'v',  "checked and fine; green")                                \
  X(TAMPERED,            'T',  "does not match; red reverse")                            \
  X(WARNING,             '!',  "[!!] and what is doubtful; yellow bold")                 \
  X(BAD,                 'X',  "refuses, fails, is missing; red bold")                   \
  X(UNKNOWN,             'q',  "cannot be known from here; dim")                         \
  X(GUTTER,              '|',  "bar left of text that a session wrote; dim")             \
  X(QUOTED,              '"',  "text that a session wrote; default")                     \
  X(ESCAPED,             '^',  "character shown as its escape; bold")                    \
  X(REDACTED,            'x',  "redaction mark; magenta")                                \
  X(ADDED,               'c',  "line that is new in a text; green, its + says so")       \
  X(REMOVED,             'C',  "line that is gone from a text; red, its - says so")      \
  X(HIT,                 '=',  "search hit; underlined bold")                            \
  X(HIT_CURRENT,         '#',  "search hit under the cursor; reverse")                   \
  X(KEY,                 'k',  "a key to press; bold")                                   \
  X(KEY_OFF,             'K',  "a key that would refuse now; dim")                       \
  X(NEXT_STEP,           'N',  "safest next step; bold")                                 \
  X(TAB,                 'a',  "tab of the session page")                                \
  X(TAB_CURRENT,         'A',  "the open tab; reverse")                                  \
  X(BOX,                 '+',  "border of a dialog")                                     \
  X(BOX_TITLE,           'O',  "title of a dialog; bold")                                \
  X(BOX_TITLE_RISKY,     'Q',  "title of a dialog that lets something through; yellow bold") \
  X(BACKDROP,            ',',  "screen behind a dialog; dim")                            \
  X(FIELD,               'f',  "text field; underlined")                                 \
  X(FIELD_FOCUSED,       'I',  "text field with the cursor; underlined bold")            \
  X(BUTTON,              'p',  "button")                                                 \
  X(BUTTON_FOCUSED,      'P',  "the button that Enter presses; reverse")                 \
  X(BUTTON_LOCKED,       'L',  "button that cannot be pressed yet; dim")                 \
  X(MESSAGE,             'm',  "message line")                                           \
  X(MESSAGE_GOOD,        'g',  "something was done; green")                              \
  X(MESSAGE_WARN,        'w',  "something to know; yellow")                              \
  X(MESSAGE_ERROR,       'e',  "something failed; red bold")                             \
  X(NOTICE,              'n',  "standing notice in the header (key missing, sample); bold")
/* clang-format on */

enum bt_role {
#define BT_ROLE_ENUM(name, letter, words) BT_ROLE_##name,
  BT_ROLES(BT_ROLE_ENUM)
#undef BT_ROLE_ENUM
      BT_ROLE_COUNT
};

char bt_role_letter(enum bt_role role); /* '.' for a value outside the table */

#endif
