/* tests/fuzz/fuzz_narrative.c - any bytes as the tail of a transcript. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/narrative.h"
#include "core/text/capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_str text;
  struct bt_narrative found;
  bt_str_init(&text, size * 3 + 16);
  bt_utf8_decode8(&text, data, size);
  if (bt_narrative_parse(&found, text.data, text.length, NULL) != BT_OK)
    abort();
  if (found.text) {
    size_t length = strlen(found.text);
    if (!found.entries || bt_is_blank_w(found.text, length) ||
        bt_text_stored_bytes(found.text, length) > BT_NARRATIVE_MAX_BYTES)
      abort();
  }
  if (bt_narrative_drop_stale(&found, INT64_C(1) << 52, NULL) != BT_OK)
    abort();
  bt_narrative_dispose(&found);
  bt_str_dispose(&text);
  return 0;
}
