/* core/base/utf8_codec.c - bytes to internal text and back, code points, UTF-16 order; no property tables. */
#include <assert.h>
#include <string.h>

#include "core/base/utf8.h"

static bool is_tail(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

/* Length of the well-formed sequence at `bytes` (1-4), or minus the length of the maximal ill-formed
 * subpart there (WHATWG UTF-8 decoder: the second byte's range depends on the first). */
static int sequence_at(const unsigned char *bytes, size_t length) {
  unsigned char lead = bytes[0];
  unsigned char low = 0x80, high = 0xBF;
  int needed;
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    needed = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    needed = 3;
    low = lead == 0xE0 ? 0xA0 : 0x80;
    high = lead == 0xED ? 0x9F : 0xBF;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    needed = 4;
    low = lead == 0xF0 ? 0x90 : 0x80;
    high = lead == 0xF4 ? 0x8F : 0xBF;
  } else {
    return -1;
  }
  if (length < 2 || bytes[1] < low || bytes[1] > high) {
    return -1;
  }
  for (int i = 2; i < needed; i++) {
    if ((size_t)i >= length || !is_tail(bytes[i])) {
      return -i;
    }
  }
  return needed;
}

/* First byte at or after `at` that is NUL or beyond ASCII. */
static size_t skip_plain(const unsigned char *bytes, size_t at, size_t length) {
  while (at < length && bytes[at] != 0 && bytes[at] < 0x80) {
    at++;
  }
  return at;
}

bool bt_utf8_is_plain(const void *data, size_t length) {
  const unsigned char *bytes = data;
  size_t at = 0;
  while ((at = skip_plain(bytes, at, length)) < length) {
    int step = bytes[at] == 0 ? -1 : sequence_at(bytes + at, length - at);
    if (step < 0) {
      return false;
    }
    at += (size_t)step;
  }
  return true;
}

void bt_utf8_decode8(struct bt_str *out, const void *data, size_t length) {
  const unsigned char *bytes = data;
  size_t from = 0; /* what lies before `at` and is good is copied in one piece */
  size_t at = 0;
  while ((at = skip_plain(bytes, at, length)) < length) {
    int step = bytes[at] == 0 ? 0 : sequence_at(bytes + at, length - at);
    if (step > 0) {
      at += (size_t)step;
      continue;
    }
    bt_str_append(out, bytes + from, at - from);
    bt_utf8_put(out, step == 0 ? 0 : 0xFFFD);
    at += step == 0 ? 1 : (size_t)-step;
    from = at;
  }
  if (length > from) {
    bt_str_append(out, bytes + from, length - from);
  }
}

/* The lone half at `bytes`, or 0. */
static uint32_t half_at(const unsigned char *bytes, size_t length) {
  if (length < 3 || bytes[0] != 0xED || bytes[1] < 0xA0 || bytes[1] > 0xBF || !is_tail(bytes[2])) {
    return 0;
  }
  return 0xD000u | (uint32_t)(bytes[1] & 0x3F) << 6 | (bytes[2] & 0x3F);
}

static bool is_high_half(uint32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDBFF;
}
static bool is_low_half(uint32_t code_point) {
  return code_point >= 0xDC00 && code_point <= 0xDFFF;
}
static uint32_t join_halves(uint32_t high, uint32_t low) {
  return 0x10000u + ((high - 0xD800u) << 10) + (low - 0xDC00u);
}

static uint32_t well_formed_at(const unsigned char *bytes, int step) {
  static const unsigned char lead_mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  uint32_t code_point = bytes[0] & lead_mask[step];
  for (int i = 1; i < step; i++) {
    code_point = code_point << 6 | (bytes[i] & 0x3F);
  }
  return code_point;
}

uint32_t bt_utf8_next(const char *text, size_t length, size_t *at) {
  const unsigned char *bytes = (const unsigned char *)text + *at;
  size_t rest = length - *at;
  assert(*at < length);
  int step = sequence_at(bytes, rest);
  if (step > 0) {
    *at += (size_t)step;
    return well_formed_at(bytes, step);
  }
  if (rest >= 2 && bytes[0] == 0xC0 && bytes[1] == 0x80) {
    *at += 2;
    return 0;
  }
  uint32_t half = half_at(bytes, rest);
  if (half == 0) {
    *at += 1;
    return 0xFFFD;
  }
  *at += 3;
  uint32_t low = is_high_half(half) ? half_at(bytes + 3, rest - 3) : 0;
  if (is_low_half(low)) { /* two pieces were put together byte by byte: the pair is one character */
    *at += 3;
    return join_halves(half, low);
  }
  return half;
}

size_t bt_utf8_encode(uint32_t code_point, char out[4]) {
  assert(code_point <= 0x10FFFF);
  if (code_point != 0 && code_point < 0x80) {
    out[0] = (char)code_point;
    return 1;
  }
  if (code_point < 0x800) { /* 0 comes out as C0 80 */
    out[0] = (char)(0xC0 | code_point >> 6);
    out[1] = (char)(0x80 | (code_point & 0x3F));
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = (char)(0xE0 | code_point >> 12);
    out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code_point & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | code_point >> 18);
  out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
  out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
  out[3] = (char)(0x80 | (code_point & 0x3F));
  return 4;
}

void bt_utf8_put(struct bt_str *out, uint32_t code_point) {
  if (is_low_half(code_point) && out->length >= 3 && !out->failed) {
    uint32_t high = half_at((const unsigned char *)out->data + out->length - 3, 3);
    if (is_high_half(high)) {
      bt_str_truncate(out, out->length - 3);
      code_point = join_halves(high, code_point);
    }
  }
  char bytes[4];
  bt_str_append(out, bytes, bt_utf8_encode(code_point, bytes));
}

void bt_utf8_append(struct bt_str *out, const char *text, size_t length) {
  uint32_t first = half_at((const unsigned char *)text, length);
  if (is_low_half(first)) {
    bt_utf8_put(out, first);
    text += 3;
    length -= 3;
  }
  bt_str_append(out, text, length);
}

void bt_utf8_encode8(struct bt_str *out, const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t from = 0, at = 0;
  while ((at = skip_plain(bytes, at, length)) < length) {
    int step = sequence_at(bytes + at, length - at);
    if (step > 0) {
      at += (size_t)step;
      continue;
    }
    bt_str_append(out, bytes + from, at - from);
    uint32_t code_point = bt_utf8_next(text, length, &at);
    if (code_point == 0) {
      bt_str_putc(out, '\0');
    } else {
      bool stray = is_high_half(code_point) || is_low_half(code_point);
      bt_utf8_put(out, stray ? 0xFFFD : code_point);
    }
    from = at;
  }
  if (length > from) {
    bt_str_append(out, bytes + from, length - from);
  }
}

bool bt_is_w(uint32_t c) {
  if (c <= 0x20) {
    return c == 0x20 || (c >= 0x09 && c <= 0x0D);
  }
  return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

struct bt_slice bt_trim_w(const char *text, size_t length) {
  size_t start = 0;
  while (start < length) {
    size_t after = start;
    if (!bt_is_w(bt_utf8_next(text, length, &after))) {
      break;
    }
    start = after;
  }
  size_t end = length;
  while (end > start) {
    size_t before = end - 1;
    while (before > start && end - before < 4 && is_tail((unsigned char)text[before])) {
      before--;
    }
    size_t after = before;
    if (!bt_is_w(bt_utf8_next(text, end, &after)) || after != end) {
      break;
    }
    end = before;
  }
  return (struct bt_slice){text + start, end - start};
}

bool bt_is_blank_w(const char *text, size_t length) {
  return bt_trim_w(text, length).length == 0;
}

size_t bt_utf16_length(const char *text, size_t length) {
  size_t units = 0, at = 0;
  while (at < length) {
    units += bt_utf8_next(text, length, &at) > 0xFFFF ? 2 : 1;
  }
  return units;
}

/* Text as a row of UTF-16 units. */
struct unit_reader {
  const char *text;
  size_t length, at;
  uint32_t pending; /* the low half that is still to come, 0 for none */
};

static bool next_unit(struct unit_reader *reader, uint32_t *unit) {
  if (reader->pending != 0) {
    *unit = reader->pending;
    reader->pending = 0;
    return true;
  }
  if (reader->at >= reader->length) {
    return false;
  }
  uint32_t code_point = bt_utf8_next(reader->text, reader->length, &reader->at);
  if (code_point > 0xFFFF) {
    reader->pending = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
    code_point = 0xD800 + ((code_point - 0x10000) >> 10);
  }
  *unit = code_point;
  return true;
}

int bt_utf16_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t same = 0;
  while (same < a_length && same < b_length && a[same] == b[same] && (unsigned char)a[same] < 0x80) {
    same++;
  }
  struct unit_reader left = {a, a_length, same, 0};
  struct unit_reader right = {b, b_length, same, 0};
  for (;;) {
    uint32_t x = 0, y = 0;
    bool more_left = next_unit(&left, &x);
    bool more_right = next_unit(&right, &y);
    if (!more_left || !more_right) {
      return (int)more_left - (int)more_right;
    }
    if (x != y) {
      return x < y ? -1 : 1;
    }
  }
}
