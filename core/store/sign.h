/* core/store/sign.h - HMAC signatures over canonical payloads.
 *
 * Owns: the HMAC itself and the message of a manifest entry (4.5.3, 4.5.4); the messages of resume-auths and grants
 * are made where those documents are read (core/store/auth.h, grant.h).
 * A missing, empty or non-string signature is invalid and an absent or empty key never verifies.
 * Rules: spec/context-handoff.md 4.5. */
#ifndef BATON_CORE_STORE_SIGN_H
#define BATON_CORE_STORE_SIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/digest.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/record.h"

struct bt_json;

/* Escapes and replaced bytes may make a payload longer than the file it comes from. */
#define BT_PAYLOAD_MAX_BYTES ((size_t)4 * 1024 * 1024)

/* Appends the canonical JSON of {schema, and each of `keys` (ended by NULL) that `doc` has}. out->failed where memory
 * is short. */
void bt_sign_payload(struct bt_str *out, const struct bt_json *doc, int schema, const char *const *keys);

struct bt_key { /* borrowed; bytes NULL or length 0: no key */
  const char *bytes;
  size_t length;
};

static inline struct bt_key bt_env_key(const struct bt_env *env) {
  return (struct bt_key){.bytes = env->key, .length = env->key_length};
}

/* False when `payload` had failed or there is no key. */
bool bt_sign_hex(struct bt_key key, const struct bt_str *payload, char sig[BT_SHA256_HEX]);

/* Constant time. `sig` NULL: invalid. */
bool bt_sign_matches(struct bt_key key, const struct bt_str *payload, const char *sig);

/* `payload` appends the message of the document (bt_auth_payload, bt_grant_payload). Sets `sig` over it. False where
 * there is no key, or memory is short. */
bool bt_sign_document(struct bt_json *doc, void (*payload)(struct bt_str *, const struct bt_json *),
                      struct bt_key key) BT_NODISCARD;

/* Whether the document's own `sig` holds. False too when memory was short (then *failed, which may be NULL): that is no
 * verdict on the signature. */
bool bt_sign_holds(const struct bt_json *doc, void (*payload)(struct bt_str *, const struct bt_json *),
                   struct bt_key key, bool *failed);

enum bt_signature bt_signature_of(struct bt_key key, bool verified);

/* Appends the signed text of a manifest entry (an object): v2 when its `sigVersion` is the number 2, else v1.
 * Short memory or the ceiling of `out` leaves out->failed. */
void bt_entry_payload(struct bt_str *out, const struct bt_json *entry);

/* Whether the entry's own `sig` holds. False too when memory was short (then *failed, which may be NULL). */
bool bt_entry_verify(const struct bt_json *entry, struct bt_key key, bool *failed);

#define BT_ENTRY_PAYLOAD_MAX ((size_t)64 * 1024 * 1024)

#endif
