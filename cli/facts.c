/* cli/facts.c - a snapshot's facts as JSON. */
#include "cli/facts.h"

#include "core/base/clock.h"

void facts_head(struct json_out *json, const struct bt_snapshot *snapshot) {
  json_integer(json, "schema_version", FACTS_SCHEMA_VERSION);
  json_time(json, "taken_at", snapshot->taken_at_ms);
  json_text(json, "ledger", snapshot->ledger_dir);
  json_text(json, "project", snapshot->project);
  json_text(json, "host", snapshot->host);
  json_bool(json, "key_loaded", snapshot->key_loaded);
  json_bool(json, "key_is_sample", snapshot->key_is_sample);
  json_text(json, "evidence_problem", snapshot->evidence.problem);
  json_bool(json, "sample", snapshot->sample);
  json_bool(json, "foreign_owner", snapshot->foreign_owner);
  json_integer(json, "owner_uid", snapshot->owner_uid);
}

void facts_lock(struct json_out *json, const char *key, const struct bt_lock *lock) {
  if (!lock) {
    json_null(json, key);
    return;
  }
  json_open(json, key, '{');
  json_text(json, "name", lock->name);
  json_text(json, "kind", bt_lock_kind_word(lock->kind));
  json_text(json, "verdict", bt_lock_verdict_word(lock->verdict));
  json_text(json, "why", lock->why);
  json_text(json, "path", lock->path);
  json_text(json, "error", lock->error);
  json_number(json, "pid", lock->pid);
  json_text(json, "pid_text", lock->pid_text);
  json_text(json, "started_at", lock->started_at);
  json_text(json, "host", lock->host);
  json_text(json, "nonce", lock->nonce);
  json_text(json, "process", lock->process_name);
  json_time(json, "process_started_at", lock->process_started_ms);
  json_time(json, "mtime", lock->mtime_ms);
  json_integer(json, "size_bytes", lock->size_bytes);
  json_bool(json, "view_only", lock->view_only);
  json_open(json, "evidence", '[');
  for (size_t i = 0; i < lock->evidence_count; i++) {
    json_open(json, NULL, '{');
    json_text(json, "check", bt_check_word(lock->evidence[i].check));
    json_text(json, "what", lock->evidence[i].what);
    json_text(json, "found", lock->evidence[i].found);
    json_text(json, "how", lock->evidence[i].how);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_close(json, '}');
}

static const char *status_word(const struct bt_deny *deny) {
  return deny->status == BT_DENY_OPEN ? "open" : deny->status == BT_DENY_CONSUMED ? "consumed" : "invalid";
}

void facts_deny(struct json_out *json, const char *key, const struct bt_deny *deny) {
  if (!deny) {
    json_null(json, key);
    return;
  }
  json_open(json, key, '{');
  json_text(json, "id", deny->session_id);
  json_text(json, "class", bt_deny_class_word(deny->class_));
  json_text(json, "status", status_word(deny));
  json_text(json, "reason", deny->reason);
  json_text(json, "path", deny->path);
  json_text(json, "ticket_id", deny->ticket_id);
  json_text(json, "content_hash", deny->content_hash);
  json_text(json, "content_kind", deny->content_kind);
  json_text(json, "host", deny->host);
  json_text(json, "since", deny->since);
  json_text(json, "consumed_by", deny->consumed_by);
  json_text(json, "consumed_at", deny->consumed_at);
  json_bool(json, "registered", deny->registered);
  json_close(json, '}');
}

static void put_context(struct json_out *json, const struct bt_context *context) {
  json_text(json, "band", bt_band_word(context->band));
  json_text(json, "band_by", context->band_by);
  json_open(json, "context", '{');
  if (context->used_known)
    json_number(json, "used_tokens", context->used_tokens);
  else
    json_null(json, "used_tokens");
  if (context->window_known)
    json_number(json, "window_tokens", context->window_tokens);
  else
    json_null(json, "window_tokens");
  if (context->used_known && context->window_known)
    json_number(json, "used_pct", context->used_pct);
  else
    json_null(json, "used_pct");
  json_text(json, "source", context->used_source);
  json_text(json, "window_source", context->window_source);
  json_bool(json, "window_is_guess", context->window_is_guess);
  json_bool(json, "over_window", context->over_window);
  if (context->trend_known)
    json_number(json, "tokens_a_minute", context->trend_tokens);
  else
    json_null(json, "tokens_a_minute");
  json_text(json, "host_band", context->host_band);
  if (context->depth_known)
    json_integer(json, "depth", context->depth);
  else
    json_null(json, "depth");
  json_bool(json, "truncated", context->truncated);
  json_close(json, '}');
}

static void put_brief(struct json_out *json, const struct bt_capture *brief) {
  json_text(json, "brief", bt_brief_word(brief ? brief->status : BT_BRIEF_NONE));
  json_bool(json, "brief_reviewed", brief && brief->reviewed);
  if (!brief) {
    json_null(json, "capture");
    return;
  }
  json_open(json, "capture", '{');
  json_text(json, "path", brief->path);
  json_text(json, "error", brief->error);
  json_text(json, "expected_hash", brief->expected_hash);
  json_text(json, "actual_hash", brief->actual_hash);
  json_integer(json, "size_bytes", (int64_t)brief->size_bytes);
  json_integer(json, "lines", brief->line_count);
  json_integer(json, "redactions", brief->redaction_count);
  json_integer(json, "fence_violations", brief->fence_violations);
  json_time(json, "mtime", brief->mtime_ms);
  json_close(json, '}');
}

static void put_final(struct json_out *json, const struct bt_final *final_) {
  if (!final_) {
    json_null(json, "final");
    return;
  }
  json_open(json, "final", '{');
  json_text(json, "path", final_->path);
  json_text(json, "error", final_->error);
  json_text(json, "ticket_id", final_->ticket_id);
  json_text(json, "content_hash", final_->content_hash);
  json_text(json, "content_kind", final_->content_kind);
  json_text(json, "host", final_->host);
  json_text(json, "written_at", final_->written_at);
  json_close(json, '}');
}

static void put_auth(struct json_out *json, const char *key, const struct bt_auth *auth) {
  if (!auth) {
    json_null(json, key);
    return;
  }
  json_open(json, key, '{');
  json_text(json, "path", auth->path);
  json_text(json, "signature", bt_signature_word(auth->signature));
  json_text(json, "consumer_session_id", auth->consumer_session_id);
  json_text(json, "deny_session_id", auth->deny_session_id);
  json_text(json, "ticket_id", auth->ticket_id);
  json_text(json, "content_hash", auth->content_hash);
  json_text(json, "written_at", auth->written_at);
  json_close(json, '}');
}

static void put_grant(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_grant *grant) {
  if (!grant) {
    json_null(json, "grant");
    return;
  }
  json_open(json, "grant", '{');
  json_text(json, "state", bt_grant_state_word(grant->state));
  json_text(json, "signature", bt_signature_word(grant->signature));
  json_text(json, "error", grant->error);
  json_text(json, "unbound_reason", grant->unbound_reason);
  json_time(json, "written_at", grant->written_at_ms);
  json_time(json, "expires_at", grant->expires_at_ms);
  if (grant->state == BT_GRANT_LIVE)
    json_integer(json, "expires_in_s", (grant->expires_at_ms - snapshot->taken_at_ms) / 1000);
  else
    json_null(json, "expires_in_s");
  json_close(json, '}');
}

static void put_step(struct json_out *json, const char *key, const struct bt_next_step *step) {
  json_open(json, key, '{');
  json_text(json, "verb", step->verb == BT_VERB_NONE ? NULL : bt_verb_word(step->verb));
  json_text(json, "text", step->text);
  json_text(json, "blocked_by", step->blocked_by);
  json_close(json, '}');
}

static void put_words(struct json_out *json, const struct bt_session *session) {
  json_open(json, "reasons", '[');
  for (size_t i = 0; i < session->reason_count; i++) {
    json_open(json, NULL, '{');
    json_text(json, "code", session->reasons[i].code);
    json_text(json, "text", session->reasons[i].text);
    json_close(json, '}');
  }
  json_close(json, ']');
  put_step(json, "next", &session->next);
  json_open(json, "others", '[');
  for (size_t i = 0; i < session->other_count; i++)
    put_step(json, NULL, &session->others[i]);
  json_close(json, ']');
}

static void put_evidence(struct json_out *json, const struct bt_session *session) {
  json_open(json, "evidence", '[');
  for (size_t i = 0; i < session->evidence_count; i++) {
    const struct bt_evidence *entry = &session->evidence[i];
    json_open(json, NULL, '{');
    json_integer(json, "seq", entry->seq);
    json_text(json, "gate", entry->gate);
    json_text(json, "ts", entry->ts);
    json_text(json, "ticket", entry->ticket);
    json_text(json, "chain", entry->chain);
    json_text(json, "signature", entry->is_signed ? bt_signature_word(entry->signature) : NULL);
    json_close(json, '}');
  }
  json_close(json, ']');
}

void facts_session(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  json_text(json, "id", session->id);
  json_text(json, "state", bt_state_word(session->state));
  json_time(json, "since", session->since_ms);
  json_time(json, "last_seen", session->last_seen_ms);
  json_text(json, "harness", session->harness);
  json_text(json, "ticket_id", session->ticket_id);
  json_text(json, "ticket_title", session->ticket_title);
  json_text(json, "cwd", session->cwd);
  json_text(json, "branch", session->branch);
  json_text(json, "model", session->model);
  json_text(json, "title", session->title);
  put_context(json, &session->context);
  facts_transcript(json, session);
  facts_deny(json, "deny", session->deny);
  json_text(json, "deny_in_force", session->deny ? session->in_force : NULL);
  json_text(json, "deny_in_force_why", session->deny ? session->in_force_why : NULL);
  json_text(json, "gate_in_force", session->in_force);
  json_text(json, "gate_in_force_why", session->in_force_why);
  json_integer(json, "blocks", (int64_t)session->blocks);
  put_final(json, session->final_);
  put_brief(json, session->capture);
  facts_lock(json, "lock", session->lock);
  json_text(json, "resume_auth", session->auth ? bt_signature_word(session->auth->signature) : NULL);
  put_auth(json, "authorised_by", session->auth);
  put_auth(json, "successor", session->successor);
  put_grant(json, snapshot, session->grant);
  put_words(json, session);
  put_evidence(json, session);
}

void facts_store(struct json_out *json, const struct bt_snapshot *snapshot) {
  const struct bt_deny_store *store = &snapshot->store;
  json_open(json, "store", '{');
  json_bool(json, "ok", store->ok);
  json_text(json, "reason", store->reason);
  json_bool(json, "unavailable", store->unavailable);
  json_bool(json, "expected", store->expected);
  json_bool(json, "legacy", store->legacy);
  json_text(json, "heal_due", store->heal_due);
  json_open(json, "registered", '[');
  for (size_t i = 0; i < store->registered_count; i++)
    json_text(json, NULL, store->registered[i]);
  json_close(json, ']');
  json_close(json, '}');
}

void facts_problems(struct json_out *json, const struct bt_snapshot *snapshot) {
  json_open(json, "problems", '[');
  for (size_t i = 0; i < snapshot->problem_count; i++) {
    json_open(json, NULL, '{');
    json_text(json, "subject", snapshot->problems[i].subject);
    json_text(json, "text", snapshot->problems[i].text);
    json_close(json, '}');
  }
  json_close(json, ']');
}
