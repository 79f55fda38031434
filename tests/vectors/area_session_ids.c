/* tests/vectors/area_session_ids.c - which values are session ids, and whose session a call is. */
#include <stdlib.h>
#include <string.h>

#include "core/hook/session_identity.h"
#include "core/model/id.h"
#include "tests/vectors/support.h"

static bool expect_id(const struct vec_case *vec) {
  const char *value = bt_json_get_string(vec->input, "value");
  const struct bt_json *want = vec->expected;
  bool ok = vec_expect_bool(vec, "safe_session_id", vec_get_bool(want, "safe_session_id", false), bt_id_is_safe(value));
  ok = vec_expect_bool(vec, "prompt_safe_id", vec_get_bool(want, "prompt_safe_id", false),
                       bt_id_is_prompt_safe(value)) &&
       ok;
  ok = vec_expect_bool(vec, "require_ok", vec_get_bool(want, "require_ok", false),
                       bt_id_require(value, "--session", NULL) == BT_OK) &&
       ok;
  struct bt_slice bind = bt_bind_normalise(value);
  char *text = bind.data != NULL ? strndup(bind.data, bind.length) : NULL;
  ok = vec_expect_text(vec, "bind", bt_json_get_string(want, "bind"), text) && ok;
  free(text);
  return ok;
}

static bool expect_resolved(const struct vec_case *vec) {
  const struct bt_json *candidates = bt_json_get(vec->input, "candidates");
  size_t count = 0;
  const char **list = calloc(bt_json_count(candidates) + 1, sizeof *list);
  vec_require(list != NULL, "memory");
  for (const struct bt_json *one = bt_json_first(candidates); one; one = bt_json_next(one))
    list[count++] = bt_json_string(one);
  struct bt_str id;
  bt_str_init(&id, VEC_TEXT_MAX);
  bt_session_identify(&id, list, count, bt_json_get_string(vec->input, "transcript_path"));
  bool ok = vec_expect_text(vec, "session_id", bt_json_get_string(vec->expected, "session_id"),
                            id.length > 0 ? id.data : NULL);
  bt_str_dispose(&id);
  free(list);
  return ok;
}

enum vec_result vec_run_session_ids(const struct vec_case *vec) {
  const char *op = bt_json_get_string(vec->input, "op");
  if (bt_text_equals(op, "id"))
    return expect_id(vec) ? VEC_PASS : VEC_FAIL;
  if (bt_text_equals(op, "resolve"))
    return expect_resolved(vec) ? VEC_PASS : VEC_FAIL;
  return vec_fail(vec, "unknown op");
}
