/* core/store/auth.c - resume authorizations. */
#include "core/store/auth.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/doc.h"
#include "core/store/path.h"

static enum bt_code no_memory(const char *session, struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, session, "out of memory");
}

void bt_auth_dispose(struct bt_auth_doc *auth) {
  bt_json_free(auth->json);
  *auth = (struct bt_auth_doc){0};
}

/* Takes the document when it counts for `session`; else says why not. False: memory was short. */
static bool judge(struct bt_auth_doc *out, struct bt_json *json, const char *session, struct bt_key key) {
  bool failed = false;
  const char *ticket = bt_json_get_string(json, "ticket_id");
  const char *hash = bt_json_get_string(json, "content_hash");
  const char *denied = bt_json_get_string(json, "deny_session_id");
  const char *consumer = bt_json_get_string(json, "consumer_session_id");
  if (ticket == NULL || hash == NULL || denied == NULL || consumer == NULL) {
    out->error = "invalid_shape";
  } else if (strcmp(consumer, session) != 0) {
    out->error = "other_session";
  } else {
    out->present = true;
    out->consumer_session_id = consumer;
    out->gate = (struct bt_gate_auth){.ticket_id = ticket, .content_hash = hash, .deny_session_id = denied};
    out->gate.verified = bt_sign_holds(json, bt_auth_payload, key, &failed);
  }
  if (out->present)
    out->json = json;
  else
    bt_json_free(json);
  return !failed;
}

enum bt_code bt_auth_read(int ledger, const char *session, struct bt_key key, struct bt_auth_doc *out,
                          struct bt_error *err) {
  *out = (struct bt_auth_doc){0};
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "unsafe sessionId: path traversal");
  struct bt_str path;
  struct bt_doc doc = {0};
  bt_str_init(&path, bt_ledger_path_room(session));
  bool named = bt_ledger_path(&path, BT_FILE_AUTH, session);
  enum bt_code code = path.failed ? bt_error_set(err, BT_NOMEM, session, "out of memory") : BT_OK;
  if (named) {
    code = bt_doc_read(ledger, path.data, &doc, err);
    if (code == BT_OK && doc.json != NULL) {
      if (!judge(out, doc.json, session, key))
        code = no_memory(session, err);
      doc.json = NULL;
    } else if (code == BT_OK && strcmp(doc.error, "missing") != 0) {
      out->error = doc.error;
    }
    bt_doc_dispose(&doc);
  } else if (path.failed) {
    code = no_memory(session, err);
  }
  bt_str_dispose(&path);
  return code;
}

void bt_auth_payload(struct bt_str *out, const struct bt_json *doc) {
  static const char *const keys[] = {"consumer_session_id", "content_hash", "deny_session_id", "ticket_id", NULL};
  bt_sign_payload(out, doc, 1, keys);
}

bool bt_auth_verify(const struct bt_json *doc, struct bt_key key) {
  return bt_sign_holds(doc, bt_auth_payload, key, NULL);
}

struct bt_json *bt_auth_build(const char *ticket_id, const char *content_hash, const char *deny_session_id,
                              const char *consumer_session_id, int64_t written_at_ms, struct bt_key key,
                              struct bt_error *err) {
  if (key.bytes == NULL || key.length == 0) {
    (void)bt_error_set(err, BT_KEY, consumer_session_id, "no signing key");
    return NULL;
  }
  char written_at[BT_ISO_MS];
  bt_time_iso(written_at, written_at_ms);
  struct bt_json *doc = bt_json_new_object();
  bool whole = doc != NULL && bt_json_set_number(doc, "schema", 1) == BT_OK &&
               bt_json_set_string(doc, "ticket_id", ticket_id) == BT_OK &&
               bt_json_set_string(doc, "content_hash", content_hash) == BT_OK &&
               bt_json_set_string(doc, "deny_session_id", deny_session_id) == BT_OK &&
               bt_json_set_string(doc, "consumer_session_id", consumer_session_id) == BT_OK &&
               bt_json_set_string(doc, "written_at", written_at) == BT_OK;
  whole = whole && bt_sign_document(doc, bt_auth_payload, key);
  if (!whole) {
    (void)no_memory(consumer_session_id, err);
    bt_json_free(doc);
    return NULL;
  }
  return doc;
}

enum bt_code bt_auth_plain(struct bt_arena *arena, const struct bt_auth_doc *doc, struct bt_key key,
                           struct bt_auth *out, struct bt_error *err) {
  const char *written = bt_json_get_string(doc->json, "written_at");
  *out = (struct bt_auth){
      .path =
          bt_arena_printf(arena, "%s/%s%s", BT_PATH_HANDOFFS, doc->consumer_session_id, bt_ledger_suffix(BT_FILE_AUTH)),
      .consumer_session_id = bt_arena_strdup(arena, doc->consumer_session_id),
      .deny_session_id = bt_arena_strdup(arena, doc->gate.deny_session_id),
      .ticket_id = bt_arena_strdup(arena, doc->gate.ticket_id),
      .content_hash = bt_arena_strdup(arena, doc->gate.content_hash),
      .written_at = bt_arena_strdup(arena, written),
      .written_at_ms = BT_TIME_UNKNOWN,
      .signature = bt_signature_of(key, doc->gate.verified),
  };
  int64_t ms = 0;
  if (written != NULL && bt_time_parse(written, strlen(written), &ms))
    out->written_at_ms = ms;
  bool whole = out->path != NULL && out->consumer_session_id != NULL && out->deny_session_id != NULL &&
               out->ticket_id != NULL && out->content_hash != NULL && (out->written_at != NULL || written == NULL);
  return whole ? BT_OK : no_memory(doc->consumer_session_id, err);
}
