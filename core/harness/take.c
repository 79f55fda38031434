/* core/harness/take.c - see take.h. */
#include "core/harness/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/base/utf8.h"

/* Texts come from lines of at most this length. */
#define TEXT_MAX ((size_t)256 << 20)

void bt_take_text(const struct bt_tape *tape, uint32_t token, struct bt_str *out) {
  size_t from = out->length;
  bt_tape_text(tape, token, out);
  /* An unpaired half (ED A0..BF xx) takes as many bytes as U+FFFD: replace in place. */
  for (char *at = out->data + from, *end = out->data + out->length; (at = memchr(at, 0xED, (size_t)(end - at))) != NULL;
       at++)
    if (end - at >= 3 && (unsigned char)at[1] >= 0xA0)
      memcpy(at, "\xEF\xBF\xBD", 3);
}

bool bt_take_slice(struct bt_slice text, char **slot) {
  char *copy = malloc(text.length + 1);
  if (!copy)
    return false;
  if (text.length)
    memcpy(copy, text.data, text.length);
  copy[text.length] = 0;
  free(*slot);
  *slot = copy;
  return true;
}

bool bt_take_string(const struct bt_tape *tape, uint32_t token, char **slot) {
  if (bt_tape_type(tape, token) != BT_JSON_STRING || tape->tokens[token].length == 0)
    return true;
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_take_text(tape, token, &text);
  bool same = *slot && !text.failed && strcmp(*slot, text.data) == 0;
  bool ok = !text.failed && (same || bt_take_slice((struct bt_slice){text.data, text.length}, slot));
  bt_str_dispose(&text);
  return ok;
}

int64_t bt_take_counter(const struct bt_tape *tape, uint32_t token, bool *numeric) {
  double number;
  bool is_number = bt_tape_number(tape, token, &number);
  if (numeric)
    *numeric = is_number;
  if (!is_number || !(number >= 0) || number > 9007199254740992.0 || number != floor(number))
    return 0;
  return (int64_t)number;
}

/* One kind of failure for the callers: no time. */
static int64_t time_of_text(const char *text, size_t length) {
  int64_t time_ms;
  return bt_time_parse_utc(text, length, &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

int64_t bt_take_time(const struct bt_tape *tape, uint32_t token) {
  double number;
  if (bt_tape_number(tape, token, &number))
    return number >= -8.64e15 && number <= 8.64e15 ? (int64_t)number : BT_TIME_UNKNOWN;
  if (bt_tape_type(tape, token) != BT_JSON_STRING)
    return BT_TIME_UNKNOWN;
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (!tape->tokens[token].escaped)
    return time_of_text(raw.data, raw.length);
  if (raw.length > 256) /* no time is that long, however it is escaped */
    return BT_TIME_UNKNOWN;
  struct bt_str text;
  bt_str_init(&text, 1024);
  bt_tape_text(tape, token, &text);
  int64_t time_ms = text.failed ? BT_TIME_UNKNOWN : time_of_text(text.data, text.length);
  bt_str_dispose(&text);
  return time_ms;
}

uint64_t bt_take_id(const struct bt_tape *tape, uint32_t token) {
  if (bt_tape_type(tape, token) != BT_JSON_STRING || tape->tokens[token].length == 0)
    return 0;
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (!tape->tokens[token].escaped)
    return bt_id_hash(raw.data, raw.length);
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_tape_text(tape, token, &text);
  uint64_t hash = bt_id_hash(text.data, text.length);
  bt_str_dispose(&text);
  return hash;
}

#define ONE_LINE_CHARACTERS 200

void bt_one_line(struct bt_str *out, struct bt_slice text) {
  size_t from = out->length;
  bt_str_append(out, text.data, text.length);
  if (out->failed)
    return;
  for (char *at = out->data + from; (at = strchr(at, '\n')) != NULL;)
    *at = ' ';
  struct bt_slice trimmed = bt_trim_w(out->data + from, out->length - from);
  size_t keep = trimmed.length;
  memmove(out->data + from, trimmed.data, keep);
  bt_str_truncate(out, from + keep);
  size_t at = 0;
  for (size_t n = 0; n < ONE_LINE_CHARACTERS && at < keep; n++)
    bt_utf8_next(out->data + from, keep, &at);
  if (at == keep)
    return;
  bt_str_truncate(out, from + at);
  bt_str_truncate(out, from + bt_trim_w(out->data + from, out->length - from).length);
  bt_str_puts(out, "\xE2\x80\xA6");
}

bool bt_slice_starts(struct bt_slice text, const char *prefix) {
  size_t length = strlen(prefix);
  return text.length >= length && memcmp(text.data, prefix, length) == 0;
}

bool bt_slice_has(struct bt_slice text, const char *needle, size_t *at) {
  size_t length = strlen(needle);
  const char *from = text.data, *end = text.data + text.length;
  while (from && (size_t)(end - from) >= length &&
         (from = memchr(from, needle[0], (size_t)(end - from) - length + 1)) != NULL) {
    if (memcmp(from, needle, length) == 0) {
      if (at)
        *at = (size_t)(from - text.data);
      return true;
    }
    from++;
  }
  return false;
}

bool bt_is_uuid(const char *text, size_t length) {
  if (length != 36)
    return false;
  for (size_t i = 0; i < length; i++) {
    bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    char c = text[i];
    bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !hex)
      return false;
  }
  return true;
}
