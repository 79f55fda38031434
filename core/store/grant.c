/* core/store/grant.c - bypass grants. */
#include "core/store/grant.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/path.h"

static enum bt_code no_memory(const char *session, struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, session, "out of memory");
}

void bt_grant_dispose(struct bt_grant_doc *grant) {
  bt_json_free(grant->json);
  *grant = (struct bt_grant_doc){0};
}

/* Steps 2 and 3 of 1.2.5: the code of what is wrong, NULL when the document is this session's grant. */
static const char *shape_fault(const struct bt_json *json, const char *session, int64_t *written_at_ms) {
  double schema = 0;
  const char *named = bt_json_get_string(json, "session_id");
  const struct bt_json *reason = bt_json_get(json, "unbound_reason");
  const char *written = bt_json_get_string(json, "written_at");
  if (bt_json_type(json) != BT_JSON_OBJECT || !bt_json_number(bt_json_get(json, "schema"), &schema) || schema != 2 ||
      named == NULL)
    return "invalid_shape";
  if (strcmp(named, session) != 0)
    return "other_session";
  if (!bt_json_is_nullish(reason) && bt_json_string(reason) == NULL)
    return "invalid_shape";
  if (written == NULL || !bt_time_parse(written, strlen(written), written_at_ms))
    return "invalid_shape";
  return NULL;
}

enum bt_code bt_grant_parse(const char *bytes, size_t length, const char *session, struct bt_key key, int64_t now_ms,
                            struct bt_grant_doc *out, struct bt_error *err) {
  struct bt_error problem = {0};
  *out = (struct bt_grant_doc){.error = "corrupt_json"};
  struct bt_json *json = bt_json_parse(bytes, length, &problem);
  if (json == NULL)
    return problem.code == BT_NOMEM ? no_memory(session, err) : BT_OK;
  out->error = shape_fault(json, session, &out->written_at_ms);
  if (out->error != NULL) {
    bt_json_free(json);
    return BT_OK;
  }
  out->json = json;
  out->session_id = bt_json_get_string(json, "session_id");
  out->unbound_reason = bt_json_get_string(json, "unbound_reason");
  out->written_at = bt_json_get_string(json, "written_at");
  bool failed = false;
  out->verified = bt_sign_holds(json, bt_grant_payload, key, &failed);
  if (failed)
    return no_memory(session, err);
  /* Dates stay far inside the range, so the difference cannot overflow. */
  out->present = now_ms - out->written_at_ms <= BT_BYPASS_GRANT_TTL_MS;
  if (!out->present)
    out->error = "expired";
  return BT_OK;
}

enum bt_code bt_grant_read(int ledger, const char *session, struct bt_key key, int64_t now_ms, struct bt_grant_doc *out,
                           struct bt_error *err) {
  *out = (struct bt_grant_doc){0};
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "unsafe sessionId: path traversal");
  struct bt_str path, bytes;
  bt_str_init(&path, bt_ledger_path_room(session));
  bt_str_init(&bytes, BT_MAX_BYPASS_GRANT_BYTES);
  bool named = bt_ledger_path(&path, BT_FILE_GRANT, session);
  enum bt_code code = path.failed ? no_memory(session, err) : BT_OK;
  if (ledger >= 0 && named) {
    struct bt_error problem = {0};
    code = bt_fs_read_at(ledger, path.data, &bytes, &problem);
    if (code == BT_OK) {
      code = bt_grant_parse(bytes.data, bytes.length, session, key, now_ms, out, err);
    } else if (code == BT_NOMEM) {
      code = no_memory(session, err);
    } else {
      if (code != BT_MISSING)
        out->error = code == BT_TOO_LARGE ? "oversize" : "unreadable";
      code = BT_OK;
    }
  } else if (path.failed) {
    code = no_memory(session, err); /* which is no absence */
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&path);
  return code;
}

void bt_grant_payload(struct bt_str *out, const struct bt_json *doc) {
  static const char *const keys[] = {"session_id", "unbound_reason", "written_at", NULL};
  bt_sign_payload(out, doc, 2, keys);
}

bool bt_grant_verify(const struct bt_json *doc, struct bt_key key) {
  return bt_sign_holds(doc, bt_grant_payload, key, NULL);
}

static bool is_too_large(const struct bt_json *doc) {
  struct bt_str text;
  bt_str_init(&text, BT_MAX_BYPASS_GRANT_BYTES);
  bt_json_print_pretty(&text, doc);
  bt_str_putc(&text, '\n');
  bool failed = text.failed;
  bt_str_dispose(&text);
  return failed;
}

struct bt_json *bt_grant_build(const char *session_id, const char *unbound_reason, int64_t written_at_ms,
                               struct bt_key key, struct bt_error *err) {
  if (key.bytes == NULL || key.length == 0) {
    (void)bt_error_set(err, BT_KEY, session_id, "no signing key");
    return NULL;
  }
  char written_at[BT_ISO_MS];
  bt_time_iso(written_at, written_at_ms);
  struct bt_json *doc = bt_json_new_object();
  bool whole =
      doc != NULL && bt_json_set_number(doc, "schema", 2) == BT_OK &&
      bt_json_set_string(doc, "session_id", session_id) == BT_OK &&
      bt_json_set_string(doc, "unbound_reason", bt_bind_is_bound(unbound_reason) ? unbound_reason : NULL) == BT_OK &&
      bt_json_set_string(doc, "written_at", written_at) == BT_OK;
  whole = whole && bt_sign_document(doc, bt_grant_payload, key);
  if (whole && !is_too_large(doc))
    return doc;
  (void)(whole ? bt_error_set(err, BT_TOO_LARGE, session_id, "the grant would be larger than %d bytes",
                              BT_MAX_BYPASS_GRANT_BYTES)
               : no_memory(session_id, err));
  bt_json_free(doc);
  return NULL;
}

enum bt_code bt_grant_plain(struct bt_arena *arena, const char *session, const struct bt_grant_doc *doc,
                            struct bt_key key, struct bt_grant *out, struct bt_error *err) {
  *out = (struct bt_grant){
      .path = bt_arena_printf(arena, "%s/%s%s", BT_PATH_HANDOFFS, session, bt_ledger_suffix(BT_FILE_GRANT)),
      .session_id = bt_arena_strdup(arena, session),
      .state = BT_GRANT_UNREADABLE,
      .error = bt_arena_strdup(arena, doc->error),
      .unbound_reason = bt_bind_is_bound(doc->unbound_reason) ? bt_arena_strdup(arena, doc->unbound_reason) : NULL,
      .written_at_ms = BT_TIME_UNKNOWN,
      .expires_at_ms = BT_TIME_UNKNOWN,
      .signature = bt_signature_of(key, doc->verified),
  };
  if (doc->json != NULL) {
    out->state = doc->present ? BT_GRANT_LIVE : BT_GRANT_EXPIRED;
    out->written_at_ms = doc->written_at_ms;
    out->expires_at_ms = doc->written_at_ms + BT_BYPASS_GRANT_TTL_MS;
  }
  bool whole = out->path != NULL && out->session_id != NULL && (out->error != NULL || doc->error == NULL) &&
               (out->unbound_reason != NULL || !bt_bind_is_bound(doc->unbound_reason));
  return whole ? BT_OK : no_memory(session, err);
}
