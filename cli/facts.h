/* cli/facts.h - the facts of a snapshot as JSON members: the same ones that the screens draw.
 *
 * Must not know: flags, tables. Every word comes from the snapshot or core/model, so that JSON and screen cannot
 * disagree (dashboard.md rows 94, 95). */
#ifndef BATON_CLI_FACTS_H
#define BATON_CLI_FACTS_H

#include "cli/json_out.h"
#include "core/model/snapshot.h"

#define FACTS_SCHEMA_VERSION 1

/* schema_version, taken_at, ledger, host, key, sample, owner, ...: the head of every document. */
void facts_head(struct json_out *json, const struct bt_snapshot *snapshot);
/* totals, sessions, store, problems and what else `list` and `scan` say after the head. */
void facts_list(struct json_out *json, const struct bt_snapshot *snapshot, const char *filter); /* NULL: all */
/* Its parts before and after the sessions, and the totals of the locks. */
void facts_totals(struct json_out *json, const struct bt_snapshot *snapshot);
void facts_rest(struct json_out *json, const struct bt_snapshot *snapshot);
void facts_lock_totals(struct json_out *json, const struct bt_snapshot *snapshot);
/* Members of one session, into the open object. */
/* cli/facts_transcript.c: agent_state, compactions, flags, transcript */
void facts_transcript(struct json_out *json, const struct bt_session *session);
void facts_session(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_session *session);
void facts_lock(struct json_out *json, const char *key, const struct bt_lock *lock); /* NULL lock: null */
void facts_deny(struct json_out *json, const char *key, const struct bt_deny *deny); /* NULL deny: null */
void facts_store(struct json_out *json, const struct bt_snapshot *snapshot);         /* `store` */
void facts_problems(struct json_out *json, const struct bt_snapshot *snapshot);      /* `problems` */

#endif
