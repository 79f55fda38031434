/* core/handover/table.h - what is known of every session's handover, as a value that can go from thread to thread.
 *
 * Made from replayed transcripts (core/handover/sessions.h), hung into a snapshot. Reads folders of records, nothing
 * else; never writes. */
#ifndef BATON_CORE_HANDOVER_TABLE_H
#define BATON_CORE_HANDOVER_TABLE_H

#include "core/env.h"
#include "core/handover/sessions.h"
#include "core/model/snapshot.h"

struct bt_handover_table;

/* With the mod of the repository at env->root. The caller frees it; BT_NOMEM. */
enum bt_code bt_handover_table_new(const struct bt_env *env, const struct bt_ask_sessions *sessions,
                                   struct bt_handover_table **table, struct bt_error *err) BT_NODISCARD;
void bt_handover_table_free(struct bt_handover_table *table); /* NULL is allowed */
bool bt_handover_table_same(const struct bt_handover_table *a,
                            const struct bt_handover_table *b); /* either may be NULL */

/* Copies what is known of the snapshot's sessions into it. A snapshot without any where memory is short. */
void bt_handover_attach(struct bt_snapshot *snapshot, const struct bt_handover_table *table);

#endif
