/* core/base/digest.h - SHA-256, HMAC-SHA256, random bytes; the only user of OpenSSL.
 *
 * Rules: spec/context-handoff.md 4.4, 4.5. Hex is lower case and NUL-terminated. */
#ifndef BATON_CORE_BASE_DIGEST_H
#define BATON_CORE_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

#define BT_SHA256_BYTES 32
#define BT_SHA256_HEX 65 /* with the final NUL */

/* Loads the library behind this file, once; BT_IO where it cannot be. What hashes or compares secrets calls for it by
 * itself, and does not return without it: whoever can refuse in words asks first. */
enum bt_code bt_digest_load(struct bt_error *err) BT_NODISCARD;

struct bt_sha256; /* a running hash */

struct bt_sha256 *bt_sha256_new(void) BT_NODISCARD; /* NULL: out of memory */
void bt_sha256_update(struct bt_sha256 *hash, const void *bytes, size_t length);
void bt_sha256_finish_hex(struct bt_sha256 *hash, char hex[BT_SHA256_HEX]); /* the hash starts anew */
void bt_sha256_free(struct bt_sha256 *hash);
/* What finishing here would give; the hash goes on. */
void bt_sha256_peek_hex(const struct bt_sha256 *hash, char hex[BT_SHA256_HEX]);

void bt_sha256_hex(const void *bytes, size_t length, char hex[BT_SHA256_HEX]);
void bt_hmac_sha256_hex(const void *key, size_t key_length, const void *bytes, size_t length, char hex[BT_SHA256_HEX]);

/* Constant time for equal lengths; different lengths are unequal. */
bool bt_bytes_equal_secret(const void *a, size_t a_length, const void *b, size_t b_length);

enum bt_code bt_random_bytes(void *out, size_t length, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_random_hex(char *out, size_t bytes, struct bt_error *err) BT_NODISCARD; /* 2*bytes+1 chars */
enum bt_code bt_random_uuid(char out[37], struct bt_error *err) BT_NODISCARD;           /* v4, lower case */

void bt_wipe(void *bytes, size_t length); /* OPENSSL_cleanse; never refuses */

/* Name and version of the library behind this file. */
void bt_digest_library(char *out, size_t size);

#endif
