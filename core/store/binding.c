/* core/store/binding.c - capture binding. */
#include "core/store/binding.h"

#include <string.h>

#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/capture.h"

static enum bt_code check_one(int ledger, const struct bt_json *record, size_t index, struct bt_reasons *out,
                              struct bt_error *err) {
  const char *session = bt_json_get_string(record, "session_id");
  const char *fault = NULL;
  if (!bt_id_is_safe(session)) {
    bt_reasons_add(out, index, "capture_tamper:unsafe_session_id");
    return BT_OK;
  }
  enum bt_code code =
      bt_capture_read_verified(ledger, session, bt_json_get_string(record, "content_hash"), NULL, &fault, err);
  if (code == BT_OK && fault != NULL) /* a link or a device in the capture's place has no errno of its own */
    bt_reasons_add(out, index, "capture_tamper:%s:%s", session, strcmp(fault, "unsafe") == 0 ? "ELOOP" : fault);
  return code;
}

enum bt_code bt_capture_bindings(int ledger, const struct bt_json *records, struct bt_reasons *out, size_t *checked,
                                 struct bt_error *err) {
  enum bt_code code = BT_OK;
  size_t index = 0, bound = 0;
  const struct bt_json *one = bt_json_first(records);
  for (; one != NULL && code == BT_OK; one = bt_json_next(one), index++) {
    const char *kind = bt_json_get_string(one, "content_kind");
    if (kind == NULL || strcmp(kind, "capture") != 0)
      continue;
    bound++;
    code = check_one(ledger, one, index, out, err);
  }
  if (checked != NULL)
    *checked = bound;
  return code;
}
