/* core/base/number.c - doubles as ECMAScript spells them, in any locale.
 *
 * strtod and printf obey LC_NUMERIC, which the terminal side may have set. So no decimal point is ever
 * handed to strtod (only the exponent moves), and the one printf writes is skipped whatever it is. */
#include "core/base/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIGITS_MAX = 800, /* a halfway case has at most 767 digits; whatever follows only says "a bit more" */
  EXPONENT_MAX = 100000000
};

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/* Reads the exponent after `e`; capped far outside the range of a double, within the range of long. */
static long read_exponent(const char *text, size_t length) {
  size_t at = 0;
  bool negative = false;
  if (at < length && (text[at] == '+' || text[at] == '-')) {
    negative = text[at++] == '-';
  }
  long value = 0;
  for (; at < length && is_digit(text[at]); at++) {
    if (value < EXPONENT_MAX) {
      value = value * 10 + (text[at] - '0');
    }
  }
  return negative ? -value : value;
}

double bt_decimal_to_double(const char *text, size_t length) {
  char digits[DIGITS_MAX + 32];
  size_t count = 0;
  long shift = 0; /* power of ten that the digits taken so far have to be multiplied by */
  bool negative = false, after_point = false, more = false;
  size_t at = 0;
  if (at < length && (text[at] == '+' || text[at] == '-')) {
    negative = text[at++] == '-';
  }
  for (; at < length; at++) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    if (!is_digit(text[at])) {
      break;
    }
    if (count == 0 && text[at] == '0') {
      shift -= after_point; /* a leading zero only moves the point */
    } else if (count < DIGITS_MAX) {
      digits[count++] = text[at];
      shift -= after_point;
    } else {
      more = more || text[at] != '0';
      shift += !after_point;
    }
  }
  long exponent = at < length ? read_exponent(text + at + 1, length - at - 1) : 0;
  double value = 0;
  if (count > 0 && count <= 15 && shift + exponent == 0) { /* exact, and nearly every number in a ledger */
    for (size_t i = 0; i < count; i++) {
      value = value * 10 + (digits[i] - '0');
    }
  } else if (count > 0) {
    if (more) {
      digits[count++] = '1';
      shift--;
    }
    (void)snprintf(digits + count, sizeof digits - count, "e%ld", shift + exponent);
    value = strtod(digits, NULL);
  }
  return negative ? -value : value;
}

/* Significant digits of a positive double, shortest first, and the power of ten: value = 0.d1d2… * 10^point. */
struct digits {
  char text[24];
  int count;
  int point;
};

/* The `precision` digits nearest to `value`. */
static void take_digits(struct digits *digits, double value, int precision) {
  char text[48];
  (void)snprintf(text, sizeof text, "%.*e", precision - 1, value);
  digits->count = 0;
  const char *at = text;
  for (; *at != 'e'; at++) {
    if (is_digit(*at)) {
      digits->text[digits->count++] = *at;
    }
  }
  digits->point = (int)strtol(at + 1, NULL, 10) + 1;
}

static bool reads_back(const struct digits *digits, double value) {
  char text[48];
  (void)snprintf(text, sizeof text, "%.*se%d", digits->count, digits->text, digits->point - digits->count);
  return strtod(text, NULL) == value;
}

/* One more in the last place. At a power of two the gap above is twice the gap below, so that the digits
 * next above may read back where the nearest, below, do not (2^-44 is one). */
static void step_up(struct digits *digits) {
  int i = digits->count - 1;
  while (i >= 0 && digits->text[i] == '9') {
    digits->text[i--] = '0';
  }
  if (i >= 0) {
    digits->text[i]++;
  } else {
    digits->text[0] = '1';
    digits->point++;
  }
}

static void shortest_digits(struct digits *digits, double value) {
  /* 15 digits survive the way through a normal double, so fewer come out as trailing zeros of 15. */
  int precision = value >= DBL_MIN ? 15 : 1;
  int binary_exponent;
  bool power_of_two = frexp(value, &binary_exponent) == 0.5;
  for (; precision <= 17; precision++) {
    take_digits(digits, value, precision);
    if (reads_back(digits, value)) {
      break;
    }
    if (power_of_two && precision == 16) {
      step_up(digits);
      if (reads_back(digits, value)) {
        break;
      }
    }
  }
  while (digits->count > 1 && digits->text[digits->count - 1] == '0') {
    digits->count--;
  }
}

/* Lays the digits out (Number::toString, spec 4.2). Gives the length; no NUL. */
static size_t lay_out(char *out, const struct digits *digits) {
  const int k = digits->count, n = digits->point;
  char *at = out;
  if (k <= n && n <= 21) {
    memcpy(at, digits->text, (size_t)k);
    memset(at + k, '0', (size_t)(n - k));
    return (size_t)n;
  }
  if (n > 0 && n <= 21) {
    memcpy(at, digits->text, (size_t)n);
    at[n] = '.';
    memcpy(at + n + 1, digits->text + n, (size_t)(k - n));
    return (size_t)k + 1;
  }
  if (n > -6 && n <= 0) {
    memcpy(at, "0.", 2);
    memset(at + 2, '0', (size_t)-n);
    memcpy(at + 2 - n, digits->text, (size_t)k);
    return (size_t)(2 - n + k);
  }
  *at++ = digits->text[0];
  if (k > 1) {
    *at++ = '.';
    memcpy(at, digits->text + 1, (size_t)(k - 1));
    at += k - 1;
  }
  int exponent = n - 1;
  at += snprintf(at, 8, "e%c%d", exponent < 0 ? '-' : '+', abs(exponent));
  return (size_t)(at - out);
}

static size_t whole_to_text(char *out, uint64_t value) {
  char backwards[20];
  size_t count = 0;
  do {
    backwards[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  for (size_t i = 0; i < count; i++) {
    out[i] = backwards[count - 1 - i];
  }
  return count;
}

size_t bt_double_to_text(char out[BT_NUMBER_TEXT], double value) {
  char *at = out;
  if (isnan(value)) {
    memcpy(out, "NaN", sizeof "NaN");
    return 3;
  }
  if (value < 0) {
    *at++ = '-';
    value = -value;
  }
  if (isinf(value)) {
    memcpy(at, "Infinity", 8);
    at += 8;
  } else if (value < 9007199254740992.0 && value == floor(value)) { /* also -0 */
    at += whole_to_text(at, (uint64_t)value);
  } else {
    struct digits digits;
    shortest_digits(&digits, value);
    at += lay_out(at, &digits);
  }
  *at = '\0';
  return (size_t)(at - out);
}
