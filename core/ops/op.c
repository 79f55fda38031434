/* core/ops/op.c - one table of verbs, one way through plan and execute. */
#include "core/ops/op.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/ops/actionlog.h"
#include "core/ops/append.h"
#include "core/ops/marks.h"
#include "core/ops/session_lock.h"
#include "core/ops/verb.h"

#define RECEIPT_MAX (16u << 20)

enum locks_what { LOCKS_NOTHING, LOCKS_SESSION, LOCKS_DENY_SESSION };

struct verb {
  enum bt_code (*check)(const struct bt_request *request, struct bt_error *err);
  enum bt_code (*plan)(struct bt_planner *planner, struct bt_error *err);
  enum bt_code (*run)(struct bt_run *run, struct bt_error *err);
  bool needs_key;
  bool makes_ledger; /* may be the first to write there at all */
  enum locks_what locks;
};

static const struct verb *verb_of(enum bt_verb verb) {
  static const struct verb verbs[BT_VERB_COUNT] = {
      [BT_VERB_WRITE] = {bt_write_check, bt_write_plan, bt_write_run, true, true, LOCKS_SESSION},
      [BT_VERB_RESUME] = {bt_resume_check, bt_resume_plan, bt_resume_run, true, false, LOCKS_DENY_SESSION},
      [BT_VERB_BYPASS] = {bt_bypass_check, bt_bypass_plan, bt_bypass_run, true, true, LOCKS_NOTHING},
      [BT_VERB_REPAIR] = {bt_repair_check, bt_repair_plan, bt_repair_run, true, false, LOCKS_SESSION},
      [BT_VERB_UNLOCK] = {bt_unlock_check, bt_unlock_plan, bt_unlock_run, false, false, LOCKS_NOTHING},
      [BT_VERB_CONTINUE] = {bt_continue_check, bt_continue_plan, bt_continue_run, true, false, LOCKS_DENY_SESSION},
      [BT_VERB_UNDO] = {bt_undo_check, bt_undo_plan, bt_undo_run, false, false, LOCKS_NOTHING},
  };
  assert(verb > BT_VERB_NONE && verb < BT_VERB_COUNT);
  return &verbs[verb];
}

enum bt_code bt_op_check(const struct bt_request *request, struct bt_error *err) {
  return verb_of(request->verb)->check(request, err);
}

enum bt_code bt_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                        struct bt_error *err) {
  const struct verb *verb = verb_of(request->verb);
  *plan = NULL;
  enum bt_code code = verb->check(request, err);
  if (code != BT_OK)
    return code;
  struct bt_planner planner;
  code = bt_planner_init(&planner, env, request, err);
  if (code == BT_OK) {
    planner.plan->needs_key = verb->needs_key;
    code = verb->plan(&planner, err);
  }
  if (code == BT_OK)
    code = bt_planner_finish(&planner, plan, err);
  bt_planner_dispose(&planner);
  return code;
}

void bt_plan_free(struct bt_plan *plan) {
  if (plan != NULL)
    bt_arena_free(plan->arena);
}

/* ---- while a verb runs ---- */

struct bt_json *bt_payload_new(enum bt_verb verb, bool dry_run) {
  struct bt_json *payload = bt_json_new_object();
  if (payload == NULL || bt_json_set_string(payload, "tool", "handoff") != BT_OK ||
      bt_json_set_string(payload, "command", bt_verb_word(verb)) != BT_OK ||
      bt_json_set_bool(payload, "dryRun", dry_run) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

struct bt_json *bt_run_record(const struct bt_run *run) {
  const char *text = run->plan->details->record;
  assert(text != NULL);
  return bt_json_parse(text, strlen(text), NULL);
}

enum bt_code bt_run_evidence(struct bt_run *run, const char *gate, const char *ticket, struct bt_json *data,
                             struct bt_error *err) {
  if (data == NULL)
    return bt_error_set(err, BT_NOMEM, gate, "out of memory");
  enum bt_code code = bt_evidence_append(run->env, gate, ticket, data, &run->receipt->evidence_seq, err);
  bt_json_free(data);
  if (code == BT_OK)
    run->receipt->evidence_gate = gate;
  return code;
}

struct bt_json *bt_run_evidence_json(const struct bt_run *run) {
  struct bt_json *evidence = bt_json_new_object();
  if (evidence == NULL || bt_json_set_string(evidence, "gate", run->receipt->evidence_gate) != BT_OK ||
      bt_json_set_number(evidence, "seq", (double)run->receipt->evidence_seq) != BT_OK) {
    bt_json_free(evidence);
    return NULL;
  }
  return evidence;
}

static const char *human_line(struct bt_arena *arena, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  char *raw = length < 0 ? NULL : malloc((size_t)length + 1);
  if (raw == NULL)
    return NULL;
  vsnprintf(raw, (size_t)length + 1, fmt, args);
  struct bt_str visible;
  bt_str_init(&visible, RECEIPT_MAX);
  bt_text_visible(&visible, raw, (size_t)length);
  const char *kept = visible.failed ? NULL : bt_arena_strndup(arena, visible.data, visible.length);
  bt_str_dispose(&visible);
  free(raw);
  return kept;
}

enum bt_code bt_run_answer(struct bt_run *run, struct bt_json *payload, struct bt_error *err, const char *fmt, ...) {
  const char *word = bt_verb_word(run->plan->request.verb);
  if (payload == NULL)
    return bt_error_set(err, BT_NOMEM, word, "out of memory");
  struct bt_str text;
  bt_str_init(&text, RECEIPT_MAX);
  bt_json_print_pretty(&text, payload);
  bt_json_free(payload);
  run->receipt->payload = text.failed ? NULL : bt_arena_strndup(run->arena, text.data, text.length);
  bt_str_dispose(&text);
  va_list args;
  va_start(args, fmt);
  run->receipt->human = human_line(run->arena, fmt, args);
  va_end(args);
  if (run->receipt->payload == NULL || run->receipt->human == NULL)
    return bt_error_set(err, BT_NOMEM, word, "out of memory");
  return BT_OK;
}

/* ---- execute ---- */

static enum bt_code allowed(const struct verb *verb, const struct bt_env *env, struct bt_error *err) {
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, env->ledger_dir, "read-only: nothing is written");
  if (verb->needs_key && env->key == NULL)
    return bt_error_set(err, BT_KEY, "ADLC_MANIFEST_KEY", "no signing key: set ADLC_MANIFEST_KEY");
  return BT_OK;
}

/* Under the lock: the facts once more, then the verb; whatever it wrote is put back when it fails. */
static enum bt_code run_locked(struct bt_run *run, const struct verb *verb, struct bt_error *err) {
  enum bt_code code = bt_facts_recheck(run->plan, bt_txn_dir(run->txn), err);
  if (code == BT_OK)
    code = verb->run(run, err);
  if (code == BT_OK)
    bt_txn_commit(run->txn);
  else
    bt_txn_undo(run->txn, err);
  return code;
}

static enum bt_code run_verb(struct bt_run *run, const struct verb *verb, struct bt_error *err) {
  enum bt_code code = allowed(verb, run->env, err);
  if (code != BT_OK)
    return code;
  run->txn = bt_txn_open(run->env, verb->makes_ledger, err);
  if (run->txn == NULL)
    return err->code;
  const struct bt_request *request = &run->plan->request;
  if (verb->locks == LOCKS_NOTHING) {
    code = run_locked(run, verb, err);
  } else {
    struct bt_session_lock lock;
    const char *session = verb->locks == LOCKS_SESSION ? request->session : request->deny_session;
    code = bt_session_lock_acquire(&lock, run->txn, run->env, session, err);
    if (code == BT_OK)
      code = run_locked(run, verb, err);
    bt_session_lock_release(&lock, run->txn);
  }
  bt_txn_close(run->txn);
  run->txn = NULL;
  return code;
}

/* The log is no evidence: a verb that succeeded stays a success, with a warning. */
static void log_action(struct bt_run *run, const struct bt_error *outcome) {
  struct bt_error failed = {0};
  if (run->env->readonly || bt_actionlog_add(run->env, &run->plan->request, outcome, run->receipt, &failed) == BT_OK ||
      run->receipt == NULL)
    return;
  const char *before = run->receipt->warning;
  run->receipt->warning = bt_arena_printf(run->arena, "%s%sthe action log could not be written: %s",
                                          before != NULL ? before : "", before != NULL ? "; " : "", failed.message);
}

/* What was just handed on, read back and verified: to be compared with later. No copy is no failure. */
static void keep_copy(const struct bt_run *run) {
  const struct bt_plan *plan = run->plan;
  if (plan->request.verb == BT_VERB_CONTINUE && run->env->state_dir != NULL &&
      bt_marks_keep_verified(run->env, plan->request.deny_session, &plan->brief, NULL) != BT_OK)
    return;
}

enum bt_code bt_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                           struct bt_error *err) {
  struct bt_error own;
  struct bt_error *outcome = err != NULL ? err : &own;
  memset(outcome, 0, sizeof *outcome);
  *receipt = NULL;
  struct bt_run run = {.env = env, .plan = plan, .arena = bt_arena_new(RECEIPT_MAX)};
  if (run.arena != NULL)
    run.receipt = BT_ARENA_NEW(run.arena, struct bt_receipt);
  if (run.receipt == NULL) {
    bt_arena_free(run.arena);
    return bt_error_set(outcome, BT_NOMEM, bt_verb_word(plan->request.verb), "out of memory");
  }
  run.receipt->arena = run.arena;
  enum bt_code code = run_verb(&run, verb_of(plan->request.verb), outcome);
  if (code == BT_OK)
    memset(outcome, 0, sizeof *outcome); /* what a step met and got over is no outcome */
  if (code == BT_OK)
    keep_copy(&run);
  log_action(&run, outcome);
  if (code == BT_OK)
    *receipt = run.receipt;
  else
    bt_arena_free(run.arena);
  return code;
}

void bt_receipt_free(struct bt_receipt *receipt) {
  if (receipt != NULL)
    bt_arena_free(receipt->arena);
}

void bt_op_log_refusal(const struct bt_env *env, const struct bt_request *request, const struct bt_error *err) {
  if (!env->readonly && bt_actionlog_add(env, request, err, NULL, NULL) != BT_OK)
    return;
}
