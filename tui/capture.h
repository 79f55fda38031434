/* tui/capture.h - keeps what anybody prints on standard error until the screen is given back. */
#ifndef BATON_TUI_CAPTURE_H
#define BATON_TUI_CAPTURE_H

#include <stdio.h>

struct capture {
  int fd; /* the real standard error while captured; else -1 */
  FILE *kept;
};

void capture_start(struct capture *capture); /* captures nothing where the system gives no file */
void capture_stop(struct capture *capture);  /* prints what was kept, at most 64 KiB; idle: nothing */

#endif
