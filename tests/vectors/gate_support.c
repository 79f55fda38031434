/* tests/vectors/gate_support.c - conversions between vector values and the gate's structs. */
#include "tests/vectors/gate_support.h"

#include <stdlib.h>

bool vec_gate_auth(const struct bt_json *value, struct bt_gate_auth *out) {
  *out = (struct bt_gate_auth){.ticket_id = bt_json_get_string(value, "ticket_id"),
                               .content_hash = bt_json_get_string(value, "content_hash"),
                               .deny_session_id = bt_json_get_string(value, "deny_session_id"),
                               .verified = vec_get_bool(value, "verified", false)};
  return bt_json_type(value) == BT_JSON_OBJECT;
}

const struct bt_json **vec_gate_records(const struct bt_json *list, size_t *count) {
  *count = 0;
  const struct bt_json **records = calloc(bt_json_count(list) + 1, sizeof *records);
  vec_require(records != NULL, "memory");
  for (const struct bt_json *one = bt_json_first(list); one; one = bt_json_next(one))
    records[(*count)++] = one;
  return records;
}

struct bt_json *vec_reasons_json(const struct bt_reasons *reasons) {
  vec_require(!reasons->failed, "memory");
  struct bt_json *list = bt_json_new_array();
  vec_require(list != NULL, "memory");
  for (size_t i = 0; i < reasons->count; i++)
    vec_require(bt_json_push(list, bt_json_new_string(reasons->items[i].code)) == BT_OK, "memory");
  return list;
}

bool vec_expect_reasons(const struct vec_case *vec, const struct bt_json *expected, const struct bt_reasons *reasons) {
  struct bt_json *actual = vec_reasons_json(reasons);
  bool ok = vec_expect_json(vec, NULL, "reasons", expected, actual);
  bt_json_free(actual);
  return ok;
}
