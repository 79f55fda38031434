/* core/store/import_records.c - records of a ledger as an imported document tells them. */
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/store/import_values.h"

/* clang-format off */
BT_IMPORT_WORDS(class_at, bt_deny_class, bt_deny_class_word)
BT_IMPORT_WORDS(brief_at, bt_brief_status, bt_brief_word)
BT_IMPORT_WORDS(verdict_at, bt_lock_verdict, bt_lock_verdict_word)
BT_IMPORT_WORDS(kind_at, bt_lock_kind, bt_lock_kind_word)
BT_IMPORT_WORDS(check_at, bt_check, bt_check_word)
BT_IMPORT_WORDS(signature_at, bt_signature, bt_signature_word)
BT_IMPORT_WORDS(grant_at, bt_grant_state, bt_grant_state_word)
/* clang-format on */

void bt_import_deny(struct bt_import *import, const struct bt_json *from, struct bt_deny *deny) {
  const char *status = bt_json_get_string(from, "status");
  deny->session_id = bt_import_said(import, from, "id");
  deny->path = bt_import_said(import, from, "path");
  deny->reason = bt_import_said(import, from, "reason");
  deny->status = bt_text_equals(status, "open")       ? BT_DENY_OPEN
                 : bt_text_equals(status, "consumed") ? BT_DENY_CONSUMED
                                                      : BT_DENY_INVALID;
  deny->class_ =
      (enum bt_deny_class)bt_import_word(from, "class", class_at, BT_DENY_CLASS_COUNT, BT_DENY_CLASS_INVALID);
  deny->ticket_id = bt_import_text(import, from, "ticket_id");
  deny->content_hash = bt_import_text(import, from, "content_hash");
  deny->content_kind = bt_import_text(import, from, "content_kind");
  deny->host = bt_import_text(import, from, "host");
  deny->since = bt_import_text(import, from, "since");
  deny->consumed_by = bt_import_text(import, from, "consumed_by");
  deny->consumed_at = bt_import_text(import, from, "consumed_at");
  deny->since_ms = bt_import_time(from, "since");
  deny->consumed_at_ms = bt_import_time(from, "consumed_at");
  deny->ticket_bound = deny->ticket_id != NULL;
  deny->hash_bound = deny->content_hash != NULL;
  deny->registered = bt_import_flag(from, "registered");
}

void bt_import_lock(struct bt_import *import, const struct bt_json *from, struct bt_lock *lock) {
  const struct bt_json *line;
  lock->name = bt_import_said(import, from, "name");
  lock->path = bt_import_text(import, from, "path");
  lock->kind = (enum bt_lock_kind)bt_import_word(from, "kind", kind_at, BT_LOCK_TICKETS + 1, BT_LOCK_SESSION);
  lock->verdict =
      (enum bt_lock_verdict)bt_import_word(from, "verdict", verdict_at, BT_LOCK_VERDICT_COUNT, BT_LOCK_UNKNOWN);
  lock->why = bt_import_text(import, from, "why");
  lock->error = bt_import_text(import, from, "error");
  lock->pid_text = bt_import_text(import, from, "pid_text");
  lock->started_at = bt_import_text(import, from, "started_at");
  lock->host = bt_import_text(import, from, "host");
  lock->nonce = bt_import_text(import, from, "nonce");
  (void)bt_import_number(from, "pid", &lock->pid);
  lock->started_at_ms = bt_import_time(from, "started_at");
  lock->mtime_ms = bt_import_time(from, "mtime");
  lock->process_name = bt_import_text(import, from, "process");
  lock->process_started_ms = bt_import_time(from, "process_started_at");
  lock->size_bytes = bt_import_count(from, "size_bytes");
  lock->view_only = bt_import_flag(from, "view_only");
  struct bt_evidence_line *evidence =
      bt_import_array(import, from, "evidence", sizeof(*evidence), &lock->evidence_count, &line);
  lock->evidence = evidence;
  for (size_t i = 0; i < lock->evidence_count; i++, line = bt_json_next(line)) {
    evidence[i].check = (enum bt_check)bt_import_word(line, "check", check_at, BT_CHECK_UNKNOWN + 1, BT_CHECK_UNKNOWN);
    evidence[i].what = bt_import_said(import, line, "what");
    evidence[i].found = bt_import_said(import, line, "found");
    evidence[i].how = bt_import_said(import, line, "how");
  }
  if (!lock->path)
    lock->path = lock->name;
}

struct bt_capture *bt_import_capture(struct bt_import *import, const struct bt_json *session) {
  const struct bt_json *from = bt_json_get(session, "capture");
  struct bt_capture *capture = bt_import_is_object(from) ? BT_ARENA_NEW(import->arena, struct bt_capture) : NULL;
  import->failed = import->failed || (bt_import_is_object(from) && !capture);
  if (!capture)
    return NULL;
  capture->path = bt_import_said(import, from, "path");
  capture->status =
      (enum bt_brief_status)bt_import_word(session, "brief", brief_at, BT_BRIEF_COUNT, BT_BRIEF_UNREADABLE);
  capture->error = bt_import_text(import, from, "error");
  capture->expected_hash = bt_import_text(import, from, "expected_hash");
  capture->actual_hash = bt_import_text(import, from, "actual_hash");
  capture->size_bytes = (size_t)bt_import_count(from, "size_bytes");
  capture->line_count = (unsigned)bt_import_count(from, "lines");
  capture->redaction_count = (unsigned)bt_import_count(from, "redactions");
  capture->fence_violations = (unsigned)bt_import_count(from, "fence_violations");
  capture->mtime_ms = bt_import_time(from, "mtime");
  capture->reviewed = bt_import_flag(session, "brief_reviewed");
  return capture;
}

struct bt_final *bt_import_final(struct bt_import *import, const struct bt_json *from) {
  struct bt_final *final_ = bt_import_is_object(from) ? BT_ARENA_NEW(import->arena, struct bt_final) : NULL;
  import->failed = import->failed || (bt_import_is_object(from) && !final_);
  if (!final_)
    return NULL;
  final_->path = bt_import_said(import, from, "path");
  final_->error = bt_import_text(import, from, "error");
  final_->ticket_id = bt_import_text(import, from, "ticket_id");
  final_->content_hash = bt_import_text(import, from, "content_hash");
  final_->content_kind = bt_import_text(import, from, "content_kind");
  final_->host = bt_import_text(import, from, "host");
  final_->written_at = bt_import_text(import, from, "written_at");
  final_->written_at_ms = bt_import_time(from, "written_at");
  return final_;
}

struct bt_auth *bt_import_auth(struct bt_import *import, const struct bt_json *from) {
  struct bt_auth *auth = bt_import_is_object(from) ? BT_ARENA_NEW(import->arena, struct bt_auth) : NULL;
  import->failed = import->failed || (bt_import_is_object(from) && !auth);
  if (!auth)
    return NULL;
  auth->path = bt_import_said(import, from, "path");
  auth->signature =
      (enum bt_signature)bt_import_word(from, "signature", signature_at, BT_SIG_UNVERIFIABLE + 1, BT_SIG_UNVERIFIABLE);
  auth->consumer_session_id = bt_import_said(import, from, "consumer_session_id");
  auth->deny_session_id = bt_import_said(import, from, "deny_session_id");
  auth->ticket_id = bt_import_said(import, from, "ticket_id");
  auth->content_hash = bt_import_text(import, from, "content_hash");
  auth->written_at = bt_import_said(import, from, "written_at");
  auth->written_at_ms = bt_import_time(from, "written_at");
  return auth;
}

struct bt_grant *bt_import_grant(struct bt_import *import, const struct bt_json *from, const char *session) {
  struct bt_grant *grant = bt_import_is_object(from) ? BT_ARENA_NEW(import->arena, struct bt_grant) : NULL;
  import->failed = import->failed || (bt_import_is_object(from) && !grant);
  if (!grant)
    return NULL;
  grant->session_id = session;
  grant->path = "?";
  grant->state =
      (enum bt_grant_state)bt_import_word(from, "state", grant_at, BT_GRANT_UNREADABLE + 1, BT_GRANT_UNREADABLE);
  grant->signature =
      (enum bt_signature)bt_import_word(from, "signature", signature_at, BT_SIG_UNVERIFIABLE + 1, BT_SIG_UNVERIFIABLE);
  grant->error = bt_import_text(import, from, "error");
  grant->unbound_reason = bt_import_text(import, from, "unbound_reason");
  grant->written_at_ms = bt_import_time(from, "written_at");
  grant->expires_at_ms = bt_import_time(from, "expires_at");
  return grant;
}
