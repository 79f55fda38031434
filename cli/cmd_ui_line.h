/* cli/cmd_ui_line.h - lines of standard input, and what happens to the ledger while none comes.
 *
 * For the plain mode. Works on a terminal, a pipe and a file alike; never waits where input has ended. */
#ifndef BATON_CLI_CMD_UI_LINE_H
#define BATON_CLI_CMD_UI_LINE_H

#include <stdbool.h>

#include "core/base/str.h"
#include "tui/watch.h"

#define LINE_BYTES_MAX ((size_t)4096) /* a longer line is not taken at all */

struct line_reader {
  struct bt_str bytes; /* read and not handed out yet */
  bool ended;
};

void line_reader_init(struct line_reader *reader);
void line_reader_dispose(struct line_reader *reader);

/* The next line into `line` (initialised, ceiling LINE_BYTES_MAX or more), without its line break, as internal text; blank
 * at both ends is cut off. False when there is none any more. While waiting, `changed` is called whenever `watch` says
 * that the ledger may have changed; both may be NULL. A line that is too long or broken comes as an empty one. */
bool line_read(struct line_reader *reader, struct watch *watch, void (*changed)(void *context), void *context,
               struct bt_str *line);

#endif
