/* core/base/json_text.c - what JavaScript makes of a value elsewhere: text, number, truth, equality.
 *
 * Rules: spec/context-handoff.md 13.6, 13.16, 13.26. */
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/utf8.h"

void bt_json_to_text(struct bt_str *out, const struct bt_json *value) {
  char text[BT_NUMBER_TEXT];
  double number = 0;
  switch (bt_json_type(value)) {
  case BT_JSON_ABSENT:
    bt_str_puts(out, "undefined");
    break;
  case BT_JSON_STRING:
    bt_utf8_append(out, bt_json_string(value), strlen(bt_json_string(value)));
    break;
  case BT_JSON_NUMBER:
    (void)bt_json_number(value, &number);
    bt_str_append(out, text, bt_double_to_text(text, number));
    break;
  case BT_JSON_ARRAY: /* Array.prototype.join: nullish elements are empty */
    for (const struct bt_json *item = bt_json_first(value); item != NULL; item = bt_json_next(item)) {
      if (item != bt_json_first(value)) {
        bt_str_putc(out, ',');
      }
      if (!bt_json_is_nullish(item)) {
        bt_json_to_text(out, item);
      }
    }
    break;
  case BT_JSON_OBJECT:
    bt_str_puts(out, "[object Object]");
    break;
  default:
    bt_json_print_compact(out, value); /* null, true, false */
    break;
  }
}

/* ------------------------------------------------------------- text to number ----------------- */

static int digit_value(char byte) {
  if (byte >= '0' && byte <= '9') {
    return byte - '0';
  }
  char lower = (char)(byte | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* Digits of a radix that is a power of two. 64 bits are kept, a bit lost below them is remembered in
 * the lowest: rounding to the 53 bits of a double then goes the right way. */
static double radix_to_number(const char *digits, size_t length, int bits) {
  uint64_t kept = 0;
  int dropped = 0;
  if (length == 0) {
    return NAN;
  }
  for (size_t i = 0; i < length; i++) {
    int digit = digit_value(digits[i]);
    if (digit >= 1 << bits) {
      return NAN;
    }
    if (kept >> (64 - bits) == 0) {
      kept = kept << bits | (uint64_t)digit;
    } else {
      kept |= digit != 0;
      dropped = dropped < 4096 ? dropped + bits : dropped;
    }
  }
  return ldexp((double)kept, dropped);
}

static size_t digits_at(const char *text, size_t at, size_t length) {
  size_t from = at;
  while (at < length && text[at] >= '0' && text[at] <= '9') {
    at++;
  }
  return at - from;
}

/* StrDecimalLiteral without its sign: digits on at least one side of the point, then an exponent. */
static bool is_decimal(const char *text, size_t length) {
  size_t whole = digits_at(text, 0, length), at = whole, fraction = 0;
  if (at < length && text[at] == '.') {
    fraction = digits_at(text, at + 1, length);
    at += 1 + fraction;
  }
  if (whole + fraction == 0) {
    return false;
  }
  if (at < length && (text[at] == 'e' || text[at] == 'E')) {
    at++;
    if (at < length && (text[at] == '+' || text[at] == '-')) {
      at++;
    }
    size_t exponent = digits_at(text, at, length);
    if (exponent == 0) {
      return false;
    }
    at += exponent;
  }
  return at == length;
}

double bt_text_to_number(const char *text, size_t length) {
  struct bt_slice slice = bt_trim_w(text, length);
  if (slice.length == 0) {
    return 0;
  }
  if (slice.length >= 2 && slice.data[0] == '0') {
    switch (slice.data[1] | 0x20) {
    case 'x':
      return radix_to_number(slice.data + 2, slice.length - 2, 4);
    case 'o':
      return radix_to_number(slice.data + 2, slice.length - 2, 3);
    case 'b':
      return radix_to_number(slice.data + 2, slice.length - 2, 1);
    default:
      break;
    }
  }
  size_t sign = slice.data[0] == '+' || slice.data[0] == '-';
  if (bt_slice_equals((struct bt_slice){slice.data + sign, slice.length - sign}, "Infinity")) {
    return slice.data[0] == '-' ? -INFINITY : INFINITY;
  }
  return is_decimal(slice.data + sign, slice.length - sign) ? bt_decimal_to_double(slice.data, slice.length) : NAN;
}

/* An array becomes its text first. The text of its strings can be long, of its numbers it is short. */
static double array_to_number(const struct bt_json *array) {
  struct bt_str text;
  bt_str_init(&text, 64 * 1024); /* a longer text is no number that anybody means */
  bt_json_to_text(&text, array);
  double number = text.failed ? NAN : bt_text_to_number(text.data, text.length);
  bt_str_dispose(&text);
  return number;
}

double bt_json_to_number(const struct bt_json *value) {
  double number = NAN;
  switch (bt_json_type(value)) {
  case BT_JSON_NULL:
  case BT_JSON_FALSE:
    return 0;
  case BT_JSON_TRUE:
    return 1;
  case BT_JSON_NUMBER:
    (void)bt_json_number(value, &number);
    return number;
  case BT_JSON_STRING:
    return bt_text_to_number(bt_json_string(value), strlen(bt_json_string(value)));
  case BT_JSON_ARRAY:
    return array_to_number(value);
  default:
    return number;
  }
}

/* ------------------------------------------------------------- truth and equality ------------- */

bool bt_json_truthy(const struct bt_json *value) {
  double number = 0;
  switch (bt_json_type(value)) {
  case BT_JSON_ABSENT:
  case BT_JSON_NULL:
  case BT_JSON_FALSE:
    return false;
  case BT_JSON_NUMBER:
    (void)bt_json_number(value, &number);
    return number != 0 && !isnan(number);
  case BT_JSON_STRING:
    return bt_json_string(value)[0] != '\0';
  default:
    return true;
  }
}

/* Members are usually in the same order on both sides; only where they are not is a key looked up. */
static bool same_members(const struct bt_json *a, const struct bt_json *b) {
  const struct bt_json *right = bt_json_first(b);
  for (const struct bt_json *left = bt_json_first(a); left != NULL; left = bt_json_next(left)) {
    const char *key = bt_json_key(left);
    const struct bt_json *other = right;
    if (key != NULL && (other == NULL || strcmp(key, bt_json_key(other)) != 0)) {
      other = bt_json_get(b, key);
    }
    if (other == NULL || !bt_json_equals(left, other)) {
      return false;
    }
    right = bt_json_next(other);
  }
  return true;
}

bool bt_json_equals(const struct bt_json *a, const struct bt_json *b) {
  enum bt_json_type type = bt_json_type(a);
  double x = 0, y = 0;
  if (type != bt_json_type(b)) {
    return false;
  }
  switch (type) {
  case BT_JSON_NUMBER:
    return bt_json_number(a, &x) && bt_json_number(b, &y) && x == y;
  case BT_JSON_STRING:
    return strcmp(bt_json_string(a), bt_json_string(b)) == 0;
  case BT_JSON_ARRAY:
  case BT_JSON_OBJECT:
    return bt_json_count(a) == bt_json_count(b) && same_members(a, b);
  default:
    return true;
  }
}
