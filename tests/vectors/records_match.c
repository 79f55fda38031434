/* tests/vectors/records_match.c - see records_match.h. */
#include "tests/vectors/records_match.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/utf8.h"

static void put_filled(struct bt_str *out, const struct records_names *names, const char *text, bool skill) {
  for (const char *at = text; *at != '\0';) {
    bool is_cwd = bt_starts_with(at, "<cwd>"), is_skill = skill && bt_starts_with(at, "<skill>");
    if (is_cwd || is_skill) {
      bt_str_puts(out, is_cwd ? names->cwd : names->skill);
      at += is_cwd ? 5 : 7;
    } else {
      bt_str_putc(out, *at++);
    }
  }
}

/* The text with `<cwd>`, in a result also `<skill>`, as internal text. */
static void put_text(struct bt_str *out, const struct records_names *names, const struct bt_json *text,
                     bool is_result) {
  const char *string = bt_json_string(text);
  int64_t times = 0;
  if (string != NULL) {
    put_filled(out, names, string, is_result);
  } else if (bt_json_get(text, "concat") != NULL) {
    const struct bt_json *parts = bt_json_get(text, "concat");
    for (const struct bt_json *part = bt_json_first(parts); part != NULL; part = bt_json_next(part))
      put_text(out, names, part, is_result);
  } else if (vec_get_int(text, "times", &times)) {
    for (int64_t i = 0; i < times; i++)
      put_text(out, names, bt_json_get(text, "repeat"), is_result);
  } else {
    vec_give_up("a text of an unknown form");
  }
}

void records_text(struct bt_str *out, const struct records_names *names, const struct bt_json *text) {
  const char *base64 = bt_json_get_string(text, "base64");
  struct bt_str plain;
  if (base64 != NULL) {
    vec_require(vec_base64(out, base64), "base64");
    return;
  }
  bt_str_init(&plain, VEC_TEXT_MAX);
  put_text(&plain, names, text, false);
  bt_utf8_encode8(out, plain.data, plain.length);
  vec_require(!plain.failed && !out->failed, "memory");
  bt_str_dispose(&plain);
}

static size_t shaped(const char *text, size_t length, const char *shape) {
  for (size_t i = 0; shape[i] != '\0'; i++) {
    bool digit = i < length && text[i] >= '0' && text[i] <= '9';
    bool hex = digit || (i < length && text[i] >= 'a' && text[i] <= 'f');
    if (i >= length || !(shape[i] == 'd' ? digit : shape[i] == 'h' ? hex : text[i] == shape[i]))
      return 0;
  }
  return strlen(shape);
}

#define H8 "hhhhhhhh"
static const struct wild {
  const char *name, *shape; /* NULL: any run of one or more bytes without a line end */
} wilds[] = {{"<ts>", "dddd-dd-ddTdd:dd:dd.dddZ"},
             {"<sha>", H8 H8 H8 H8 H8 H8 H8 H8},
             {"<date>", "dddd-dd-dd"},
             {"<prog>", NULL},
             {"<version>", NULL}};

static const struct wild *wild_at(const char *pattern, size_t length) {
  for (size_t i = 0; i < sizeof wilds / sizeof *wilds; i++) {
    size_t name = strlen(wilds[i].name);
    if (length >= name && memcmp(pattern, wilds[i].name, name) == 0)
      return &wilds[i];
  }
  return NULL;
}

static bool matches(const char *pattern, size_t pattern_length, const char *text, size_t length) {
  while (pattern_length > 0) {
    const struct wild *wild = *pattern == '<' ? wild_at(pattern, pattern_length) : NULL;
    if (wild == NULL) {
      if (length == 0 || *pattern != *text)
        return false;
      pattern++, pattern_length--, text++, length--;
      continue;
    }
    pattern += strlen(wild->name);
    pattern_length -= strlen(wild->name);
    if (wild->shape == NULL) {
      for (size_t n = 1; n <= length && text[n - 1] != '\n'; n++) {
        if (matches(pattern, pattern_length, text + n, length - n))
          return true;
      }
      return false;
    }
    size_t taken = shaped(text, length, wild->shape);
    if (taken == 0)
      return false;
    text += taken, length -= taken;
  }
  return length == 0;
}

bool records_match(const struct records_names *names, const struct bt_json *expected, const char *bytes,
                   size_t length) {
  const char *sha256 = bt_json_get_string(expected, "sha256");
  int64_t size = 0;
  char hex[BT_SHA256_HEX];
  if (sha256 != NULL) {
    bt_sha256_hex(bytes, length, hex);
    return strcmp(hex, sha256) == 0 && (!vec_get_int(expected, "bytes", &size) || (size_t)size == length);
  }
  struct bt_str text, wanted;
  bt_str_init(&text, VEC_TEXT_MAX);
  bt_str_init(&wanted, VEC_TEXT_MAX);
  put_text(&text, names, expected, true);
  bt_utf8_encode8(&wanted, text.data, text.length);
  vec_require(!text.failed && !wanted.failed, "memory");
  bool same = matches(wanted.data, wanted.length, bytes, length);
  bt_str_dispose(&text);
  bt_str_dispose(&wanted);
  return same;
}
