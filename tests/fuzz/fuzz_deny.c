/* tests/fuzz/fuzz_deny.c - any bytes as a deny marker: a verdict, and a record only with "ok". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/deny.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_marker marker;
  if (bt_marker_parse((const char *)data, size, "s1", &marker, NULL) != BT_OK)
    abort();
  if (marker.ok != (marker.record != NULL) || marker.ok != (strcmp(marker.reason, "ok") == 0))
    abort();
  if (marker.ok && strcmp(bt_json_get_string(marker.record, "session_id"), "s1") != 0)
    abort();
  bt_marker_dispose(&marker);
  return 0;
}
