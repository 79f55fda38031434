/* core/ops/write.c - a final checkpoint, and a deny marker that agrees with it (spec/context-handoff.md 8.3). */
#include "core/model/id.h"
#include "core/ops/facts.h"
#include "core/ops/final.h"
#include "core/ops/verb.h"

#define GATE "context-handoff-write"

enum bt_code bt_write_check(const struct bt_request *request, struct bt_error *err) {
  return bt_id_require(request->session, "--session", err);
}

/* The marker as it would be: the final's binds, open. */
static struct bt_json *planned_deny(const struct bt_json *final_) {
  struct bt_json *deny = bt_json_new_object();
  if (deny == NULL || bt_json_set_string(deny, "session_id", bt_json_get_string(final_, "session_id")) != BT_OK ||
      bt_json_set_string(deny, "ticket_id", bt_json_get_string(final_, "ticket_id")) != BT_OK ||
      bt_json_set_string(deny, "content_hash", bt_json_get_string(final_, "content_hash")) != BT_OK ||
      bt_json_set_string(deny, "status", "open") != BT_OK) {
    bt_json_free(deny);
    return NULL;
  }
  return deny;
}

static struct bt_json *dry_payload(const struct bt_json *final_) {
  struct bt_json *payload = bt_payload_new(BT_VERB_WRITE, true);
  if (payload == NULL || bt_json_set(payload, "final", bt_json_clone(final_)) != BT_OK ||
      bt_json_set(payload, "deny", planned_deny(final_)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

/* For the eye only: the verb itself does not read the ledger before it has the lock. */
static void describe(struct bt_planner *planner, const struct bt_json *final_) {
  const char *session = planner->plan->request.session;
  struct bt_marker marker;
  bt_plan_fact(planner, BT_FILE_DENY, session, true);
  bt_plan_fact(planner, BT_FILE_FINAL, session, true);
  if (bt_marker_read(planner->ledger, session, &marker, NULL) != BT_OK) {
    planner->failed = true;
    return;
  }
  static const char *const binds[] = {"ticket_id", "content_hash", "content_kind"};
  for (size_t i = 0; i < sizeof binds / sizeof *binds; i++)
    bt_plan_row(planner, binds[i], bt_fact_text(planner, marker.record, binds[i]),
                bt_fact_text(planner, final_, binds[i]));
  bt_plan_row(planner, "deny", marker.ok ? bt_fact_text(planner, marker.record, "status") : marker.reason,
              "open (blocks the repository)");
  if (marker.ok && bt_text_equals(bt_json_get_string(marker.record, "status"), "consumed"))
    bt_plan_check(planner, BT_CHECK_BAD, "the deny is consumed: this will refuse");
  bt_marker_dispose(&marker);
  bt_fact_lock(planner, session);
  bt_step_take_lock(planner, session);
  bt_plan_step(planner, "write final", bt_planner_path(planner, BT_FILE_FINAL, session), NULL);
  bt_plan_step(planner, "ensure deny", bt_planner_path(planner, BT_FILE_DENY, session), "open, same ticket and hash");
  bt_step_record(planner, GATE);
  bt_step_release_lock(planner);
  bt_plan_will(planner, "Writes a final checkpoint and makes sure that the session is denied.");
  bt_plan_will_not(planner, "It does not write a brief and does not hand the work to anybody.");
}

enum bt_code bt_write_plan(struct bt_planner *planner, struct bt_error *err) {
  struct bt_plan *plan = planner->plan;
  const char *session = plan->request.session;
  struct bt_json *final_ = bt_final_of_request(&plan->request, planner->env);
  if (final_ == NULL)
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  const char *hash = bt_json_get_string(final_, "content_hash");
  plan->title = bt_planner_text(planner, "Write %s", bt_planner_visible(planner, session));
  plan->summary = "Writes a final checkpoint for this session and denies it. It never clears a deny.";
  plan->confirm_label = "write";
  plan->undo = "a new marker stays; a final is replaced by the next write";
  bt_plan_mix(planner, "final", hash);
  if (!plan->request.terse)
    describe(planner, final_);
  bt_plan_answer(planner, dry_payload(final_),
                 "dry run: would write the final of %s, content hash %s; pass --write to do it", session, hash);
  bt_json_free(final_);
  return BT_OK;
}

/* Steps 7 and 8. A marker that cannot be read is checkpoint's business. */
static enum bt_code refuse(const struct bt_run *run, const struct bt_json *final_, struct bt_error *err) {
  const char *session = run->plan->request.session;
  struct bt_marker marker;
  enum bt_code code = bt_marker_read(bt_txn_dir(run->txn), session, &marker, err);
  if (code == BT_OK && marker.ok) {
    if (bt_text_equals(bt_json_get_string(marker.record, "status"), "consumed"))
      code = bt_error_set(err, BT_STATE, session, "the deny of %s is consumed already", session);
    else if (!bt_json_is_nullish(bt_json_get(marker.record, "ticket_id")) &&
             bt_json_is_nullish(bt_json_get(final_, "ticket_id")))
      code = bt_error_set(err, BT_STATE, session, "the deny of %s is bound to a ticket: pass --ticket", session);
  }
  bt_marker_dispose(&marker);
  return code;
}

static struct bt_json *evidence_data(const struct bt_json *final_, const struct bt_checkpoint *checkpoint) {
  struct bt_json *data = bt_json_new_object();
  if (data == NULL || bt_json_set_string(data, "session_id", bt_json_get_string(final_, "session_id")) != BT_OK ||
      bt_json_set_string(data, "content_hash", bt_json_get_string(final_, "content_hash")) != BT_OK ||
      bt_json_set_string(data, "deny_reason", checkpoint->deny_reason) != BT_OK ||
      bt_json_set_bool(data, "rebound", checkpoint->rebound) != BT_OK) {
    bt_json_free(data);
    return NULL;
  }
  return data;
}

static struct bt_json *payload_of(const struct bt_run *run, const struct bt_json *final_,
                                  const struct bt_checkpoint *checkpoint) {
  struct bt_json *payload = bt_payload_new(BT_VERB_WRITE, false);
  struct bt_json *deny = bt_json_new_object();
  bool built = payload != NULL && deny != NULL && bt_json_set(payload, "final", bt_json_clone(final_)) == BT_OK &&
               bt_json_set_bool(deny, "ok", true) == BT_OK &&
               bt_json_set_string(deny, "reason", checkpoint->deny_reason) == BT_OK &&
               bt_json_set_bool(deny, "rebound", checkpoint->rebound) == BT_OK;
  if (!built) {
    bt_json_free(deny);
    bt_json_free(payload);
    return NULL;
  }
  if (bt_json_set(payload, "deny", deny) != BT_OK ||
      bt_json_set(payload, "evidence", bt_run_evidence_json(run)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

enum bt_code bt_write_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *final_ = bt_final_of_request(request, run->env);
  if (final_ == NULL)
    return bt_error_set(err, BT_NOMEM, request->session, "out of memory");
  struct bt_checkpoint checkpoint;
  enum bt_code code = refuse(run, final_, err);
  if (code == BT_OK)
    code = bt_checkpoint_write(run->txn, run->env, final_, NULL, &checkpoint, err);
  if (code == BT_OK)
    code = bt_run_evidence(run, GATE, bt_json_get_string(final_, "ticket_id"), evidence_data(final_, &checkpoint), err);
  if (code == BT_OK)
    code = bt_run_answer(run, payload_of(run, final_, &checkpoint), err, "wrote the final of %s, content hash %s",
                         request->session, bt_json_get_string(final_, "content_hash"));
  bt_json_free(final_);
  return code;
}
