/* core/model/request.c - from what is looked at to what is asked for. */
#include "core/model/plan.h"

#include "core/base/arena.h"

static bool keep(struct bt_arena *arena, const char **slot, const char *text) {
  *slot = bt_arena_strdup(arena, text);
  return *slot != NULL || text == NULL;
}

bool bt_request_unlock(struct bt_request *request, struct bt_arena *arena, const struct bt_lock *lock) {
  request->verb = BT_VERB_UNLOCK;
  request->pid_reused = lock->verdict == BT_LOCK_PID_REUSE;
  return keep(arena, lock->kind == BT_LOCK_LEDGER ? &request->ledger_lock : &request->session, lock->name) &&
         keep(arena, &request->pid, lock->pid_text) && keep(arena, &request->started_at, lock->started_at) &&
         keep(arena, &request->host, lock->host) && keep(arena, &request->nonce, lock->nonce);
}
