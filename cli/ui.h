/* cli/ui.h - what the rest of cli/ may know of the terminal; answered by cmd_ui*.c, the only files that see tui/. */
#ifndef BATON_CLI_UI_H
#define BATON_CLI_UI_H

#include <stdbool.h>

#include "cli/env.h"
#include "core/model/snapshot.h"

struct ui_terminal {
  char name[64]; /* TERM; empty when not set */
  bool usable;   /* a dashboard fits on it */
  int colours;
  bool utf8;
  char library[64]; /* "ncurses 6.4.20221231" */
};
void ui_terminal(struct ui_terminal *terminal);

/* Waiting for the ledger, as the dashboard does (tui/watch.h). NULL: out of memory. */
struct ui_watch;
struct ui_watch *ui_watch_new(const struct cli_env *cli, bool inotify, struct bt_error *err) BT_NODISCARD;
void ui_watch_free(struct ui_watch *watch); /* NULL is allowed */
/* True when the ledger may have changed within that time; a burst is one change. */
bool ui_watch_wait(struct ui_watch *watch, int timeout_ms);
bool ui_watch_closed(const struct ui_watch *watch); /* nobody reads standard output any more */

/* The configured command for what becomes BLOCKED (tui/notify.h). NULL when memory is short: then nothing is run. */
struct ui_notify;
struct ui_notify *ui_notify_new(const char *command);
void ui_notify_free(struct ui_notify *notify); /* NULL is allowed */
void ui_notify_changes(struct ui_notify *notify, const struct bt_snapshot *before, const struct bt_snapshot *after);

#endif
