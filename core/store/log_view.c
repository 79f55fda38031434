/* core/store/log_view.c - entries and derived rows in one order. */
#include "core/store/log_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/store/log_view_build.h"
#include "core/store/manifest.h"
#include "core/store/own_log.h"

#define ARENA_BYTES ((size_t)64 * 1024 * 1024)
#define PATH_BYTES ((size_t)8192)
#define DATA_BYTES ((size_t)4096)
#define LINE_ROOM (BT_MANIFEST_LINE_MAX + 1)

void bt_log_view_free(struct bt_log_view *view) {
  if (view != NULL)
    bt_arena_free(view->arena);
}

const char *bt_log_signature_word(enum bt_log_signature signature) {
  static const char *const words[] = {"unsigned", "ok", "BAD", "?", "no entry", "baton log"};
  return words[signature];
}

const char *bt_log_keep(struct bt_log_build *build, const char *text) {
  const char *kept = bt_arena_strdup(build->arena, text);
  build->failed |= text != NULL && kept == NULL;
  return kept;
}

const char *bt_log_keep_made(struct bt_log_build *build, const char *made) {
  build->failed |= made == NULL;
  return made;
}

/* ---- entries ---- */

static const char *data_of(struct bt_log_build *build, const struct bt_json *entry) {
  const struct bt_json *data = bt_json_get(entry, "data");
  struct bt_str text;
  if (data == NULL)
    return NULL;
  bt_str_init(&text, LINE_ROOM * 4);
  bt_json_print_compact(&text, data);
  const char *kept =
      text.failed ? NULL
                  : bt_arena_strndup(build->arena, text.data, text.length < DATA_BYTES ? text.length : DATA_BYTES);
  bt_str_dispose(&text);
  build->failed |= kept == NULL;
  return kept;
}

static const char *meaning(struct bt_log_build *build, const struct bt_log_row *row, enum bt_outcome outcome) {
  const char *who = row->successor != NULL ? row->successor : "a session";
  const char *whose = row->session != NULL ? row->session : "another";
  switch (outcome) {
  case BT_OUTCOME_ABORTED:
    return bt_log_keep_made(build,
                            bt_arena_printf(build->arena,
                                            "%s was authorised to take over %s, but the deny was never consumed by "
                                            "that: the verb was broken off. It is safe to run it again.",
                                            who, whose));
  case BT_OUTCOME_PENDING:
    return "The verb that wrote this is still at work: it holds the session's lock.";
  case BT_OUTCOME_AUTHORISED:
    return bt_log_keep_made(build, bt_arena_printf(build->arena, "%s took over the work of %s.", who, whose));
  case BT_OUTCOME_UNKNOWN:
    return "What became of it cannot be told: its deny record cannot be read.";
  case BT_OUTCOME_GRANTED:
    return "One gated call was let through, or may still be, until the grant runs out.";
  default:
    return NULL;
  }
}

static enum bt_code add_entry(struct bt_log_build *build, const struct bt_log_entry *place, struct bt_error *err) {
  static const enum bt_log_signature signatures[] = {[BT_ENTRY_UNSIGNED] = BT_LOG_UNSIGNED,
                                                     [BT_ENTRY_SIG_HOLDS] = BT_LOG_SIGNED,
                                                     [BT_ENTRY_SIG_WRONG] = BT_LOG_BAD,
                                                     [BT_ENTRY_SIG_UNCHECKED] = BT_LOG_UNCHECKED};
  const struct bt_forest_chain *chain = &build->log->forest.chains[place->chain];
  struct bt_log_row *row = &build->rows[build->count];
  enum bt_outcome outcome = BT_OUTCOME_NONE;
  const char *word = NULL;
  double seq = 0;
  enum bt_code code = bt_log_read(build->ledger, build->log, place, &build->line, err);
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
  row->file = bt_log_keep(build, chain->path);
  row->key = bt_log_keep_made(build, bt_arena_printf(build->arena, "%s:%" PRIu64, chain->path, place->line));
  if (bt_json_is_integer(bt_json_get(json, "seq"), &seq))
    row->seq = bt_log_keep_made(build, bt_arena_printf(build->arena, "%.0f", seq));
  row->gate = bt_log_keep(build, json != NULL ? bt_json_get_string(json, "gate") : "(not an entry)");
  if (row->gate == NULL)
    row->gate = "(no gate)";
  row->session = bt_log_keep(build, bt_entry_session(json));
  row->successor = bt_log_keep(build, bt_entry_successor(json));
  row->ticket = bt_log_keep(build, bt_json_get_string(json, "ticket"));
  row->outcome = bt_log_keep(build, word);
  row->data = data_of(build, json);
  row->read_as = meaning(build, row, outcome);
  bt_json_free(json);
  build->count++;
  return BT_OK;
}

/* Derived rows go in where their time puts them; entries keep the order of their chains. */
static void merge(struct bt_log_build *build, size_t entries) {
  struct bt_log_row *merged = BT_ARENA_ARRAY(build->arena, struct bt_log_row, build->count + 1);
  size_t at = 0, derived = entries;
  build->failed |= merged == NULL;
  if (merged == NULL)
    return;
  for (size_t i = 0; i < build->count; i++) {
    bool take_derived =
        derived < build->count && (at == entries || build->rows[derived].order_ms > build->rows[at].ts_ms);
    merged[i] = build->rows[take_derived ? derived++ : at++];
  }
  build->rows = merged;
}

static enum bt_code fill_rows(struct bt_log_build *build, const struct bt_snapshot *snapshot, struct bt_error *err) {
  size_t entries = build->log->count < BT_LOG_VIEW_MAX ? build->log->count : BT_LOG_VIEW_MAX;
  enum bt_code code = BT_OK;
  build->rows = BT_ARENA_ARRAY(build->arena, struct bt_log_row, entries + bt_log_derived_max(snapshot, entries) + 1);
  if (build->rows == NULL)
    return bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  for (size_t i = 0; i < entries && code == BT_OK; i++)
    code = add_entry(build, &build->log->entries[i], err);
  if (code == BT_OK)
    code = bt_log_derived(build, snapshot, entries, err);
  if (code == BT_OK)
    merge(build, entries);
  if (code == BT_OK && build->failed)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  return code;
}

static void fill_totals(struct bt_log_build *build, struct bt_log_view *view) {
  const struct bt_forest *forest = &build->log->forest;
  view->rows = build->rows;
  view->count = build->count;
  view->entries = build->log->count;
  view->cut = build->log->count > BT_LOG_VIEW_MAX;
  if (!forest->ok)
    view->chain_broken = bt_log_keep_made(build, bt_arena_printf(build->arena, "%s line %" PRIu64 ": %s",
                                                                 forest->file ? forest->file : "?", forest->line,
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

/* ---- what it rests on ---- */

struct bt_log_source {
  struct bt_log log;
  char evidence[BT_SHA256_HEX]; /* of the manifest's files that `log` is of; empty: it is of none */
  char whole[BT_SHA256_HEX];    /* of everything the last view was made of */
};

struct bt_log_source *bt_log_source_new(void) {
  struct bt_log_source *source = calloc(1, sizeof *source);
  if (source != NULL)
    source->log.fd = -1;
  return source;
}

void bt_log_source_free(struct bt_log_source *source) {
  if (source != NULL)
    bt_log_dispose(&source->log);
  free(source);
}

static void mix(struct bt_sha256 *hash, const char *text) {
  bt_sha256_update(hash, text != NULL ? text : "-", text != NULL ? strlen(text) + 1 : 2);
}

static void mix_file(struct bt_sha256 *hash, int dir, const char *path) {
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  char text[256];
  if (dir >= 0)
    bt_fs_stat_at(dir, path, &stat);
  snprintf(text, sizeof text, "%d %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64, (int)stat.kind,
           stat.device, stat.inode, stat.size_bytes, stat.mtime_ns, stat.ctime_ns);
  mix(hash, path);
  mix(hash, text);
}

static enum bt_code mix_evidence(struct bt_sha256 *hash, int ledger, struct bt_error *err) {
  struct bt_fs_listing listing = {0};
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES);
  mix_file(hash, ledger, BT_MANIFEST_ROOT);
  mix_file(hash, ledger, BT_MANIFEST_FOLDER);
  enum bt_code code = bt_fs_list_at(ledger, BT_MANIFEST_FOLDER, &listing, NULL);
  for (size_t i = 0; code == BT_OK && i < listing.count; i++) {
    bt_str_clear(&path);
    bt_str_printf(&path, "%s/%s", BT_MANIFEST_FOLDER, listing.names[i]);
    mix_file(hash, ledger, path.data);
  }
  bool failed = path.failed || code == BT_NOMEM;
  bt_fs_listing_dispose(&listing);
  bt_str_dispose(&path);
  return failed ? bt_error_set(err, BT_NOMEM, "evidence", "out of memory") : BT_OK;
}

/* What the snapshot and baton's own log add to it. */
static void mix_rest(struct bt_sha256 *hash, const struct bt_env *env, const struct bt_snapshot *snapshot) {
  int state = bt_fs_open_root(env->state_dir, NULL);
  mix_file(hash, state, BT_ACTIONLOG_NAME);
  if (state >= 0)
    close(state);
  for (size_t i = 0; i < snapshot->deny_count; i++) {
    const struct bt_deny *deny = &snapshot->denies[i];
    const char *texts[] = {deny->session_id, deny->path,  deny->reason,      deny->ticket_id,
                           deny->host,       deny->since, deny->consumed_by, deny->consumed_at};
    for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
      mix(hash, texts[j]);
  }
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    mix(hash, snapshot->locks[i].path);
    mix(hash, bt_lock_verdict_word(snapshot->locks[i].verdict));
  }
  for (size_t i = 0; i < snapshot->grant_count; i++)
    mix(hash, snapshot->grants[i].path);
}

static enum bt_code stamp_evidence(int ledger, char stamp[BT_SHA256_HEX], struct bt_error *err) {
  struct bt_sha256 *hash = bt_sha256_new();
  if (hash == NULL)
    return bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  enum bt_code code = mix_evidence(hash, ledger, err);
  bt_sha256_finish_hex(hash, stamp);
  bt_sha256_free(hash);
  return code;
}

static enum bt_code stamp_whole(const struct bt_log_build *build, const struct bt_snapshot *snapshot,
                                const char *evidence, char stamp[BT_SHA256_HEX], struct bt_error *err) {
  struct bt_sha256 *hash = bt_sha256_new();
  if (hash == NULL)
    return bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  mix(hash, evidence);
  mix_rest(hash, build->env, snapshot);
  bt_sha256_finish_hex(hash, stamp);
  bt_sha256_free(hash);
  return BT_OK;
}

static int open_ledger(const struct bt_env *env, enum bt_code *code, struct bt_error *err) {
  int ledger = bt_fs_open_root(env->ledger_dir, err);
  *code = ledger >= 0 ? BT_OK : err != NULL && err->code != BT_OK ? err->code : BT_MISSING;
  return ledger;
}

const char *bt_log_source_stamp(const struct bt_log_source *source) {
  return source->evidence;
}

bool bt_log_source_is_current(const struct bt_env *env, const struct bt_log_source *source) {
  char now[BT_SHA256_HEX];
  enum bt_code code;
  int ledger = open_ledger(env, &code, NULL);
  if (ledger < 0)
    return false;
  bool current = stamp_evidence(ledger, now, NULL) == BT_OK && strcmp(now, source->evidence) == 0;
  close(ledger);
  return current;
}

/* The stamp was taken before the files are read: what changes meanwhile is another stamp the next time. */
static enum bt_code check(const struct bt_env *env, int ledger, struct bt_log_source *source, const char *stamp,
                          struct bt_error *err) {
  bt_log_dispose(&source->log);
  source->evidence[0] = source->whole[0] = '\0';
  enum bt_code code = bt_log_load_until(ledger, bt_env_key(env), env->give_up, &source->log, err);
  bt_log_close(&source->log);
  if (code == BT_OK)
    memcpy(source->evidence, stamp, sizeof source->evidence);
  return code;
}

enum bt_code bt_log_source_check(const struct bt_env *env, struct bt_log_source *source, const char *known,
                                 struct bt_error *err) {
  char now[BT_SHA256_HEX];
  enum bt_code code;
  int ledger = open_ledger(env, &code, err);
  if (ledger < 0)
    return code;
  code = stamp_evidence(ledger, now, err);
  if (code == BT_OK && strcmp(now, known) != 0)
    code = check(env, ledger, source, now, err);
  close(ledger);
  return code;
}

/* ---- the view ---- */

static enum bt_code make_sure(struct bt_log_build *build, struct bt_log_source *source, unsigned flags,
                              struct bt_error *err) {
  char now[BT_SHA256_HEX];
  if ((flags & BT_LOG_AS_CHECKED) && source->evidence[0] != '\0')
    return BT_OK;
  enum bt_code code = stamp_evidence(build->ledger, now, err);
  if (code != BT_OK || strcmp(now, source->evidence) == 0)
    return code;
  return check(build->env, build->ledger, source, now, err);
}

static enum bt_code fill(struct bt_log_build *build, const struct bt_snapshot *snapshot, struct bt_log_view *view,
                         struct bt_error *err) {
  enum bt_code code = fill_rows(build, snapshot, err);
  if (code == BT_OK)
    fill_totals(build, view);
  if (code == BT_OK && build->failed)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  return code;
}

static enum bt_code load(struct bt_log_build *build, const struct bt_snapshot *snapshot, struct bt_log_source *source,
                         unsigned flags, struct bt_log_view *view, struct bt_error *err) {
  char whole[BT_SHA256_HEX];
  enum bt_code code = make_sure(build, source, flags, err);
  if (code == BT_OK)
    code = stamp_whole(build, snapshot, source->evidence, whole, err);
  if (code == BT_OK && (flags & BT_LOG_HAVE) && strcmp(source->whole, whole) == 0)
    return BT_OK;
  source->whole[0] = '\0';
  build->log = &source->log;
  if (code == BT_OK)
    code = fill(build, snapshot, view, err);
  bt_log_close(&source->log);
  if (code == BT_OK) {
    view->arena = build->arena;
    memcpy(source->whole, whole, sizeof source->whole);
  } else { /* BT_STALE: a file is not what was checked */
    source->evidence[0] = '\0';
  }
  return code;
}

enum bt_code bt_log_view_load(const struct bt_env *env, const struct bt_snapshot *snapshot,
                              struct bt_log_source *source, unsigned flags, struct bt_log_view **view,
                              struct bt_error *err) {
  struct bt_log_build build = {.env = env, .arena = bt_arena_new(ARENA_BYTES)};
  struct bt_log_view *made = build.arena != NULL ? BT_ARENA_NEW(build.arena, struct bt_log_view) : NULL;
  enum bt_code code;
  *view = NULL;
  build.ledger = open_ledger(env, &code, err);
  if (code == BT_OK && made == NULL)
    code = bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  bt_str_init(&build.line, LINE_ROOM);
  bt_outcome_judge_init(&build.judge, env, build.ledger);
  if (code == BT_OK)
    code = load(&build, snapshot, source, flags, made, err);
  bt_outcome_judge_dispose(&build.judge);
  bt_str_dispose(&build.line);
  if (build.ledger >= 0)
    close(build.ledger);
  if (code == BT_OK && made->arena != NULL)
    *view = made;
  else
    bt_arena_free(build.arena);
  return code;
}
