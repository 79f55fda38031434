/* core/store/evidence_outcome.h - what became of what an entry attests.
 *
 * Owns: the outcome words of dashboard.md 6.8 and when an authorisation counts as aborted: it was recorded, but its
 * deny was never consumed by the session it authorised. Reads deny markers and session locks; judges no chain. */
#ifndef BATON_CORE_STORE_EVIDENCE_OUTCOME_H
#define BATON_CORE_STORE_EVIDENCE_OUTCOME_H

#include "core/base/error.h"
#include "core/base/hashset.h"
#include "core/env.h"

struct bt_arena;
struct bt_json;

enum bt_outcome {
  BT_OUTCOME_NONE,       /* the entry says nothing of the kind */
  BT_OUTCOME_RECORDED,   /* write */
  BT_OUTCOME_GRANTED,    /* bypass */
  BT_OUTCOME_BOUND,      /* repair */
  BT_OUTCOME_AUTHORISED, /* resume, continue: and the deny was consumed by that session */
  BT_OUTCOME_PENDING,    /* the same, and the verb is still at work: its session lock is live */
  BT_OUTCOME_ABORTED,    /* the same, and the deny is open or was consumed by another session or a later run */
  BT_OUTCOME_UNKNOWN,    /* the same, but the deny record cannot be read */
  BT_OUTCOME_OTHER,      /* another program's gate; its own word is in `text` */
  BT_OUTCOME_COUNT
};

/* Judges entries from the newest to the oldest; remembers which authorisations it has met. */
struct bt_outcome_judge {
  const struct bt_env *env;
  int ledger;
  struct bt_hashset met;
  bool entries_may_be_new; /* following: an open deny may be about to be consumed, so it is pending */
};
void bt_outcome_judge_init(struct bt_outcome_judge *judge, const struct bt_env *env, int ledger);
void bt_outcome_judge_dispose(struct bt_outcome_judge *judge);

/* *text is borrowed from the entry or static; NULL for BT_OUTCOME_NONE. BT_NOMEM only. */
enum bt_code bt_outcome_of(struct bt_outcome_judge *judge, const struct bt_json *entry, enum bt_outcome *outcome,
                           const char **text, struct bt_error *err) BT_NODISCARD;

/* The session that the entry lets go on (resume, continue), or NULL. Borrowed. */
const char *bt_entry_successor(const struct bt_json *entry);
/* The session whose deny the entry is about, or NULL. Borrowed. */
const char *bt_entry_session(const struct bt_json *entry);

#endif
