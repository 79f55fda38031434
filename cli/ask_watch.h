/* cli/ask_watch.h - what is watched, and how it is said: for the two files of `baton ask watch`.
 *
 * Rules: spec/handover-request.md 6. */
#ifndef BATON_CLI_ASK_WATCH_H
#define BATON_CLI_ASK_WATCH_H

#include "cli/env.h"
#include "core/base/str.h"
#include "core/handover/records.h"
#include "core/handover/sessions.h"

struct ask_watch {
  struct cli_env *cli;
  const char *projects_flag, *window_flag, *session_flag, *subject;
  bool once, follow, json, records, help;
  const char *const *only; /* sessions to print; none: all */
  size_t only_count;
  struct bt_handover_shelves *shelves; /* where the records lie; with --records */
  struct bt_ask_settings settings;
  struct bt_ask_sessions sessions;
};

/* Members of a JSON object, without a comma behind them; a NULL text and figures that are not known are null. */
void ask_put_text(struct bt_str *out, const char *key, const char *text);
void ask_put_figures(struct bt_str *out, const struct bt_ask_machine *machine);

/* One line for people, in its visible form. */
void ask_put_line(struct bt_str *out, const struct bt_ask_session *session);

/* Goes on until nobody reads the output any more. An exit status. */
int ask_follow(struct ask_watch *watch);

#endif
