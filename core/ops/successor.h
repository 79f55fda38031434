/* core/ops/successor.h - the prompt of a session that may go on with another's work, read back from the ledger.
 *
 * Reads only, consumes nothing. The authorization says whose work and which brief; the brief must hash to what it says.
 * Rules: spec/context-handoff.md 1.2.4, 9.7, 9.8, A.3. */
#ifndef BATON_CORE_OPS_SUCCESSOR_H
#define BATON_CORE_OPS_SUCCESSOR_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

/* Appends the prompt for successor `session`: the verified form when env->key verifies its authorization, the
 * unverified one without a key. BT_MISSING without an authorization; BT_STATE when it does not verify with the key or
 * the brief is not what it says; BT_INPUT, BT_UNSAFE, BT_NOMEM. On failure nothing was appended. */
enum bt_code bt_successor_prompt(const struct bt_env *env, const char *session, struct bt_str *prompt,
                                 struct bt_error *err) BT_NODISCARD;

#endif
