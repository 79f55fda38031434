/* core/ops/bypass.c - a signed grant that lets one gated call through (spec/context-handoff.md 8.5). */
#include "core/model/gate.h"
#include "core/model/id.h"
#include "core/ops/document.h"
#include "core/ops/facts.h"
#include "core/ops/verb.h"
#include "core/store/auth.h"
#include "core/store/binding.h"
#include "core/store/grant.h"

#include <string.h>

#define GATE "context-handoff-bypass"
#define NAMED_MAX 12 /* records named one by one in the dialog */

enum bt_code bt_bypass_check(const struct bt_request *request, struct bt_error *err) {
  enum bt_code code = bt_id_require(request->session, "--session", err);
  if (code != BT_OK)
    return code;
  if (request->unbound_reason != NULL && bt_bind_normalise(request->unbound_reason).data == NULL)
    return bt_error_set(err, BT_USAGE, "--unbound-reason", "--unbound-reason must not be blank");
  return BT_OK;
}

/* {sessionId} or {sessionId, unboundReason}: the grant as the gate's callers hand it around. */
static struct bt_json *grant_json(const struct bt_request *request) {
  struct bt_json *grant = bt_json_new_object();
  if (grant == NULL || bt_json_set_string(grant, "sessionId", request->session) != BT_OK ||
      (request->unbound_reason != NULL &&
       bt_json_set_string(grant, "unboundReason", request->unbound_reason) != BT_OK)) {
    bt_json_free(grant);
    return NULL;
  }
  return grant;
}

static struct bt_bypass_verdict normalised(const struct bt_request *request) {
  struct bt_bypass grant = {
      .kind = BT_BYPASS_OBJECT, .session_id = request->session, .unbound_reason = request->unbound_reason};
  return bt_bypass_normalise(grant, request->session);
}

/* grant, bound, allowsUnboundRecord. The last is 6.2 over an unbound record of another session, which comes down to
 * whether the grant covers unbound records. */
static struct bt_json *payload_head(const struct bt_request *request, bool dry_run) {
  struct bt_json *payload = bt_payload_new(BT_VERB_BYPASS, dry_run);
  if (payload == NULL || bt_json_set(payload, "grant", grant_json(request)) != BT_OK ||
      bt_json_set_bool(payload, "bound", request->unbound_reason == NULL) != BT_OK ||
      bt_json_set_bool(payload, "allowsUnboundRecord", normalised(request).allow_unbound) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static struct bt_json *dry_payload(const struct bt_request *request) {
  struct bt_bypass_verdict verdict = normalised(request);
  struct bt_json *payload = payload_head(request, true), *member = bt_json_new_object();
  if (payload == NULL || member == NULL || bt_json_set_bool(member, "active", verdict.active) != BT_OK ||
      bt_json_set_bool(member, "allowUnbound", verdict.allow_unbound) != BT_OK ||
      bt_json_set_string(member, "sessionId", verdict.session_id) != BT_OK) {
    bt_json_free(member);
    bt_json_free(payload);
    return NULL;
  }
  if (bt_json_set(payload, "normalized", member) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static bool has_reason(const struct bt_reasons *reasons, const char *code) {
  for (size_t i = 0; i < reasons->count; i++) {
    if (strcmp(reasons->items[i].code, code) == 0)
      return true;
  }
  return false;
}

/* The gate and the briefs it checks. No grant lifts a brief that does not verify (6.8, step 6 item 7). */
static enum bt_code ask_gate(struct bt_planner *planner, const struct bt_deny_set *set,
                             const struct bt_gate_input *input, struct bt_reasons *reasons) {
  bt_gate_evaluate(input, reasons);
  enum bt_code code = bt_capture_bindings(planner->ledger, set->records, reasons, NULL, NULL);
  bt_reasons_unique(reasons);
  return code;
}

/* The difference between the two answers is what the grant clears. */
static void compare_answers(struct bt_planner *planner, const struct bt_reasons *before,
                            const struct bt_reasons *after) {
  size_t cleared = 0;
  for (size_t i = 0; i < before->count; i++) {
    if (has_reason(after, before->items[i].code))
      continue;
    if (++cleared <= NAMED_MAX)
      bt_plan_will(planner, "clears %s for that call", bt_planner_visible(planner, before->items[i].code));
  }
  if (cleared > NAMED_MAX)
    bt_plan_will(planner, "clears %zu more reasons for that call", cleared - NAMED_MAX);
  if (before->count == 0)
    bt_plan_check(planner, BT_CHECK_WARN,
                  "nothing refuses this session now: the next gated call spends the grant all the same");
  if (after->count > 0)
    bt_plan_check(planner, BT_CHECK_WARN, "the next call is refused all the same, and the grant is spent in vain");
  for (size_t i = 0; i < after->count && i < NAMED_MAX; i++)
    bt_plan_will_not(planner, "clear %s: that call is still refused, and the grant is spent",
                     bt_planner_visible(planner, after->items[i].code));
  if (after->count > NAMED_MAX)
    bt_plan_will_not(planner, "clear %zu more reasons", after->count - NAMED_MAX);
}

/* The gate asked twice, without and with the grant. */
static void describe_gate(struct bt_planner *planner) {
  const struct bt_request *request = &planner->plan->request;
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_HEALED};
  struct bt_deny_set set;
  struct bt_gate_input input = {.current_session_id = request->session, .records_are_list = true};
  struct bt_reasons before = {.arena = planner->arena}, after = {.arena = planner->arena};
  struct bt_auth_doc auth = {0};
  enum bt_code code = bt_deny_load(planner->ledger, &options, &set, NULL);
  if (code == BT_OK)
    code = bt_deny_gate_input(&set, planner->arena, &input, NULL);
  if (code == BT_OK)
    code = bt_auth_read(planner->ledger, request->session, bt_env_key(planner->env), &auth, NULL);
  input.auth = auth.present ? &auth.gate : NULL;
  if (code == BT_OK)
    code = ask_gate(planner, &set, &input, &before);
  input.bypass = (struct bt_bypass){
      .kind = BT_BYPASS_OBJECT, .session_id = request->session, .unbound_reason = request->unbound_reason};
  if (code == BT_OK)
    code = ask_gate(planner, &set, &input, &after);
  if (code == BT_OK)
    compare_answers(planner, &before, &after);
  planner->failed = planner->failed || code != BT_OK || before.failed || after.failed;
  bt_auth_dispose(&auth);
  bt_deny_set_dispose(&set);
}

/* Durable ways out of the open denies, most durable first. */
static void describe_durable(struct bt_planner *planner) {
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS};
  struct bt_deny_set set;
  size_t named = 0;
  if (bt_deny_load(planner->ledger, &options, &set, NULL) == BT_OK) {
    for (const struct bt_json *deny = bt_json_first(set.records); deny != NULL; deny = bt_json_next(deny)) {
      if (!bt_text_equals(bt_json_get_string(deny, "status"), "open") || named == NAMED_MAX)
        continue;
      named++;
      const char *id = bt_planner_visible(planner, bt_json_get_string(deny, "session_id"));
      if (!bt_deny_binds_plain(deny))
        bt_plan_check(planner, BT_CHECK_OK, "durable instead: write %s anew, then continue it (recommended)", id);
      else if (bt_bind_is_bound(bt_json_get_string(deny, "ticket_id")))
        bt_plan_check(planner, BT_CHECK_OK, "durable instead: continue %s (recommended)", id);
      else
        bt_plan_check(planner, BT_CHECK_OK, "durable instead: repair %s, then continue it (recommended)", id);
    }
  }
  bt_deny_set_dispose(&set);
}

static void describe(struct bt_planner *planner) {
  const struct bt_request *request = &planner->plan->request;
  bool unbound = request->unbound_reason != NULL;
  const char *session = bt_planner_visible(planner, request->session);
  bt_plan_fact(planner, BT_FILE_GRANT, request->session, true);
  bt_plan_fact(planner, BT_FILE_AUTH, request->session, true);
  bt_plan_fact_denies(planner);
  bt_plan_row(planner, "spent by", NULL,
              bt_planner_text(planner, "the next gated call of %s, whatever it is - even `pwd`", session));
  bt_plan_row(planner, "expires", NULL, "10 minutes after you confirm, if nothing spends it");
  bt_plan_row(planner, "scope", NULL,
              unbound ? "unbound: also foreign and broken records" : "bound: bound denies, and this session's own");
  bt_plan_row(planner, "reason", NULL,
              unbound ? bt_planner_visible(planner, request->unbound_reason) : "(none needed)");
  struct bt_grant_doc grant;
  if (bt_grant_read(planner->ledger, request->session, bt_env_key(planner->env), bt_env_now(planner->env), &grant,
                    NULL) == BT_OK &&
      grant.present)
    bt_plan_check(planner, BT_CHECK_WARN, "a live grant of this session is there and will be replaced");
  bt_grant_dispose(&grant);
  describe_gate(planner);
  bt_plan_will_not(planner,
                   "clear a transcript that was not read to its start, or protected paths: those still refuse, "
                   "and then the grant is not spent");
  describe_durable(planner);
  bt_plan_step(planner, "write grant", bt_planner_path(planner, BT_FILE_GRANT, request->session),
               "signed; replaces an older one");
  bt_step_record(planner, GATE);
}

enum bt_code bt_bypass_plan(struct bt_planner *planner, struct bt_error *err) {
  (void)err;
  struct bt_plan *plan = planner->plan;
  struct bt_request *request = &plan->request;
  if (request->unbound_reason != NULL) {
    struct bt_slice reason = bt_bind_normalise(request->unbound_reason);
    request->unbound_reason = bt_arena_strndup(planner->arena, reason.data, reason.length);
    planner->failed = planner->failed || request->unbound_reason == NULL;
  }
  plan->title = bt_planner_text(planner, "One-shot bypass for %s", bt_planner_visible(planner, request->session));
  plan->summary = "Lets ONE gated call of this session through. It is not a fix.";
  plan->confirm_word = "bypass";
  plan->confirm_label = "grant";
  plan->undo = "a grant that nobody has spent dies by itself after 10 minutes";
  if (!request->terse)
    describe(planner);
  bool unbound = request->unbound_reason != NULL;
  bt_plan_answer(planner, dry_payload(request),
                 "dry run: would grant one %s bypass to %s, unbound records %s; pass --write to do it",
                 unbound ? "unbound" : "bound", request->session, unbound ? "allowed" : "not allowed");
  return BT_OK;
}

static struct bt_json *evidence_data(const struct bt_request *request) {
  struct bt_json *data = bt_json_new_object();
  if (data == NULL || bt_json_set_string(data, "session_id", request->session) != BT_OK ||
      bt_json_set_string(data, "unbound_reason", request->unbound_reason) != BT_OK ||
      bt_json_set_bool(data, "bound", request->unbound_reason == NULL) != BT_OK ||
      bt_json_set(data, "grant", grant_json(request)) != BT_OK) {
    bt_json_free(data);
    return NULL;
  }
  return data;
}

static struct bt_json *payload_of(const struct bt_run *run) {
  struct bt_json *payload = payload_head(&run->plan->request, false);
  if (payload == NULL || bt_json_set(payload, "evidence", bt_run_evidence_json(run)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

enum bt_code bt_bypass_run(struct bt_run *run, struct bt_error *err) {
  const struct bt_request *request = &run->plan->request;
  struct bt_json *grant =
      bt_grant_build(request->session, request->unbound_reason, bt_env_now(run->env), bt_env_key(run->env), err);
  if (grant == NULL)
    return err->code;
  enum bt_code code = bt_document_watch(run->txn, BT_ARTIFACT_GRANT, BT_FILE_GRANT, request->session, err);
  if (code == BT_OK)
    code = bt_document_replace(run->txn, BT_FILE_GRANT, request->session, grant, err);
  bt_json_free(grant);
  if (code == BT_OK)
    code = bt_run_evidence(run, GATE, request->ticket, evidence_data(request), err);
  if (code == BT_OK)
    code = bt_run_answer(run, payload_of(run), err, "recorded a one-shot %s grant for %s",
                         request->unbound_reason == NULL ? "bound" : "unbound", request->session);
  return code;
}
