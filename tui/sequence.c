/* tui/sequence.c - the end of a control sequence, and which key it was. */
#include "tui/sequence.h"

#include <string.h>

#include "keymaps/key.h"

enum {
  ESCAPE = 0x1b,
  BELL = 0x07,
  CANCEL = 0x18,
  SUBSTITUTE = 0x1a,
  DELETE = 0x7f,
  PARAMETERS_MAX = 3,
  PRIVATE_FIRST = 0xe000,
  PRIVATE_LAST = 0xf8ff
};
enum { SHIFT = 1, ALT = 2, CTRL = 4, LOCKS = 64 | 128 }; /* modifiers as sent, less one */

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

bool sequence_introducer(uint32_t character) {
  return character != 0 && character < DELETE && strchr("[OP]_^X", (int)character) != NULL;
}

bool sequence_follows(uint32_t introducer, uint32_t next) {
  bool letter = next >= 'A' && next <= 'Z';
  return introducer == '[' ? letter || (next >= '0' && next <= '?') : introducer == 'O' && letter;
}

void sequence_open(struct sequence *sequence, uint32_t introducer) {
  *sequence = (struct sequence){.introducer = introducer};
}

/* ---------------------------------------------------------------- which key -------------------- */

static uint32_t letter_key(uint32_t letter) {
  static const struct {
    char letter;
    uint32_t key;
  } keys[] = {
      {'A', BT_KEY_UP},   {'B', BT_KEY_DOWN}, {'C', BT_KEY_RIGHT}, {'D', BT_KEY_LEFT},
      {'H', BT_KEY_HOME}, {'F', BT_KEY_END},  {'Z', BT_KEY_S_TAB},
  };
  for (size_t i = 0; i < LENGTH(keys); i++)
    if ((uint32_t)keys[i].letter == letter)
      return keys[i].key;
  return BT_KEY_NONE;
}

/* Only after Esc O: in a sequence R is the answer where the cursor is. */
static uint32_t keypad_key(uint32_t letter) {
  if (letter >= 'P' && letter <= 'S')
    return BT_KEY_F1 + (letter - 'P');
  return letter == 'M' ? BT_KEY_ENTER : letter_key(letter);
}

static uint32_t numbered_key(unsigned number) {
  static const uint32_t keys[] = {
      [1] = BT_KEY_HOME,      [2] = BT_KEY_INSERT, [3] = BT_KEY_DELETE, [4] = BT_KEY_END,  [5] = BT_KEY_PAGE_UP,
      [6] = BT_KEY_PAGE_DOWN, [7] = BT_KEY_HOME,   [8] = BT_KEY_END,    [11] = BT_KEY_F1,  [12] = BT_KEY_F2,
      [13] = BT_KEY_F3,       [14] = BT_KEY_F4,    [15] = BT_KEY_F5,    [17] = BT_KEY_F6,  [18] = BT_KEY_F7,
      [19] = BT_KEY_F8,       [20] = BT_KEY_F9,    [21] = BT_KEY_F10,   [23] = BT_KEY_F11, [24] = BT_KEY_F12,
  };
  return number < LENGTH(keys) ? keys[number] : (uint32_t)BT_KEY_NONE;
}

uint32_t sequence_control_key(uint32_t character) {
  switch (character) {
  case '\r':
  case '\n':
    return BT_KEY_ENTER;
  case '\t':
    return BT_KEY_TAB;
  case ESCAPE:
    return BT_KEY_ESC;
  case DELETE:
  case '\b':
    return BT_KEY_BACKSPACE;
  default:
    return character;
  }
}

/* A key by its code point, as `CSI u` and modifyOtherKeys send it. */
static uint32_t modified_key(uint32_t code, unsigned modifiers) {
  bool printable = code > ' ' && code < DELETE, lower = code >= 'a' && code <= 'z';
  modifiers &= ~(unsigned)LOCKS;
  if (code >= PRIVATE_FIRST && code <= PRIVATE_LAST)
    return BT_KEY_NONE; /* a key that sends no text: Shift itself, the keys of a player */
  if (code == '\t' && modifiers == SHIFT)
    return BT_KEY_S_TAB;
  if (lower && (modifiers & SHIFT) && !(modifiers & CTRL))
    code -= 'a' - 'A';
  modifiers &= ~(unsigned)SHIFT;
  if (modifiers == 0)
    return code < ' ' || code == DELETE ? sequence_control_key(code)
           : bt_key_printable(code)     ? code
                                        : (uint32_t)BT_KEY_NONE;
  if (modifiers == ALT && printable)
    return BT_KEY_META | code;
  if (modifiers == CTRL && (lower || (code >= '@' && code <= '_')))
    return code == '@' ? (uint32_t)BT_KEY_NONE : sequence_control_key(BT_KEY_CTRL(code));
  return BT_KEY_NONE;
}

/* "106;5:1" as {106, 5}; what follows a colon is in `beside`. False where it is anything else. */
static bool parameters(const struct sequence *sequence, size_t length, unsigned values[PARAMETERS_MAX],
                       unsigned beside[PARAMETERS_MAX], size_t *count) {
  unsigned *number = &values[0];
  *count = length > 0 ? 1 : 0;
  for (size_t i = 0; i < length; i++) {
    char at = sequence->text[i];
    if (at >= '0' && at <= '9')
      *number = *number < 0x110000 ? *number * 10 + (unsigned)(at - '0') : *number;
    else if (at == ':')
      number = &beside[*count - 1];
    else if (at == ';' && *count < PARAMETERS_MAX)
      number = &values[(*count)++];
    else
      return false;
  }
  return true;
}

/* The key of a whole sequence whose last character is `final`. */
static uint32_t key_of(const struct sequence *sequence, uint32_t final) {
  unsigned values[PARAMETERS_MAX] = {0}, beside[PARAMETERS_MAX] = {0};
  size_t count = 0, length = sequence->taken - 1;
  if (sequence->introducer == 'O')
    return length == 0 ? keypad_key(final) : (uint32_t)BT_KEY_NONE;
  if (length > SEQUENCE_TEXT_MAX || !parameters(sequence, length, values, beside, &count))
    return BT_KEY_NONE;
  enum { RELEASED = 3 };
  if (beside[1] == RELEASED)
    return BT_KEY_NONE;
  unsigned modifiers = count > 1 && values[1] > 0 ? values[1] - 1 : 0;
  if (final == 'u' && count > 0)
    return modified_key(values[0], modifiers);
  if (final == '~' && count == 3 && values[0] == 27)
    return modified_key(values[2], modifiers);
  if (modifiers & ~(unsigned)LOCKS)
    return BT_KEY_NONE; /* Ctrl and an arrow: no keymap has a name for it */
  if (final == '~')
    return numbered_key(values[0]);
  return count == 0 || (count == 2 && values[0] == 1) ? letter_key(final) : (uint32_t)BT_KEY_NONE;
}

/* ---------------------------------------------------------------- where it ends ---------------- */

static bool close_with(struct sequence *sequence, bool belongs) {
  sequence->introducer = 0;
  return belongs;
}

/* A string ends with BEL, with Esc \, or where the terminal gave it up. */
static bool take_of_string(struct sequence *sequence, uint32_t character) {
  if (sequence->escape)
    return close_with(sequence, character == '\\');
  sequence->escape = character == ESCAPE;
  if (character == BELL || character == CANCEL || character == SUBSTITUTE)
    return close_with(sequence, true);
  return true;
}

bool sequence_take(struct sequence *sequence, uint32_t character, uint32_t *key) {
  *key = BT_KEY_NONE;
  if (sequence->introducer != '[' && sequence->introducer != 'O')
    return take_of_string(sequence, character);
  if (sequence->skip > 0) {
    if (--sequence->skip == 0)
      close_with(sequence, true);
    return true;
  }
  if (character < ' ' || character >= DELETE)
    return close_with(sequence, false);
  bool first = sequence->taken == 0;
  if (sequence->taken < SEQUENCE_TEXT_MAX)
    sequence->text[sequence->taken] = (char)character;
  sequence->taken++;
  if (character < '@')
    return true;
  /* The mouse as it was before its numbers were written out: three characters follow. The function keys of a console:
   * one. */
  sequence->skip = first && sequence->introducer == '[' ? (character == 'M' ? 3 : character == '[' ? 1 : 0) : 0;
  if (sequence->skip > 0)
    return true;
  *key = key_of(sequence, character);
  return close_with(sequence, true);
}
