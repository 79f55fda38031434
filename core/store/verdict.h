/* core/store/verdict.h - is the owner of a lock alive? The answer with its evidence.
 *
 * Must not know: files. Rules: spec/context-handoff.md 7 (liveness), dashboard.md rows 18-22 and its decisions. */
#ifndef BATON_CORE_STORE_VERDICT_H
#define BATON_CORE_STORE_VERDICT_H

#include <stdbool.h>

#include "core/env.h"
#include "core/model/record.h"

struct bt_arena;

/* Sets verdict, why, process_*, evidence of a lock whose fields are filled. `host_is_text`: the stored host is a string
 * at all. False when memory is short. */
bool bt_lock_judge(const struct bt_env *env, struct bt_arena *arena, bool foreign_owner, bool host_is_text,
                   struct bt_lock *lock);

#endif
