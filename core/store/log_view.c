/* core/store/log_view.c - entries and derived rows in one order. */
#include "core/store/log_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/store/evidence_log.h"
#include "core/store/evidence_outcome.h"
#include "core/store/manifest.h"

#define ARENA_BYTES ((size_t)64 * 1024 * 1024)
#define DATA_BYTES ((size_t)4096)
#define LINE_ROOM (BT_MANIFEST_LINE_MAX + 1)

void bt_log_view_free(struct bt_log_view *view) {
  if (view != NULL)
    bt_arena_free(view->arena);
}

const char *bt_log_signature_word(enum bt_log_signature signature) {
  static const char *const words[] = {"unsigned", "ok", "BAD", "?", "no entry"};
  return words[signature];
}

struct build {
  const struct bt_env *env;
  int ledger;
  struct bt_arena *arena;
  struct bt_log log;
  struct bt_outcome_judge judge;
  struct bt_str line;
  struct bt_log_row *rows; /* room for the entries kept and two rows a deny */
  size_t count;
  bool failed;
};

static const char *keep(struct build *build, const char *text) {
  const char *kept = bt_arena_strdup(build->arena, text);
  build->failed |= text != NULL && kept == NULL;
  return kept;
}

static const char *keep_printed(struct build *build, const char *made) {
  build->failed |= made == NULL;
  return made;
}

/* ---- entries ---- */

static const char *data_of(struct build *build, const struct bt_json *entry) {
  const struct bt_json *data = bt_json_get(entry, "data");
  struct bt_str text;
  if (data == NULL)
    return NULL;
  bt_str_init(&text, LINE_ROOM * 4);
  bt_json_print_compact(&text, data);
  const char *kept = text.failed ? NULL
                                 : bt_arena_strndup(build->arena, text.data,
                                                    text.length < DATA_BYTES ? text.length : DATA_BYTES);
  bt_str_dispose(&text);
  build->failed |= kept == NULL;
  return kept;
}

static const char *meaning(struct build *build, const struct bt_log_row *row, enum bt_outcome outcome) {
  const char *who = row->successor != NULL ? row->successor : "a session";
  const char *whose = row->session != NULL ? row->session : "another";
  switch (outcome) {
  case BT_OUTCOME_ABORTED:
    return keep_printed(build, bt_arena_printf(build->arena,
                                               "%s was authorised to take over %s, but the deny was never consumed by "
                                               "that: the verb was broken off. It is safe to run it again.",
                                               who, whose));
  case BT_OUTCOME_PENDING:
    return "The verb that wrote this is still at work: it holds the session's lock.";
  case BT_OUTCOME_AUTHORISED:
    return keep_printed(build, bt_arena_printf(build->arena, "%s took over the work of %s.", who, whose));
  case BT_OUTCOME_UNKNOWN:
    return "What became of it cannot be told: its deny record cannot be read.";
  case BT_OUTCOME_GRANTED:
    return "One gated call was let through, or may still be, until the grant runs out.";
  default:
    return NULL;
  }
}

static enum bt_code add_entry(struct build *build, const struct bt_log_entry *place, struct bt_error *err) {
  static const enum bt_log_signature signatures[] = {
      [BT_ENTRY_UNSIGNED] = BT_LOG_UNSIGNED,
      [BT_ENTRY_SIG_HOLDS] = BT_LOG_SIGNED,
      [BT_ENTRY_SIG_WRONG] = BT_LOG_BAD,
      [BT_ENTRY_SIG_UNCHECKED] = BT_LOG_UNCHECKED};
  const struct bt_forest_chain *chain = &build->log.forest.chains[place->chain];
  struct bt_log_row *row = &build->rows[build->count];
  enum bt_outcome outcome = BT_OUTCOME_NONE;
  const char *word = NULL;
  double seq = 0;
  enum bt_code code = bt_log_read(build->ledger, &build->log, place, &build->line, err);
  struct bt_json *json = code == BT_OK ? bt_json_parse(build->line.data, build->line.length, NULL) : NULL;
  if (code == BT_OK && json != NULL)
    code = bt_outcome_of(&build->judge, json, &outcome, &word, err);
  if (code != BT_OK) {
    bt_json_free(json);
    return code;
  }
  *row = (struct bt_log_row){.ts_ms = place->ts_ms,
                             .signature = json != NULL ? signatures[place->signed_] : BT_LOG_UNSIGNED,
                             .chain_ok = place->chain_ok,
                             .chain_reason = place->reason,
                             .line = place->line,
                             .aborted = outcome == BT_OUTCOME_ABORTED};
  row->file = keep(build, chain->path);
  row->key = keep_printed(build, bt_arena_printf(build->arena, "%s:%" PRIu64, chain->path, place->line));
  if (bt_json_is_integer(bt_json_get(json, "seq"), &seq))
    row->seq = keep_printed(build, bt_arena_printf(build->arena, "%.0f", seq));
  row->gate = keep(build, json != NULL ? bt_json_get_string(json, "gate") : "(not an entry)");
  if (row->gate == NULL)
    row->gate = "(no gate)";
  row->session = keep(build, bt_entry_session(json));
  row->successor = keep(build, bt_entry_successor(json));
  row->ticket = keep(build, bt_json_get_string(json, "ticket"));
  row->outcome = keep(build, word);
  row->data = data_of(build, json);
  row->read_as = meaning(build, row, outcome);
  bt_json_free(json);
  build->count++;
  return BT_OK;
}

/* ---- what markers say ---- */

static struct bt_log_row *add_derived(struct build *build, const struct bt_deny *deny, const char *what, int64_t ts_ms) {
  struct bt_log_row *row = &build->rows[build->count++];
  *row = (struct bt_log_row){.derived = true, .ts_ms = ts_ms, .gate = what, .signature = BT_LOG_NO_ENTRY, .chain_ok = true};
  row->key = keep_printed(build, bt_arena_printf(build->arena, "%s %s", what, deny->session_id));
  row->session = keep(build, deny->session_id);
  row->ticket = keep(build, deny->ticket_id);
  row->file = keep(build, deny->path);
  return row;
}

static void add_deny(struct build *build, const struct bt_deny *deny) {
  if (deny->status == BT_DENY_INVALID || deny->session_id == NULL)
    return;
  if (deny->since_ms != BT_TIME_UNKNOWN) {
    struct bt_log_row *row = add_derived(build, deny, "(deny opened)", deny->since_ms);
    row->outcome = keep(build, deny->host);
    row->read_as = "Told by the deny record itself. Opening a deny leaves no signed entry.";
  }
  if (deny->status == BT_DENY_CONSUMED && deny->consumed_at_ms != BT_TIME_UNKNOWN) {
    struct bt_log_row *row = add_derived(build, deny, "(deny consumed)", deny->consumed_at_ms);
    row->successor = keep(build, deny->consumed_by);
    row->outcome =
        keep_printed(build, bt_arena_printf(build->arena, "-> %s", deny->consumed_by ? deny->consumed_by : "?"));
    row->read_as = "Told by the deny record itself: the entry before it says who was authorised.";
  }
}

static int newer_first(const void *a, const void *b) {
  const struct bt_log_row *left = a, *right = b;
  return (left->ts_ms < right->ts_ms) - (left->ts_ms > right->ts_ms);
}

/* Derived rows go in where their time puts them; entries keep the order of their chains. */
static void merge(struct build *build, size_t entries) {
  struct bt_log_row *merged = BT_ARENA_ARRAY(build->arena, struct bt_log_row, build->count + 1);
  size_t at = 0, derived = entries;
  build->failed |= merged == NULL;
  if (merged == NULL)
    return;
  qsort(build->rows + entries, build->count - entries, sizeof *build->rows, newer_first);
  for (size_t i = 0; i < build->count; i++) {
    bool take_derived = derived < build->count &&
                        (at == entries || build->rows[derived].ts_ms > build->rows[at].ts_ms);
    merged[i] = build->rows[take_derived ? derived++ : at++];
  }
  build->rows = merged;
}

static enum bt_code fill_rows(struct build *build, const struct bt_snapshot *snapshot, struct bt_error *err) {
  size_t entries = build->log.count < BT_LOG_VIEW_MAX ? build->log.count : BT_LOG_VIEW_MAX;
  enum bt_code code = BT_OK;
  build->rows = BT_ARENA_ARRAY(build->arena, struct bt_log_row, entries + 2 * snapshot->deny_count + 1);
  if (build->rows == NULL)
    return bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  for (size_t i = 0; i < entries && code == BT_OK; i++)
    code = add_entry(build, &build->log.entries[i], err);
  for (size_t i = 0; i < snapshot->deny_count && code == BT_OK; i++)
    add_deny(build, &snapshot->denies[i]);
  if (code == BT_OK)
    merge(build, entries);
  if (code == BT_OK && build->failed)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  return code;
}

static void fill_totals(struct build *build, struct bt_log_view *view) {
  const struct bt_forest *forest = &build->log.forest;
  view->rows = build->rows;
  view->count = build->count;
  view->entries = build->log.count;
  view->cut = build->log.count > BT_LOG_VIEW_MAX;
  if (!forest->ok)
    view->chain_broken = keep_printed(
        build, bt_arena_printf(build->arena, "%s line %" PRIu64 ": %s", forest->file ? forest->file : "?", forest->line,
                               forest->reason ? forest->reason : "?"));
  for (size_t i = 0; i < forest->count; i++) {
    view->good += forest->chains[i].result.signed_good;
    view->bad += forest->chains[i].result.signed_bad;
    view->unchecked += forest->chains[i].result.signed_unchecked;
    view->unsigned_ += forest->chains[i].result.unsigned_;
  }
  for (size_t i = 0; i < view->count && view->last_seq == NULL; i++)
    view->last_seq = view->rows[i].seq;
}

static enum bt_code load(struct build *build, const struct bt_snapshot *snapshot, struct bt_log_view *view,
                         struct bt_error *err) {
  enum bt_code code = bt_log_load(build->ledger, bt_env_key(build->env), &build->log, err);
  if (code == BT_OK)
    code = fill_rows(build, snapshot, err);
  if (code == BT_OK)
    fill_totals(build, view);
  if (code == BT_OK && build->failed)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  return code;
}

enum bt_code bt_log_view_load(const struct bt_env *env, const struct bt_snapshot *snapshot, struct bt_log_view **view,
                              struct bt_error *err) {
  struct build build = {.env = env, .arena = bt_arena_new(ARENA_BYTES), .log = {.fd = -1}};
  struct bt_log_view *made = build.arena != NULL ? BT_ARENA_NEW(build.arena, struct bt_log_view) : NULL;
  enum bt_code code = BT_OK;
  *view = NULL;
  build.ledger = bt_fs_open_root(env->ledger_dir, err);
  if (build.ledger < 0)
    code = err != NULL && err->code != BT_OK ? err->code : BT_MISSING;
  else if (made == NULL)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  bt_str_init(&build.line, LINE_ROOM);
  bt_outcome_judge_init(&build.judge, env, build.ledger);
  if (code == BT_OK) {
    made->arena = build.arena;
    code = load(&build, snapshot, made, err);
    bt_log_dispose(&build.log);
  }
  bt_outcome_judge_dispose(&build.judge);
  bt_str_dispose(&build.line);
  if (build.ledger >= 0)
    close(build.ledger);
  if (code == BT_OK)
    *view = made;
  else
    bt_arena_free(build.arena);
  return code;
}
