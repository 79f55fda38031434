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
  for (char *at = out->data + from, *end = out->data + out->length; (at = memchr(at, 0xED, (size_t)(end - at))) != NULL; at++)
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

static bool digits(const char *text, size_t length, size_t at, size_t count, int *value) {
  if (at + count > length)
    return false;
  *value = 0;
  for (size_t i = at; i < at + count; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    *value = *value * 10 + (text[i] - '0');
  }
  return true;
}

static int64_t days_from_civil(int64_t year, int month, int day) {
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static bool is_date(int year, int month, int day) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1)
    return false;
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= lengths[month - 1] + (month == 2 && leap);
}

/* `[:SS[.f…]]` at *at. */
static bool take_seconds(const char *text, size_t length, size_t *at, int *second, int *ms) {
  if (*at >= length || text[*at] != ':')
    return true;
  if (!digits(text, length, *at + 1, 2, second) || *second > 59)
    return false;
  *at += 3;
  if (*at < length && text[*at] == '.') {
    size_t from = ++*at;
    for (int scale = 100; *at < length && text[*at] >= '0' && text[*at] <= '9'; ++*at, scale /= 10)
      *ms += (text[*at] - '0') * scale;
    return *at > from;
  }
  return true;
}

/* `[Z|±HH[:]MM]` at *at, in minutes. */
static bool take_zone(const char *text, size_t length, size_t *at, int *zone_minutes) {
  if (*at < length && text[*at] == 'Z') {
    ++*at;
    return true;
  }
  if (*at >= length || (text[*at] != '+' && text[*at] != '-'))
    return true;
  int sign = text[*at] == '-' ? -1 : 1, hours, minutes;
  if (!digits(text, length, *at + 1, 2, &hours))
    return false;
  *at += 3;
  if (*at < length && text[*at] == ':')
    ++*at;
  if (!digits(text, length, *at, 2, &minutes) || hours > 23 || minutes > 59)
    return false;
  *at += 2;
  *zone_minutes = sign * (hours * 60 + minutes);
  return true;
}

int64_t bt_take_time_text(const char *text, size_t length) {
  int year, month, day, hour = 0, minute = 0, second = 0, ms = 0, zone_minutes = 0;
  if (!digits(text, length, 0, 4, &year) || length < 10 || text[4] != '-' || !digits(text, length, 5, 2, &month) || text[7] != '-' ||
      !digits(text, length, 8, 2, &day) || !is_date(year, month, day))
    return BT_TIME_UNKNOWN;
  size_t at = 10;
  if (at < length) {
    if (text[at] != 'T' || !digits(text, length, 11, 2, &hour) || length < 16 || text[13] != ':' || !digits(text, length, 14, 2, &minute) ||
        hour > 23 || minute > 59)
      return BT_TIME_UNKNOWN;
    at = 16;
    if (!take_seconds(text, length, &at, &second, &ms) || !take_zone(text, length, &at, &zone_minutes) || at != length)
      return BT_TIME_UNKNOWN;
  }
  int64_t minutes = (days_from_civil(year, month, day) * 24 + hour) * 60 + minute - zone_minutes;
  return (minutes * 60 + second) * 1000 + ms;
}

int64_t bt_take_time(const struct bt_tape *tape, uint32_t token) {
  double number;
  if (bt_tape_number(tape, token, &number))
    return number >= -8.64e15 && number <= 8.64e15 ? (int64_t)number : BT_TIME_UNKNOWN;
  if (bt_tape_type(tape, token) != BT_JSON_STRING)
    return BT_TIME_UNKNOWN;
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (!tape->tokens[token].escaped)
    return bt_take_time_text(raw.data, raw.length);
  if (raw.length > 256) /* no time is that long, however it is escaped */
    return BT_TIME_UNKNOWN;
  struct bt_str text;
  bt_str_init(&text, 1024);
  bt_tape_text(tape, token, &text);
  int64_t time_ms = text.failed ? BT_TIME_UNKNOWN : bt_take_time_text(text.data, text.length);
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
  while (from && (size_t)(end - from) >= length && (from = memchr(from, needle[0], (size_t)(end - from) - length + 1)) != NULL) {
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
