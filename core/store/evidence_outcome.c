/* core/store/evidence_outcome.c - an entry held against the deny record it speaks of. */
#include "core/store/evidence_outcome.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/store/deny.h"
#include "core/store/lock.h"

#define LOCK_ARENA ((size_t)4 * 1024 * 1024)
#define PAIR_MAX ((size_t)4 * 1024 * 1024)

static const char *const words[BT_OUTCOME_COUNT] = {NULL,          "recorded", "granted", "bound", "authorised",
                                                    "in progress", "ABORTED",  "unknown", NULL};

void bt_outcome_judge_init(struct bt_outcome_judge *judge, const struct bt_env *env, int ledger) {
  *judge = (struct bt_outcome_judge){.env = env, .ledger = ledger};
  bt_hashset_init(&judge->met);
}

void bt_outcome_judge_dispose(struct bt_outcome_judge *judge) {
  bt_hashset_dispose(&judge->met);
}

const char *bt_entry_successor(const struct bt_json *entry) {
  const struct bt_json *data = bt_json_get(entry, "data");
  const char *consumer = bt_json_get_string(data, "consumer_session_id");
  return consumer != NULL ? consumer : bt_json_get_string(data, "successor_session_id");
}

const char *bt_entry_session(const struct bt_json *entry) {
  const struct bt_json *data = bt_json_get(entry, "data");
  const char *session = bt_json_get_string(data, "session_id");
  return session != NULL ? session : bt_json_get_string(data, "deny_session_id");
}

/* Whether a newer entry has authorised the same two sessions already: then this one is an earlier, broken-off run. */
static bool met_before(struct bt_outcome_judge *judge, const char *deny, const char *successor, bool *failed) {
  struct bt_str pair;
  bt_str_init(&pair, PAIR_MAX);
  bt_str_append(&pair, deny, strlen(deny) + 1); /* the NUL keeps the two apart */
  bt_str_puts(&pair, successor);
  *failed = pair.failed;
  bool is_new = !pair.failed && bt_hashset_add(&judge->met, bt_id_hash(pair.data, pair.length), failed);
  bt_str_dispose(&pair);
  return !is_new;
}

/* The verb holds the lock of the denied session until it is done. */
static enum bt_code is_at_work(const struct bt_outcome_judge *judge, const char *deny, bool *at_work,
                               struct bt_error *err) {
  struct bt_lock lock;
  struct bt_arena *arena = bt_arena_new(LOCK_ARENA);
  *at_work = false;
  if (arena == NULL)
    return bt_error_set(err, BT_NOMEM, deny, "out of memory");
  struct bt_error why = {0};
  enum bt_code code = bt_lock_read_session(judge->env, judge->ledger, deny, arena, &lock, NULL, NULL, &why);
  *at_work = code == BT_OK && lock.verdict == BT_LOCK_LIVE;
  bt_arena_free(arena);
  return code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, deny, "out of memory") : BT_OK;
}

static enum bt_code judge_authorisation(struct bt_outcome_judge *judge, const struct bt_json *entry,
                                        enum bt_outcome *outcome, struct bt_error *err) {
  const char *deny = bt_json_get_string(bt_json_get(entry, "data"), "deny_session_id");
  const char *successor = bt_entry_successor(entry);
  struct bt_marker marker;
  bool failed = false, at_work = false;
  *outcome = BT_OUTCOME_UNKNOWN;
  if (deny == NULL || successor == NULL)
    return BT_OK;
  bool superseded = met_before(judge, deny, successor, &failed);
  if (failed)
    return bt_error_set(err, BT_NOMEM, deny, "out of memory");
  enum bt_code code = bt_marker_read(judge->ledger, deny, &marker, err);
  if (code == BT_OK && marker.ok) {
    bool consumed = bt_text_equals(bt_json_get_string(marker.record, "status"), "consumed");
    bool by_it = consumed && bt_text_equals(bt_json_get_string(marker.record, "consumed_by"), successor);
    *outcome = by_it && !superseded ? BT_OUTCOME_AUTHORISED : BT_OUTCOME_ABORTED;
    if (!consumed && !superseded) {
      code = is_at_work(judge, deny, &at_work, err);
      if (at_work || judge->entries_may_be_new)
        *outcome = BT_OUTCOME_PENDING;
    }
  }
  bt_marker_dispose(&marker);
  return code == BT_NOMEM ? code : BT_OK;
}

enum bt_code bt_outcome_of(struct bt_outcome_judge *judge, const struct bt_json *entry, enum bt_outcome *outcome,
                           const char **text, struct bt_error *err) {
  static const struct {
    const char *gate;
    enum bt_outcome outcome;
  } simple[] = {{"context-handoff-write", BT_OUTCOME_RECORDED},
                {"context-handoff-bypass", BT_OUTCOME_GRANTED},
                {"context-handoff-repair", BT_OUTCOME_BOUND}};
  static const char *const own_words[] = {"outcome", "verdict", "status"};
  const char *gate = bt_json_get_string(entry, "gate");
  enum bt_code code = BT_OK;
  *outcome = BT_OUTCOME_NONE;
  *text = NULL;
  if (gate == NULL)
    return BT_OK;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
    if (strcmp(gate, simple[i].gate) == 0)
      *outcome = simple[i].outcome;
  }
  if (strcmp(gate, "context-handoff-resume") == 0 || strcmp(gate, "context-handoff-continue") == 0)
    code = judge_authorisation(judge, entry, outcome, err);
  *text = words[*outcome];
  for (size_t i = 0; *outcome == BT_OUTCOME_NONE && i < sizeof own_words / sizeof *own_words; i++) {
    *text = bt_json_get_string(bt_json_get(entry, "data"), own_words[i]);
    *outcome = *text != NULL ? BT_OUTCOME_OTHER : BT_OUTCOME_NONE;
  }
  return code;
}
