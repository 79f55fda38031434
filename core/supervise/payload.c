/* core/supervise/payload.c - seven checks in a row. */
#include "core/supervise/payload.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"

static enum bt_code wrong(struct bt_error *err, const char *member, const char *what) {
  return bt_error_set(err, BT_INPUT, "continue", "the continue step answered with %s that %s", member, what);
}

static bool is_sha256(const char *text) {
  return text != NULL && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static enum bt_code check(const struct bt_sup_payload *payload, struct bt_error *err) {
  bool dry = true;
  if (bt_json_type(payload->json) != BT_JSON_OBJECT)
    return wrong(err, "a document", "is no object");
  if (!bt_json_get_bool(payload->json, "dryRun", &dry) || dry)
    return wrong(err, "dryRun", "is not false");
  if (!bt_id_is_prompt_safe(payload->successor_session_id))
    return wrong(err, "a successor_session_id", "is not fit for a prompt");
  if (!bt_id_is_prompt_safe(payload->ticket_id))
    return wrong(err, "a ticket_id", "is not fit for a prompt");
  if (!is_sha256(payload->content_hash))
    return wrong(err, "a content_hash", "is no sha256");
  if (payload->content_path == NULL || payload->content_path[0] == '\0')
    return wrong(err, "a content_path", "is empty");
  if (payload->bootstrap_prompt == NULL || bt_is_blank_w(payload->bootstrap_prompt, strlen(payload->bootstrap_prompt)))
    return wrong(err, "a bootstrap_prompt", "is blank");
  return BT_OK;
}

enum bt_code bt_sup_payload_read(const char *bytes, size_t length, struct bt_sup_payload *out, struct bt_error *err) {
  struct bt_error broken = {0};
  *out = (struct bt_sup_payload){.json = bt_json_parse(bytes, length, &broken)};
  if (out->json == NULL)
    return bt_error_set(err, broken.code, "continue", "the answer of the continue step cannot be read: %s",
                        broken.message);
  out->successor_session_id = bt_json_get_string(out->json, "successor_session_id");
  out->ticket_id = bt_json_get_string(out->json, "ticket_id");
  out->content_hash = bt_json_get_string(out->json, "content_hash");
  out->content_path = bt_json_get_string(out->json, "content_path");
  out->bootstrap_prompt = bt_json_get_string(out->json, "bootstrap_prompt");
  return check(out, err);
}

void bt_sup_payload_dispose(struct bt_sup_payload *payload) {
  bt_json_free(payload->json);
  *payload = (struct bt_sup_payload){0};
}
