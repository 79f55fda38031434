/* core/store/lock.c - lock files into records, ready to be judged. */
#include "core/store/lock.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/doc.h"
#include "core/store/path.h"
#include "core/store/verdict.h"

#define LOCK_FIELD_MAX ((size_t)1024 * 1024)

/* Session locks and the manifest's locks name the same four proofs differently; other programs' may do either. */
struct field_names {
  const char *started_at, *host, *nonce;
};
static const struct field_names session_names = {"started_at", "host", "nonce"};
static const struct field_names ledger_names = {"startedAt", "hostname", "token"};

static const char *as_text(struct bt_arena *arena, const struct bt_json *value) {
  struct bt_str text;
  bt_str_init(&text, LOCK_FIELD_MAX);
  bt_json_to_text(&text, value);
  const char *copy = text.failed ? NULL : bt_arena_strndup(arena, text.data, text.length);
  bt_str_dispose(&text);
  return copy;
}

static const struct field_names *names_for(enum bt_lock_kind kind, const struct bt_json *json) {
  if (kind == BT_LOCK_SESSION)
    return &session_names;
  if (kind == BT_LOCK_LEDGER)
    return &ledger_names;
  return bt_json_get(json, "hostname") ? &ledger_names : &session_names;
}

static bool take_fields(struct bt_arena *arena, const struct bt_json *json, const struct field_names *names,
                        struct bt_lock *lock) {
  const struct bt_json *pid = bt_json_get(json, "pid");
  lock->pid = bt_json_to_number(pid);
  lock->pid_text = as_text(arena, pid);
  lock->started_at = as_text(arena, bt_json_get(json, names->started_at));
  lock->host = as_text(arena, bt_json_get(json, names->host));
  lock->nonce = as_text(arena, bt_json_get(json, names->nonce));
  if (!lock->pid_text || !lock->started_at || !lock->host || !lock->nonce)
    return false;
  if (!bt_time_parse(lock->started_at, strlen(lock->started_at), &lock->started_at_ms))
    lock->started_at_ms = BT_TIME_UNKNOWN;
  return true;
}

static bool unreadable(struct bt_arena *arena, const char *error, struct bt_lock *lock) {
  lock->verdict = BT_LOCK_UNREADABLE;
  lock->error = error;
  if (strcmp(error, "corrupt_json") == 0)
    lock->why = lock->size_bytes == 0 ? "the file is empty"
                                      : bt_arena_printf(arena, "not JSON (%lld bytes)", (long long)lock->size_bytes);
  else if (strcmp(error, "invalid_shape") == 0)
    lock->why = "not a JSON object";
  else if (strcmp(error, "unsafe") == 0 || strcmp(error, "EISDIR") == 0)
    lock->why = "no plain file: a link, folder, pipe or device";
  else
    lock->why = bt_arena_printf(arena, "cannot be read (%s)", error);
  return lock->why != NULL;
}

/* Other programs' locks that say nothing about their owner. */
static bool is_mute(enum bt_lock_kind kind, const struct bt_doc *doc) {
  return kind == BT_LOCK_GIT || (kind != BT_LOCK_SESSION && kind != BT_LOCK_LEDGER && doc->bytes.length == 0 &&
                                 doc->error && strcmp(doc->error, "corrupt_json") == 0);
}

static bool fill(const struct bt_env *env, const struct bt_lock_source *source, struct bt_arena *arena,
                 const struct bt_doc *doc, struct bt_lock *lock) {
  if (is_mute(source->kind, doc)) {
    lock->verdict = BT_LOCK_UNKNOWN;
    lock->why = "the file does not say who holds it (view only)";
    return true;
  }
  if (doc->error)
    return unreadable(arena, doc->error, lock);
  const struct field_names *names = names_for(source->kind, doc->json);
  bool host_is_text = bt_json_string(bt_json_get(doc->json, names->host)) != NULL;
  return take_fields(arena, doc->json, names, lock) &&
         bt_lock_judge(env, arena, source->foreign_owner, host_is_text, lock);
}

enum bt_code bt_lock_read(const struct bt_env *env, int dir, const struct bt_lock_source *source,
                          struct bt_arena *arena, struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                          struct bt_error *err) {
  struct bt_doc doc = {0};
  struct bt_fs_stat st;
  *lock = (struct bt_lock){.kind = source->kind,
                           .name = bt_arena_strdup(arena, source->name),
                           .path = bt_arena_strdup(arena, source->path),
                           .pid = NAN,
                           .started_at_ms = BT_TIME_UNKNOWN,
                           .process_started_ms = BT_TIME_UNKNOWN,
                           .mtime_ms = BT_TIME_UNKNOWN,
                           .view_only = source->kind != BT_LOCK_SESSION && source->kind != BT_LOCK_LEDGER};
  if (document)
    *document = NULL;
  if (!lock->name || !lock->path)
    return bt_error_set(err, BT_NOMEM, source->path, "out of memory");
  enum bt_code code = bt_doc_read(dir, source->path, &doc, err);
  if (code != BT_OK)
    goto out;
  if (doc.error && strcmp(doc.error, "missing") == 0) {
    code = bt_error_set(err, BT_MISSING, source->name, "lock missing");
    goto out;
  }
  st = doc.of;
  if (st.kind == BT_FS_ABSENT) /* nothing was read: what lies there is all that can be told */
    bt_fs_stat_at(dir, source->path, &st);
  if (st.kind != BT_FS_ABSENT && st.kind != BT_FS_UNKNOWN) {
    lock->inode = st.inode;
    lock->size_bytes = st.size_bytes;
    lock->mode = st.mode & 07777;
    lock->mtime_ms = st.mtime_ms;
  }
  if (!fill(env, source, arena, &doc, lock)) {
    code = bt_error_set(err, BT_NOMEM, source->path, "out of memory");
    goto out;
  }
  if (bytes)
    bt_str_append(bytes, doc.bytes.data, doc.bytes.length);
  if (document) {
    *document = doc.json;
    doc.json = NULL;
  }
out:
  bt_doc_dispose(&doc);
  return code;
}

static bool foreign_ledger(const struct bt_env *env, int dir) {
  struct stat st;
  return dir >= 0 && fstat(dir, &st) == 0 && st.st_uid != env->uid;
}

enum bt_code bt_lock_read_session(const struct bt_env *env, int dir, const char *session, struct bt_arena *arena,
                                  struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                                  struct bt_error *err) {
  struct bt_str path;
  enum bt_code code;
  if (document)
    *document = NULL;
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "not a safe session id");
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  if (bt_ledger_path(&path, BT_FILE_LOCK, session)) {
    struct bt_lock_source source = {BT_LOCK_SESSION, session, path.data, foreign_ledger(env, dir)};
    code = bt_lock_read(env, dir, &source, arena, lock, bytes, document, err);
  } else {
    code = path.failed ? bt_error_set(err, BT_NOMEM, session, "out of memory")
                       : bt_error_set(err, BT_MISSING, session, "lock missing");
  }
  bt_str_dispose(&path);
  return code;
}

static bool is_ledger_target(const char *target) {
  if (bt_text_equals(target, "manifest.jsonl") || bt_text_equals(target, "manifest.d/.lineage"))
    return true;
  if (!bt_starts_with(target, "manifest.d/") || !bt_ends_with(target, ".jsonl"))
    return false;
  const char *name = target + strlen("manifest.d/");
  return !strchr(name, '/') && strlen(name) > strlen(".jsonl");
}

enum bt_code bt_lock_read_ledger(const struct bt_env *env, int dir, const char *target, struct bt_arena *arena,
                                 struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                                 struct bt_error *err) {
  if (document)
    *document = NULL;
  if (!is_ledger_target(target))
    return bt_error_set(
        err, BT_INPUT, target,
        "not a file of the manifest: manifest.jsonl, manifest.d/.lineage or manifest.d/<segment>.jsonl");
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_puts(&path, target);
  bt_str_puts(&path, ".lock");
  struct bt_lock_source source = {BT_LOCK_LEDGER, target, path.data, foreign_ledger(env, dir)};
  enum bt_code code = path.failed ? bt_error_set(err, BT_NOMEM, target, "out of memory")
                                  : bt_lock_read(env, dir, &source, arena, lock, bytes, document, err);
  bt_str_dispose(&path);
  return code;
}
