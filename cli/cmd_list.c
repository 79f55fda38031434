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
#include "core/base/hashset.h"
#include "core/model/filter.h"
#include "core/store/load.h"

#define SHOWN_BYTES_MAX ((size_t)256 << 20)

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

enum { COLUMNS = 12, AGE = 10 };

struct row {
  char state[32], used[BT_PERCENT_BYTES], age[16], deny[32];
  const char *cells[COLUMNS];
};

static void fill_row(struct row *row, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_context *context = &session->context;
  snprintf(row->state, sizeof(row->state), "%c %s", bt_state_glyph(session->state), bt_state_word(session->state));
  bt_percent_text(row->used, context);
  snprintf(row->deny, sizeof(row->deny), "-");
  if (session->deny)
    snprintf(row->deny, sizeof(row->deny), "%s%s", session->deny->status == BT_DENY_OPEN ? "open " : "",
             bt_deny_class_word(session->deny->class_));
  const char *cells[COLUMNS] = {row->state,
                                session->id,
                                session->harness,
                                session->ticket_id,
                                row->used,
                                bt_band_word(context->band),
                                context->band_by,
                                row->deny,
                                session->lock ? bt_lock_verdict_word(session->lock->verdict) : NULL,
                                bt_brief_word(session->capture ? session->capture->status : BT_BRIEF_NONE),
                                table_age(row->age, snapshot->taken_at_ms, session->since_ms),
                                session->next.text};
  memcpy(row->cells, cells, sizeof(cells));
}

static void add_row(struct table *table, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  struct row row;
  fill_row(&row, snapshot, session);
  table_add(table, row.cells, table_paint_state(session->state));
}

/* For --watch: of everything that the table, or the document, says beside the hour and the ages. */
static uint64_t shown(const struct look *look, bool line) {
  const struct bt_snapshot *snapshot = look->snapshot;
  struct bt_str all;
  bt_str_init(&all, SHOWN_BYTES_MAX);
  bool ok = true;
  struct bt_snapshot timeless = *snapshot; /* how long a grant still holds is no news */
  timeless.taken_at_ms = 0;
  for (size_t i = 0; i < snapshot->session_count; i++) {
    const struct bt_session *session = &snapshot->sessions[i];
    if (!bt_filter_session(look->filter, session, snapshot->taken_at_ms))
      continue;
    struct json_out json;
    json_begin_kept(&json);
    if (line) {
      facts_session(&json, &timeless, session);
    } else {
      struct row row;
      fill_row(&row, snapshot, session);
      for (size_t column = 0; column < COLUMNS; column++)
        json_text(&json, "", column == AGE ? NULL : row.cells[column]);
    }
    ok &= json_end_kept(&json, &all);
  }
  struct json_out rest;
  json_begin_kept(&rest);
  facts_problems(&rest, snapshot);
  ok &= json_end_kept(&rest, &all) && !all.failed;
  uint64_t hash = ok ? bt_id_hash(all.data, all.length) : (uint64_t)snapshot->taken_at_ms; /* in doubt, printed */
  bt_str_dispose(&all);
  return hash;
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
      {"filter", &look.filter, NULL, "WORDS",
       "only those with these words; state: band: harness: ticket: host: age>1h"},
      {"jsonl", NULL, &watch.jsonl, NULL, "print one JSON object a line"},
      {"watch", NULL, &watch.watch, NULL, "go on: print the list again whenever it changes"},
      {"frames", &watch.frames, NULL, "N", "with --watch: stop after N lists (also -n N)"},
      {"interval", &watch.interval, NULL, "SECONDS", "with --watch: print at least that often (2 with --frames)"},
  };
  lengthen(argc, argv, frames);
  if (look_begin_with(cli, argc, argv,
                      "baton list [--filter WORDS] [--all] [--json|--jsonl] [--watch [-n N]] [--dir PATH]",
                      "Every session of this repository, worst first, with the safest next step.", false, load, extra,
                      sizeof(extra) / sizeof(*extra), &look, &status) == LOOK_DONE)
    return status;
  doubt(look.filter);
  if (list_watch_check(&watch, &look, &err) != BT_OK)
    status = out_error(&err);
  else
    status = watch.watch ? list_watch_run(cli, &watch, &look, load, print, shown) : print(&look, watch.jsonl);
  bt_snapshot_free(look.snapshot);
  return status;
}
