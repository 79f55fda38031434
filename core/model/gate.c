/* core/model/gate.c - the mutation gate's rules. */
#include "core/model/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/model/id.h"

#define REASON_MAX_BYTES (1u << 20) /* ids have no length limit of their own; a record's file has */

void bt_reasons_add(struct bt_reasons *reasons, size_t record, const char *fmt, ...) {
  if (reasons->count == reasons->capacity) {
    size_t capacity = reasons->capacity == 0 ? 8 : reasons->capacity * 2;
    struct bt_gate_reason *grown = BT_ARENA_ARRAY(reasons->arena, struct bt_gate_reason, capacity);
    if (grown == NULL) {
      reasons->failed = true;
      return;
    }
    if (reasons->count > 0)
      memcpy(grown, reasons->items, reasons->count * sizeof *grown);
    reasons->items = grown;
    reasons->capacity = capacity;
  }
  va_list args;
  va_start(args, fmt);
  va_list measure;
  va_copy(measure, args);
  int length = vsnprintf(NULL, 0, fmt, measure);
  va_end(measure);
  char *code = NULL;
  if (length >= 0 && (unsigned)length <= REASON_MAX_BYTES)
    code = bt_arena_alloc(reasons->arena, (size_t)length + 1);
  if (code != NULL)
    (void)vsnprintf(code, (size_t)length + 1, fmt, args);
  va_end(args);
  if (code == NULL) {
    reasons->failed = true;
    return;
  }
  reasons->items[reasons->count++] = (struct bt_gate_reason){.code = code, .record = record};
}

void bt_reasons_unique(struct bt_reasons *reasons) {
  size_t kept = 0;
  for (size_t i = 0; i < reasons->count; i++) {
    bool seen = false;
    for (size_t j = 0; j < kept && !seen; j++)
      seen = strcmp(reasons->items[j].code, reasons->items[i].code) == 0;
    if (!seen)
      reasons->items[kept++] = reasons->items[i];
  }
  reasons->count = kept;
}

struct bt_bypass_verdict bt_bypass_normalise(struct bt_bypass grant, const char *current_session_id) {
  const struct bt_bypass_verdict inactive = {0};
  if (grant.kind == BT_BYPASS_NONE)
    return inactive;
  if (grant.kind == BT_BYPASS_TRUE)
    return (struct bt_bypass_verdict){.active = true, .session_id = current_session_id};
  bool has_reason = bt_bind_is_bound(grant.unbound_reason);
  if (!has_reason && !bt_bind_is_bound(grant.session_id))
    return inactive;
  const char *session = grant.session_id != NULL ? grant.session_id : current_session_id;
  if (!bt_bind_is_bound(session))
    return inactive;
  return (struct bt_bypass_verdict){.active = true, .allow_unbound = has_reason, .session_id = session};
}

bool bt_record_is_bound(const struct bt_json *record) {
  return bt_bind_is_bound(bt_json_get_string(record, "ticket_id")) &&
         bt_bind_is_bound(bt_json_get_string(record, "content_hash"));
}

bool bt_gate_authorized(const struct bt_json *record, const char *current_session_id, const struct bt_gate_auth *auth,
                        struct bt_bypass_verdict grant, bool manifest_verify_failed) {
  if (bt_json_is_nullish(record) || manifest_verify_failed)
    return false;
  const char *session = bt_json_get_string(record, "session_id");
  bool bound = bt_record_is_bound(record);
  if (grant.active) { /* an active grant never falls through to the authorization */
    if (!bt_bind_is_bound(current_session_id) || !bt_text_equals(grant.session_id, current_session_id))
      return false;
    return bound || grant.allow_unbound || bt_text_equals(session, current_session_id);
  }
  if (!bound || auth == NULL || !auth->verified)
    return false;
  return bt_text_equals(auth->ticket_id, bt_json_get_string(record, "ticket_id")) &&
         bt_text_equals(auth->content_hash, bt_json_get_string(record, "content_hash")) &&
         bt_bind_is_bound(auth->deny_session_id) && bt_text_equals(auth->deny_session_id, session);
}

static bool status_is(const struct bt_json *record, const char *word) {
  const char *status = bt_json_get_string(record, "status");
  return status != NULL && strcmp(status, word) == 0;
}

static bool shape_is_valid(const struct bt_json *record) {
  return bt_id_is_safe(bt_json_get_string(record, "session_id")) &&
         (status_is(record, "open") || status_is(record, "consumed"));
}

static bool has_record_of(const struct bt_gate_input *input) {
  for (size_t i = 0; i < input->record_count; i++) {
    const char *session = bt_json_get_string(input->records[i], "session_id");
    if (session != NULL && strcmp(session, input->current_session_id) == 0)
      return true;
  }
  return false;
}

/* Rule 7, one record. */
static void judge_record(const struct bt_gate_input *input, size_t index, struct bt_bypass_verdict grant,
                         struct bt_reasons *out) {
  const struct bt_json *record = input->records[index];
  if (bt_json_is_nullish(record)) {
    bt_reasons_add(out, index, "D3:invalid_record:?");
    return;
  }
  const char *session = bt_json_get_string(record, "session_id");
  if (!shape_is_valid(record)) {
    if (!(grant.active && grant.allow_unbound))
      bt_reasons_add(out, index, "D3:invalid_record:%s", session != NULL && session[0] != '\0' ? session : "?");
    return;
  }
  const struct bt_gate_auth *auth = input->manifest_verify_failed ? NULL : input->auth;
  if (status_is(record, "open") &&
      !bt_gate_authorized(record, input->current_session_id, auth, grant, input->manifest_verify_failed))
    bt_reasons_add(out, index, "D3:unauthorized_open:%s", session);
}

bool bt_gate_evaluate(const struct bt_gate_input *input, struct bt_reasons *out) {
  size_t before = out->count;
  if (input->process_sticky)
    bt_reasons_add(out, BT_NO_RECORD, "D1:process_sticky");
  if (!bt_id_is_safe(input->current_session_id)) {
    bt_reasons_add(out, BT_NO_RECORD, "D0:invalid_session_id");
    if (input->store_unavailable)
      bt_reasons_add(out, BT_NO_RECORD, "D0:deny_store_unavailable");
    return true;
  }
  if (!input->records_are_list) {
    bt_reasons_add(out, BT_NO_RECORD, "D0:invalid_deny_records");
    return true;
  }
  struct bt_bypass_verdict grant = {0};
  if (!input->manifest_verify_failed)
    grant = bt_bypass_normalise(input->bypass, input->current_session_id);
  if (grant.active && !bt_text_equals(grant.session_id, input->current_session_id))
    grant = (struct bt_bypass_verdict){0};
  if (input->store_unavailable && !(grant.active && grant.allow_unbound))
    bt_reasons_add(out, BT_NO_RECORD, "D0:deny_store_unavailable");
  if (!grant.active && has_record_of(input))
    bt_reasons_add(out, BT_NO_RECORD, "D2:denier_session");
  for (size_t i = 0; i < input->record_count; i++)
    judge_record(input, i, grant, out);
  return out->count > before || out->failed;
}
