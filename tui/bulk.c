/* tui/bulk.c - what may be tried, and what became of it. */
#include "tui/bulk.h"

#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/ops/op.h"

#define ARENA_BYTES_MAX ((size_t)64 * 1024 * 1024)

void bulk_close(struct bulk *bulk) {
  for (size_t i = 0; i < bulk->count; i++)
    bt_plan_free(bulk->items[i].plan);
  bt_arena_free(bulk->arena);
  *bulk = (struct bulk){.arena = NULL};
}

/* ---------------------------------------------------------------- what is asked ---------------- */

static bool keep(struct bulk *bulk, const char **slot, const char *text) {
  *slot = bt_arena_strdup(bulk->arena, text);
  return *slot || !text;
}

/* NULL: it is a stale lock of ours. */
static const char *refusal_of(struct bulk *bulk, const struct bt_lock *lock) {
  if (lock->view_only)
    return "this lock is another program's: it is only shown";
  if (lock->verdict == BT_LOCK_STALE)
    return NULL;
  return bt_arena_printf(bulk->arena, "%s%s%s%s", bt_lock_verdict_word(lock->verdict), lock->why ? ": " : "",
                         lock->why ? lock->why : "",
                         lock->verdict == BT_LOCK_PID_REUSE ? " (it has a dialog of its own)" : "");
}

static const char *record_of(struct bulk *bulk, const struct bt_lock *lock) {
  const char *host = lock->host ? lock->host : "host unknown", *pid = lock->pid_text ? lock->pid_text : "unknown";
  if (!lock->host && !lock->pid_text && !lock->started_at && !lock->nonce)
    return "its record cannot be read";
  return bt_arena_printf(bulk->arena, "%s, pid %s, since %s, nonce %s", host, pid,
                         lock->started_at ? lock->started_at : "unknown", lock->nonce ? lock->nonce : "unknown");
}

static bool take_lock(struct bulk *bulk, const struct bt_lock *lock) {
  struct bulk_item *item = &bulk->items[bulk->count];
  struct bt_bulk_line *line = &bulk->lines[bulk->count++];
  struct bt_request *request = &item->request;
  item->session = lock->kind == BT_LOCK_SESSION;
  line->has_lock = true;
  line->verdict = lock->verdict;
  line->record = record_of(bulk, lock);
  const char *refusal = refusal_of(bulk, lock);
  line->fate = lock->verdict == BT_LOCK_STALE && !lock->view_only ? BT_BULK_WOULD : BT_BULK_REFUSED;
  if (!line->record || (line->fate == BT_BULK_REFUSED && !refusal) || !keep(bulk, &line->name, lock->name) ||
      !keep(bulk, &item->mark, item->session ? lock->name : lock->path) ||
      !keep(bulk, &line->words, refusal ? refusal : lock->why))
    return false;
  if (line->fate != BT_BULK_WOULD)
    return true;
  request->terse = true;
  return bt_request_unlock(request, bulk->arena, lock);
}

static bool take_session(struct bulk *bulk, const struct bt_session *session) {
  struct bulk_item *item = &bulk->items[bulk->count];
  struct bt_bulk_line *line = &bulk->lines[bulk->count++];
  item->session = true;
  line->fate = BT_BULK_REFUSED;
  line->words = "it has no lock";
  return keep(bulk, &line->name, session->id) && keep(bulk, &item->mark, session->id);
}

static bool take_all(struct bulk *bulk, const struct bt_snapshot *snapshot, const bool *sessions, const bool *locks) {
  size_t most = snapshot->lock_count + snapshot->session_count + 1;
  bulk->items = BT_ARENA_ARRAY(bulk->arena, struct bulk_item, most);
  bulk->lines = BT_ARENA_ARRAY(bulk->arena, struct bt_bulk_line, most);
  if (!bulk->items || !bulk->lines)
    return false;
  for (size_t i = 0; locks && i < snapshot->lock_count; i++)
    if (locks[i] && !take_lock(bulk, &snapshot->locks[i]))
      return false;
  for (size_t i = 0; sessions && i < snapshot->session_count; i++)
    if (sessions[i] && !snapshot->sessions[i].lock && !take_session(bulk, &snapshot->sessions[i]))
      return false;
  return true;
}

bool bulk_open(struct bulk *bulk, const struct bt_snapshot *snapshot, const bool *sessions, const bool *locks) {
  bulk_close(bulk);
  bulk->arena = bt_arena_new(ARENA_BYTES_MAX);
  if (bulk->arena && take_all(bulk, snapshot, sessions, locks))
    return true;
  bulk_close(bulk);
  return false;
}

/* ---------------------------------------------------------------- plans ------------------------ */

const struct bt_request *bulk_wants_plan(const struct bulk *bulk, size_t at) {
  return bulk->lines[at].fate == BT_BULK_WOULD ? &bulk->items[at].request : NULL;
}

static const char *words_of(const struct bt_error *err) {
  return err && err->message[0] ? err->message : bt_code_words(err ? err->code : BT_NOMEM);
}

static void end_with(struct bulk *bulk, size_t at, enum bt_bulk_fate fate, const char *words) {
  const char *kept = bt_arena_strdup(bulk->arena, words);
  bulk->lines[at].fate = fate;
  bulk->lines[at].words = kept ? kept : words ? "out of memory" : NULL;
}

void bulk_planned(struct bulk *bulk, size_t at, struct bt_plan *plan, const struct bt_error *err) {
  const char *refusal = !plan                ? words_of(err)
                        : plan->disabled     ? plan->disabled
                        : plan->confirm_word ? "it has a dialog of its own: something must be typed there"
                                             : NULL;
  bt_plan_free(bulk->items[at].plan);
  bulk->items[at].plan = NULL;
  if (!refusal) {
    bulk->items[at].plan = plan;
    return;
  }
  end_with(bulk, at, BT_BULK_REFUSED, refusal);
  bt_plan_free(plan);
}

void bulk_facts(const struct bulk *bulk, struct bt_str *out) {
  bt_str_clear(out);
  for (size_t i = 0; i < bulk->count; i++) {
    const struct bt_bulk_line *line = &bulk->lines[i];
    const struct bt_plan *plan = bulk->items[i].plan;
    bt_str_printf(out, "%s\n%s\n%d %d %d\n%s\n%s\n", line->name, line->record ? line->record : "", (int)line->has_lock,
                  (int)line->verdict, (int)line->fate, line->fate == BT_BULK_REFUSED ? line->words : "",
                  plan ? plan->fingerprint : "");
  }
}

/* ---------------------------------------------------------------- doing it --------------------- */

const struct bt_plan *bulk_next(struct bulk *bulk, size_t *at) {
  for (; bulk->next < bulk->count; bulk->next++) {
    struct bt_bulk_line *line = &bulk->lines[bulk->next];
    if (line->fate != BT_BULK_WOULD)
      continue;
    if (bulk->failures < BULK_FAILURES_MAX && bulk->items[bulk->next].plan) {
      *at = bulk->next++;
      return bulk->items[*at].plan;
    }
    line->fate = BT_BULK_NOT_TRIED;
    line->words = "three attempts in a row had failed";
  }
  return NULL;
}

void bulk_executed(struct bulk *bulk, size_t at, const struct bt_receipt *receipt, const struct bt_error *err) {
  if (!receipt) {
    bulk->failures++;
    end_with(bulk, at, BT_BULK_FAILED, words_of(err));
    return;
  }
  bulk->failures = 0;
  end_with(bulk, at, BT_BULK_REMOVED,
           receipt->warning ? receipt->warning : "a copy is in the trash, undo puts it back");
}

void bulk_plan_all(struct bulk *bulk, const struct bt_env *env) {
  for (size_t i = 0; i < bulk->count; i++) {
    const struct bt_request *request = bulk_wants_plan(bulk, i);
    struct bt_plan *plan = NULL;
    struct bt_error err = {.code = BT_OK};
    if (!request)
      continue;
    if (bt_op_plan(env, request, &plan, &err) != BT_OK)
      plan = NULL;
    bulk_planned(bulk, i, plan, &err);
  }
}

void bulk_execute_all(struct bulk *bulk, const struct bt_env *env) {
  size_t at;
  for (const struct bt_plan *plan = bulk_next(bulk, &at); plan; plan = bulk_next(bulk, &at)) {
    struct bt_receipt *receipt = NULL;
    struct bt_error err = {.code = BT_OK};
    if (bt_op_execute(env, plan, &receipt, &err) != BT_OK)
      receipt = NULL;
    bulk_executed(bulk, at, receipt, &err);
    bt_receipt_free(receipt);
  }
}
