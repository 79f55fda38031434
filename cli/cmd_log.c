/* cli/cmd_log.c - `baton log`: the signed evidence, newest first, or as it is appended. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/json_out.h"
#include "cli/log_actions.h"
#include "cli/log_follow.h"
#include "cli/log_row.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/store/manifest.h"

#define TABLE_LIMIT 500 /* rows for people; JSON has no limit of its own */
#define FOLLOW_FIRST 10 /* entries shown before the waiting begins */
#define LINE_ROOM (BT_MANIFEST_LINE_MAX + 1)

enum { RED = 31, YELLOW = 33 }; /* they repeat what the words say */

enum form { FORM_TABLE, FORM_JSON, FORM_JSONL };

struct log {
  struct cli_env *cli;
  int ledger;
  enum form form;
  struct log_filter filter;
  size_t limit; /* 0: none */
  struct bt_log data;
  struct bt_outcome_judge judge;
  struct bt_str line;
};

/* Each matching entry in turn, newest first; `fn` false ends it. */
static enum bt_code each_row(struct log *log, bool (*fn)(void *context, const struct log_row *row), void *context,
                             struct bt_error *err) {
  bool go_on = true;
  enum bt_code code = BT_OK;
  for (size_t i = 0; i < log->data.count && go_on && code == BT_OK; i++) {
    const struct bt_log_entry *place = &log->data.entries[i];
    struct log_row row;
    if (log->filter.since_ms != BT_TIME_UNKNOWN && place->ts_ms < log->filter.since_ms)
      continue; /* not worth reading again */
    code = bt_log_read(log->ledger, &log->data, place, &log->line, err);
    if (code != BT_OK)
      return code;
    code = log_row_init(&row, &log->data.forest.chains[place->chain], place, log->line.data, log->line.length,
                        &log->judge, err);
    if (code == BT_OK && log_row_matches(&row, &log->filter))
      go_on = fn(context, &row);
    log_row_dispose(&row);
  }
  return code;
}

/* ---- one object a line ---- */

static bool print_jsonl_row(const struct log_row *row) {
  struct bt_str text;
  struct bt_json *json = log_row_json(row);
  bt_str_init(&text, LINE_ROOM * 4);
  if (json != NULL)
    bt_json_print_compact(&text, json);
  bool ok = json != NULL && !text.failed && puts(text.data) >= 0;
  bt_json_free(json);
  bt_str_dispose(&text);
  return ok;
}

struct counted {
  struct log *log;
  size_t shown;
  bool more; /* than the limit lets through */
  bool failed;
  struct json_out json;
  struct table table;
};

static bool over_limit(struct counted *counted) {
  bool over = counted->log->limit > 0 && counted->shown == counted->log->limit;
  counted->more = counted->more || over;
  counted->shown += !over;
  return over;
}

static bool jsonl_row(void *context, const struct log_row *row) {
  struct counted *counted = context;
  if (over_limit(counted))
    return false;
  counted->failed = !print_jsonl_row(row);
  return !counted->failed && !ferror(stdout);
}

/* ---- one document ---- */

static bool json_row(void *context, const struct log_row *row) {
  struct counted *counted = context;
  if (over_limit(counted))
    return false;
  struct bt_json *json = log_row_json(row);
  counted->failed = json == NULL;
  if (json != NULL)
    json_value(&counted->json, NULL, json);
  bt_json_free(json);
  return !counted->failed;
}

static void json_head(struct json_out *json, const struct log *log) {
  const struct bt_env *env = &log->cli->env;
  const struct bt_forest *forest = &log->data.forest;
  json_integer(json, "schema_version", FACTS_SCHEMA_VERSION);
  json_time(json, "taken_at", bt_env_now(env));
  json_text(json, "ledger", env->ledger_dir);
  json_bool(json, "key_loaded", env->key != NULL && env->key_length > 0);
  json_bool(json, "chain_ok", forest->ok);
  json_text(json, "reason", forest->reason);
  json_text(json, "file", forest->file);
  json_integer(json, "line", (int64_t)forest->line);
}

/* ---- a table ---- */

static bool table_row(void *context, const struct log_row *row) {
  struct counted *counted = context;
  struct log_cells cells;
  if (over_limit(counted))
    return false;
  log_row_cells(row, &cells);
  bool bad = !row->place->chain_ok || row->place->signed_ == BT_ENTRY_SIG_WRONG;
  bool aborted = row->outcome != NULL && strcmp(row->outcome, "ABORTED") == 0;
  table_add(&counted->table, cells.cell, bad ? RED : aborted ? YELLOW : 0);
  return true;
}

static void print_chain_line(const struct log *log) {
  const struct bt_forest *forest = &log->data.forest;
  uint64_t good = 0, bad = 0, unchecked = 0, unsigned_ = 0;
  for (size_t i = 0; i < forest->count; i++) {
    const struct bt_chain_result *result = &forest->chains[i].result;
    good += result->signed_good;
    bad += result->signed_bad;
    unchecked += result->signed_unchecked;
    unsigned_ += result->unsigned_;
  }
  if (forest->ok) {
    printf("chain ok");
  } else {
    struct bt_str file;
    bt_str_init(&file, 8192);
    bt_text_visible(&file, forest->file, strlen(forest->file));
    printf("chain BROKEN in %s line %" PRIu64 ": %s", file.data, forest->line, forest->reason);
    bt_str_dispose(&file);
  }
  printf("   signatures: %" PRIu64 " ok, %" PRIu64 " invalid, %" PRIu64 " unverifiable, %" PRIu64 " unsigned\n", good,
         bad, unchecked, unsigned_);
  if (bad > 0)
    printf("%" PRIu64 " of them do not verify with this key: writes will be refused\n", bad);
  putchar('\n');
}

static int print_all(struct log *log, bool colour, struct bt_error *err) {
  static bool (*const printers[])(void *context, const struct log_row *row) = {
      [FORM_TABLE] = table_row, [FORM_JSON] = json_row, [FORM_JSONL] = jsonl_row};
  struct counted counted = {.log = log};
  int status = 0;
  if (log->form == FORM_JSON) {
    json_begin(&counted.json);
    json_head(&counted.json, log);
    json_open(&counted.json, "entries", '[');
  } else if (log->form == FORM_TABLE) {
    table_init(&counted.table, log_heads, colour);
  }
  enum bt_code code = each_row(log, printers[log->form], &counted, err);
  if (code == BT_OK && counted.failed && !ferror(stdout))
    code = bt_error_set(err, BT_NOMEM, "log", "out of memory");
  if (log->form == FORM_JSON) {
    json_close(&counted.json, ']');
    counted.json.text.failed = counted.json.text.failed || code != BT_OK;
    status = json_end(&counted.json);
  } else if (log->form == FORM_TABLE) {
    print_chain_line(log);
    status = table_print(&counted.table);
    table_dispose(&counted.table);
    if (counted.more)
      printf("... there are older ones: --limit 0 shows all\n");
  }
  return code != BT_OK ? out_error(err) : status != 0 ? status : out_flush();
}

/* ---- following ---- */

static bool print_line(struct log *log, const struct log_row *row) {
  struct log_cells cells;
  if (log->form == FORM_JSONL) {
    if (!print_jsonl_row(row))
      return false;
  } else {
    struct bt_str text;
    bt_str_init(&text, LINE_ROOM * 8);
    log_row_cells(row, &cells);
    for (size_t i = 0; i < LOG_COLUMNS; i++) {
      const char *cell = cells.cell[i] != NULL && cells.cell[i][0] != '\0' ? cells.cell[i] : "-";
      bt_str_puts(&text, i > 0 ? "  " : "");
      bt_text_visible(&text, cell, strlen(cell));
    }
    (void)puts(text.data);
    bt_str_dispose(&text);
  }
  return fflush(stdout) == 0 && !ferror(stdout);
}

static bool followed_entry(void *context, const struct bt_forest_chain *chain, const struct bt_log_entry *place,
                           const char *line, size_t length) {
  struct log *log = context;
  struct log_row row;
  struct bt_error err = {0};
  bool go_on = true;
  if (log_row_init(&row, chain, place, line, length, &log->judge, &err) != BT_OK)
    go_on = false;
  else if (log_row_matches(&row, &log->filter))
    go_on = print_line(log, &row);
  log_row_dispose(&row);
  return go_on;
}

struct first_rows { /* places of the newest matching entries */
  const struct bt_log_entry *place[FOLLOW_FIRST];
  size_t count;
};

static bool keep_row(void *context, const struct log_row *row) {
  struct first_rows *first = context;
  first->place[first->count++] = row->place;
  return first->count < FOLLOW_FIRST;
}

static int follow(struct log *log, struct bt_error *err) {
  struct first_rows first = {0};
  enum bt_code code = each_row(log, keep_row, &first, err);
  bt_outcome_judge_dispose(&log->judge); /* the same entries are judged again, as new ones */
  bt_outcome_judge_init(&log->judge, &log->cli->env, log->ledger);
  for (size_t i = first.count; i > 0 && code == BT_OK; i--) {
    const struct bt_log_entry *place = first.place[i - 1];
    code = bt_log_read(log->ledger, &log->data, place, &log->line, err);
    if (code == BT_OK &&
        !followed_entry(log, &log->data.forest.chains[place->chain], place, log->line.data, log->line.length))
      return out_flush();
  }
  log->judge.entries_may_be_new = true;
  if (code == BT_OK)
    code = log_follow(log->ledger, log->cli->env.ledger_dir, bt_env_key(&log->cli->env), &log->data,
                      &(struct log_listener){followed_entry, log}, err);
  return code == BT_OK ? out_flush() : out_error(err);
}

/* ---- flags ---- */

struct flags {
  const char *dir, *gate, *session, *since, *limit, *colour;
  bool json, jsonl, follow, actions, help;
};

/* "24h", "30m", "8d", "90s", or a date. */
static bool parse_since(const char *text, int64_t now_ms, int64_t *since_ms) {
  static const char units[] = "smhd";
  static const int64_t unit_ms[] = {1000, 60000, 3600000, 86400000};
  char *end;
  long long number = strtoll(text, &end, 10);
  const char *unit = *end != '\0' && end[1] == '\0' ? strchr(units, *end) : NULL;
  if (end > text && unit != NULL && number >= 0 && number < 1000000) {
    *since_ms = now_ms - number * unit_ms[unit - units];
    return true;
  }
  return bt_time_parse(text, strlen(text), since_ms);
}

static enum bt_code understand(struct log *log, const struct flags *flags, bool *colour, struct bt_error *err) {
  log->form = flags->jsonl ? FORM_JSONL : flags->json ? FORM_JSON : FORM_TABLE;
  log->filter = (struct log_filter){.gate = flags->gate, .session = flags->session, .since_ms = BT_TIME_UNKNOWN};
  log->limit = log->form == FORM_TABLE ? TABLE_LIMIT : 0;
  if (flags->json && flags->jsonl)
    return bt_error_set(err, BT_USAGE, "--jsonl", "--json and --jsonl exclude each other");
  if (flags->json && flags->follow)
    return bt_error_set(err, BT_USAGE, "--follow", "--follow has no end, so it cannot be one document: use --jsonl");
  if (flags->since != NULL && !parse_since(flags->since, bt_env_now(&log->cli->env), &log->filter.since_ms))
    return bt_error_set(err, BT_USAGE, "--since", "--since wants an age like 24h, 30m or 8d, or a date");
  if (flags->limit != NULL) {
    char *end;
    long long limit = strtoll(flags->limit, &end, 10);
    if (end == flags->limit || *end != '\0' || limit < 0)
      return bt_error_set(err, BT_USAGE, "--limit", "--limit wants a number, 0 for all");
    log->limit = (size_t)limit;
  }
  enum bt_code code = table_want_colour(log->cli, flags->colour, colour, err);
  return code == BT_OK ? cli_env_set_dir(log->cli, flags->dir, err) : code;
}

static int run(struct log *log, bool do_follow, bool colour) {
  struct bt_error err = {0};
  int status;
  log->ledger = bt_fs_open_root(log->cli->env.ledger_dir, &err);
  if (log->ledger < 0 && err.code == BT_MISSING)
    (void)bt_error_set(&err, BT_MISSING, log->cli->env.ledger_dir, "there is no ledger here");
  if (log->ledger < 0)
    return out_error(&err);
  bt_str_init(&log->line, LINE_ROOM);
  bt_outcome_judge_init(&log->judge, &log->cli->env, log->ledger);
  if (bt_log_load(log->ledger, bt_env_key(&log->cli->env), &log->data, &err) != BT_OK)
    status = out_error(&err);
  else
    status = do_follow ? follow(log, &err) : print_all(log, colour, &err);
  bt_log_dispose(&log->data);
  bt_outcome_judge_dispose(&log->judge);
  bt_str_dispose(&log->line);
  close(log->ledger);
  return status;
}

int cmd_log(struct cli_env *cli, int argc, char **argv) {
  struct flags flags = {0};
  struct log log = {.cli = cli};
  bool colour = false;
  const struct option_spec specs[] = {
      {"dir", &flags.dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"gate", &flags.gate, NULL, "TEXT", "only entries whose gate contains this"},
      {"session", &flags.session, NULL, "ID", "only entries about this session, or that let it go on"},
      {"since", &flags.since, NULL, "AGE", "only entries of the last 24h, 30m, 8d, or since a date"},
      {"limit", &flags.limit, NULL, "N", "at most N entries, 0 for all (a table shows 500 otherwise)"},
      {"json", NULL, &flags.json, NULL, "print one JSON document"},
      {"jsonl", NULL, &flags.jsonl, NULL, "print one JSON object a line"},
      {"actions", NULL, &flags.actions, NULL,
       "baton's own log instead: what was done here and what was refused, unsigned"},
      {"follow", NULL, &flags.follow, NULL, "the last entries, then each one as it is appended"},
      {"color", &flags.colour, NULL, "WHEN", "auto, always or never"},
      {"help", NULL, &flags.help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, NULL, &err);
  if (code == BT_OK && flags.help) {
    printf(
        "Usage: baton log [--json|--jsonl] [--gate TEXT] [--session ID] [--since AGE] [--follow] [--dir PATH]\n\n"
        "The signed evidence, newest first. ABORTED: authorised, but the deny was never consumed by that session.\n\n");
    options_print_help(specs, count);
    printf("\nExit status: 0 read, 1 failed. Whether the chains hold decides `baton verify`.\n");
    return out_flush();
  }
  if (code == BT_OK)
    code = understand(&log, &flags, &colour, &err);
  if (code == BT_OK && flags.actions && (flags.follow || flags.gate != NULL))
    code = bt_error_set(&err, BT_USAGE, "--actions", "--actions goes with neither --follow nor --gate");
  if (code == BT_OK && flags.actions) {
    const struct log_actions wanted = {.session = flags.session,
                                       .since_ms = log.filter.since_ms,
                                       .limit = log.limit,
                                       .json = flags.json,
                                       .jsonl = flags.jsonl};
    return log_actions_print(cli, &wanted);
  }
  return code == BT_OK ? run(&log, flags.follow, colour) : out_error(&err);
}
