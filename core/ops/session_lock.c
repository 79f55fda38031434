/* core/ops/session_lock.c - exclusive creation, and taking over what a dead process left. */
#include "core/ops/session_lock.h"

#include <errno.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/ops/document.h"
#include "core/store/doc.h"
#include "core/store/lock.h"
#include "core/store/path.h"

#define PASSES 2
#define ARENA_MAX (4u << 20)

static struct bt_json *lock_document(const struct bt_env *env, const char *session, const char *nonce) {
  char started_at[BT_ISO_MS];
  bt_time_iso(started_at, bt_env_now(env));
  struct bt_json *document = bt_json_new_object();
  if (document == NULL)
    return NULL;
  if (bt_json_set_number(document, "schema", 1) != BT_OK ||
      bt_json_set_string(document, "session_id", session) != BT_OK ||
      bt_json_set_number(document, "pid", (double)env->pid) != BT_OK ||
      bt_json_set_string(document, "started_at", started_at) != BT_OK ||
      bt_json_set_string(document, "host", env->host) != BT_OK ||
      bt_json_set_string(document, "nonce", nonce) != BT_OK) {
    bt_json_free(document);
    return NULL;
  }
  return document;
}

/* BT_OK when the file is ours now, BT_STATE when somebody has it. */
static enum bt_code create(struct bt_txn *txn, const struct bt_env *env, const char *session, const char *nonce,
                           struct bt_error *err) {
  struct bt_json *document = lock_document(env, session, nonce);
  if (document == NULL)
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  struct bt_error failed = {0};
  enum bt_code code = bt_document_create(txn, BT_FILE_LOCK, session, document, &failed);
  bt_json_free(document);
  if (code == BT_OK)
    return BT_OK;
  if (failed.sys_errno == EEXIST)
    return BT_STATE;
  if (failed.sys_errno != 0)
    return bt_error_set(err, code, session, "cannot take the lock (%s): %s", bt_errno_name(failed.sys_errno), session);
  return bt_error_set(err, code, session, "cannot take the lock (%s): %s", failed.message, session);
}

/* Looks at the lock that stands in the way: BT_OK when it was a dead local one and is gone now. */
static enum bt_code reclaim(struct bt_txn *txn, const struct bt_env *env, const char *session, const char *path,
                            struct bt_error *err) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct bt_lock lock = {0};
  struct bt_str bytes;
  struct bt_json *document = NULL;
  bt_str_init(&bytes, BT_DOC_MAX);
  struct bt_error found = {0};
  enum bt_code code = arena == NULL ? bt_error_set(err, BT_NOMEM, session, "out of memory") : BT_OK;
  if (code == BT_OK) {
    code = bt_lock_read_session(env, bt_txn_dir(txn), session, arena, &lock, &bytes, &document, &found);
    if (code == BT_NOMEM)
      code = bt_error_set(err, BT_NOMEM, session, "out of memory");
    else if (code != BT_OK || document == NULL)
      code = bt_error_set(err, BT_BUSY, session, "the lock of %s is unreadable: %s", session,
                          lock.error != NULL ? lock.error : "missing");
    else if (!bt_text_equals(lock.host, env->host))
      code = bt_error_set(err, BT_BUSY, session, "the lock of %s is held on another host, %s (pid %s, since %s)",
                          session, lock.host != NULL ? lock.host : "?", lock.pid_text != NULL ? lock.pid_text : "?",
                          lock.started_at != NULL ? lock.started_at : "?");
    else if (bt_lock_pid_alive(env, bt_json_to_number(bt_json_get(document, "pid"))))
      code = bt_error_set(err, BT_BUSY, session, "the lock of %s is held by pid %s on %s since %s", session,
                          lock.pid_text != NULL ? lock.pid_text : "?", lock.host,
                          lock.started_at != NULL ? lock.started_at : "?");
  }
  if (code == BT_OK) {
    code = bt_txn_unlink_if(txn, path, bytes.data, bytes.length, &found);
    if (code == BT_MISSING)
      code = BT_OK;
    else if (code == BT_STALE)
      code = bt_error_set(err, BT_BUSY, session, "the lock of %s is contended", session);
    else if (code != BT_OK && err != NULL)
      *err = found;
  }
  bt_json_free(document);
  bt_str_dispose(&bytes);
  bt_arena_free(arena);
  return code;
}

enum bt_code bt_session_lock_acquire(struct bt_session_lock *lock, struct bt_txn *txn, const struct bt_env *env,
                                     const char *session, struct bt_error *err) {
  lock->held = false;
  bt_str_init(&lock->path, BT_PATH_MAX_BYTES);
  enum bt_code code = bt_document_path(&lock->path, BT_FILE_LOCK, session, err);
  if (code == BT_OK)
    code = bt_random_hex(lock->nonce, 8, err);
  for (int pass = 1; code == BT_OK; pass++) {
    code = create(txn, env, session, lock->nonce, err);
    if (code != BT_STATE) {
      lock->held = code == BT_OK;
      return code;
    }
    if (pass == PASSES)
      return bt_error_set(err, BT_BUSY, session, "the lock of %s is contended", session);
    code = reclaim(txn, env, session, lock->path.data, err);
  }
  return code;
}

/* True when the file is not ours to remove any more: gone, or another run's. */
static bool let_go(const struct bt_session_lock *lock, struct bt_txn *txn) {
  struct bt_doc doc;
  bool gone = false;
  if (bt_doc_read(bt_txn_dir(txn), lock->path.data, &doc, NULL) == BT_OK) {
    if (doc.json != NULL && bt_text_equals(bt_json_get_string(doc.json, "nonce"), lock->nonce))
      gone = bt_txn_unlink(txn, lock->path.data, NULL) == BT_OK;
    else
      gone = doc.json != NULL || bt_text_equals(doc.error, "missing");
  }
  bt_doc_dispose(&doc);
  return gone;
}

void bt_session_lock_release(struct bt_session_lock *lock, struct bt_txn *txn) {
  /* Twice: a shortage that made the verb fail may be over now, and a lock left behind stops the next run. */
  if (lock->held && !let_go(lock, txn))
    (void)let_go(lock, txn);
  lock->held = false;
  bt_str_dispose(&lock->path);
}
