/* core/ops/unlock.c - removes the lock of a process that is gone (spec/context-handoff.md 7, 15.1 items 9 and 10).
 *
 * Proof first: the four fields as the caller saw them, this host, no such process. `--pid-reused` accepts a living
 * process only where /proc proves that it began after the lock was taken (dashboard.md, decisions). Needs no key and
 * records nothing in the manifest; the removed bytes are kept in baton's trash. */
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/ops/facts.h"
#include "core/ops/trash.h"
#include "core/ops/verb.h"
#include "core/store/doc.h"
#include "core/store/lock.h"

#include <math.h>
#include <string.h>

enum bt_code bt_unlock_check(const struct bt_request *request, struct bt_error *err) {
  if (request->ledger_lock != NULL) {
    if (request->session != NULL)
      return bt_error_set(err, BT_USAGE, "--ledger-lock", "--session and --ledger-lock exclude each other");
    if (bt_is_blank_w(request->ledger_lock, strlen(request->ledger_lock)))
      return bt_error_set(err, BT_USAGE, "--ledger-lock", "missing --ledger-lock");
  } else {
    enum bt_code code = bt_id_require(request->session, "--session", err);
    if (code != BT_OK)
      return code;
  }
  const struct {
    const char *label, *value;
  } proofs[] = {{"--pid", request->pid},
                {"--started-at", request->started_at},
                {"--host", request->host},
                {"--nonce", request->nonce}};
  for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++) {
    if (proofs[i].value == NULL || bt_is_blank_w(proofs[i].value, strlen(proofs[i].value)))
      return bt_error_set(err, BT_USAGE, proofs[i].label, "missing %s", proofs[i].label);
  }
  double pid = bt_text_to_number(request->pid, strlen(request->pid));
  if (!(pid > 0) || floor(pid) != pid || isinf(pid))
    return bt_error_set(err, BT_USAGE, "--pid", "--pid must be an integer above 0");
  return BT_OK;
}

/* Rows 2 to 4 of the table in 7. */
static enum bt_code prove(const struct bt_env *env, const struct bt_request *request, const struct bt_lock *lock,
                          struct bt_error *err) {
  double pid = bt_text_to_number(request->pid, strlen(request->pid));
  const struct {
    const char *name;
    bool same;
  } fields[] = {{"pid", lock->pid == pid},
                {"started_at", bt_text_equals(lock->started_at, request->started_at)},
                {"host", bt_text_equals(lock->host, request->host)},
                {"nonce", bt_text_equals(lock->nonce, request->nonce)}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!fields[i].same)
      return bt_error_set(err, BT_REFUSED, lock->name, "the lock of %s has another %s than given", lock->name,
                          fields[i].name);
  }
  if (!bt_text_equals(lock->host, env->host))
    return bt_error_set(err, BT_REFUSED, lock->name, "the lock of %s belongs to host %s: unlock it there", lock->name,
                        lock->host);
  if (!bt_lock_pid_alive(env, lock->pid))
    return BT_OK;
  if (!request->pid_reused)
    return bt_error_set(err, BT_REFUSED, lock->name, "the lock of %s is held: pid %s is still alive%s", lock->name,
                        lock->pid_text,
                        lock->verdict == BT_LOCK_PID_REUSE ? " (a younger process has the pid: see --pid-reused)" : "");
  if (lock->verdict != BT_LOCK_PID_REUSE)
    return bt_error_set(err, BT_REFUSED, lock->name,
                        "the lock of %s may be held: nothing proves that pid %s is a younger process", lock->name,
                        lock->pid_text);
  return BT_OK;
}

/* The lock that is meant, with its bytes and document. Row 1 of the table in 7. */
static enum bt_code read_lock(const struct bt_env *env, const struct bt_request *request, int ledger,
                              struct bt_arena *arena, struct bt_lock *lock, struct bt_str *bytes,
                              struct bt_json **document, struct bt_error *err) {
  struct bt_error found = {0};
  const char *name = request->ledger_lock != NULL ? request->ledger_lock : request->session;
  enum bt_code code = request->ledger_lock != NULL
                          ? bt_lock_read_ledger(env, ledger, name, arena, lock, bytes, document, &found)
                          : bt_lock_read_session(env, ledger, name, arena, lock, bytes, document, &found);
  if (code == BT_MISSING)
    return bt_error_set(err, BT_STATE, name, "lock missing");
  if (code != BT_OK) {
    if (err != NULL)
      *err = found;
    return code;
  }
  if (*document == NULL)
    return bt_error_set(err, BT_STATE, name, "lock %s", lock->error != NULL ? lock->error : "unreadable");
  return BT_OK;
}

static struct bt_json *payload_of(const struct bt_request *request, bool dry_run, const struct bt_json *document) {
  struct bt_json *payload = bt_payload_new(BT_VERB_UNLOCK, dry_run);
  const char *key = request->ledger_lock != NULL ? "ledger_lock" : "session";
  const char *name = request->ledger_lock != NULL ? request->ledger_lock : request->session;
  if (payload == NULL || bt_json_set_string(payload, key, name) != BT_OK ||
      bt_json_set(payload, "lock", bt_json_clone(document)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static void describe_record(struct bt_planner *planner, const struct bt_lock *lock) {
  char started[BT_ISO_MS];
  bt_plan_row(planner, "file", bt_planner_text(planner, ".adlc/%s", bt_planner_visible(planner, lock->path)), NULL);
  bt_plan_row(planner, "verdict", bt_lock_verdict_word(lock->verdict), NULL);
  bt_plan_row(planner, "host", bt_planner_visible(planner, lock->host), NULL);
  bt_plan_row(planner, "pid", bt_planner_visible(planner, lock->pid_text), NULL);
  if (lock->process_name != NULL)
    bt_plan_row(planner, "process", bt_planner_visible(planner, lock->process_name), NULL);
  if (lock->process_started_ms != BT_TIME_UNKNOWN) {
    bt_time_iso(started, lock->process_started_ms);
    bt_plan_row(planner, "process began", bt_planner_text(planner, "%s", started), NULL);
  }
  bt_plan_row(planner, "started_at", bt_planner_visible(planner, lock->started_at), NULL);
  bt_plan_row(planner, "nonce", bt_planner_visible(planner, lock->nonce), NULL);
  bt_plan_row(planner, "inode",
              bt_planner_text(planner, "%llu, %lld bytes, mode %04o", (unsigned long long)lock->inode,
                              (long long)lock->size_bytes, lock->mode),
              NULL);
}

static void describe(struct bt_planner *planner, const struct bt_lock *lock) {
  describe_record(planner, lock);
  for (size_t i = 0; i < lock->evidence_count; i++) {
    const struct bt_evidence_line *line = &lock->evidence[i];
    bt_plan_check(planner, line->check, "%s: %s (%s)", line->what, bt_planner_visible(planner, line->found),
                  bt_planner_visible(planner, line->how));
  }
  bt_plan_check(planner, BT_CHECK_OK, "fields: pid, started_at, host, nonce agree, 4 of 4");
  if (lock->verdict == BT_LOCK_PID_REUSE)
    bt_plan_check(planner, BT_CHECK_WARN,
                  "a living process has this pid: another by its later start, unless the clock was set since");
  bt_plan_step(planner, "keep a copy", NULL, bt_planner_text(planner, "%s/trash", planner->env->state_dir));
  bt_plan_step(planner, "remove lock", bt_planner_text(planner, ".adlc/%s", bt_planner_visible(planner, lock->path)),
               "only while it holds exactly these bytes");
  bt_plan_will(planner, "Removes this one lock file.");
  bt_plan_will_not(planner, "It does NOT clear a deny, change a brief or touch the working tree.");
}

static void keep_for_execute(struct bt_planner *planner, const struct bt_lock *lock, const struct bt_str *bytes) {
  planner->details->lock_path = lock->path;
  planner->details->lock_bytes = bt_arena_strndup(planner->arena, bytes->data, bytes->length);
  planner->details->lock_length = bytes->length;
  planner->failed = planner->failed || bytes->failed || planner->details->lock_bytes == NULL;
}

/* NAME may be given as the lock file itself. */
static void strip_lock_suffix(struct bt_planner *planner) {
  struct bt_request *request = &planner->plan->request;
  if (request->ledger_lock == NULL || !bt_ends_with(request->ledger_lock, ".lock"))
    return;
  request->ledger_lock =
      bt_arena_strndup(planner->arena, request->ledger_lock, strlen(request->ledger_lock) - strlen(".lock"));
  planner->failed = planner->failed || request->ledger_lock == NULL;
}

enum bt_code bt_unlock_plan(struct bt_planner *planner, struct bt_error *err) {
  struct bt_plan *plan = planner->plan;
  struct bt_lock lock = {0};
  struct bt_str bytes;
  struct bt_json *document = NULL;
  bt_str_init(&bytes, BT_DOC_MAX);
  strip_lock_suffix(planner);
  enum bt_code code = planner->failed ? bt_error_set(err, BT_NOMEM, "lock", "out of memory") : BT_OK;
  if (code == BT_OK)
    code = read_lock(planner->env, &plan->request, planner->ledger, planner->arena, &lock, &bytes, &document, err);
  if (code == BT_OK)
    code = prove(planner->env, &plan->request, &lock, err);
  if (code == BT_OK) {
    const char *name = bt_planner_visible(planner, lock.name);
    bt_plan_fact_path(planner, lock.path, true);
    keep_for_execute(planner, &lock, &bytes);
    plan->title = bt_planner_text(planner, "Unlock %s", name);
    plan->summary = "Removes this one lock file. It does NOT clear a deny, change a brief or touch the working tree.";
    plan->confirm_word = lock.verdict == BT_LOCK_PID_REUSE ? "unlock" : NULL;
    plan->confirm_label = "unlock";
    plan->undo = "the lock is copied to the trash first; `baton undo` puts it back if its place is still free";
    if (!plan->request.terse)
      describe(planner, &lock);
    bt_plan_answer(planner, payload_of(&plan->request, true, document),
                   "dry-run: the lock of %s can be removed; pass --write to do it", lock.name);
  }
  bt_json_free(document);
  bt_str_dispose(&bytes);
  return code;
}

/* The copy is a courtesy: without one the lock still goes, as upstream's does, and the receipt warns. */
static void keep_copy(struct bt_run *run, struct bt_str *kept) {
  const struct bt_op_details *details = run->plan->details;
  struct bt_error failed = {0};
  if (bt_trash_keep(run->env, details->lock_path, details->lock_bytes, details->lock_length, kept, &failed) == BT_OK)
    run->receipt->trash_path = bt_arena_strndup(run->arena, kept->data, kept->length);
  else
    run->receipt->warning = bt_arena_printf(run->arena, "no copy of the lock was kept: %s", failed.message);
}

static enum bt_code remove_lock(struct bt_run *run, struct bt_error *err) {
  const struct bt_op_details *details = run->plan->details;
  struct bt_str kept;
  bt_str_init(&kept, BT_PATH_MAX_BYTES);
  keep_copy(run, &kept);
  enum bt_code code = bt_txn_unlink_if(run->txn, details->lock_path, details->lock_bytes, details->lock_length, err);
  if (code != BT_OK && run->receipt->trash_path != NULL &&
      bt_trash_forget(run->env, bt_path_basename(kept.data), NULL) == BT_OK)
    run->receipt->trash_path = NULL;
  bt_str_dispose(&kept);
  return code;
}

enum bt_code bt_unlock_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_lock lock = {0};
  struct bt_str bytes;
  struct bt_json *document = NULL;
  bt_str_init(&bytes, BT_DOC_MAX);
  enum bt_code code = read_lock(run->env, request, bt_txn_dir(run->txn), run->arena, &lock, &bytes, &document, err);
  if (code == BT_OK)
    code = prove(run->env, request, &lock, err);
  if (code == BT_OK) /* the words first: once the lock is gone nothing may fail any more */
    code = bt_run_answer(run, payload_of(request, false, document), err, "removed the lock of %s", lock.name);
  if (code == BT_OK)
    code = remove_lock(run, err);
  bt_json_free(document);
  bt_str_dispose(&bytes);
  return code;
}
