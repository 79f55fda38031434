/* core/base/json_print.c - JSON.stringify (spec/context-handoff.md 4.2). */
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/utf8.h"

/* Bytes that stand for themselves: neither a quote, a backslash, a control nor the start of C0 80 or of a half. */
static size_t plain_run(const char *text, size_t at, size_t length) {
  while (at < length) {
    unsigned char byte = (unsigned char)text[at];
    if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x80) {
      break;
    }
    at++;
  }
  return at;
}

static void put_control(struct bt_str *out, uint32_t code_point) {
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  const char *found = code_point != 0 && code_point < 0x80 ? strchr(from, (int)code_point) : NULL;
  if (found != NULL) {
    char escape[2] = {'\\', to[found - from]};
    bt_str_append(out, escape, 2);
  } else {
    bt_str_printf(out, "\\u%04x", (unsigned)code_point);
  }
}

void bt_json_print_string(struct bt_str *out, const char *text, size_t length) {
  bt_str_putc(out, '"');
  size_t at = 0;
  while (at < length && !out->failed) {
    size_t end = plain_run(text, at, length);
    bt_str_append(out, text + at, end - at);
    at = end;
    if (at >= length) {
      break;
    }
    uint32_t code_point = bt_utf8_next(text, length, &at);
    bool half = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (code_point < 0x80 || half) {
      put_control(out, code_point);
    } else {
      char bytes[4];
      bt_str_append(out, bytes, bt_utf8_encode(code_point, bytes));
    }
  }
  bt_str_putc(out, '"');
}

void bt_json_print_number(struct bt_str *out, double value) {
  char text[BT_NUMBER_TEXT];
  if (!isfinite(value)) {
    bt_str_puts(out, "null");
  } else {
    bt_str_append(out, text, bt_double_to_text(text, value));
  }
}

/* A new line at `level`, in the pretty form only (a negative level is the compact one). */
static void put_break(struct bt_str *out, int level) {
  if (level >= 0) {
    bt_str_putc(out, '\n');
  }
  for (int i = 0; i < level; i++) {
    bt_str_append(out, "  ", 2);
  }
}

static void print_value(struct bt_str *out, const struct bt_json *value, int level);

static void print_container(struct bt_str *out, const struct bt_json *container, int level, const char brackets[2]) {
  const int inner = level < 0 ? level : level + 1;
  bt_str_putc(out, brackets[0]);
  const struct bt_json *first = bt_json_first(container);
  for (const struct bt_json *item = first; item != NULL && !out->failed; item = bt_json_next(item)) {
    const char *key = bt_json_key(item);
    if (item != first) {
      bt_str_putc(out, ',');
    }
    put_break(out, inner);
    if (key != NULL) {
      bt_json_print_string(out, key, strlen(key));
      bt_str_puts(out, level < 0 ? ":" : ": ");
    }
    print_value(out, item, inner);
  }
  if (first != NULL) {
    put_break(out, level);
  }
  bt_str_putc(out, brackets[1]);
}

static void print_value(struct bt_str *out, const struct bt_json *value, int level) {
  double number = 0;
  switch (bt_json_type(value)) {
  case BT_JSON_OBJECT:
    print_container(out, value, level, "{}");
    break;
  case BT_JSON_ARRAY:
    print_container(out, value, level, "[]");
    break;
  case BT_JSON_STRING:
    bt_json_print_string(out, bt_json_string(value), strlen(bt_json_string(value)));
    break;
  case BT_JSON_NUMBER:
    (void)bt_json_number(value, &number);
    bt_json_print_number(out, number);
    break;
  case BT_JSON_TRUE:
    bt_str_puts(out, "true");
    break;
  case BT_JSON_FALSE:
    bt_str_puts(out, "false");
    break;
  default:
    bt_str_puts(out, "null");
    break;
  }
}

void bt_json_print_compact(struct bt_str *out, const struct bt_json *value) {
  print_value(out, value, -1);
}

void bt_json_print_pretty(struct bt_str *out, const struct bt_json *value) {
  print_value(out, value, 0);
}
