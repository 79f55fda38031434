/* tests/fuzz/fuzz_auth.c - any bytes as a resume authorization: only its own signature verifies. */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/store/auth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const struct bt_key key = {.bytes = "a key that no corpus knows", .length = 26};
  struct bt_json *json = bt_json_parse((const char *)data, size, NULL);
  if (json == NULL)
    return 0;
  if (bt_auth_verify(json, key))
    abort();
  struct bt_str payload;
  char sig[BT_SHA256_HEX];
  bt_str_init(&payload, BT_PAYLOAD_MAX_BYTES);
  bt_auth_payload(&payload, json);
  if (!payload.failed && bt_json_type(json) == BT_JSON_OBJECT) {
    if (!bt_sign_hex(key, &payload, sig) || bt_json_set_string(json, "sig", sig) != BT_OK || !bt_auth_verify(json, key))
      abort();
  }
  bt_str_dispose(&payload);
  bt_json_free(json);
  return 0;
}
