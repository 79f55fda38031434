/* tests/fuzz/fuzz_redact.c - any bytes through redaction, fences and the cut of a capture. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/text/capture.h"
#include "core/text/fence.h"
#include "core/text/redact.h"

static void require(int holds) {
  if (!holds)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_str text, redacted, fenced, cut;
  struct bt_redact_list list;
  char hash[BT_SHA256_HEX];
  bt_str_init(&text, size * 3 + 16);
  bt_str_init(&redacted, (size_t)64 << 20);
  bt_str_init(&fenced, (size_t)64 << 20);
  bt_str_init(&cut, (size_t)64 << 20);
  bt_redact_list_init(&list);
  bt_utf8_decode8(&text, data, size);
  require(bt_redact(&redacted, text.data, text.length, &list, NULL) == BT_OK);
  require(list.count > 0 || bt_slice_equals((struct bt_slice){text.data, text.length}, redacted.data));
  require(bt_fence(&fenced, text.data, text.length, NULL, NULL) == BT_OK);
  /* inside a fence no delimiter is left */
  struct bt_slice inside = {fenced.data + strlen(BT_FENCE_OPEN), fenced.length - strlen(BT_FENCE_OPEN BT_FENCE_CLOSE)};
  char last = fenced.data[fenced.length - strlen(BT_FENCE_CLOSE)];
  fenced.data[fenced.length - strlen(BT_FENCE_CLOSE)] = '\0';
  require(!strstr(inside.data, BT_FENCE_OPEN) && !strstr(inside.data, BT_FENCE_CLOSE));
  fenced.data[fenced.length - strlen(BT_FENCE_CLOSE)] = last;
  bt_text_cap(&cut, fenced.data, fenced.length, 1000, BT_CAPTURE_CUT_MARK, NULL);
  require(bt_text_stored_bytes(cut.data, cut.length) <= 1000);
  require(bt_capture_hash(cut.data, cut.length, hash, NULL) == BT_OK);
  bt_str_dispose(&text);
  bt_str_dispose(&redacted);
  bt_str_dispose(&fenced);
  bt_str_dispose(&cut);
  bt_redact_list_dispose(&list);
  return 0;
}
