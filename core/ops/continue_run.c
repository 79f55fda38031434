/* core/ops/continue_run.c - the writing half of `continue`, steps 14 to 24 (spec/context-handoff.md 8.8). */
#include <errno.h>

#include "core/base/utf8.h"
#include "core/ops/continue.h"
#include "core/ops/document.h"
#include "core/ops/final.h"
#include "core/ops/marker.h"
#include "core/ops/verb.h"
#include "core/store/auth.h"
#include "core/store/capture.h"
#include "core/text/capture.h"

static enum bt_code write_capture(struct bt_run *run, struct bt_error *err) {
  const char *denied = run->plan->request.deny_session;
  const struct bt_op_details *details = run->plan->details;
  struct bt_str path, bytes;
  const char *wrong = NULL;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_init(&bytes, BT_CAPTURE_MAX_BYTES);
  bt_utf8_encode8(&bytes, details->body, details->body_length);
  enum bt_code code = bt_document_path(&path, BT_FILE_CAPTURE, denied, err);
  if (code == BT_OK && bytes.failed)
    code = bt_error_set(err, BT_NOMEM, denied, "out of memory");
  if (code == BT_OK)
    code = bt_txn_watch(run->txn, BT_ARTIFACT_CAPTURE, path.data, err);
  if (code == BT_OK)
    code = bt_txn_replace(run->txn, path.data, bytes.data, bytes.length, err);
  if (code == BT_OK)
    code = bt_capture_read_verified(bt_txn_dir(run->txn), denied, details->content_hash, NULL, &wrong, err);
  if (code == BT_OK && wrong != NULL)
    code = bt_error_set(err, BT_STATE, denied, "the capture of %s does not verify when read back: %s", denied, wrong);
  bt_str_dispose(&path);
  bt_str_dispose(&bytes);
  return code;
}

static enum bt_code write_checkpoint(struct bt_run *run, const struct bt_json *claim, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_final_request wanted = {.session = request->deny_session,
                                    .ticket = run->plan->details->ticket_id,
                                    .host = request->host,
                                    .content_hash = run->plan->details->content_hash,
                                    .content_kind = "capture"};
  struct bt_json *final_ = bt_final_build(&wanted, bt_env_now(run->env));
  if (final_ == NULL)
    return bt_error_set(err, BT_NOMEM, request->deny_session, "out of memory");
  struct bt_checkpoint checkpoint;
  enum bt_code code = bt_checkpoint_write(run->txn, run->env, final_, claim, &checkpoint, err);
  bt_json_free(final_);
  return code;
}

static bool is_exactly_ours(const struct bt_auth_doc *auth, const struct bt_run *run) {
  const struct bt_request *request = &run->plan->request;
  const struct bt_op_details *details = run->plan->details;
  return auth->present && auth->gate.verified && bt_text_equals(auth->gate.ticket_id, details->ticket_id) &&
         bt_text_equals(auth->gate.content_hash, details->content_hash) &&
         bt_text_equals(auth->gate.deny_session_id, request->deny_session) &&
         bt_text_equals(auth->consumer_session_id, request->session);
}

/* Steps 18 and 19: the successor's name is taken by exclusive creation; whoever comes second is refused. */
static enum bt_code authorise(struct bt_run *run, struct bt_auth_doc *auth, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  const struct bt_op_details *details = run->plan->details;
  struct bt_json *document = bt_auth_build(details->ticket_id, details->content_hash, request->deny_session,
                                           request->session, bt_env_now(run->env), bt_env_key(run->env), err);
  if (document == NULL)
    return err->code;
  struct bt_error failed = {0};
  enum bt_code code = bt_document_watch(run->txn, BT_ARTIFACT_AUTH, BT_FILE_AUTH, request->session, &failed);
  if (code == BT_OK)
    code = bt_document_create(run->txn, BT_FILE_AUTH, request->session, document, &failed);
  bt_json_free(document);
  if (code == BT_STATE && failed.sys_errno == EEXIST)
    return bt_continue_degrade(err, request->session, "%s already holds an authorization", request->session);
  if (code != BT_OK) {
    *err = failed;
    return code;
  }
  code = bt_auth_read(bt_txn_dir(run->txn), request->session, bt_env_key(run->env), auth, err);
  if (code == BT_OK && !is_exactly_ours(auth, run))
    code = bt_error_set(err, BT_STATE, request->session, "the authorization of %s does not verify when read back",
                        request->session);
  return code;
}

static struct bt_json *evidence_data(const struct bt_run *run) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *data = bt_json_new_object();
  if (data == NULL || bt_json_set_string(data, "deny_session_id", request->deny_session) != BT_OK ||
      bt_json_set_string(data, "successor_session_id", request->session) != BT_OK ||
      bt_json_set_string(data, "content_hash", run->plan->details->content_hash) != BT_OK ||
      bt_json_set_string(data, "outcome", "authorized") != BT_OK) {
    bt_json_free(data);
    return NULL;
  }
  return data;
}

/* Steps 20 to 23. The deny flips last: a consumed deny always has its evidence. */
static enum bt_code consume(struct bt_run *run, const struct bt_json *record, const struct bt_auth_doc *auth,
                            struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *consumed = NULL;
  enum bt_code code =
      bt_marker_consume(record, request->session, &auth->gate, false, bt_env_now(run->env), &consumed, err);
  if (code == BT_OK)
    code = bt_run_evidence(run, BT_CONTINUE_GATE, run->plan->details->ticket_id, evidence_data(run), err);
  if (code == BT_OK)
    code = bt_marker_unchanged(bt_txn_dir(run->txn), request->deny_session, record, err);
  if (code == BT_OK && !bt_txn_is_watched(run->txn, BT_ARTIFACT_DENY))
    code = bt_document_watch(run->txn, BT_ARTIFACT_DENY, BT_FILE_DENY, request->deny_session, err);
  if (code == BT_OK)
    code = bt_marker_write(run->txn, consumed, NULL, err);
  bt_json_free(consumed);
  return code;
}

static struct bt_json *payload_of(const struct bt_run *run) {
  struct bt_json *payload = bt_continue_payload(run->env, &run->plan->request, run->plan->details, false);
  if (payload == NULL || bt_json_set(payload, "evidence", bt_run_evidence_json(run)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

enum bt_code bt_continue_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  const char *denied = request->deny_session;
  struct bt_json *claim = bt_run_record(run);
  struct bt_marker marker = {0};
  struct bt_auth_doc auth = {0};
  enum bt_code code = claim != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, denied, "out of memory");
  if (code == BT_OK)
    code = bt_marker_unchanged(bt_txn_dir(run->txn), denied, claim, err);
  if (code == BT_OK)
    code = write_capture(run, err);
  if (code == BT_OK)
    code = write_checkpoint(run, claim, err);
  if (code == BT_OK)
    code = bt_marker_read(bt_txn_dir(run->txn), denied, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_error_set(err, BT_STATE, denied, "the deny marker cannot be read back (%s): %s", marker.reason, denied);
  if (code == BT_OK)
    code = authorise(run, &auth, err);
  if (code == BT_OK)
    code = consume(run, marker.record, &auth, err);
  if (code == BT_OK)
    code =
        bt_run_answer(run, payload_of(run), err, "%s is continued by %s, ticket %s, brief %s/%s/%s.md", denied,
                      request->session, run->plan->details->ticket_id, run->env->ledger_dir, BT_PATH_CONTENT, denied);
  bt_auth_dispose(&auth);
  bt_marker_dispose(&marker);
  bt_json_free(claim);
  return code;
}
