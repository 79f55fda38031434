/* core/base/digest.c - SHA-256, HMAC-SHA256, random bytes; the only user of OpenSSL.
 *
 * The SHA256_* calls are used although OpenSSL 3 prefers EVP: the first EVP digest of a process reads
 * the configuration and loads a provider, which takes 1-2 ms and would be half of what `list` may take.
 * The bytes are the same. HMAC is then two hashes (RFC 2104).
 *
 * Random bytes are the kernel's own: OpenSSL would take its seed from there and set up a generator, for a few nonces. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/base/digest.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* ---- the library ---- */

/* Loading it takes longer than all that the gate has to do for a call in a repository without a deny, so it is loaded
 * by what needs it first, once for the whole process. */
#define WORD(number) #number
#define WORD_OF(number) WORD(number)
#define LIBRARY "libcrypto.so." WORD_OF(OPENSSL_SHLIB_VERSION)

/* clang-format off */
#define CRYPTO_CALLS(X) \
  X(SHA256_Init) X(SHA256_Update) X(SHA256_Final) X(OPENSSL_cleanse) X(CRYPTO_memcmp) X(OpenSSL_version)
/* clang-format on */

struct crypto {
#define CRYPTO_CALL(name) __typeof__(name) *name;
  CRYPTO_CALLS(CRYPTO_CALL)
#undef CRYPTO_CALL
  bool complete;
};

static struct crypto loaded_once;
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  void *call;
  bool complete = library != NULL;
#define CRYPTO_CALL(name)                         \
  call = complete ? dlsym(library, #name) : NULL; \
  complete = call != NULL;                        \
  memcpy(&loaded_once.name, &call, sizeof call);
  CRYPTO_CALLS(CRYPTO_CALL)
#undef CRYPTO_CALL
  loaded_once.complete = complete;
}

/* Without the library nothing goes on: a hash that is no hash must not be compared with anything. */
static const struct crypto *crypto(void) {
  (void)pthread_once(&loading, load);
  return &loaded_once;
}

static const struct crypto *required(void) {
  const struct crypto *calls = crypto();
  assert(calls->complete);
  return calls;
}

enum bt_code bt_digest_load(struct bt_error *err) {
  if (crypto()->complete)
    return BT_OK;
  return bt_error_set(err, BT_IO, LIBRARY,
                      "the library " LIBRARY " cannot be loaded; it comes with the package libssl3");
}

/* ---- hashes ---- */

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
    (void)required()->SHA256_Init(&hash->state); /* this and the next two cannot fail: they only compute */
  }
  return hash;
}

void bt_sha256_update(struct bt_sha256 *hash, const void *bytes, size_t length) {
  (void)required()->SHA256_Update(&hash->state, bytes, length);
}

void bt_sha256_finish_hex(struct bt_sha256 *hash, char hex[BT_SHA256_HEX]) {
  unsigned char digest[BT_SHA256_BYTES];
  (void)required()->SHA256_Final(digest, &hash->state);
  (void)required()->SHA256_Init(&hash->state);
  put_hex(digest, sizeof digest, hex);
}

void bt_sha256_peek_hex(const struct bt_sha256 *hash, char hex[BT_SHA256_HEX]) {
  struct bt_sha256 copy = *hash;
  bt_sha256_finish_hex(&copy, hex);
}

void bt_sha256_free(struct bt_sha256 *hash) {
  if (hash != NULL) {
    bt_wipe(hash, sizeof *hash);
    free(hash);
  }
}

void bt_sha256_hex(const void *bytes, size_t length, char hex[BT_SHA256_HEX]) {
  struct bt_sha256 hash;
  (void)required()->SHA256_Init(&hash.state);
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
  (void)required()->SHA256_Init(&state);
  (void)required()->SHA256_Update(&state, block, sizeof block);
  (void)required()->SHA256_Update(&state, bytes, length);
  (void)required()->SHA256_Final(digest, &state);
  bt_wipe(&state, sizeof state);
  bt_wipe(block, sizeof block);
}

void bt_hmac_sha256_hex(const void *key, size_t key_length, const void *bytes, size_t length, char hex[BT_SHA256_HEX]) {
  unsigned char block[SHA256_CBLOCK] = {0};
  unsigned char digest[BT_SHA256_BYTES];
  if (key_length > sizeof block) {
    SHA256_CTX state;
    (void)required()->SHA256_Init(&state);
    (void)required()->SHA256_Update(&state, key, key_length);
    (void)required()->SHA256_Final(block, &state);
    bt_wipe(&state, sizeof state);
  } else if (key_length > 0) {
    memcpy(block, key, key_length);
  }
  keyed_hash(block, 0x36, bytes, length, digest);
  keyed_hash(block, 0x5c, digest, sizeof digest, digest);
  put_hex(digest, sizeof digest, hex);
  bt_wipe(block, sizeof block);
}

bool bt_bytes_equal_secret(const void *a, size_t a_length, const void *b, size_t b_length) {
  return a_length == b_length && (a_length == 0 || required()->CRYPTO_memcmp(a, b, a_length) == 0);
}

enum bt_code bt_random_bytes(void *out, size_t length, struct bt_error *err) {
  unsigned char *at = out;
  while (length > 0) {
    ssize_t got = getrandom(at, length, 0);
    if (got < 0 && errno != EINTR)
      return bt_error_set_errno(err, errno, "random bytes", "the system's random source gave none");
    at += got > 0 ? got : 0;
    length -= got > 0 ? (size_t)got : 0;
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

/* A secret goes even where the library does not come. */
void bt_wipe(void *bytes, size_t length) {
  const struct crypto *calls = crypto();
  volatile unsigned char *byte = bytes;
  if (bytes == NULL)
    return;
  if (calls->complete)
    calls->OPENSSL_cleanse(bytes, length);
  else
    while (length-- > 0)
      *byte++ = 0;
}

void bt_digest_library(char *out, size_t size) {
  snprintf(out, size, "%s", crypto()->complete ? crypto()->OpenSSL_version(OPENSSL_VERSION) : LIBRARY " (missing)");
}
