/* tests/fuzz/fuzz_sentinel.c - any bytes as a sentinel: safe ids only, and registering twice writes once. */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/sentinel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_sentinel sentinel;
  struct bt_json *next = NULL, *again = NULL;
  bool write = false;
  if (bt_sentinel_parse((const char *)data, size, &sentinel, NULL) != BT_OK)
    abort();
  for (const struct bt_json *one = bt_json_first(sentinel.sessions); one != NULL; one = bt_json_next(one)) {
    if (!bt_id_is_safe(bt_json_string(one)))
      abort();
  }
  if (bt_sentinel_plan(&sentinel, "s1", &next, &write, NULL) != BT_OK)
    abort();
  bt_json_free(sentinel.sessions);
  sentinel.sessions = next;
  if (!bt_sentinel_has(&sentinel, "s1") || bt_sentinel_plan(&sentinel, "s1", &again, &write, NULL) != BT_OK || write)
    abort();
  if (!bt_json_equals(next, again))
    abort();
  bt_json_free(again);
  bt_sentinel_dispose(&sentinel);
  return 0;
}
