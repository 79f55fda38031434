/* cli/terminal.h - the terminal as it was before somebody else had it.
 *
 * For programs that run another one in their own process group: a child that is killed leaves raw modes, a hidden
 * cursor or the alternate screen behind. Touches nothing where there is no terminal or it is not ours at the moment. */
#ifndef BATON_CLI_TERMINAL_H
#define BATON_CLI_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
  int fd; /* -1: there is none, or nothing was saved */
  struct termios modes;
  pid_t group; /* that had it */
};

void terminal_save(struct terminal *terminal);
/* `killed`: whoever had it could not tidy up after itself. */
void terminal_restore(const struct terminal *terminal, bool killed);

#endif
