/* tests/support/steps.h - scripts of keys and expected screens, one step a line.
 *
 * The same script is played against the state machine (tests/scenes) and typed into the real program under tmux
 * (tests/e2e). Blank lines and lines that begin with # are left out.
 *
 *   ledger sample|empty|none     which fixture; sample when not given; before everything else
 *   without key                  no signing key is loaded
 *   readonly                     started with --readonly
 *   handovers                    sessions are supervised, in every state of a handover request
 *   sizes 120x36 80x24           the sizes it is played at; all four golden ones when not given
 *   key j <Enter> <C-d>          keys, named as in a keymap file
 *   type some words              every character is a key
 *   paste ubcq\n                 a bracketed paste; \n is a newline, \\ a backslash
 *   size 80x24                   the terminal is resized
 *   clock 60000                  so many milliseconds go by
 *   write PATH TEXT              a file below the root changes, and the ledger is read again; \n as above
 *   remove PATH                  the same for a file that goes away
 *   expect NAME                  the screen equals golden/NAME.SIZE.CHARSET
 *   shows TEXT                   the words are somewhere on the screen
 *   unchanged                    not a byte below the root has changed since the start
 *   quits                        the program has ended by itself */
#ifndef BATON_TESTS_SUPPORT_STEPS_H
#define BATON_TESTS_SUPPORT_STEPS_H

#include <stdbool.h>
#include <stddef.h>

enum step_kind {
  STEP_LEDGER,
  STEP_WITHOUT_KEY,
  STEP_READONLY,
  STEP_HANDOVERS,
  STEP_SIZES,
  STEP_KEY,
  STEP_TYPE,
  STEP_PASTE,
  STEP_SIZE,
  STEP_CLOCK,
  STEP_WRITE,
  STEP_REMOVE,
  STEP_EXPECT,
  STEP_SHOWS,
  STEP_UNCHANGED,
  STEP_QUITS,
  STEP_KIND_COUNT
};

#define STEPS_MAX 256
struct step {
  enum step_kind kind;
  int line;
  const char *text; /* what follows the word; "" when nothing does */
};
struct steps {
  char *source; /* owned; the texts point into it */
  struct step list[STEPS_MAX];
  size_t count;
};

/* False, with file and line on stderr, when it cannot be read or a line is not understood. */
bool steps_read(struct steps *steps, const char *path);
void steps_dispose(struct steps *steps);

/* Replaces \n and \\ in place. */
void steps_unescape(char *text);

#endif
