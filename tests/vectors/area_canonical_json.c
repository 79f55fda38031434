/* tests/vectors/area_canonical_json.c - JSON text in, canonical bytes out. */
#include "tests/vectors/support.h"

enum vec_result vec_run_canonical_json(const struct vec_case *vec) {
  size_t length;
  const char *text = vec_get_text(vec->input, "text", &length);
  if (!text)
    return vec_fail(vec, "the case has no text");
  struct bt_json *value = bt_json_parse_text(text, length, NULL);
  bool ok = vec_expect_bool(vec, "ok", vec_get_bool(vec->expected, "ok", false), value != NULL);
  const char *expected = bt_json_get_string(vec->expected, "canonical");
  if (ok && expected) {
    struct bt_str canonical;
    bt_str_init(&canonical, VEC_TEXT_MAX);
    bt_json_print_canonical(&canonical, value);
    ok = vec_expect_text(vec, "canonical", expected, canonical.data);
    bt_str_dispose(&canonical);
  }
  bt_json_free(value);
  return ok ? VEC_PASS : VEC_FAIL;
}
