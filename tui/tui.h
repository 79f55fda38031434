/* tui/tui.h - the dashboard's loop: keys, signals, the watch, the loader, the clock; one frame after each change.
 *
 * Nothing is drawn, computed or written while nothing changes (dashboard.md row 87). */
#ifndef BATON_TUI_TUI_H
#define BATON_TUI_TUI_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/snapshot.h"
#include "keymaps/keymap.h"
#include "tui/term.h"

struct bt_scene;

struct tui_options {
  struct term_options term;
  bool inotify;
  bool utc;                       /* times begin in UTC */
  bool all;                       /* the sessions of every repository */
  struct bt_snapshot *imported;   /* moves in: shown instead of the ledger, which is not read; NULL: none */
  const struct bt_keymap *keymap; /* borrowed */
  const char *keymap_name;        /* "default" */
  const char *on_blocked;         /* command to run when a session becomes BLOCKED; NULL or empty: none */
  /* The page on show as JSON (cli/page_json.h); false: there is none. */
  bool (*page_json)(const struct bt_snapshot *snapshot, const struct bt_scene *scene, struct bt_str *out);
  const char *notice; /* shown on the message line at first; NULL: none */
};

/* Runs until it is left. BT_OK: *exit_status is 0, or 128 plus the signal that ended it; a message in err, where there
 * is one, tells what leaving cut short. BT_STATE: this terminal cannot hold a dashboard and nothing was written to it:
 * print the table instead. Anything else: it could not start. */
enum bt_code tui_run(const struct bt_env *env, const struct tui_options *options, int *exit_status,
                     struct bt_error *err) BT_NODISCARD;

#endif
