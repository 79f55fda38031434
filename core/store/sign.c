/* core/store/sign.c - HMAC over a payload. */
#include "core/store/sign.h"

#include <string.h>

#include "core/base/json.h"

void bt_sign_payload(struct bt_str *out, const struct bt_json *doc, int schema, const char *const *keys) {
  struct bt_json *payload = bt_json_new_object();
  bool whole = payload != NULL && bt_json_set_number(payload, "schema", schema) == BT_OK;
  for (; *keys != NULL && whole; keys++) {
    const struct bt_json *value = bt_json_get(doc, *keys);
    if (value != NULL)
      whole = bt_json_set(payload, *keys, bt_json_clone(value)) == BT_OK;
  }
  if (whole)
    bt_json_print_canonical(out, payload);
  else
    out->failed = true;
  bt_json_free(payload);
}

static bool usable(struct bt_key key, const struct bt_str *payload) {
  return key.bytes != NULL && key.length > 0 && !payload->failed && bt_digest_load(NULL) == BT_OK;
}

bool bt_sign_hex(struct bt_key key, const struct bt_str *payload, char sig[BT_SHA256_HEX]) {
  sig[0] = '\0';
  if (!usable(key, payload))
    return false;
  bt_hmac_sha256_hex(key.bytes, key.length, payload->data, payload->length, sig);
  return sig[0] != '\0';
}

bool bt_sign_matches(struct bt_key key, const struct bt_str *payload, const char *sig) {
  char expected[BT_SHA256_HEX];
  if (sig == NULL || sig[0] == '\0' || !bt_sign_hex(key, payload, expected))
    return false;
  return bt_bytes_equal_secret(sig, strlen(sig), expected, strlen(expected));
}

bool bt_sign_document(struct bt_json *doc, void (*payload)(struct bt_str *, const struct bt_json *),
                      struct bt_key key) {
  char sig[BT_SHA256_HEX];
  struct bt_str message;
  bt_str_init(&message, BT_PAYLOAD_MAX_BYTES);
  payload(&message, doc);
  bool made = bt_sign_hex(key, &message, sig) && bt_json_set_string(doc, "sig", sig) == BT_OK;
  bt_str_dispose(&message);
  return made;
}

bool bt_sign_holds(const struct bt_json *doc, void (*payload)(struct bt_str *, const struct bt_json *),
                   struct bt_key key, bool *failed) {
  struct bt_str message;
  bt_str_init(&message, BT_PAYLOAD_MAX_BYTES);
  payload(&message, doc);
  bool holds = bt_sign_matches(key, &message, bt_json_get_string(doc, "sig"));
  if (failed != NULL)
    *failed = message.failed;
  bt_str_dispose(&message);
  return holds;
}

enum bt_signature bt_signature_of(struct bt_key key, bool verified) {
  if (key.bytes == NULL || key.length == 0)
    return BT_SIG_UNVERIFIABLE;
  return verified ? BT_SIG_VERIFIED : BT_SIG_INVALID;
}
