/* core/ops/repair.c - binds a ticket and a hash to an open deny (spec/context-handoff.md 8.6). */
#include "core/model/id.h"
#include "core/ops/document.h"
#include "core/ops/facts.h"
#include "core/ops/final.h"
#include "core/ops/marker.h"
#include "core/ops/verb.h"
#include "core/store/final.h"

#define GATE "context-handoff-repair"

enum bt_code bt_repair_check(const struct bt_request *request, struct bt_error *err) {
  enum bt_code code = bt_id_require(request->session, "--session", err);
  if (code != BT_OK)
    return code;
  if (bt_bind_normalise(request->ticket).data == NULL)
    return bt_error_set(err, BT_USAGE, "--ticket", "missing --ticket");
  if (!request->own_hash && bt_bind_normalise(request->content_hash).data == NULL)
    return bt_error_set(err, BT_USAGE, "--content-hash", "missing --content-hash");
  return BT_OK;
}

static struct bt_json *dry_payload(const struct bt_json *final_, const struct bt_json *record) {
  struct bt_json *payload = bt_payload_new(BT_VERB_REPAIR, true);
  struct bt_json *binds = bt_json_new_object();
  if (payload == NULL || binds == NULL ||
      bt_json_set_string(binds, "ticket_id", bt_json_get_string(final_, "ticket_id")) != BT_OK ||
      bt_json_set_string(binds, "content_hash", bt_json_get_string(final_, "content_hash")) != BT_OK ||
      bt_json_set(payload, "final", bt_json_clone(final_)) != BT_OK ||
      bt_json_set(payload, "deny", bt_json_clone(record)) != BT_OK) {
    bt_json_free(binds);
    bt_json_free(payload);
    return NULL;
  }
  if (bt_json_set(payload, "denyBinds", binds) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static void describe_final(struct bt_planner *planner) {
  struct bt_final final_ = {0};
  bt_plan_fact(planner, BT_FILE_FINAL, planner->plan->request.session, true);
  if (planner->failed ||
      bt_final_read(planner->ledger, planner->plan->request.session, planner->arena, &final_, NULL, NULL) != BT_OK) {
    planner->failed = true;
    return;
  }
  const char *now = final_.error != NULL
                        ? final_.error
                        : bt_planner_text(planner, "written %s", bt_planner_visible(planner, final_.written_at));
  bt_plan_row(planner, "final", now, "written new");
}

/* Where there is nothing to hash, the checkpoint itself is what is bound, as `write` does (4.4, 8.3): from here on it is
 * as if that hash had been given. */
static void resolve_hash(struct bt_planner *planner, const struct bt_json *final_) {
  struct bt_request *request = &planner->plan->request;
  if (bt_bind_normalise(request->content_hash).data != NULL)
    return;
  request->content_hash = bt_arena_strdup(planner->arena, bt_json_get_string(final_, "content_hash"));
  planner->failed = planner->failed || request->content_hash == NULL;
  bt_plan_check(planner, BT_CHECK_OK, "no hash is given: that of the new checkpoint is bound, as write does");
}

static void describe(struct bt_planner *planner, const struct bt_json *record, const struct bt_json *final_) {
  const char *session = planner->plan->request.session;
  bool kind = bt_json_get_string(record, "content_kind") != NULL;
  bt_plan_row(planner, "ticket_id", bt_fact_text(planner, record, "ticket_id"),
              bt_fact_text(planner, final_, "ticket_id"));
  bt_plan_row(planner, "content_hash", bt_fact_text(planner, record, "content_hash"),
              bt_fact_text(planner, final_, "content_hash"));
  bt_plan_row(planner, "content_kind", bt_fact_text(planner, record, "content_kind"),
              kind ? "(removed: the hash is rebound)" : "(none)");
  bt_plan_row(planner, "host", bt_fact_text(planner, record, "host"),
              planner->plan->request.host != NULL ? bt_planner_visible(planner, planner->plan->request.host) : "local");
  describe_final(planner);
  bt_plan_row(planner, "status", "open", "open (still blocks the repository)");
  if (bt_fact_brief(planner, session, record, bt_json_get_string(final_, "content_hash")))
    planner->plan->reason_for = "the brief is TAMPERED";
  bt_fact_binds(planner, record);
  bt_fact_lock(planner, session);
  bt_step_take_lock(planner, session);
  bt_plan_step(planner, "re-check", NULL, "the deny is what this plan saw, else stop");
  bt_plan_step(planner, "write final", bt_planner_path(planner, BT_FILE_FINAL, session), NULL);
  bt_plan_step(planner, "bind deny", bt_planner_path(planner, BT_FILE_DENY, session), "stays open");
  bt_step_record(planner, GATE);
  bt_step_release_lock(planner);
  bt_plan_will(planner, "Writes a ticket and a hash onto a deny that is already open.");
  bt_plan_will_not(planner, "It never creates a deny and never clears one.");
}

enum bt_code bt_repair_plan(struct bt_planner *planner, struct bt_error *err) {
  struct bt_plan *plan = planner->plan;
  const char *session = plan->request.session;
  bt_plan_fact(planner, BT_FILE_DENY, session, true);
  struct bt_json *final_ = bt_final_of_request(&plan->request, planner->env);
  struct bt_marker marker;
  enum bt_code code = bt_marker_read(planner->ledger, session, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_error_set(err, BT_STATE, session, "the deny marker cannot be used (%s): %s", marker.reason, session);
  if (code == BT_OK && !bt_text_equals(bt_json_get_string(marker.record, "status"), "open"))
    code = bt_error_set(err, BT_STATE, session, "the deny of %s is not open", session);
  if (code == BT_OK && final_ == NULL)
    code = bt_error_set(err, BT_NOMEM, session, "out of memory");
  if (code == BT_OK) {
    planner->details->record = bt_planner_json(planner, marker.record, false);
    resolve_hash(planner, final_);
    plan->title = bt_planner_text(planner, "Repair: bind the open deny of %s", bt_planner_visible(planner, session));
    plan->summary = "Repair writes a ticket and a hash onto a deny that is already open. It never creates a deny and "
                    "never clears one.";
    plan->confirm_label = "bind";
    plan->undo = "repair again with the old ticket and hash";
    if (!plan->request.terse)
      describe(planner, marker.record, final_);
    bt_plan_answer(planner, dry_payload(final_, marker.record),
                   "dry run: would bind %s to ticket %s; pass --write to do it", session,
                   bt_json_get_string(final_, "ticket_id"));
  }
  bt_marker_dispose(&marker);
  bt_json_free(final_);
  return code;
}

static struct bt_json *evidence_data(const struct bt_json *final_) {
  struct bt_json *data = bt_json_new_object();
  if (data == NULL || bt_json_set_string(data, "session_id", bt_json_get_string(final_, "session_id")) != BT_OK ||
      bt_json_set_string(data, "content_hash", bt_json_get_string(final_, "content_hash")) != BT_OK) {
    bt_json_free(data);
    return NULL;
  }
  return data;
}

static struct bt_json *payload_of(const struct bt_run *run, const struct bt_json *final_, const struct bt_json *deny) {
  struct bt_json *payload = bt_payload_new(BT_VERB_REPAIR, false);
  if (payload == NULL || bt_json_set(payload, "final", bt_json_clone(final_)) != BT_OK ||
      bt_json_set(payload, "deny", bt_json_clone(deny)) != BT_OK ||
      bt_json_set(payload, "evidence", bt_run_evidence_json(run)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

/* Steps 10 and 11. The marker's host is the flag as given, even an empty one. */
static enum bt_code bind(struct bt_run *run, struct bt_json *final_, struct bt_json **stored, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  enum bt_code code = bt_document_watch(run->txn, BT_ARTIFACT_FINAL, BT_FILE_FINAL, request->session, err);
  if (code == BT_OK)
    code = bt_document_watch(run->txn, BT_ARTIFACT_DENY, BT_FILE_DENY, request->session, err);
  if (code == BT_OK)
    code = bt_final_write(run->txn, run->env, final_, err);
  if (code == BT_OK)
    code = bt_marker_repair(run->txn, request->session, bt_json_get_string(final_, "ticket_id"),
                            bt_json_get_string(final_, "content_hash"), NULL,
                            request->host != NULL ? request->host : "local", stored, err);
  return code;
}

enum bt_code bt_repair_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *record = bt_run_record(run), *final_ = bt_final_of_request(request, run->env), *stored = NULL;
  enum bt_code code = BT_OK;
  if (record == NULL || final_ == NULL)
    code = bt_error_set(err, BT_NOMEM, request->session, "out of memory");
  if (code == BT_OK)
    code = bt_marker_unchanged(bt_txn_dir(run->txn), request->session, record, err);
  if (code == BT_OK)
    code = bind(run, final_, &stored, err);
  if (code == BT_OK)
    code = bt_run_evidence(run, GATE, bt_json_get_string(final_, "ticket_id"), evidence_data(final_), err);
  if (code == BT_OK)
    code = bt_run_answer(run, payload_of(run, final_, stored), err, "%s is bound to ticket %s", request->session,
                         bt_json_get_string(final_, "ticket_id"));
  bt_json_free(stored);
  bt_json_free(final_);
  bt_json_free(record);
  return code;
}
