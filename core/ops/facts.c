/* core/ops/facts.c - check lines and steps that several plans share. */
#include "core/ops/facts.h"

#include <string.h>

#include "core/model/id.h"
#include "core/store/brief_diff.h"
#include "core/store/capture.h"
#include "core/store/lock.h"

#define NAMED_MAX 6 /* other denies named one by one; the rest is counted */

const char *bt_fact_text(struct bt_planner *planner, const struct bt_json *record, const char *key) {
  return bt_planner_visible(planner, bt_json_get_string(record, key));
}

void bt_fact_binds(struct bt_planner *planner, const struct bt_json *record) {
  if (planner->plan->request.terse || planner->failed || bt_deny_binds_plain(record))
    return;
  bt_plan_check(planner, BT_CHECK_BAD,
                "its bind fields are absent, padded or not text: this will refuse, only `write` accepts them");
}

void bt_fact_lock(struct bt_planner *planner, const char *session) {
  if (planner->plan->request.terse || planner->failed)
    return;
  struct bt_lock lock = {0};
  bt_plan_fact(planner, BT_FILE_LOCK, session, false);
  enum bt_code code =
      bt_lock_read_session(planner->env, planner->ledger, session, planner->arena, &lock, NULL, NULL, NULL);
  if (code != BT_OK)
    return;
  const char *pid = bt_planner_visible(planner, lock.pid_text), *host = bt_planner_visible(planner, lock.host);
  switch (lock.verdict) {
  case BT_LOCK_STALE:
    bt_plan_check(planner, BT_CHECK_OK, "the lock of pid %s is dead and will be taken over", pid);
    break;
  case BT_LOCK_LIVE:
  case BT_LOCK_PID_REUSE:
    bt_plan_check(planner, BT_CHECK_BAD, "the lock is %s: pid %s on %s is running. This will not wait, it will refuse",
                  bt_lock_verdict_word(lock.verdict), pid, host);
    break;
  default:
    bt_plan_check(planner, BT_CHECK_BAD, "the lock is %s: this will refuse", bt_lock_verdict_word(lock.verdict));
  }
}

/* How much was changed since, as far as a copy is kept. */
static void compare_with_copy(struct bt_planner *planner, const char *session, const char *recorded) {
  struct bt_brief_diff *diff = NULL;
  struct bt_error err = {0};
  if (bt_brief_diff_load(planner->env, planner->ledger, session, recorded, &diff, &err) == BT_OK)
    bt_plan_check(planner, BT_CHECK_WARN, "against %s: %zu line%s added, %zu removed", bt_copy_words(diff->against),
                  diff->added, diff->added == 1 ? "" : "s", diff->removed);
  else if (err.code == BT_MISSING)
    bt_plan_check(planner, BT_CHECK_UNKNOWN, "what was changed in it cannot be told: no copy of it is kept");
  bt_brief_diff_free(diff);
}

bool bt_fact_brief(struct bt_planner *planner, const char *session, const struct bt_json *record,
                   const char *binding_hash) {
  if (planner->plan->request.terse || planner->failed)
    return false;
  const char *recorded = bt_json_get_string(record, "content_hash");
  bool captured = bt_text_equals(bt_json_get_string(record, "content_kind"), "capture");
  char actual[BT_SHA256_HEX] = "";
  const char *error = NULL;
  bt_plan_fact(planner, BT_FILE_CAPTURE, session, true);
  if (bt_capture_read(planner->ledger, session, NULL, actual, &error, NULL) != BT_OK)
    return false;
  if (error != NULL) {
    bool absent = strcmp(error, "missing") == 0;
    if (!absent || captured)
      bt_plan_check(planner, BT_CHECK_WARN, "the brief on disk cannot be used: %s", error);
    return false;
  }
  bool tampered = captured && !bt_text_equals(recorded, actual);
  if (tampered) {
    bt_plan_check(planner, BT_CHECK_WARN, "the brief on disk is TAMPERED: it hashes to %.12s, the deny says %.12s",
                  actual, bt_planner_visible(planner, recorded));
    compare_with_copy(planner, session, recorded);
  } else if (captured) {
    bt_plan_check(planner, BT_CHECK_OK, "the brief on disk hashes to what the deny says");
  }
  if (tampered && bt_text_equals(binding_hash, actual))
    bt_plan_check(planner, BT_CHECK_WARN, "binding the new hash accepts the edited text as it is");
  else if (binding_hash != NULL && !bt_text_equals(binding_hash, actual))
    bt_plan_check(planner, BT_CHECK_WARN, "the brief on disk hashes to %.12s: that is not the hash to be bound",
                  actual);
  return tampered;
}

void bt_fact_other_denies(struct bt_planner *planner, const char *session) {
  if (planner->plan->request.terse || planner->failed)
    return;
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS};
  struct bt_deny_set set;
  size_t others = 0;
  if (bt_deny_load(planner->ledger, &options, &set, NULL) == BT_OK) {
    for (const struct bt_json *deny = bt_json_first(set.records); deny != NULL; deny = bt_json_next(deny)) {
      const char *id = bt_json_get_string(deny, "session_id");
      if (bt_text_equals(id, session) || !bt_text_equals(bt_json_get_string(deny, "status"), "open"))
        continue;
      if (++others <= NAMED_MAX)
        bt_plan_check(planner, BT_CHECK_WARN, "%s still blocks this repository: its deny is open and %s",
                      bt_planner_visible(planner, id),
                      !bt_deny_binds_plain(deny) ? "malformed (write it anew first)"
                      : bt_record_is_bound(deny) ? "bound"
                                                 : "unbound (repair it first)");
    }
    if (others > NAMED_MAX)
      bt_plan_check(planner, BT_CHECK_WARN, "%zu more open denies still block this repository", others - NAMED_MAX);
  }
  bt_deny_set_dispose(&set);
}

void bt_step_take_lock(struct bt_planner *planner, const char *session) {
  bt_plan_step(planner, "take lock", bt_planner_path(planner, BT_FILE_LOCK, session),
               "exclusive create, refused if anyone holds it");
}

void bt_step_record(struct bt_planner *planner, const char *gate) {
  bt_plan_step(planner, "record", ".adlc/manifest", bt_planner_text(planner, "%s, signed", gate));
}

void bt_step_release_lock(struct bt_planner *planner) {
  bt_plan_step(planner, "release lock", NULL, NULL);
}
