/* tests/vectors/area_redact.c - redacted text and the kinds that were reported. */
#include <string.h>

#include "core/text/redact.h"
#include "tests/vectors/support.h"

static void join(struct bt_str *out, const struct bt_json *parts) {
  bt_str_init(out, VEC_TEXT_MAX);
  for (const struct bt_json *part = bt_json_first(parts); part; part = bt_json_next(part))
    bt_str_puts(out, bt_json_string(part) ? bt_json_string(part) : "");
}

static bool expect_kinds(const struct vec_case *vec, const struct bt_redact_list *list) {
  struct bt_json *kinds = bt_json_new_array();
  for (size_t i = 0; i < list->count; i++)
    vec_require(bt_json_push(kinds, bt_json_new_string(bt_redact_kind_words(list->kinds[i]))) == BT_OK, "memory");
  bool ok = vec_expect_json(vec, NULL, "redactions", bt_json_get(vec->expected, "redactions"), kinds);
  bt_json_free(kinds);
  return ok;
}

enum vec_result vec_run_redact(const struct vec_case *vec) {
  struct bt_str text, expected, redacted;
  struct bt_redact_list list;
  join(&text, bt_json_get(vec->input, "parts"));
  join(&expected, bt_json_get(vec->expected, "parts"));
  bt_str_init(&redacted, VEC_TEXT_MAX);
  bt_redact_list_init(&list);
  vec_require(bt_redact(&redacted, text.data, text.length, &list, NULL) == BT_OK, "memory");
  bool ok = vec_expect_text(vec, "text", expected.data, redacted.data);
  ok = expect_kinds(vec, &list) && ok;
  bt_redact_list_dispose(&list);
  bt_str_dispose(&text);
  bt_str_dispose(&expected);
  bt_str_dispose(&redacted);
  return ok ? VEC_PASS : VEC_FAIL;
}
