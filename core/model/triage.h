/* core/model/triage.h - how bad it is: the state of a session, since when, and the order on the screen.
 *
 * Pure: reads the joined records of one session, writes derived members of it. Must not know files or keys.
 * Rules: dashboard.md 5.1 and its decisions; spec/context-handoff.md 6.3, 6.4 (what refuses), A.1 (what is in force). */
#ifndef BATON_CORE_MODEL_TRIAGE_H
#define BATON_CORE_MODEL_TRIAGE_H

#include <stdbool.h>

#include "core/model/snapshot.h"

/* Its record refuses every other session: it is open, or invalid, or its recorded brief does not verify. */
bool bt_session_refuses(const struct bt_session *session);

/* Its record is one that a bypass without a reason does not get another session past: invalid, or open and not bound. */
bool bt_session_unbound(const struct bt_session *session);

/* Its brief is one that the gate re-hashes (6.4), and it fails. */
bool bt_session_brief_faulty(const struct bt_session *session);

/* The resume-auth it holds still means something: its signature may be right and its record is open with the same
 * binds, or consumed by this session. */
bool bt_session_auth_counts(const struct bt_session *session);

/* Sets state, since_ms, last_seen_ms, blocks, in_force. The records of all sessions must be joined before;
 * `snapshot` has its session_count, refusing_count and auths. */
void bt_triage_session(const struct bt_snapshot *snapshot, struct bt_session *session);

/* Order on the screen: by state, then newest first, then by id. For qsort over struct bt_session. */
int bt_triage_compare(const void *a, const void *b);

/* Order of the locks screen: by verdict, then oldest first, then by path. For qsort over struct bt_lock. */
int bt_lock_compare(const void *a, const void *b);

/* Gives every session its id_short: the whole id where it is narrow, else a beginning that no other session's
 * shares. False when memory is short. */
bool bt_triage_short_ids(struct bt_arena *arena, struct bt_session *sessions, size_t count);

#endif
