/* cli/cmd_ask_watch.c - `baton ask watch`, and the flags that it shares with ack and text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ask_watch.h"
#include "cli/cmd_ask.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/handover/records.h"
#include "core/handover/request.h"
#include "core/handover/sessions.h"
#include "core/model/id.h"

#define RECORDS_BYTES_MAX ((size_t)512 << 20)
#define SESSION_BYTES_MAX ((size_t)512 << 20) /* a root may be as long as a line of a transcript */

/* ---- flags ---- */

static void print_help(enum ask_watch_verb verb, const struct option_spec *specs, size_t count) {
  static const char *const heads[] = {
      "Usage: baton ask watch [--once | --follow] [FLAGS]\n\nHow full each session's window is, and for which a "
      "handover "
      "is due.",
      "Usage: baton ask ack SESSION [FLAGS]\n\nYou have passed the request on: it is not due any more.",
      "Usage: baton ask text SESSION [FLAGS]\n\nThe request for a session, to pass on."};
  printf("%s\n\n", heads[verb]);
  options_print_help(specs, count);
  printf("\nExit status: 0 done, 1 error, 2 usage, 3 a handover is due (watch --once).\n");
}

static enum bt_code read_window(struct ask_watch *watch, struct bt_error *err) {
  const char *text = watch->window_flag;
  size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
  if (text == NULL)
    return BT_OK;
  watch->sessions.window_flag = digits > 0 && digits <= 15 && text[digits] == '\0' ? strtoll(text, NULL, 10) : 0;
  if (watch->sessions.window_flag > 0)
    return BT_OK;
  return bt_error_set(err, BT_USAGE, "--window", "--window is a number of tokens");
}

static enum bt_code set_up(struct ask_watch *watch, struct bt_error *err) {
  struct cli_env *cli = watch->cli;
  struct bt_str path;
  bt_str_init(&path, 65536);
  enum bt_code code = BT_OK;
  if (watch->projects_flag != NULL)
    code = bt_path_resolve(&path, cli->env.cwd, watch->projects_flag);
  else
    bt_str_printf(&path, "%s/projects", cli->env.claude_dir);
  watch->sessions.projects = bt_arena_strndup(cli->arena, path.data, path.length);
  watch->sessions.state_dir = cli->env.state_dir;
  bt_str_dispose(&path);
  if (code != BT_OK || watch->sessions.projects == NULL)
    return bt_error_set(err, BT_NOMEM, "ask", "out of memory");
  struct bt_error why = {0};
  code = bt_ask_settings_load(&watch->settings, cli->env.config_dir, &why);
  if (code == BT_CORRUPT)
    out_warning(why.message);
  watch->sessions.settings = &watch->settings;
  watch->shelves = watch->records ? bt_handover_shelves_new() : NULL;
  if (watch->records && watch->shelves == NULL)
    code = BT_NOMEM;
  return code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, "ask", "out of memory") : BT_OK;
}

enum bt_code ask_watch_begin(struct cli_env *cli, int argc, char **argv, enum ask_watch_verb verb,
                             struct ask_watch *watch, struct bt_error *err) {
  *watch = (struct ask_watch){.cli = cli};
  const struct option_spec specs[] = {
      {"projects", &watch->projects_flag, NULL, "DIR", "the provider's transcripts"},
      {"window", &watch->window_flag, NULL, "N", "size of every context window, in tokens"},
      {"help", NULL, &watch->help, NULL, "print this help"},
      {"once", NULL, &watch->once, NULL, "print the states and end (when nothing else is said)"},
      {"follow", NULL, &watch->follow, NULL, "go on, and print what happens"},
      {"session", &watch->session_flag, NULL, "ID", "only this session; repeat it"},
      {"json", NULL, &watch->json, NULL, "JSON: an array, with --follow one object a line"},
      {"records", NULL, &watch->records, NULL, "also the records that supervisor and worker left, with --once"},
  };
  size_t count = sizeof specs / sizeof *specs - (verb == ASK_WATCH ? 0 : 5);
  struct option_rest rest = {.positionals = &watch->subject, .positional_max = verb == ASK_WATCH ? 0 : 1};
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, err);
  if (code == BT_OK && watch->help) {
    print_help(verb, specs, count);
    return BT_OK;
  }
  if (code == BT_OK && rest.positional_count > rest.positional_max)
    code = bt_error_set(err, BT_USAGE, argv[0], "there is a word too many");
  if (code == BT_OK && verb != ASK_WATCH)
    code = bt_id_require(watch->subject, "SESSION", err);
  if (code == BT_OK && watch->once && watch->follow)
    code = bt_error_set(err, BT_USAGE, "--once", "--once and --follow exclude each other");
  if (code == BT_OK)
    code = read_window(watch, err);
  if (code != BT_OK) {
    err->code = code == BT_NOMEM ? code : BT_USAGE;
    return code;
  }
  const char **only = BT_ARENA_ARRAY(cli->arena, const char *, (size_t)argc + 1);
  if (only == NULL)
    return bt_error_set(err, BT_NOMEM, "ask", "out of memory");
  watch->only = only;
  watch->only_count = options_collect(argc, argv, specs, count, "session", only);
  if (verb != ASK_WATCH) {
    only[0] = watch->subject;
    watch->only_count = 1;
  }
  watch->sessions.only = only;
  watch->sessions.only_count =
      watch->records && !watch->follow ? 0 : watch->only_count; /* whose a record is, any of them may tell */
  return set_up(watch, err);
}

int ask_watch_end(struct ask_watch *watch, int status) {
  bt_handover_shelves_free(watch->shelves);
  bt_ask_sessions_dispose(&watch->sessions);
  bt_ask_settings_dispose(&watch->settings);
  return status;
}

/* ---- printing ---- */

void ask_put_text(struct bt_str *out, const char *key, const char *text) {
  bt_str_printf(out, "\"%s\":", key);
  if (text != NULL)
    bt_json_print_string(out, text, strlen(text));
  else
    bt_str_puts(out, "null");
}

void ask_put_figures(struct bt_str *out, const struct bt_ask_machine *machine) {
  if (machine->fill == BT_ASK_UNKNOWN)
    bt_str_puts(out, "\"fill\":null,\"window\":null,\"line\":null");
  else
    bt_str_printf(out, "\"fill\":%" PRId64 ",\"window\":%" PRId64 ",\"line\":%" PRIu64, machine->fill, machine->window,
                  machine->line);
}

/* What supervisor and worker left beside the session; each told whose it is. */
static void put_records(struct bt_str *out, const struct ask_watch *watch, const struct bt_ask_session *session) {
  const struct bt_handover_record *records = NULL;
  size_t count = 0, total = 0;
  char at[BT_ISO_MS];
  if (!watch->records)
    return;
  struct bt_arena *arena = bt_arena_new(RECORDS_BYTES_MAX);
  out->failed = arena == NULL ||
                !bt_handover_records(arena, watch->shelves, session, SIZE_MAX, &records, &count, &total) || out->failed;
  if (watch->json)
    bt_str_puts(out, ",\"records\":[");
  for (size_t i = 0; i < count; i++) {
    const char *by = records[i].by_worker ? "worker" : "derived";
    bt_time_iso(at, records[i].time_ms);
    if (!watch->json) {
      bt_str_printf(out, "    %s %s %s  ", at, records[i].kind, by);
      bt_text_visible(out, records[i].path, strlen(records[i].path));
      bt_str_putc(out, '\n');
      continue;
    }
    bt_str_printf(out, "%s{\"kind\":\"%s\",\"by\":\"%s\",\"at\":\"%s\",", i > 0 ? "," : "", records[i].kind, by, at);
    ask_put_text(out, "path", records[i].path);
    bt_str_putc(out, '}');
  }
  if (watch->json)
    bt_str_putc(out, ']');
  bt_arena_free(arena);
}

static void put_session(struct bt_str *out, const struct ask_watch *watch, const struct bt_ask_session *session) {
  const struct bt_ask_machine *machine = &session->replay.machine;
  bt_str_putc(out, '{');
  ask_put_text(out, "session", session->id);
  bt_str_putc(out, ',');
  ask_put_text(out, "root", session->replay.root);
  bt_str_printf(out, ",\"state\":\"%s\",", bt_ask_state_word(bt_ask_state_of(machine)));
  ask_put_figures(out, machine);
  if (machine->fill == BT_ASK_UNKNOWN)
    bt_str_puts(out, ",\"percent\":null");
  else
    bt_str_printf(out, ",\"percent\":%" PRId64, bt_ask_percent(machine->fill, machine->window));
  bt_str_printf(out, ",\"ordinal\":%" PRIu64 ",", machine->ordinal);
  ask_put_text(out, "last_event", session->replay.last_event);
  if (machine->compacted_before_written)
    bt_str_puts(out, ",\"note\":\"compacted-before-written\"");
  put_records(out, watch, session);
  bt_str_putc(out, '}');
}

void ask_put_line(struct bt_str *out, const struct bt_ask_session *session) {
  const struct bt_ask_machine *machine = &session->replay.machine;
  enum bt_ask_state state = bt_ask_state_of(machine);
  bt_str_printf(out, "%-12s ", state == BT_ASK_STATE_DUE ? "handover due" : bt_ask_state_word(state));
  bt_text_visible(out, session->id, strlen(session->id));
  if (machine->fill != BT_ASK_UNKNOWN) {
    int64_t left = (int64_t)machine->line - machine->fill;
    bt_str_printf(out, "  %" PRId64 "%% of %" PRId64 ", ", bt_ask_percent(machine->fill, machine->window),
                  machine->window);
    if (left > 0)
      bt_str_printf(out, "%" PRId64 " tokens to the line", left);
    else
      bt_str_puts(out, "past the line");
  }
  if (state == BT_ASK_STATE_REARMED && machine->cause != BT_ASK_CAUSE_NONE)
    bt_str_printf(out, " (%s)", bt_ask_cause_word(machine->cause));
  if (machine->compacted_before_written)
    bt_str_puts(out, " compacted-before-written");
  if (session->replay.root != NULL) {
    bt_str_puts(out, "  ");
    bt_text_visible(out, session->replay.root, strlen(session->replay.root));
  }
  bt_str_putc(out, '\n');
}

static bool is_asked_for(const struct ask_watch *watch, const struct bt_ask_session *session) {
  bool is = watch->only_count == 0 && bt_ask_session_is_current(session);
  for (size_t i = 0; i < watch->only_count; i++)
    is = is || (strcmp(watch->only[i], session->id) == 0 && bt_ask_session_is_current(session));
  return is;
}

/* A session at a time: a text of any length, whole or with an error. */
static int print_state(const struct ask_watch *watch, const struct bt_ask_session *session, bool first) {
  struct bt_str out;
  bt_str_init(&out, SESSION_BYTES_MAX);
  if (watch->json) {
    bt_str_puts(&out, first ? "[\n" : ",\n");
    put_session(&out, watch, session);
  } else {
    ask_put_line(&out, session);
    put_records(&out, watch, session);
  }
  struct bt_error err = {0};
  if (out.failed)
    (void)bt_error_set(&err, BT_NOMEM, session->id, "out of memory");
  int status = out.failed ? ask_fail(&err) : out_text(&out);
  bt_str_dispose(&out);
  return status;
}

/* What is due first. */
static int print_states(const struct ask_watch *watch) {
  bool due = false, first = true;
  int status = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < watch->sessions.count && status == 0; i++) {
      const struct bt_ask_session *session = watch->sessions.items[i];
      bool is_due = bt_ask_state_of(&session->replay.machine) == BT_ASK_STATE_DUE;
      if (is_due != (pass == 0) || !is_asked_for(watch, session))
        continue;
      due = due || is_due;
      status = print_state(watch, session, first);
      first = false;
    }
  }
  if (watch->json && status == 0)
    status = out_line(first ? "[]" : "\n]");
  else if (first && status == 0)
    out_say("no %ssession in %s", watch->only_count > 0 ? "such " : "", watch->sessions.projects);
  return status != 0 ? status : due ? ASK_EXIT_DUE : 0;
}

/* ---- the verb ---- */

int ask_watch(struct cli_env *cli, int argc, char **argv) {
  struct ask_watch watch;
  struct bt_error err = {0};
  enum bt_code code = ask_watch_begin(cli, argc, argv, ASK_WATCH, &watch, &err);
  if (code == BT_OK && watch.help)
    return out_flush();
  if (code == BT_OK && watch.follow)
    return ask_watch_end(&watch, ask_follow(&watch));
  if (code == BT_OK)
    code = bt_ask_sessions_update(&watch.sessions, &err);
  return ask_watch_end(&watch, code == BT_OK ? print_states(&watch) : ask_fail(&err));
}
