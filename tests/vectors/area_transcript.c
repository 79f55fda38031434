/* tests/vectors/area_transcript.c - final message, counts and newest time stamp of a transcript. */
#include <string.h>

#include "core/base/utf8.h"
#include "core/harness/narrative.h"
#include "core/text/capture.h"
#include "tests/vectors/support.h"

static bool expect_digest(const struct vec_case *vec, const struct bt_json *digest, const struct bt_narrative *found) {
  if (!found->text) {
    vec_fail(vec, "final: expected a long text but got nothing");
    return false;
  }
  struct bt_str bytes;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  bt_utf8_encode8(&bytes, found->text, strlen(found->text));
  char hex[BT_SHA256_HEX];
  bt_sha256_hex(bytes.data, bytes.length, hex);
  double size = -1;
  bt_json_number(bt_json_get(digest, "bytes"), &size);
  bool ok = vec_expect_number(vec, "final_digest.bytes", size, (double)bytes.length);
  ok = vec_expect_text(vec, "final_digest.sha256", bt_json_get_string(digest, "sha256"), hex) && ok;
  ok = vec_expect_bool(vec, "final_digest.truncated", vec_get_bool(digest, "truncated", false), found->was_cut) && ok;
  const char *suffix = bt_json_get_string(digest, "suffix");
  if (suffix && !bt_ends_with(bytes.data, suffix)) {
    vec_fail(vec, "final_digest.suffix: the text does not end in it");
    ok = false;
  }
  bt_str_dispose(&bytes);
  return ok;
}

enum vec_result vec_run_transcript(const struct vec_case *vec) {
  size_t length;
  const char *jsonl = vec_get_text(vec->input, "jsonl", &length);
  struct bt_narrative found;
  vec_require(bt_narrative_parse(&found, jsonl ? jsonl : "", length, NULL) == BT_OK, "memory");
  double entries = -1, skipped = -1, stamp = 0;
  bt_json_number(bt_json_get(vec->expected, "entries"), &entries);
  bt_json_number(bt_json_get(vec->expected, "skipped"), &skipped);
  bool ok = vec_expect_number(vec, "entries", entries, (double)found.entries);
  ok = vec_expect_number(vec, "skipped", skipped, (double)found.skipped) && ok;
  const struct bt_json *digest = bt_json_get(vec->expected, "final_digest");
  if (digest)
    ok = expect_digest(vec, digest, &found) && ok;
  else
    ok = vec_expect_text(vec, "final", bt_json_get_string(vec->expected, "final"), found.text) && ok;
  bool known = bt_json_number(bt_json_get(vec->expected, "timestamp_ms"), &stamp);
  ok = vec_expect_bool(vec, "timestamp_ms is there", known, found.timestamp_ms != BT_TIME_UNKNOWN) && ok;
  if (known && found.timestamp_ms != BT_TIME_UNKNOWN)
    ok = vec_expect_number(vec, "timestamp_ms", stamp, (double)found.timestamp_ms) && ok;
  bt_narrative_dispose(&found);
  return ok ? VEC_PASS : VEC_FAIL;
}
