/* tests/fuzz/fuzz_grant.c - any bytes as a bypass grant: never verified without the key, never alive past its time. */
#include <stdint.h>
#include <stdlib.h>

#include "core/model/thresholds.h"
#include "core/store/grant.h"

#define NOW INT64_C(1791555727000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const struct bt_key key = {.bytes = "a key that no corpus knows", .length = 26};
  struct bt_grant_doc grant;
  if (bt_grant_parse((const char *)data, size, "s1", key, NOW, &grant, NULL) != BT_OK)
    abort();
  if (grant.verified || (grant.present && NOW - grant.written_at_ms > BT_BYPASS_GRANT_TTL_MS))
    abort();
  if (grant.present == (grant.error != NULL))
    abort();
  bt_grant_dispose(&grant);
  return 0;
}
