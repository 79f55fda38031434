/* core/records/words.c - see words.h. */
#include "core/records/words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/records/units.h"

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_slug_char(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '_' || c == '-';
}

void bt_words_lower(struct bt_str *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char *at = text + i;
    if (length - i >= 3 && memcmp(at, "\xE2\x84\xAA", 3) == 0) { /* Kelvin sign */
      bt_str_putc(out, 'k');
      i += 2;
    } else if (length - i >= 2 && memcmp(at, "\xC4\xB0", 2) == 0) { /* I with a dot: i and a combining dot */
      bt_str_puts(out, "i\xCC\x87");
      i += 1;
    } else {
      bt_str_putc(out, *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at);
    }
  }
}

void bt_words_slug(struct bt_str *out, const char *text, size_t length) {
  struct bt_str lower, slug;
  bt_str_init(&lower, length * 2 + 1);
  bt_str_init(&slug, length * 2 + 1);
  bt_words_lower(&lower, text, length);
  bool in_gap = false;
  for (size_t i = 0; i < lower.length; i++) {
    bool good = is_slug_char(lower.data[i]);
    if (good || !in_gap)
      bt_str_putc(&slug, good ? lower.data[i] : '-');
    in_gap = !good;
  }
  size_t start = 0, end = slug.length;
  while (start < end && slug.data[start] == '-')
    start++;
  while (end > start && slug.data[end - 1] == '-')
    end--;
  bt_str_append(out, slug.data + start, end - start > BT_SLUG_UNITS ? BT_SLUG_UNITS : end - start);
  out->failed = out->failed || lower.failed || slug.failed;
  bt_str_dispose(&lower);
  bt_str_dispose(&slug);
}

void bt_words_folder(struct bt_str *out, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    uint32_t code_point = bt_utf8_next(text, length, &at);
    char c = code_point < 0x80 ? (char)code_point : '\0';
    bool good = is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
    bt_str_puts(out, code_point > 0xFFFF ? "__" : "");
    if (code_point <= 0xFFFF)
      bt_str_putc(out, good ? c : '_');
  }
}

static bool is_tag_char(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '~' || c == '-';
}

/* The leftmost `--`, the longest run that another `--` follows. */
static bool find_tag(const char *text, size_t length, struct bt_slice *tag) {
  for (size_t i = 0; i + 4 < length; i++) {
    if (text[i] != '-' || text[i + 1] != '-')
      continue;
    size_t from = i + 2, end = from;
    while (end < length && is_tag_char(text[end]))
      end++;
    for (size_t to = end >= 2 ? end - 2 : 0; to > from; to--) {
      if (text[to] == '-' && text[to + 1] == '-') {
        *tag = (struct bt_slice){text + from, to - from};
        return true;
      }
    }
  }
  return false;
}

/* The last piece between dashes; with the one before it where it is shorter than three. */
static void last_words(const struct bt_slice *tag, struct bt_str *out) {
  struct bt_slice last = {"", 0}, before = {"", 0};
  size_t count = 0;
  for (size_t at = 0; at < tag->length;) {
    const char *start = tag->data + at;
    const char *dash = memchr(start, '-', tag->length - at);
    size_t length = dash != NULL ? (size_t)(dash - start) : tag->length - at;
    if (length > 0) {
      before = last;
      last = (struct bt_slice){start, length};
      count++;
    }
    at += length + 1;
  }
  if (last.length < 3 && count >= 2) {
    bt_str_append(out, before.data, before.length);
    bt_str_putc(out, '-');
  }
  bt_str_append(out, last.data, last.length);
}

bool bt_words_tag(struct bt_str *out, const char *text, size_t length) {
  struct bt_slice tag;
  if (!find_tag(text, length, &tag))
    return false;
  if (tag.length >= 2 && is_letter(tag.data[0]) && tag.data[1] == '-') /* a drive */
    tag = (struct bt_slice){tag.data + 2, tag.length - 2};
  struct bt_str words;
  bt_str_init(&words, length + 1);
  last_words(&tag, &words);
  size_t start = out->length;
  bt_words_slug(out, words.data, words.length);
  if (out->length == start)
    bt_str_puts(out, "unsorted");
  out->failed = out->failed || words.failed;
  bt_str_dispose(&words);
  return true;
}

bool bt_words_is_name(const char *name) {
  return name[0] != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

void bt_words_overlap_text(char out[8], double value) {
  for (int eighth = 1; eighth < 8; eighth += 2) { /* the only ties that a double can hold */
    if (value == eighth / 8.0)
      value += 0.004;
  }
  snprintf(out, 8, "%.2f", value);
}

static size_t run_of(const char *text, size_t at, bool letters, bool digits) {
  size_t from = at;
  while ((letters && is_letter(text[at])) || (digits && is_digit(text[at])))
    at++;
  return at - from;
}

bool bt_words_is_machine_id(const char *id) {
  if (run_of(id, 0, true, true) == 8 && id[8] == '-' && run_of(id, 9, true, true) >= 4)
    return true;
  size_t letters = run_of(id, 0, true, false);
  size_t digits = run_of(id, letters, false, true);
  return letters >= 1 && letters <= 4 && digits >= 4 && id[letters + digits] == '\0';
}
