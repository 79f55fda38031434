/* core/ops/append.h - one more signed entry at the end of the evidence.
 *
 * Owns: spec/context-handoff.md 12: the ledger lock, plain and segmented repositories, seq/prev, signatures, every
 * refusal. Writes through core/ops/txn.h. Must not know: what the entry attests. */
#ifndef BATON_CORE_OPS_APPEND_H
#define BATON_CORE_OPS_APPEND_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/env.h"

/* Appends {gate, ticket (NULL: no such member), data} to the evidence of env->ledger_dir, signed with env->key, and
 * makes it durable. `data` stays the caller's. On BT_OK *seq is the entry's number (inside its own chain).
 * BT_KEY without a key, BT_EVIDENCE for every refusal and failure (the message says which, names the file or lock),
 * BT_NOMEM. After a failure the chain is as it was; a token or an empty folder may have been made. */
enum bt_code bt_evidence_append(const struct bt_env *env, const char *gate, const char *ticket,
                                const struct bt_json *data, int64_t *seq, struct bt_error *err) BT_NODISCARD;

#endif
