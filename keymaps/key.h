/* keymaps/key.h - one key as a number, and its name in a keymap file.
 *
 * A printable key is its code point; a control key is its C0 number (1..26, without those that have a name of
 * their own); with Alt it is a printable ASCII key and BT_KEY_META; everything else is BT_KEY_... past the end of
 * Unicode. Must not know: any terminal library. */
#ifndef BATON_KEYMAPS_KEY_H
#define BATON_KEYMAPS_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BT_KEY_NAME 16 /* room for any key's name and its NUL */

/* clang-format off */
/*  name      in a keymap file  for people */
#define BT_KEYS(X)                          \
  X(ENTER,     "<Enter>",     "enter")      \
  X(TAB,       "<Tab>",       "tab")        \
  X(S_TAB,     "<S-Tab>",     "shift-tab")  \
  X(ESC,       "<Esc>",       "esc")        \
  X(BACKSPACE, "<Backspace>", "backspace")  \
  X(DELETE,    "<Delete>",    "del")        \
  X(INSERT,    "<Insert>",    "ins")        \
  X(UP,        "<Up>",        "up")         \
  X(DOWN,      "<Down>",      "down")       \
  X(LEFT,      "<Left>",      "left")       \
  X(RIGHT,     "<Right>",     "right")      \
  X(HOME,      "<Home>",      "home")       \
  X(END,       "<End>",       "end")        \
  X(PAGE_UP,   "<PageUp>",    "pgup")       \
  X(PAGE_DOWN, "<PageDown>",  "pgdn")       \
  X(F1,        "<F1>",        "f1")         \
  X(F2,        "<F2>",        "f2")         \
  X(F3,        "<F3>",        "f3")         \
  X(F4,        "<F4>",        "f4")         \
  X(F5,        "<F5>",        "f5")         \
  X(F6,        "<F6>",        "f6")         \
  X(F7,        "<F7>",        "f7")         \
  X(F8,        "<F8>",        "f8")         \
  X(F9,        "<F9>",        "f9")         \
  X(F10,       "<F10>",       "f10")        \
  X(F11,       "<F11>",       "f11")        \
  X(F12,       "<F12>",       "f12")
/* clang-format on */

enum bt_key_code {
  BT_KEY_NONE = 0,
  BT_KEY_SPACE = ' ',
  BT_KEY_FIRST_NAMED = 0x110000,
#define BT_KEY_ENUM(name, spelling, label) BT_KEY_##name,
  BT_KEYS(BT_KEY_ENUM)
#undef BT_KEY_ENUM
      BT_KEY_END_OF_NAMED
};

/* What a key with Ctrl sends: BT_KEY_CTRL('l'). i, m, j, h and [ have names of their own: Tab, Enter, Enter,
 * Backspace and Esc, since a terminal cannot tell them apart. */
#define BT_KEY_CTRL(letter) ((uint32_t)((letter)&0x1f))

/* What a key with Alt sends: BT_KEY_META('v'), the printable ASCII key with this bit. */
#define BT_KEY_META UINT32_C(0x200000)

/* Text, not a command: a code point a person sees when typing it. */
bool bt_key_printable(uint32_t key);

/* Reads a key's name, exactly `length` bytes: `<Enter>`, `<C-l>`, `<M-v>`, `<Space>`, `<lt>`, or one printable
 * character. False when it is no key's name. */
bool bt_key_parse(const char *name, size_t length, uint32_t *key);

/* The name in a keymap file: bt_key_parse reads it back. Empty for BT_KEY_NONE. */
void bt_key_name(uint32_t key, char out[BT_KEY_NAME]);

/* The name on the screen: "enter", "^d", "M-v", "space", "j". */
void bt_key_label(uint32_t key, char out[BT_KEY_NAME]);

#endif
