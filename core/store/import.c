/* core/store/import.c - from a document to a snapshot. */
#include "core/store/import.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/base/str.h"
#include "core/model/triage.h"
#include "core/store/import_values.h"

#define ARENA_MAX (4 * BT_IMPORT_BYTES_MAX)

/* clang-format off */
BT_IMPORT_WORDS(state_at, bt_state, bt_state_word)
BT_IMPORT_WORDS(band_at, bt_band, bt_band_word)
BT_IMPORT_WORDS(verb_at, bt_verb, bt_verb_word)
BT_IMPORT_WORDS(signature_at, bt_signature, bt_signature_word)
/* clang-format on */

/* ---- sessions ---- */

static void fill_context(struct bt_import *import, const struct bt_json *session, struct bt_context *context) {
  const struct bt_json *from = bt_json_get(session, "context");
  double depth;
  context->band = (enum bt_band)bt_import_word(session, "band", band_at, BT_BAND_HARD + 1, BT_BAND_UNKNOWN);
  context->band_by = bt_import_text(import, session, "band_by");
  context->host_band = bt_import_text(import, from, "host_band");
  context->used_known = bt_import_number(from, "used_tokens", &context->used_tokens);
  context->window_known = bt_import_number(from, "window_tokens", &context->window_tokens);
  (void)bt_import_number(from, "used_pct", &context->used_pct);
  context->window_is_guess = bt_import_flag(from, "window_is_guess");
  context->over_window = bt_import_flag(from, "over_window");
  context->trend_known = bt_import_number(from, "tokens_a_minute", &context->trend_tokens);
  context->used_source = bt_import_text(import, from, "source");
  context->window_source = bt_import_text(import, from, "window_source");
  context->depth_known = bt_import_number(from, "depth", &depth) && depth >= 0 && depth < 9e15;
  context->depth = context->depth_known ? (int64_t)depth : 0;
  context->truncated = bt_import_flag(from, "truncated");
}

static void fill_step(struct bt_import *import, const struct bt_json *from, struct bt_next_step *step) {
  step->verb = (enum bt_verb)bt_import_word(from, "verb", verb_at, BT_VERB_COUNT, BT_VERB_NONE);
  step->text = bt_import_said(import, from, "text");
  step->blocked_by = bt_import_text(import, from, "blocked_by");
}

static void fill_words(struct bt_import *import, const struct bt_json *from, struct bt_session *session) {
  const struct bt_json *item;
  struct bt_reason *reasons = bt_import_array(import, from, "reasons", sizeof(*reasons), &session->reason_count, &item);
  session->reasons = reasons;
  for (size_t i = 0; i < session->reason_count; i++, item = bt_json_next(item)) {
    reasons[i].code = bt_import_said(import, item, "code");
    reasons[i].text = bt_import_said(import, item, "text");
  }
  fill_step(import, bt_json_get(from, "next"), &session->next);
  const struct bt_json *others = bt_json_get(from, "others");
  item = bt_json_type(others) == BT_JSON_ARRAY ? bt_json_first(others) : NULL;
  for (; item && session->other_count < sizeof(session->others) / sizeof(session->others[0]); item = bt_json_next(item))
    fill_step(import, item, &session->others[session->other_count++]);
}

static void fill_evidence(struct bt_import *import, const struct bt_json *from, struct bt_session *session) {
  const struct bt_json *item;
  struct bt_evidence *list = bt_import_array(import, from, "evidence", sizeof(*list), &session->evidence_count, &item);
  session->evidence = list;
  for (size_t i = 0; i < session->evidence_count; i++, item = bt_json_next(item)) {
    double seq;
    list[i].seq = bt_import_number(item, "seq", &seq) && seq > -9e15 && seq < 9e15 ? (int64_t)seq : -1;
    list[i].gate = bt_import_said(import, item, "gate");
    list[i].ts = bt_import_said(import, item, "ts");
    list[i].ts_ms = bt_import_time(item, "ts");
    list[i].ticket = bt_import_text(import, item, "ticket");
    list[i].chain = bt_import_said(import, item, "chain");
    list[i].session_id = session->id;
    list[i].is_signed = bt_json_get_string(item, "signature") != NULL;
    list[i].signature = (enum bt_signature)bt_import_word(item, "signature", signature_at, BT_SIG_UNVERIFIABLE + 1,
                                                          BT_SIG_UNVERIFIABLE);
  }
}

static void fill_flags(struct bt_import *import, const struct bt_json *from, struct bt_session *session) {
  const struct bt_json *item;
  const char **flags = bt_import_array(import, from, "flags", sizeof(*flags), &session->flag_count, &item);
  session->flags = flags;
  for (size_t i = 0; i < session->flag_count; i++, item = bt_json_next(item)) {
    const char *text = bt_import_keep(import, bt_json_string(item));
    flags[i] = text ? text : "?";
  }
}

static void fill_session(struct bt_import *import, const struct bt_json *from, struct bt_session *session) {
  session->state = (enum bt_state)bt_import_word(from, "state", state_at, BT_STATE_COUNT, BT_STATE_WARN);
  session->since_ms = bt_import_time(from, "since");
  session->last_seen_ms = bt_import_time(from, "last_seen");
  session->harness = bt_import_text(import, from, "harness");
  session->ticket_id = bt_import_text(import, from, "ticket_id");
  session->ticket_title = bt_import_text(import, from, "ticket_title");
  session->cwd = bt_import_text(import, from, "cwd");
  session->branch = bt_import_text(import, from, "branch");
  session->model = bt_import_text(import, from, "model");
  session->title = bt_import_text(import, from, "title");
  session->in_force = bt_import_text(import, from, "gate_in_force");
  session->in_force_why = bt_import_text(import, from, "gate_in_force_why");
  session->blocks = (size_t)bt_import_count(from, "blocks");
  fill_context(import, from, &session->context);
  if (bt_import_is_object(bt_json_get(from, "deny"))) {
    struct bt_deny *deny = BT_ARENA_NEW(import->arena, struct bt_deny);
    import->failed = import->failed || !deny;
    if (deny)
      bt_import_deny(import, bt_json_get(from, "deny"), deny);
    session->deny = deny;
  }
  if (bt_import_is_object(bt_json_get(from, "lock"))) {
    struct bt_lock *lock = BT_ARENA_NEW(import->arena, struct bt_lock);
    import->failed = import->failed || !lock;
    if (lock)
      bt_import_lock(import, bt_json_get(from, "lock"), lock);
    session->lock = lock;
  }
  session->final_ = bt_import_final(import, bt_json_get(from, "final"));
  session->capture = bt_import_capture(import, from);
  session->auth = bt_import_auth(import, bt_json_get(from, "authorised_by"));
  session->successor = bt_import_auth(import, bt_json_get(from, "successor"));
  session->grant = bt_import_grant(import, bt_json_get(from, "grant"), session->id);
  bt_import_transcript(import, from, session);
  fill_flags(import, from, session);
  fill_words(import, from, session);
  fill_evidence(import, from, session);
}

/* Every id once: the dashboard finds sessions by it. */
static void fill_sessions(struct bt_import *import, const struct bt_json *root, struct bt_snapshot *snapshot) {
  const struct bt_json *item;
  size_t room;
  struct bt_hashset seen;
  struct bt_session *sessions = bt_import_array(import, root, "sessions", sizeof(*sessions), &room, &item);
  bt_hashset_init(&seen);
  snapshot->sessions = sessions;
  for (size_t i = 0; i < room && !import->failed; i++, item = bt_json_next(item)) {
    const char *id = bt_import_text(import, item, "id");
    if (!id || !*id || !bt_hashset_add(&seen, bt_id_hash(id, strlen(id)), &import->failed))
      continue;
    struct bt_session *session = &sessions[snapshot->session_count++];
    session->id = id;
    fill_session(import, item, session);
    snapshot->state_counts[session->state]++;
  }
  bt_hashset_dispose(&seen);
  if (!import->failed && !bt_triage_short_ids(import->arena, sessions, snapshot->session_count))
    import->failed = true;
}

static void fill_records(struct bt_import *import, const struct bt_json *root, struct bt_snapshot *snapshot) {
  const struct bt_json *item;
  struct bt_lock *locks = bt_import_array(import, root, "locks", sizeof(*locks), &snapshot->lock_count, &item);
  snapshot->locks = locks;
  for (size_t i = 0; i < snapshot->lock_count; i++, item = bt_json_next(item)) {
    bt_import_lock(import, item, &locks[i]);
    snapshot->lock_counts[locks[i].verdict]++;
  }
  struct bt_deny *denies = bt_import_array(import, root, "denies", sizeof(*denies), &snapshot->deny_count, &item);
  snapshot->denies = denies;
  for (size_t i = 0; i < snapshot->deny_count; i++, item = bt_json_next(item))
    bt_import_deny(import, item, &denies[i]);
  struct bt_problem *problems =
      bt_import_array(import, root, "problems", sizeof(*problems), &snapshot->problem_count, &item);
  snapshot->problems = problems;
  for (size_t i = 0; i < snapshot->problem_count; i++, item = bt_json_next(item)) {
    problems[i].subject = bt_import_said(import, item, "subject");
    problems[i].text = bt_import_said(import, item, "text");
  }
}

static void fill_head(struct bt_import *import, const struct bt_json *root, struct bt_snapshot *snapshot) {
  const struct bt_json *store = bt_json_get(root, "store");
  snapshot->imported = snapshot->readonly = true;
  snapshot->taken_at_ms = bt_import_time(root, "taken_at");
  snapshot->ledger_present = true;
  snapshot->ledger_dir = snapshot->ledger_short = bt_import_said(import, root, "ledger");
  snapshot->root = snapshot->ledger_dir;
  snapshot->host = bt_import_said(import, root, "host");
  snapshot->project = bt_import_said(import, root, "project");
  snapshot->user = "?";
  snapshot->key_loaded = bt_import_flag(root, "key_loaded");
  snapshot->key_is_sample = bt_import_flag(root, "key_is_sample");
  snapshot->evidence.problem = bt_import_text(import, root, "evidence_problem");
  snapshot->sample = bt_import_flag(root, "sample");
  snapshot->foreign_owner = bt_import_flag(root, "foreign_owner");
  snapshot->owner_uid = (unsigned)bt_import_count(root, "owner_uid");
  snapshot->transcripts_known = (size_t)bt_import_count(root, "transcripts_known");
  snapshot->store.ok = !store || bt_import_flag(store, "ok");
  snapshot->store.reason = bt_import_text(import, store, "reason");
  snapshot->store.heal_due = bt_import_text(import, store, "heal_due");
}

static enum bt_code check_document(const char *name, const struct bt_json *root, struct bt_error *err) {
  double version;
  if (!bt_import_is_object(root) || bt_json_type(bt_json_get(root, "sessions")) != BT_JSON_ARRAY ||
      !bt_json_is_integer(bt_json_get(root, "schema_version"), &version))
    return bt_error_set(err, BT_INPUT, name, "not a snapshot: `baton scan --json` makes one");
  if (version > BT_IMPORT_SCHEMA_VERSION)
    return bt_error_set(err, BT_INPUT, name, "made by a newer version of baton");
  if (bt_import_time(root, "taken_at") == BT_TIME_UNKNOWN)
    return bt_error_set(err, BT_INPUT, name, "it does not say when it was taken");
  return BT_OK;
}

enum bt_code bt_snapshot_import(const char *name, const char *bytes, size_t length, struct bt_snapshot **snapshot,
                                struct bt_error *err) {
  *snapshot = NULL;
  if (length > BT_IMPORT_BYTES_MAX)
    return bt_error_set(err, BT_TOO_LARGE, name, "larger than %zu bytes", BT_IMPORT_BYTES_MAX);
  struct bt_error failed = {.code = BT_OK};
  struct bt_json *root = bt_json_parse(bytes, length, &failed);
  enum bt_code code = root ? check_document(name, root, err)
                           : bt_error_set(err, failed.code ? failed.code : BT_CORRUPT, name, "%s", failed.message);
  struct bt_import import = {.arena = code == BT_OK ? bt_arena_new(ARENA_MAX) : NULL};
  struct bt_snapshot *made = import.arena ? BT_ARENA_NEW(import.arena, struct bt_snapshot) : NULL;
  if (made) {
    made->arena = import.arena;
    fill_head(&import, root, made);
    fill_sessions(&import, root, made);
    fill_records(&import, root, made);
  }
  if (code == BT_OK && (!made || import.failed))
    code = bt_error_set(err, BT_NOMEM, name, "out of memory");
  bt_json_free(root);
  if (code == BT_OK)
    *snapshot = made;
  else
    bt_arena_free(import.arena);
  return code;
}
