/* core/store/evidence.h - the newest part of the evidence, for a brief and for a snapshot.
 *
 * Owns: which chain is the newest one and how its last entries read. Verifies no chain (core/store/chain_forest.h
 * does). `ledger` is an open descriptor of the ledger dir, or -1 where there is none (then there is no evidence).
 * Rules: spec/context-handoff.md 9.3 "Evidence tail". */
#ifndef BATON_CORE_STORE_EVIDENCE_H
#define BATON_CORE_STORE_EVIDENCE_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/record.h"
#include "core/store/sign.h"

struct bt_arena;
struct bt_json;

#define BT_EVIDENCE_WINDOW ((size_t)65536) /* bytes read from the end of a chain */
#define BT_EVIDENCE_BRIEF_ENTRIES 12
#define BT_EVIDENCE_TAIL_ENTRIES 64

/* Appends the last 12 entries of the newest chain as `seq=.. gate=.. ts=..[ ticket=..]`, each ended by LF (internal
 * text). Newest is the last file name of manifest.d. Whatever cannot be read gives nothing. Fails with BT_NOMEM only.
 */
enum bt_code bt_evidence_brief(int ledger, struct bt_str *lines, struct bt_error *err) BT_NODISCARD;

/* The summary for a snapshot, strings in `arena`; each entry's signature is judged with env->key. Newest is the chain
 * that was written last. What cannot be read is told in `problem`. Fails with BT_NOMEM only. */
enum bt_code bt_evidence_summarise(const struct bt_env *env, int ledger, struct bt_arena *arena,
                                   struct bt_evidence_summary *summary, struct bt_error *err) BT_NODISCARD;

/* One entry (an object) as plain data, strings in `arena` (`chain` is copied too). `session_id` is the session whose
 * deny it is about. BT_NOMEM only. */
enum bt_code bt_evidence_plain(struct bt_arena *arena, const struct bt_json *entry, const char *chain,
                               struct bt_key key, struct bt_evidence *out, struct bt_error *err) BT_NODISCARD;

#endif
