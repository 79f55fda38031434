/* core/ops/resume.c - an existing session takes over a denied one (spec/context-handoff.md 8.4). */
#include "core/model/id.h"
#include "core/ops/document.h"
#include "core/ops/facts.h"
#include "core/ops/marker.h"
#include "core/ops/verb.h"
#include "core/store/auth.h"
#include "core/store/final.h"

#define GATE "context-handoff-resume"

enum bt_code bt_resume_check(const struct bt_request *request, struct bt_error *err) {
  enum bt_code code = bt_id_require(request->session, "--session", err);
  return code == BT_OK ? bt_id_require(request->deny_session, "--deny-session", err) : code;
}

/* A trimmed copy in the plan's arena; NULL where the bind is null. */
static const char *bind_text(struct bt_planner *planner, const char *raw) {
  struct bt_slice bind = bt_bind_normalise(raw);
  if (bind.data == NULL)
    return NULL;
  const char *text = bt_arena_strndup(planner->arena, bind.data, bind.length);
  planner->failed = planner->failed || text == NULL;
  return text;
}

/* Steps 4 to 6: ticket and hash come from the final, the ticket else from the marker. */
static enum bt_code resolve_binds(struct bt_planner *planner, const struct bt_json *record, struct bt_error *err) {
  const char *denied = planner->plan->request.deny_session;
  struct bt_op_details *details = planner->details;
  struct bt_final final_;
  enum bt_code code = bt_final_read(planner->ledger, denied, planner->arena, &final_, NULL, err);
  if (code != BT_OK)
    return code;
  if (final_.error != NULL)
    return bt_error_set(err, BT_STATE, denied, "the final cannot be used (%s): %s", final_.error, denied);
  details->content_hash = bind_text(planner, final_.content_hash);
  if (details->content_hash == NULL)
    return bt_error_set(err, BT_STATE, denied, "the final of %s has no content hash", denied);
  details->ticket_id = bind_text(planner, final_.ticket_id);
  if (details->ticket_id == NULL)
    details->ticket_id = bind_text(planner, bt_json_get_string(record, "ticket_id"));
  if (details->ticket_id == NULL)
    return bt_error_set(err, BT_STATE, denied, "%s is bound to no ticket: repair it first", denied);
  return BT_OK;
}

static struct bt_json *auth_json(const char *ticket, const char *hash, const char *denied, const char *consumer) {
  struct bt_json *auth = bt_json_new_object();
  if (auth == NULL || bt_json_set_string(auth, "ticket_id", ticket) != BT_OK ||
      bt_json_set_string(auth, "content_hash", hash) != BT_OK ||
      bt_json_set_string(auth, "deny_session_id", denied) != BT_OK ||
      bt_json_set_string(auth, "consumer_session_id", consumer) != BT_OK ||
      bt_json_set_bool(auth, "verified", true) != BT_OK) {
    bt_json_free(auth);
    return NULL;
  }
  return auth;
}

static struct bt_json *dry_payload(const struct bt_planner *planner, const struct bt_json *consumed) {
  const struct bt_request *request = &planner->plan->request;
  const struct bt_op_details *details = planner->details;
  struct bt_json *payload = bt_payload_new(BT_VERB_RESUME, true);
  if (payload == NULL || bt_json_set_string(payload, "consumer", request->session) != BT_OK ||
      bt_json_set_string(payload, "deny_session", request->deny_session) != BT_OK ||
      bt_json_set(payload, "record", bt_json_clone(consumed)) != BT_OK ||
      bt_json_set(payload, "plannedResumeAuth",
                  auth_json(details->ticket_id, details->content_hash, request->deny_session, request->session)) !=
          BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static void describe(struct bt_planner *planner, const struct bt_json *record) {
  const struct bt_request *request = &planner->plan->request;
  const char *consumer = bt_planner_visible(planner, request->session);
  bt_plan_row(planner, "status", bt_fact_text(planner, record, "status"), "consumed");
  bt_plan_row(planner, "consumed_by", bt_fact_text(planner, record, "consumed_by"), consumer);
  bt_plan_row(planner, "ticket_id", bt_fact_text(planner, record, "ticket_id"),
              bt_planner_visible(planner, planner->details->ticket_id));
  bt_plan_row(planner, "content_hash", bt_fact_text(planner, record, "content_hash"),
              bt_planner_visible(planner, planner->details->content_hash));
  bt_plan_fact(planner, BT_FILE_AUTH, request->session, true);
  (void)bt_fact_brief(planner, request->deny_session, record, NULL);
  bt_fact_binds(planner, record);
  bt_fact_lock(planner, request->deny_session);
  bt_fact_other_denies(planner, request->deny_session);
  bt_step_take_lock(planner, request->deny_session);
  bt_plan_step(planner, "re-check", NULL, "the deny is what this plan saw, else stop");
  bt_plan_step(planner, "authorise", bt_planner_path(planner, BT_FILE_AUTH, request->session),
               "signed; replaces an older authorization of this session");
  bt_step_record(planner, GATE);
  bt_plan_step(planner, "consume deny", bt_planner_path(planner, BT_FILE_DENY, request->deny_session),
               bt_planner_text(planner, "open -> consumed by %s", consumer));
  bt_step_release_lock(planner);
  bt_plan_will(planner, "Lets %s go on with the work of %s, and consumes that deny.", consumer,
               bt_planner_visible(planner, request->deny_session));
  bt_plan_will_not(planner, "It does not write a brief: the one on disk is handed on as it is.");
}

enum bt_code bt_resume_plan(struct bt_planner *planner, struct bt_error *err) {
  struct bt_plan *plan = planner->plan;
  const char *denied = plan->request.deny_session, *consumer = plan->request.session;
  bt_plan_fact(planner, BT_FILE_DENY, denied, true);
  bt_plan_fact(planner, BT_FILE_FINAL, denied, true);
  struct bt_marker marker;
  struct bt_json *consumed = NULL;
  enum bt_code code = bt_marker_read(planner->ledger, denied, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_error_set(err, BT_STATE, denied, "the deny marker cannot be used (%s): %s", marker.reason, denied);
  if (code == BT_OK)
    code = resolve_binds(planner, marker.record, err);
  if (code == BT_OK) {
    struct bt_gate_auth planned = {.ticket_id = planner->details->ticket_id,
                                   .content_hash = planner->details->content_hash,
                                   .deny_session_id = denied,
                                   .verified = true};
    code = bt_marker_consume(marker.record, consumer, &planned, false, bt_env_now(planner->env), &consumed, err);
  }
  if (code == BT_OK) {
    planner->details->record = bt_planner_json(planner, marker.record, false);
    plan->title = bt_planner_text(planner, "Resume %s", bt_planner_visible(planner, denied));
    plan->summary = "Lets an existing session take over the work of a denied one. The deny is consumed for good.";
    plan->confirm_label = "resume";
    plan->undo = "cannot be undone: a consumed deny never reopens";
    if (!plan->request.terse)
      describe(planner, marker.record);
    bt_plan_answer(planner, dry_payload(planner, consumed), "dry run: %s would take over %s; pass --write to do it",
                   consumer, denied);
  }
  bt_json_free(consumed);
  bt_marker_dispose(&marker);
  return code;
}

/* Steps 12 and 13: written, then read back as the gate will read it. */
static enum bt_code authorise(struct bt_run *run, struct bt_auth_doc *auth, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  const struct bt_op_details *details = run->plan->details;
  struct bt_json *document = bt_auth_build(details->ticket_id, details->content_hash, request->deny_session,
                                           request->session, bt_env_now(run->env), bt_env_key(run->env), err);
  if (document == NULL)
    return err->code;
  enum bt_code code = bt_document_watch(run->txn, BT_ARTIFACT_AUTH, BT_FILE_AUTH, request->session, err);
  if (code == BT_OK)
    code = bt_document_replace(run->txn, BT_FILE_AUTH, request->session, document, err);
  bt_json_free(document);
  if (code == BT_OK)
    code = bt_auth_read(bt_txn_dir(run->txn), request->session, bt_env_key(run->env), auth, err);
  if (code == BT_OK && !(auth->present && auth->gate.verified))
    code = bt_error_set(err, BT_STATE, request->session, "the authorization of %s does not verify when read back",
                        request->session);
  return code;
}

static struct bt_json *evidence_data(const struct bt_run *run) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *data = bt_json_new_object();
  if (data == NULL || bt_json_set_string(data, "consumer_session_id", request->session) != BT_OK ||
      bt_json_set_string(data, "deny_session_id", request->deny_session) != BT_OK ||
      bt_json_set_string(data, "content_hash", run->plan->details->content_hash) != BT_OK ||
      bt_json_set_string(data, "outcome", "authorized") != BT_OK) {
    bt_json_free(data);
    return NULL;
  }
  return data;
}

static struct bt_json *payload_of(const struct bt_run *run, const struct bt_json *consumed,
                                  const struct bt_auth_doc *auth) {
  struct bt_json *payload = bt_payload_new(BT_VERB_RESUME, false);
  struct bt_json *evidence = bt_run_evidence_json(run);
  if (payload == NULL || evidence == NULL || bt_json_set_string(evidence, "outcome", "authorized") != BT_OK) {
    bt_json_free(payload);
    bt_json_free(evidence);
    return NULL;
  }
  if (bt_json_set(payload, "record", bt_json_clone(consumed)) == BT_OK &&
      bt_json_set(payload, "resumeAuth",
                  auth_json(auth->gate.ticket_id, auth->gate.content_hash, auth->gate.deny_session_id,
                            auth->consumer_session_id)) == BT_OK &&
      bt_json_set_bool(payload, "consumePersisted", true) == BT_OK) {
    if (bt_json_set(payload, "evidence", evidence) == BT_OK)
      return payload;
  } else {
    bt_json_free(evidence);
  }
  bt_json_free(payload);
  return NULL;
}

enum bt_code bt_resume_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  int ledger = bt_txn_dir(run->txn);
  struct bt_json *record = bt_run_record(run), *consumed = NULL, *stored = NULL;
  struct bt_auth_doc auth = {0};
  enum bt_code code = record != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, request->deny_session, "out of memory");
  if (code == BT_OK)
    code = bt_marker_unchanged(ledger, request->deny_session, record, err);
  if (code == BT_OK)
    code = authorise(run, &auth, err);
  if (code == BT_OK)
    code = bt_marker_consume(record, request->session, &auth.gate, false, bt_env_now(run->env), &consumed, err);
  if (code == BT_OK)
    code = bt_run_evidence(run, GATE, run->plan->details->ticket_id, evidence_data(run), err);
  if (code == BT_OK)
    code = bt_marker_unchanged(ledger, request->deny_session, record, err);
  if (code == BT_OK)
    code = bt_document_watch(run->txn, BT_ARTIFACT_DENY, BT_FILE_DENY, request->deny_session, err);
  if (code == BT_OK)
    code = bt_marker_write(run->txn, consumed, &stored, err);
  if (code == BT_OK)
    code = bt_run_answer(run, payload_of(run, stored, &auth), err, "%s is consumed by %s", request->deny_session,
                         request->session);
  bt_auth_dispose(&auth);
  bt_json_free(stored);
  bt_json_free(consumed);
  bt_json_free(record);
  return code;
}
