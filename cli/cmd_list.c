/* cli/cmd_list.c - `baton list`: every session of the ledger, worst first. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/list_watch.h"
#include "cli/look.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/model/filter.h"
#include "core/store/load.h"

static int print_json(const struct bt_snapshot *snapshot, const char *filter, bool line) {
  struct json_out json;
  if (line)
    json_begin_line(&json);
  else
    json_begin(&json);
  facts_head(&json, snapshot);
  facts_list(&json, snapshot, filter);
  return json_end(&json);
}

static void add_row(struct table *table, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  char state[32], used[BT_PERCENT_BYTES], age[16], deny[32] = "-";
  const struct bt_context *context = &session->context;
  snprintf(state, sizeof(state), "%c %s", bt_state_glyph(session->state), bt_state_word(session->state));
  bt_percent_text(used, context);
  if (session->deny)
    snprintf(deny, sizeof(deny), "%s%s", session->deny->status == BT_DENY_OPEN ? "open " : "",
             bt_deny_class_word(session->deny->class_));
  const char *cells[] = {state,
                         session->id,
                         session->harness,
                         session->ticket_id,
                         used,
                         bt_band_word(context->band),
                         context->band_by,
                         deny,
                         session->lock ? bt_lock_verdict_word(session->lock->verdict) : NULL,
                         bt_brief_word(session->capture ? session->capture->status : BT_BRIEF_NONE),
                         table_age(age, snapshot->taken_at_ms, session->since_ms),
                         session->next.text};
  table_add(table, cells, table_paint_state(session->state));
}

static int print_table(const struct bt_snapshot *snapshot, const char *filter, bool colour) {
  static const char *const heads[] = {"  STATE", "SESSION", "HARNESS", "TICKET",           "USED", "BAND", "BY", "DENY",
                                      "LOCK",    "BRIEF",   "AGE",     "SAFEST NEXT STEP", NULL};
  struct table table;
  table_init(&table, heads, colour);
  for (size_t i = 0; i < snapshot->session_count; i++)
    if (bt_filter_session(filter, &snapshot->sessions[i], snapshot->taken_at_ms))
      add_row(&table, snapshot, &snapshot->sessions[i]);
  int status = table_print(&table);
  table_dispose(&table);
  return status ? status : table_notes(snapshot);
}

static int print(const struct look *look, bool line) {
  return line || look->json ? print_json(look->snapshot, look->filter, line)
                            : print_table(look->snapshot, look->filter, look->colour);
}

/* `-n N`, as top and htop have it; the shared reader of flags has no short ones. */
static void lengthen(int argc, char **argv, char *frames) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "-n") == 0)
      argv[i] = frames;
}

/* A list that is empty for a slip of the hand must not read like an answer. */
static void doubt(const char *filter) {
  struct bt_slice word = bt_filter_doubt(filter, BT_FILTER_SESSIONS);
  char text[256];
  if (!word.data)
    return;
  snprintf(text, sizeof(text), "%.*s is searched as plain text: no such field, or no age (age>90m, age<2d)",
           word.length < 80 ? (int)word.length : 80, word.data);
  out_warning(text);
}

int cmd_list(struct cli_env *cli, int argc, char **argv) {
  const unsigned load = BT_LOAD_TICKETS | LOOK_TRANSCRIPTS;
  struct list_watch watch = {.watch = false};
  struct look look;
  struct bt_error err = {0};
  char frames[] = "--frames";
  int status;
  const struct option_spec extra[] = {
      {"filter", &look.filter, NULL, "WORDS", "only those with these words; state: band: harness: ticket: host: age>1h"},
      {"jsonl", NULL, &watch.jsonl, NULL, "print one JSON object a line"},
      {"watch", NULL, &watch.watch, NULL, "go on: print the list again whenever it changes"},
      {"frames", &watch.frames, NULL, "N", "with --watch: stop after N lists (also -n N)"},
      {"interval", &watch.interval, NULL, "SECONDS", "with --watch: print at least that often (2 with --frames)"},
  };
  lengthen(argc, argv, frames);
  if (look_begin_with(cli, argc, argv, "baton list [--filter WORDS] [--all] [--json|--jsonl] [--watch [-n N]] [--dir PATH]",
                      "Every session of this repository, worst first, with the safest next step.", false, load, extra,
                      sizeof(extra) / sizeof(*extra), &look, &status) == LOOK_DONE)
    return status;
  doubt(look.filter);
  if (list_watch_check(&watch, &look, &err) != BT_OK)
    status = out_error(&err);
  else
    status = watch.watch ? list_watch_run(cli, &watch, &look, load, print) : print(&look, watch.jsonl);
  bt_snapshot_free(look.snapshot);
  return status;
}
