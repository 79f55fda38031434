/* core/store/deny.c - one deny marker, and what it means to the gate and to the screen. */
#include "core/store/deny.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/idlist.h"
#include "core/model/thresholds.h"
#include "core/store/doc.h"
#include "core/store/path.h"
#include "core/store/presence.h"

static enum bt_code no_memory(const char *id, struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, id, "out of memory");
}

/* The last three checks of 5.1: what a parsed document is worth. */
static const char *verdict_of(const struct bt_json *document, const char *id) {
  enum bt_json_type type = bt_json_type(document);
  if (type != BT_JSON_OBJECT && type != BT_JSON_ARRAY)
    return "invalid_shape";
  const char *session = bt_json_get_string(document, "session_id");
  if (session == NULL || strcmp(session, id) != 0)
    return "session_id_mismatch"; /* where an array lands too */
  const char *status = bt_json_get_string(document, "status");
  if (status == NULL || (strcmp(status, "open") != 0 && strcmp(status, "consumed") != 0))
    return "invalid_status";
  return "ok";
}

enum bt_code bt_marker_parse(const char *bytes, size_t length, const char *id, struct bt_marker *out,
                             struct bt_error *err) {
  struct bt_error problem = {0};
  *out = (struct bt_marker){.reason = "corrupt_json"};
  struct bt_json *document = bt_json_parse(bytes, length, &problem);
  if (document == NULL)
    return problem.code == BT_NOMEM ? no_memory(id, err) : BT_OK;
  out->reason = verdict_of(document, id);
  out->ok = strcmp(out->reason, "ok") == 0;
  if (out->ok)
    out->record = document;
  else
    bt_json_free(document);
  return BT_OK;
}

enum bt_code bt_marker_read(int ledger, const char *id, struct bt_marker *out, struct bt_error *err) {
  *out = (struct bt_marker){.reason = "missing_marker"};
  if (!bt_id_is_safe(id))
    return bt_error_set(err, BT_UNSAFE, id, "unsafe sessionId: path traversal");
  struct bt_str path, bytes;
  bt_str_init(&path, bt_ledger_path_room(id));
  bt_str_init(&bytes, BT_DOC_MAX);
  bool named = bt_ledger_path(&path, BT_FILE_DENY, id);
  enum bt_code code = path.failed ? no_memory(id, err) : BT_OK;
  if (ledger >= 0 && named) {
    struct bt_error problem = {0};
    code = bt_fs_read_at(ledger, path.data, &bytes, &problem);
    if (code == BT_OK) {
      code = bt_marker_parse(bytes.data, bytes.length, id, out, err);
    } else if (code == BT_NOMEM) {
      code = no_memory(id, err);
    } else {
      if (bt_presence_of(ledger, path.data) != BT_ABSENT)
        out->reason = "unreadable_marker";
      code = BT_OK;
    }
  } else if (path.failed) {
    code = no_memory(id, err); /* which is no absence */
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&path);
  return code;
}

void bt_marker_dispose(struct bt_marker *marker) {
  bt_json_free(marker->record);
  *marker = (struct bt_marker){.reason = "missing_marker"};
}

enum bt_code bt_deny_gate_input(const struct bt_deny_set *set, struct bt_arena *arena, struct bt_gate_input *input,
                                struct bt_error *err) {
  size_t room = bt_json_count(set->records) + bt_json_count(set->invalid);
  const struct bt_json **list = BT_ARENA_ARRAY(arena, const struct bt_json *, room + 1);
  struct bt_idlist registered = {0};
  size_t count = 0;
  bool own_record = false;
  if (list == NULL)
    return no_memory(BT_PATH_DENIES, err);
  for (const struct bt_json *one = bt_json_first(set->records); one != NULL; one = bt_json_next(one))
    list[count++] = one;
  for (const struct bt_json *one = bt_json_first(set->invalid); one != NULL; one = bt_json_next(one)) {
    if (!bt_text_equals(bt_json_get_string(one, "session_id"), BT_DENY_STORE_ID))
      list[count++] = one;
  }
  for (size_t i = 0; i < count && input->current_session_id != NULL; i++)
    own_record = own_record || bt_text_equals(bt_json_get_string(list[i], "session_id"), input->current_session_id);
  enum bt_code code = bt_idlist_add_ids(&registered, set->registered, err);
  if (code == BT_OK) {
    input->records = list;
    input->record_count = count;
    input->records_are_list = true;
    input->store_unavailable = !set->ok || set->unavailable;
    input->process_sticky |= !own_record && bt_idlist_has(&registered, input->current_session_id);
  }
  bt_idlist_dispose(&registered);
  return code;
}

/* Copies a text member; a member of another type stays NULL. False when memory is short. */
static bool copy_member(struct bt_arena *arena, const struct bt_json *record, const char *key, const char **out) {
  const char *text = bt_json_get_string(record, key);
  *out = bt_arena_strdup(arena, text);
  return *out != NULL || text == NULL;
}

static int64_t time_of(const char *text) {
  int64_t ms = BT_TIME_UNKNOWN;
  return text != NULL && bt_time_parse(text, strlen(text), &ms) ? ms : BT_TIME_UNKNOWN;
}

enum bt_code bt_deny_plain(struct bt_arena *arena, const char *id, const char *reason, const struct bt_json *record,
                           bool registered, struct bt_deny *out, struct bt_error *err) {
  *out = (struct bt_deny){.status = BT_DENY_INVALID, .registered = registered};
  out->session_id = bt_arena_strdup(arena, id);
  out->reason = bt_arena_strdup(arena, record != NULL ? "ok" : reason);
  out->path = bt_arena_printf(arena, "%s/%s.json", BT_PATH_DENIES, id);
  bool whole = out->session_id != NULL && out->reason != NULL && out->path != NULL &&
               copy_member(arena, record, "ticket_id", &out->ticket_id) &&
               copy_member(arena, record, "content_hash", &out->content_hash) &&
               copy_member(arena, record, "content_kind", &out->content_kind) &&
               copy_member(arena, record, "host", &out->host) && copy_member(arena, record, "since", &out->since) &&
               copy_member(arena, record, "consumed_by", &out->consumed_by) &&
               copy_member(arena, record, "consumed_at", &out->consumed_at);
  if (!whole)
    return no_memory(id, err);
  if (record != NULL)
    out->status = bt_text_equals(bt_json_get_string(record, "status"), "open") ? BT_DENY_OPEN : BT_DENY_CONSUMED;
  out->since_ms = time_of(out->since);
  out->consumed_at_ms = time_of(out->consumed_at);
  out->ticket_bound = bt_bind_is_bound(out->ticket_id);
  out->hash_bound = bt_bind_is_bound(out->content_hash);
  out->class_ = bt_deny_classify(out, true, BT_TIME_UNKNOWN);
  return BT_OK;
}

/* null, or a text that its own normal form (2.3) leaves alone; a member that is absent is neither (5.8). */
static bool is_plain_bind(const struct bt_json *record, const char *key) {
  const struct bt_json *value = bt_json_get(record, key);
  const char *text = bt_json_string(value);
  if (!text)
    return value && bt_json_type(value) == BT_JSON_NULL;
  size_t length = strlen(text);
  return length > 0 && bt_trim_w(text, length).length == length;
}

bool bt_deny_binds_plain(const struct bt_json *record) {
  return is_plain_bind(record, "ticket_id") && is_plain_bind(record, "content_hash");
}

enum bt_deny_class bt_deny_classify(const struct bt_deny *deny, bool has_capture, int64_t now_ms) {
  if (deny->status == BT_DENY_INVALID)
    return BT_DENY_CLASS_INVALID;
  if (deny->status == BT_DENY_CONSUMED)
    return BT_DENY_CLASS_CONSUMED;
  if (deny->ticket_bound && deny->hash_bound)
    return bt_text_equals(deny->content_kind, "capture") ? BT_DENY_CLASS_CAPTURED : BT_DENY_CLASS_BOUND;
  bool old = deny->since_ms != BT_TIME_UNKNOWN && now_ms != BT_TIME_UNKNOWN && deny->since_ms <= now_ms &&
             (uint64_t)now_ms - (uint64_t)deny->since_ms > BT_ORPHAN_AGE_MS;
  return old && !has_capture ? BT_DENY_CLASS_ORPHAN : BT_DENY_CLASS_UNBOUND;
}
