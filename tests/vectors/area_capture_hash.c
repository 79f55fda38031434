/* tests/vectors/area_capture_hash.c - canonical form and hash of a capture body, and what storing keeps of it. */
#include <string.h>

#include "core/base/utf8.h"
#include "core/text/capture.h"
#include "tests/vectors/support.h"

static bool expect_hash(const struct vec_case *vec, const char *label, const char *expected,
                        const struct bt_str *text) {
  char hex[BT_SHA256_HEX];
  vec_require(bt_capture_hash(text->data, text->length, hex, NULL) == BT_OK, "memory");
  return vec_expect_text(vec, label, expected, hex);
}

static bool expect_size(const struct vec_case *vec, const char *label, const struct bt_json *object, const char *key,
                        size_t actual) {
  double expected = -1;
  return !bt_json_number(bt_json_get(object, key), &expected) ||
         vec_expect_number(vec, label, expected, (double)actual);
}

static bool expect_cap(const struct vec_case *vec, const char *body, size_t length) {
  const struct bt_json *cap = bt_json_get(vec->expected, "cap");
  struct bt_str kept, stored;
  bt_str_init(&kept, VEC_TEXT_MAX);
  bt_str_init(&stored, VEC_TEXT_MAX);
  size_t kept_bytes = 0;
  bool cut = bt_text_cap(&kept, body, length, BT_CAPTURE_MAX_BYTES, BT_CAPTURE_CUT_MARK, &kept_bytes);
  bt_utf8_encode8(&stored, kept.data, kept.length);
  char hex[BT_SHA256_HEX];
  bt_sha256_hex(stored.data, stored.length, hex);
  bool ok = vec_expect_bool(vec, "cap.truncated", vec_get_bool(cap, "truncated", false), cut);
  ok = expect_size(vec, "cap.stored_bytes", cap, "stored_bytes", stored.length) && ok;
  ok = vec_expect_text(vec, "cap.stored_sha256", bt_json_get_string(cap, "stored_sha256"), hex) && ok;
  ok = expect_hash(vec, "cap.stored_content_hash", bt_json_get_string(cap, "stored_content_hash"), &kept) && ok;
  if (cut) {
    ok = expect_size(vec, "cap.kept_bytes", cap, "kept_bytes", kept_bytes) && ok;
    const char *suffix = kept_bytes <= stored.length ? stored.data + kept_bytes : "";
    ok = vec_expect_text(vec, "cap.suffix", bt_json_get_string(cap, "suffix"), suffix) && ok;
  }
  bt_str_dispose(&kept);
  bt_str_dispose(&stored);
  return ok;
}

enum vec_result vec_run_capture_hash(const struct vec_case *vec) {
  size_t length;
  const char *body = vec_get_text(vec->input, "body", &length);
  struct bt_str canonical, again;
  bt_str_init(&canonical, VEC_TEXT_MAX);
  bt_str_init(&again, VEC_TEXT_MAX);
  bt_capture_canonical(&canonical, body, length);
  bool ok = expect_size(vec, "canonical_bytes", vec->expected, "canonical_bytes", canonical.length);
  char hex[BT_SHA256_HEX];
  vec_require(bt_capture_hash(body, length, hex, NULL) == BT_OK, "memory");
  ok = vec_expect_text(vec, "content_hash", bt_json_get_string(vec->expected, "content_hash"), hex) && ok;
  const char *expected = bt_json_get_string(vec->expected, "canonical");
  if (expected) {
    bt_utf8_decode8(&again, canonical.data, canonical.length);
    ok = vec_expect_text(vec, "canonical", expected, again.data) && ok;
  }
  ok = expect_cap(vec, body, length) && ok;
  bt_str_dispose(&canonical);
  bt_str_dispose(&again);
  return ok ? VEC_PASS : VEC_FAIL;
}
