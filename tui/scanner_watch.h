/* tui/scanner_watch.h - inotify on the folders that hold session files. An optimisation only: the scanner polls behind
 * it. */
#ifndef BATON_TUI_SCANNER_WATCH_H
#define BATON_TUI_SCANNER_WATCH_H

#include <stdbool.h>

#include "core/harness/catalog.h"

#define SCANNER_FOLDERS_MAX 256

struct scanner_watch {
  int fd; /* -1: none */
  struct {
    int wd;
    char *folder; /* owned */
  } folders[SCANNER_FOLDERS_MAX];
  size_t count;
};

void scanner_watch_open(struct scanner_watch *watch, bool use_inotify);
void scanner_watch_close(struct scanner_watch *watch);

/* Watches the folders of the newest files, and what lies above them. */
void scanner_watch_renew(struct scanner_watch *watch, const struct bt_catalog *catalog);

/* Takes all events: a file that moved is marked as to be read (`*touched`), anything else asks for a new listing
 * (`*relist`). */
void scanner_watch_take(struct scanner_watch *watch, struct bt_catalog *catalog, bool *touched, bool *relist);

#endif
