/* core/base/digest.c - SHA-256, HMAC-SHA256, random bytes; the only user of OpenSSL.
 *
 * The SHA256_* calls are used although OpenSSL 3 prefers EVP: the first EVP digest of a process reads
 * the configuration and loads a provider, which takes 1-2 ms and would be half of what `list` may take.
 * The bytes are the same. HMAC is then two hashes (RFC 2104). */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/base/digest.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bt_sha256 {
  SHA256_CTX state;
};

static void put_hex(const unsigned char *bytes, size_t length, char *hex) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < length; i++) {
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15];
  }
  hex[2 * length] = '\0';
}

struct bt_sha256 *bt_sha256_new(void) {
  struct bt_sha256 *hash = malloc(sizeof *hash);
  if (hash != NULL) {
    (void)SHA256_Init(&hash->state); /* these three cannot fail: they only compute */
  }
  return hash;
}

void bt_sha256_update(struct bt_sha256 *hash, const void *bytes, size_t length) {
  (void)SHA256_Update(&hash->state, bytes, length);
}

void bt_sha256_finish_hex(struct bt_sha256 *hash, char hex[BT_SHA256_HEX]) {
  unsigned char digest[BT_SHA256_BYTES];
  (void)SHA256_Final(digest, &hash->state);
  (void)SHA256_Init(&hash->state);
  put_hex(digest, sizeof digest, hex);
}

void bt_sha256_peek_hex(const struct bt_sha256 *hash, char hex[BT_SHA256_HEX]) {
  struct bt_sha256 copy = *hash;
  bt_sha256_finish_hex(&copy, hex);
}

void bt_sha256_free(struct bt_sha256 *hash) {
  if (hash != NULL) {
    OPENSSL_cleanse(hash, sizeof *hash);
    free(hash);
  }
}

void bt_sha256_hex(const void *bytes, size_t length, char hex[BT_SHA256_HEX]) {
  struct bt_sha256 hash;
  (void)SHA256_Init(&hash.state);
  bt_sha256_update(&hash, bytes, length);
  bt_sha256_finish_hex(&hash, hex);
}

/* One of the two hashes of an HMAC: the padded key, then the bytes. */
static void keyed_hash(const unsigned char key[SHA256_CBLOCK], unsigned char pad, const void *bytes, size_t length,
                       unsigned char digest[BT_SHA256_BYTES]) {
  SHA256_CTX state;
  unsigned char block[SHA256_CBLOCK];
  for (size_t i = 0; i < sizeof block; i++) {
    block[i] = key[i] ^ pad;
  }
  (void)SHA256_Init(&state);
  (void)SHA256_Update(&state, block, sizeof block);
  (void)SHA256_Update(&state, bytes, length);
  (void)SHA256_Final(digest, &state);
  OPENSSL_cleanse(&state, sizeof state);
  OPENSSL_cleanse(block, sizeof block);
}

void bt_hmac_sha256_hex(const void *key, size_t key_length, const void *bytes, size_t length, char hex[BT_SHA256_HEX]) {
  unsigned char block[SHA256_CBLOCK] = {0};
  unsigned char digest[BT_SHA256_BYTES];
  if (key_length > sizeof block) {
    SHA256_CTX state;
    (void)SHA256_Init(&state);
    (void)SHA256_Update(&state, key, key_length);
    (void)SHA256_Final(block, &state);
    OPENSSL_cleanse(&state, sizeof state);
  } else if (key_length > 0) {
    memcpy(block, key, key_length);
  }
  keyed_hash(block, 0x36, bytes, length, digest);
  keyed_hash(block, 0x5c, digest, sizeof digest, digest);
  put_hex(digest, sizeof digest, hex);
  OPENSSL_cleanse(block, sizeof block);
}

bool bt_bytes_equal_secret(const void *a, size_t a_length, const void *b, size_t b_length) {
  return a_length == b_length && (a_length == 0 || CRYPTO_memcmp(a, b, a_length) == 0);
}

enum bt_code bt_random_bytes(void *out, size_t length, struct bt_error *err) {
  if (length > INT_MAX || RAND_bytes(out, (int)length) != 1) {
    return bt_error_set(err, BT_IO, "random bytes", "the system's random source gave none");
  }
  return BT_OK;
}

enum bt_code bt_random_hex(char *out, size_t bytes, struct bt_error *err) {
  unsigned char raw[32];
  out[0] = '\0';
  for (size_t done = 0; done < bytes;) {
    size_t part = bytes - done < sizeof raw ? bytes - done : sizeof raw;
    enum bt_code code = bt_random_bytes(raw, part, err);
    if (code != BT_OK) {
      return code;
    }
    put_hex(raw, part, out + 2 * done);
    done += part;
  }
  return BT_OK;
}

enum bt_code bt_random_uuid(char out[37], struct bt_error *err) {
  unsigned char raw[16];
  enum bt_code code = bt_random_bytes(raw, sizeof raw, err);
  if (code != BT_OK) {
    out[0] = '\0';
    return code;
  }
  raw[6] = (unsigned char)((raw[6] & 0x0f) | 0x40); /* version 4 */
  raw[8] = (unsigned char)((raw[8] & 0x3f) | 0x80); /* RFC 4122 variant */
  static const unsigned char groups[] = {4, 2, 2, 2, 6};
  size_t from = 0;
  for (size_t i = 0; i < sizeof groups; i++) {
    put_hex(raw + from, groups[i], out);
    out += 2 * groups[i];
    from += groups[i];
    *out++ = i + 1 < sizeof groups ? '-' : '\0';
  }
  return BT_OK;
}

void bt_wipe(void *bytes, size_t length) {
  if (bytes != NULL) {
    OPENSSL_cleanse(bytes, length);
  }
}

void bt_digest_library(char *out, size_t size) {
  snprintf(out, size, "%s", OpenSSL_version(OPENSSL_VERSION));
}
