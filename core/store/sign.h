/* core/store/sign.h - HMAC signatures over canonical payloads.
 *
 * A missing, empty or non-string signature is invalid and an absent or empty key never verifies.
 * Rules: spec/context-handoff.md 4.5. */
#ifndef BATON_CORE_STORE_SIGN_H
#define BATON_CORE_STORE_SIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/digest.h"
#include "core/base/str.h"
#include "core/model/record.h"

struct bt_key { /* borrowed; bytes NULL or length 0: no key */
  const char *bytes;
  size_t length;
};

/* False when `payload` had failed or there is no key. */
bool bt_sign_hex(struct bt_key key, const struct bt_str *payload, char sig[BT_SHA256_HEX]);

/* Constant time. `sig` NULL: invalid. */
bool bt_sign_matches(struct bt_key key, const struct bt_str *payload, const char *sig);

enum bt_signature bt_signature_of(struct bt_key key, bool verified);

#endif
