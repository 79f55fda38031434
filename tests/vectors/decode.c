/* tests/vectors/decode.c - the encodings of values that JSON cannot spell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vectors/support.h"

_Noreturn void vec_give_up(const char *what) {
  fprintf(stderr, "run_vectors: cannot go on: %s\n", what);
  exit(70);
}

static struct bt_json *made(struct bt_json *value) {
  vec_require(value != NULL, "memory");
  return value;
}

static struct bt_json *string_of(struct bt_str *text) {
  vec_require(!text->failed, "text too long");
  struct bt_json *value = made(bt_json_new_string(text->data));
  bt_str_dispose(text);
  return value;
}

static const struct bt_json *only_member(const struct bt_json *value, const char *key) {
  const struct bt_json *first = bt_json_type(value) == BT_JSON_OBJECT ? bt_json_first(value) : NULL;
  return first && !bt_json_next(first) && strcmp(bt_json_key(first), key) == 0 ? first : NULL;
}

static struct bt_json *join_parts(const struct bt_json *parts) {
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  for (const struct bt_json *part = bt_json_first(parts); part; part = bt_json_next(part))
    bt_str_puts(&text, bt_json_string(part));
  return string_of(&text);
}

static struct bt_json *join_segments(const struct bt_json *segments) {
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  for (const struct bt_json *segment = bt_json_first(segments); segment; segment = bt_json_next(segment)) {
    struct bt_json *piece = vec_decode(segment); /* a text in it may come in parts */
    const char *once = bt_json_get_string(piece, "text"), *repeat = bt_json_get_string(piece, "repeat");
    int64_t times = 0;
    if (once)
      bt_str_puts(&text, once);
    if (repeat && vec_get_int(piece, "times", &times))
      for (int64_t i = 0; i < times; i++)
        bt_str_puts(&text, repeat);
    bt_json_free(piece);
  }
  return string_of(&text);
}

static double odd_number(const char *name) {
  if (strcmp(name, "NaN") == 0)
    return NAN;
  if (strcmp(name, "-0") == 0)
    return -0.0;
  return name[0] == '-' ? -INFINITY : INFINITY;
}

static struct bt_json *decode_object(const struct bt_json *value) {
  struct bt_json *copy = made(bt_json_new_object());
  for (const struct bt_json *member = bt_json_first(value); member; member = bt_json_next(member))
    if (!only_member(member, "$undefined"))
      vec_require(bt_json_set(copy, bt_json_key(member), vec_decode(member)) == BT_OK, "memory");
  return copy;
}

static struct bt_json *decode_array(const struct bt_json *value) {
  struct bt_json *copy = made(bt_json_new_array());
  for (const struct bt_json *item = bt_json_first(value); item; item = bt_json_next(item))
    vec_require(bt_json_push(copy, only_member(item, "$undefined") ? bt_json_new_null() : vec_decode(item)) == BT_OK,
                "memory");
  return copy;
}

struct bt_json *vec_decode(const struct bt_json *value) {
  const struct bt_json *inside;
  switch (bt_json_type(value)) {
  case BT_JSON_OBJECT:
    if ((inside = only_member(value, "$parts")) && bt_json_type(inside) == BT_JSON_ARRAY)
      return join_parts(inside);
    if ((inside = only_member(value, "segments")) && bt_json_type(inside) == BT_JSON_ARRAY)
      return join_segments(inside);
    if ((inside = only_member(value, "$num")) && bt_json_string(inside))
      return made(bt_json_new_number(odd_number(bt_json_string(inside))));
    return decode_object(value);
  case BT_JSON_ARRAY:
    return decode_array(value);
  case BT_JSON_ABSENT:
    return made(bt_json_new_null());
  default:
    return made(bt_json_clone(value));
  }
}

const char *vec_text(const struct bt_json *value, size_t *length) {
  const char *text = bt_json_string(value);
  if (length)
    *length = text ? strlen(text) : 0;
  return text;
}

const char *vec_get_text(const struct bt_json *object, const char *key, size_t *length) {
  return vec_text(bt_json_get(object, key), length);
}

bool vec_get_bool(const struct bt_json *object, const char *key, bool otherwise) {
  bool value;
  return bt_json_get_bool(object, key, &value) ? value : otherwise;
}

bool vec_get_int(const struct bt_json *object, const char *key, int64_t *value) {
  double number;
  if (!bt_json_is_integer(bt_json_get(object, key), &number))
    return false;
  *value = (int64_t)number;
  return true;
}

bool vec_base64(struct bt_str *out, const char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned held = 0, bits = 0;
  for (; *text && *text != '='; text++) {
    const char *digit = strchr(digits, *text);
    if (!digit)
      return false;
    held = (held << 6 | (unsigned)(digit - digits)) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bt_str_putc(out, (char)(held >> bits & 0xff));
    }
  }
  return !out->failed;
}
