/* tests/fuzz/fuzz_text.c - text forms: decoding is stable, encoding is real UTF-8, nothing hostile stays visible. */
#include <stdbool.h>
#include <string.h>

#include "core/base/utf8.h"
#include "tests/fuzz/fuzz.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

static void check_decoding(const uint8_t *data, size_t size) {
  struct bt_str text, bytes;
  bt_str_init(&text, TEXT_MAX);
  bt_str_init(&bytes, TEXT_MAX);
  bt_utf8_decode8(&text, data, size);
  bt_utf8_encode8(&bytes, text.data, text.length);
  FUZZ_CHECK(!text.failed && !bytes.failed);
  if (bt_utf8_is_plain(data, size)) {
    FUZZ_CHECK(bytes.length == size && memcmp(bytes.data, data, size) == 0);
  }
  bt_str_clear(&text);
  bt_utf8_decode8(&text, bytes.data, bytes.length);
  struct bt_str again;
  bt_str_init(&again, TEXT_MAX);
  bt_utf8_encode8(&again, text.data, text.length);
  FUZZ_CHECK(again.length == bytes.length && memcmp(again.data, bytes.data, bytes.length) == 0);
  bt_str_dispose(&again);
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
}

/* Any bytes at all, taken as internal text. */
static void check_text(const char *text, size_t length) {
  struct bt_str out;
  size_t at = 0, units = 0;
  bt_str_init(&out, TEXT_MAX);
  while (at < length) {
    size_t before = at;
    uint32_t code_point = bt_utf8_next(text, length, &at);
    FUZZ_CHECK(at > before && at <= length && code_point <= 0x10FFFF);
    units += code_point > 0xFFFF ? 2 : 1;
  }
  FUZZ_CHECK(bt_utf16_length(text, length) == units);
  FUZZ_CHECK(bt_utf16_compare(text, length, text, length) == 0);
  size_t half = length / 2;
  int order = bt_utf16_compare(text, half, text + half, length - half);
  int turned = bt_utf16_compare(text + half, length - half, text, half);
  FUZZ_CHECK((order > 0) == (turned < 0) && (order == 0) == (turned == 0));
  struct bt_slice slice = bt_trim_w(text, length);
  FUZZ_CHECK(slice.length <= length);
  FUZZ_CHECK(bt_is_blank_w(text, length) == (slice.length == 0));
  bt_utf8_lower(&out, text, length);
  bt_utf8_nfkd(&out, text, length);
  FUZZ_CHECK(!out.failed);
  bt_str_dispose(&out);
}

static void check_clusters(const char *text, size_t length, bool ascii_only) {
  struct bt_cluster cluster;
  int columns = 0;
  for (size_t at = 0; at < length; at += cluster.consumed) {
    bt_cluster_next(&cluster, text + at, length - at, ascii_only);
    size_t width = strlen(cluster.bytes);
    FUZZ_CHECK(cluster.consumed >= 1 && cluster.consumed <= length - at);
    FUZZ_CHECK(cluster.columns >= 1 && width >= 1 && width < sizeof cluster.bytes);
    FUZZ_CHECK(bt_utf8_is_plain(cluster.bytes, width));
    for (size_t i = 0; i < width; i++) {
      unsigned char byte = (unsigned char)cluster.bytes[i];
      FUZZ_CHECK(byte >= 0x20 && byte != 0x7F && (!ascii_only || byte < 0x7F));
    }
    columns += cluster.columns;
  }
  FUZZ_CHECK(columns == bt_text_columns(text, length, ascii_only));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_decoding(data, size);
  check_text((const char *)data, size);
  check_clusters((const char *)data, size, false);
  check_clusters((const char *)data, size, true);
  return 0;
}
