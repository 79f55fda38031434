/* cli/ask_watch.h - what is watched, and how it is said: for the files of `baton ask watch`, `ack` and `text`.
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

enum ask_watch_verb { ASK_WATCH, ASK_ACK, ASK_TEXT };

/* Reads the verb's flags, the settings and where the transcripts are; none of them is read yet. BT_OK with watch->help:
 * the help has been printed. BT_USAGE, BT_NOMEM. Ends with ask_watch_end, whatever it returns. */
enum bt_code ask_watch_begin(struct cli_env *cli, int argc, char **argv, enum ask_watch_verb verb,
                             struct ask_watch *watch, struct bt_error *err) BT_NODISCARD;
int ask_watch_end(struct ask_watch *watch, int status); /* `status` */

/* Members of a JSON object, without a comma behind them; a NULL text and figures that are not known are null. */
void ask_put_text(struct bt_str *out, const char *key, const char *text);
void ask_put_figures(struct bt_str *out, const struct bt_ask_machine *machine);

/* One line for people, in its visible form. */
void ask_put_line(struct bt_str *out, const struct bt_ask_session *session);

/* Goes on until nobody reads the output any more. An exit status. */
int ask_follow(struct ask_watch *watch);

#endif
