/* tui/sequence.h - control sequences that curses does not know: taken whole, and the keys among them understood.
 *
 * A terminal that answers a question of somebody else's (where the cursor is, its colours, its name), that reports focus
 * or the mouse unasked, or that writes its keys another way than terminfo says, sends bytes which must not be read as
 * keys: the last byte of a cursor report is the letter R. Grammar: ECMA-48 5.4 and 8.3; keys: xterm's modifyOtherKeys
 * and the `CSI u` form. Must not know: curses, waiting. */
#ifndef BATON_TUI_SEQUENCE_H
#define BATON_TUI_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEQUENCE_TEXT_MAX = 32 }; /* longer ones are no key; they are taken all the same */

struct sequence {
  uint32_t introducer; /* what followed Esc; 0: none is open */
  size_t taken;        /* characters since then */
  unsigned skip;       /* characters that still belong to it, whatever they are */
  bool escape;         /* in a string: Esc came, perhaps the first half of its end */
  char text[SEQUENCE_TEXT_MAX];
};

/* True where Esc and this character begin a control sequence or string. */
bool sequence_introducer(uint32_t character);

/* True where the two, in one piece, look like what is left of a key's sequence whose Esc came alone. */
bool sequence_follows(uint32_t introducer, uint32_t next);

void sequence_open(struct sequence *sequence, uint32_t introducer);

/* Gives one character to an open sequence. `*key` is the key it was, BT_KEY_NONE while it goes on and where it was none;
 * it is closed (introducer 0) when it is over. False: the character does not belong to it, it is closed, and the caller
 * goes on with the character. */
bool sequence_take(struct sequence *sequence, uint32_t character, uint32_t *key);

/* The key of a character that came alone: Enter, Tab, Esc and Backspace have names of their own. */
uint32_t sequence_control_key(uint32_t character);

#endif
