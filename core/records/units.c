/* core/records/units.c - see units.h. */
#include "core/records/units.h"

#include <stdint.h>

#include "core/base/utf8.h"

static uint32_t high_half(uint32_t code_point) {
  return 0xD800 + ((code_point - 0x10000) >> 10);
}
static uint32_t low_half(uint32_t code_point) {
  return 0xDC00 + ((code_point - 0x10000) & 0x3FF);
}

void bt_units_head(struct bt_str *out, const char *text, size_t length, size_t units) {
  size_t at = 0;
  while (at < length && units > 0) {
    uint32_t code_point = bt_utf8_next(text, length, &at);
    if (code_point > 0xFFFF && units == 1)
      code_point = high_half(code_point);
    bt_utf8_put(out, code_point);
    units -= code_point > 0xFFFF ? 2 : 1;
  }
}

void bt_units_tail(struct bt_str *out, const char *text, size_t length, size_t units) {
  size_t total = bt_utf16_length(text, length);
  size_t skip = total > units ? total - units : 0;
  size_t at = 0;
  while (skip > 0) {
    uint32_t code_point = bt_utf8_next(text, length, &at);
    if (code_point > 0xFFFF && skip == 1) {
      bt_utf8_put(out, low_half(code_point));
      break;
    }
    skip -= code_point > 0xFFFF ? 2 : 1;
  }
  bt_utf8_append(out, text + at, length - at);
}
