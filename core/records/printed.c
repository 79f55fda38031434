/* core/records/printed.c - see printed.h. */
#include "core/records/printed.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/json.h"
#include "core/base/utf8.h"

/* First backslash or byte beyond ASCII at or after `at`. */
static const char *stop_at(const char *at, const char *end) {
#ifdef __SSE2__
  const __m128i slash = _mm_set1_epi8('\\');
  while (end - at >= 16) {
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
    int mask = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(block, slash), block)); /* the top bit is beyond ASCII */
    if (mask)
      return at + __builtin_ctz((unsigned)mask);
    at += 16;
  }
#endif
  while (at < end && *at != '\\' && (unsigned char)*at < 0x80)
    at++;
  return at;
}

/* The part of an escape behind the backslash is what the printer writes. */
static bool is_printed_escape(const char *at, const char *end) {
  if (*at != 'u') /* there is one every few words of code: no call for each */
    return *at == 'n' || *at == '"' || *at == '\\' || *at == 't' || *at == 'r' || *at == 'b' || *at == 'f';
  if (end - at < 5 || memcmp(at + 1, "00", 2) != 0 || (at[3] != '0' && at[3] != '1'))
    return false;
  bool is_low = at[3] == '0';
  return (at[4] >= '0' && at[4] <= '9' && !(is_low && at[4] >= '8')) ||
         (at[4] >= 'a' && at[4] <= 'f' && !(is_low && (at[4] == 'a' || at[4] == 'c' || at[4] == 'd')));
}

bool bt_printed_is(struct bt_slice raw) {
  const char *at = raw.data, *end = raw.data + raw.length;
  while ((at = stop_at(at, end)) < end) {
    if (*at == '\\') {
      if (!is_printed_escape(at + 1, end))
        return false;
      at += at[1] == 'u' ? 6 : 2;
      continue;
    }
    const char *from = at;
    while (at < end && (unsigned char)*at >= 0x80)
      at++;
    if (!bt_utf8_is_plain(from, (size_t)(at - from)))
      return false;
  }
  return true;
}

void bt_printed_put(struct bt_str *out, const char *text, size_t length) {
  size_t start = out->length;
  bt_json_print_string(out, text, length);
  if (out->failed)
    return;
  memmove(out->data + start, out->data + start + 1, out->length - start - 2);
  bt_str_truncate(out, out->length - 2);
}

struct bt_slice bt_printed_of(const struct bt_tape *tape, uint32_t token, struct bt_str *scratch) {
  if (bt_tape_type(tape, token) != BT_JSON_STRING)
    return (struct bt_slice){"", 0};
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (bt_printed_is(raw))
    return raw;
  struct bt_str text;
  bt_str_init(&text, scratch->ceiling);
  bt_tape_text(tape, token, &text);
  bt_str_clear(scratch);
  bt_printed_put(scratch, text.data, text.length);
  scratch->failed = scratch->failed || text.failed;
  bt_str_dispose(&text);
  return (struct bt_slice){scratch->data, scratch->length};
}

static uint32_t hex4(const char *at) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char c = (unsigned char)at[i];
    value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

/* The unit of a \u escape at `at`, or 0 where there is none; 0 itself is of no interest to the caller. */
static uint32_t escaped_unit(struct bt_slice raw, size_t at) {
  return raw.length - at >= 6 && raw.data[at] == '\\' && raw.data[at + 1] == 'u' ? hex4(raw.data + at + 2) : 0;
}

uint32_t bt_printed_next(struct bt_slice raw, size_t *at) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  if (raw.data[*at] != '\\')
    return bt_utf8_next(raw.data, raw.length, at);
  char kind = raw.data[*at + 1];
  if (kind != 'u') {
    const char *known = strchr(from, kind);
    *at += 2;
    return known != NULL ? (uint32_t)to[known - from] : (uint32_t)(unsigned char)kind;
  }
  uint32_t unit = hex4(raw.data + *at + 2);
  *at += 6;
  uint32_t low = unit >= 0xD800 && unit < 0xDC00 ? escaped_unit(raw, *at) : 0;
  if (low < 0xDC00 || low > 0xDFFF)
    return unit;
  *at += 6;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* Copies everything up to the next escape in one piece; `put_one` takes what an escape stands for. */
static void unescape(struct bt_str *out, struct bt_slice printed,
                     void (*put_one)(struct bt_str *out, uint32_t code_point)) {
  for (size_t at = 0; at < printed.length;) {
    const char *slash = memchr(printed.data + at, '\\', printed.length - at);
    size_t run = slash != NULL ? (size_t)(slash - printed.data) : printed.length;
    bt_str_append(out, printed.data + at, run - at);
    at = run;
    if (at < printed.length)
      put_one(out, bt_printed_next(printed, &at));
  }
}

static void put_byte_form(struct bt_str *out, uint32_t code_point) {
  if (code_point < 0x80)
    bt_str_putc(out, (char)code_point);
  else
    bt_utf8_put(out, code_point >= 0xD800 && code_point <= 0xDFFF ? 0xFFFD : code_point);
}

void bt_printed_text(struct bt_str *out, struct bt_slice printed) {
  unescape(out, printed, bt_utf8_put);
}

void bt_printed_bytes(struct bt_str *out, struct bt_slice printed) {
  unescape(out, printed, put_byte_form);
}

void bt_printed_head(struct bt_str *out, struct bt_slice printed, size_t units) {
  for (size_t at = 0; at < printed.length && units > 0;) {
    uint32_t code_point = bt_printed_next(printed, &at);
    if (code_point > 0xFFFF && units == 1)
      code_point = 0xD800 + ((code_point - 0x10000) >> 10);
    bt_utf8_put(out, code_point);
    units -= code_point > 0xFFFF ? 2 : 1;
  }
}

bool bt_printed_is_blank(struct bt_slice raw) {
  for (size_t at = 0; at < raw.length;) {
    if (!bt_is_w(bt_printed_next(raw, &at)))
      return false;
  }
  return true;
}
