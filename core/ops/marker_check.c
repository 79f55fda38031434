/* core/ops/marker_check.c - questions about a marker that writing depends on: re-entry, unchanged, consumable. */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/ops/marker.h"
#include "core/store/sentinel.h"

static bool is_open(const struct bt_json *record) {
  const char *status = bt_json_get_string(record, "status");
  return status != NULL && strcmp(status, "open") == 0;
}

/* 5.7 for a session whose band is cool and whose marker is missing. */
static enum bt_code judge_missing(int ledger, const char *id, bool deny_ever_written, struct bt_reentry *out,
                                  struct bt_error *err) {
  struct bt_sentinel sentinel;
  enum bt_code code = bt_sentinel_read(ledger, &sentinel, err);
  bool vanished = deny_ever_written || bt_sentinel_has(&sentinel, id);
  bt_sentinel_dispose(&sentinel);
  *out = vanished ? (struct bt_reentry){.deny = true, .process_sticky = true, .reason = "marker_vanished"}
                  : (struct bt_reentry){.reason = "no_handoff_no_marker"};
  return code;
}

enum bt_code bt_marker_reentry(int ledger, const char *id, enum bt_handoff_signal handoff, bool deny_ever_written,
                               struct bt_reentry *out, struct bt_error *err) {
  struct bt_marker marker;
  *out = (struct bt_reentry){
      .deny = true, .process_sticky = true, .retry_write = true, .reason = "invalid_handoff_signal"};
  enum bt_code code = bt_marker_read(ledger, id, &marker, err);
  if (code == BT_OK && handoff != BT_HANDOFF_NOT_BOOLEAN) {
    out->retry_write = handoff == BT_HANDOFF_YES && !marker.ok;
    out->process_sticky = !marker.ok;
    out->reason = marker.reason;
    if (marker.ok && handoff == BT_HANDOFF_YES)
      out->reason = "handoff_active";
    else if (marker.ok)
      out->reason = is_open(marker.record) ? "open_deny_persists" : "consumed_deny_persists";
    else if (handoff == BT_HANDOFF_NO && strcmp(marker.reason, "missing_marker") == 0)
      code = judge_missing(ledger, id, deny_ever_written, out, err);
  }
  bt_marker_dispose(&marker);
  return code;
}

/* Is the raw stored value what the expected one normalises to? An absent member equals nothing, not even null. */
static bool bind_matches(const struct bt_json *stored, const struct bt_json *expected) {
  struct bt_slice wanted = bt_bind_normalise(bt_json_string(expected));
  if (wanted.data == NULL)
    return bt_json_type(stored) == BT_JSON_NULL;
  return bt_json_string(stored) != NULL && bt_slice_equals(wanted, bt_json_string(stored));
}

enum bt_code bt_marker_unchanged(int ledger, const char *id, const struct bt_json *expected, struct bt_error *err) {
  static const char *const binds[] = {"ticket_id", "content_hash"};
  struct bt_marker marker;
  enum bt_code code = bt_marker_read(ledger, id, &marker, err);
  if (code != BT_OK) {
    bt_marker_dispose(&marker);
    return code;
  }
  if (!marker.ok)
    code = bt_error_set(err, BT_STALE, id, "the deny marker changed under this command: %s", marker.reason);
  else if (!bt_text_equals(bt_json_get_string(marker.record, "status"), bt_json_get_string(expected, "status")))
    code = bt_error_set(err, BT_STALE, id, "the deny marker changed under this command: its status is another");
  for (size_t i = 0; i < sizeof binds / sizeof *binds && code == BT_OK; i++) {
    if (!bind_matches(bt_json_get(marker.record, binds[i]), bt_json_get(expected, binds[i])))
      code =
          bt_error_set(err, BT_STALE, id,
                       "the deny marker changed under this command: its %s is another or not in normal form", binds[i]);
  }
  bt_marker_dispose(&marker);
  return code;
}

/* The checks of 5.9 in their order. */
static enum bt_code may_consume(const struct bt_json *record, const char *consumer_id, const struct bt_gate_auth *auth,
                                bool manifest_verify_failed, struct bt_error *err) {
  const char *session = bt_json_get_string(record, "session_id");
  if (bt_json_is_nullish(record))
    return bt_error_set(err, BT_STATE, "deny record", "no deny record to consume");
  if (!is_open(record))
    return bt_error_set(err, BT_STATE, session, "the deny is not open");
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_INPUT, session, "the deny record has no safe session id");
  if (!bt_id_is_safe(consumer_id))
    return bt_error_set(err, BT_INPUT, consumer_id, "the consumer has no safe session id");
  if (strcmp(consumer_id, session) == 0)
    return bt_error_set(err, BT_REFUSED, session, "a session cannot consume its own deny");
  if (!bt_record_is_bound(record))
    return bt_error_set(err, BT_STATE, session, "the deny is not bound to a ticket and a content hash");
  if (auth == NULL || !bt_text_equals(auth->deny_session_id, session))
    return bt_error_set(err, BT_STATE, session, "no resume authorization for this deny");
  if (!bt_gate_authorized(record, consumer_id, auth, (struct bt_bypass_verdict){0}, manifest_verify_failed))
    return bt_error_set(err, BT_STATE, session, "the resume authorization does not cover this deny");
  return BT_OK;
}

enum bt_code bt_marker_consume(const struct bt_json *record, const char *consumer_id, const struct bt_gate_auth *auth,
                               bool manifest_verify_failed, int64_t now_ms, struct bt_json **consumed,
                               struct bt_error *err) {
  *consumed = NULL;
  enum bt_code code = may_consume(record, consumer_id, auth, manifest_verify_failed, err);
  if (code != BT_OK)
    return code;
  char now[BT_ISO_MS];
  bt_time_iso(now, now_ms);
  struct bt_json *copy = bt_json_clone(record);
  if (copy != NULL && bt_json_set_string(copy, "status", "consumed") == BT_OK &&
      bt_json_set_string(copy, "consumed_by", consumer_id) == BT_OK &&
      bt_json_set_string(copy, "consumed_at", now) == BT_OK) {
    *consumed = copy;
    return BT_OK;
  }
  bt_json_free(copy);
  return bt_error_set(err, BT_NOMEM, consumer_id, "out of memory");
}
