/* core/ops/ledger_lock.c - takes and releases a manifest lock. */
#include "core/ops/ledger_lock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"

#define LOCK_FILE_MAX 4096

/* {"version":1,"token":...,"pid":...,"hostname":...,"startedAt":...} and a newline. */
static enum bt_code compose(struct bt_str *text, const struct bt_ledger_lock *lock, const struct bt_env *env,
                            struct bt_error *err) {
  char started[BT_ISO_MS];
  bt_time_iso(started, bt_env_now(env));
  struct bt_json *json = bt_json_new_object();
  bool ok = json != NULL && bt_json_set_number(json, "version", 1) == BT_OK &&
            bt_json_set_string(json, "token", lock->token) == BT_OK &&
            bt_json_set_number(json, "pid", (double)env->pid) == BT_OK &&
            bt_json_set_string(json, "hostname", env->host != NULL ? env->host : "") == BT_OK &&
            bt_json_set_string(json, "startedAt", started) == BT_OK;
  if (ok) {
    bt_json_print_compact(text, json);
    bt_str_putc(text, '\n');
  }
  bt_json_free(json);
  return ok && !text->failed ? BT_OK : bt_error_set(err, BT_NOMEM, lock->path, "out of memory");
}

static enum bt_code try_until_free(const struct bt_ledger_lock *lock, struct bt_txn *txn, const struct bt_str *text,
                                   struct bt_error *err) {
  for (int attempt = 1;; attempt++) {
    struct bt_error why = {0};
    enum bt_code code = bt_txn_create(txn, lock->path, text->data, text->length, &why);
    if (code == BT_OK)
      return BT_OK;
    if (code != BT_STATE) { /* anything but "there already" */
      if (err != NULL)
        *err = why;
      return code;
    }
    if (attempt == BT_LEDGER_LOCK_ATTEMPTS)
      return bt_error_set(err, BT_BUSY, lock->path, "held by another writer: it was not free within two seconds");
    struct timespec pause = {.tv_nsec = BT_LEDGER_LOCK_PAUSE_MS * 1000000L};
    (void)nanosleep(&pause, NULL);
  }
}

enum bt_code bt_ledger_lock_take(struct bt_ledger_lock *lock, const struct bt_env *env, struct bt_txn *txn,
                                 const char *target, struct bt_error *err) {
  struct bt_str path, text;
  memset(lock, 0, sizeof *lock);
  bt_str_init(&path, 8192);
  bt_str_init(&text, LOCK_FILE_MAX);
  bt_str_printf(&path, "%s.lock", target);
  lock->path = bt_str_take(&path, NULL);
  enum bt_code code =
      lock->path == NULL ? bt_error_set(err, BT_NOMEM, target, "out of memory") : bt_random_uuid(lock->token, err);
  if (code == BT_OK)
    code = compose(&text, lock, env, err);
  if (code == BT_OK)
    code = try_until_free(lock, txn, &text, err);
  bt_str_dispose(&text);
  if (code != BT_OK) {
    free(lock->path);
    lock->path = NULL;
  }
  return code;
}

/* True when the lock is not ours to remove any more. */
static bool let_go(const struct bt_ledger_lock *lock, struct bt_txn *txn) {
  struct bt_str text;
  struct bt_error failed = {0};
  bt_str_init(&text, LOCK_FILE_MAX);
  enum bt_code code = bt_fs_read_at(bt_txn_dir(txn), lock->path, &text, NULL);
  bool gone = code == BT_MISSING;
  if (code == BT_OK) {
    struct bt_json *json = bt_json_parse(text.data, text.length, &failed);
    if (bt_text_equals(bt_json_get_string(json, "token"), lock->token))
      gone = bt_txn_unlink(txn, lock->path, NULL) == BT_OK;
    else
      gone = failed.code != BT_NOMEM;
    bt_json_free(json);
  }
  bt_str_dispose(&text);
  return gone;
}

void bt_ledger_lock_release(struct bt_ledger_lock *lock, struct bt_txn *txn) {
  if (lock->path == NULL)
    return;
  /* Twice: a shortage may be over now. One that still cannot be removed is for `unlock --ledger-lock`. */
  if (!let_go(lock, txn))
    (void)let_go(lock, txn);
  free(lock->path);
  lock->path = NULL;
}
