/* core/harness/flail_line.c - see flail_line.h. Each removal is one pass from left to right, as the recorded program's
 * patterns are. */
#include "core/harness/flail_line.h"

#include <string.h>

#include "core/base/utf8.h"
#include "core/harness/take.h"

#define SIGNATURE_MIN 5 /* UTF-16 units */

static bool is_space_at(struct bt_slice text, size_t at, size_t *after) {
  *after = at;
  return bt_is_w(bt_utf8_next(text.data, text.length, after));
}

static size_t skip_spaces(struct bt_slice text, size_t at) {
  for (size_t after; at < text.length && is_space_at(text, at, &after);)
    at = after;
  return at;
}

static size_t skip_word(struct bt_slice text, size_t at) {
  for (size_t after; at < text.length && !is_space_at(text, at, &after);)
    at = after;
  return at;
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool starts_any_case(struct bt_slice text, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i < length; i++)
    if (i >= text.length || lower(text.data[i]) != word[i])
      return false;
  return true;
}

static bool written_path(struct bt_slice line, struct bt_slice *path) {
  if (!starts_any_case(line, "writing") && !starts_any_case(line, "editing") && !starts_any_case(line, "created"))
    return false;
  size_t word = skip_spaces(line, 7), end = skip_word(line, word);
  *path = (struct bt_slice){line.data + word, end - word};
  return word > 7 && end > word;
}

/* The first `"file_path" : "…"`. */
static bool named_path(struct bt_slice line, struct bt_slice *path) {
  static const char key[] = "\"file_path\"";
  size_t found;
  for (size_t at = 0; bt_slice_has((struct bt_slice){line.data + at, line.length - at}, key, &found);) {
    at += found + sizeof key - 1;
    size_t colon = skip_spaces(line, at);
    size_t quote = colon < line.length && line.data[colon] == ':' ? skip_spaces(line, colon + 1) : line.length;
    if (quote >= line.length || line.data[quote] != '"')
      continue;
    const char *from = line.data + quote + 1, *end = memchr(from, '"', line.length - quote - 1);
    if (end && end > from) {
      *path = (struct bt_slice){from, (size_t)(end - from)};
      return true;
    }
  }
  return false;
}

bool bt_flail_path(struct bt_slice line, struct bt_slice *path) {
  return written_path(line, path) || named_path(line, path);
}

bool bt_flail_speaks_of_error(struct bt_slice line) {
  static const char *const words[] = {"error", "exception", "failed", "cannot", "enoent"};
  for (size_t at = 0; at < line.length; at++)
    if (strchr("efc", lower(line.data[at])) && line.data[at])
      for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_any_case((struct bt_slice){line.data + at, line.length - at}, words[i]))
          return true;
  return false;
}

/* ---- signatures ---- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Each of these gives the end of what is to be removed at `at`, or `at` itself. */
static size_t address_end(struct bt_slice text, size_t at) {
  size_t end = at + 2;
  if (end >= text.length || text.data[at] != '0' || text.data[at + 1] != 'x')
    return at;
  while (end < text.length && (is_digit(text.data[end]) || (text.data[end] >= 'a' && text.data[end] <= 'f')))
    end++;
  return end > at + 2 ? end : at;
}

static size_t quotation_end(struct bt_slice text, size_t at, char quote) {
  if (text.data[at] != quote)
    return at;
  const char *end = memchr(text.data + at + 1, quote, text.length - at - 1);
  return end ? (size_t)(end - text.data) + 1 : text.length + 1; /* past the end: there is none behind either */
}

static size_t double_quotation_end(struct bt_slice text, size_t at) {
  return quotation_end(text, at, '"');
}

static size_t single_quotation_end(struct bt_slice text, size_t at) {
  return quotation_end(text, at, '\'');
}

static size_t path_end(struct bt_slice text, size_t at) {
  size_t after;
  if (text.data[at] == '/' && at + 1 < text.length && text.data[at + 1] != '/' && !is_space_at(text, at + 1, &after))
    return skip_word(text, at + 1);
  if (text.length - at >= 3 && text.data[at] >= 'a' && text.data[at] <= 'z' && text.data[at + 1] == ':' &&
      text.data[at + 2] == '\\')
    return skip_word(text, at + 3);
  return at;
}

static size_t number_end(struct bt_slice text, size_t at) {
  while (at < text.length && is_digit(text.data[at]))
    at++;
  return at;
}

static void remove_all(struct bt_str *text, size_t from, size_t (*end_of)(struct bt_slice text, size_t at)) {
  struct bt_slice all = {text->data + from, text->length - from};
  size_t kept = 0;
  for (size_t at = 0; at < all.length;) {
    size_t end = end_of(all, at);
    if (end > all.length) { /* nothing of the kind from here on */
      memmove(text->data + from + kept, all.data + at, all.length - at);
      kept += all.length - at;
      break;
    }
    if (end == at)
      text->data[from + kept++] = all.data[end++];
    at = end;
  }
  bt_str_truncate(text, from + kept);
}

static void collapse_spaces(struct bt_str *text, size_t from) {
  struct bt_slice all = {text->data + from, text->length - from};
  size_t kept = 0;
  for (size_t at = 0; at < all.length;) {
    size_t after = skip_spaces(all, at);
    if (after > at) {
      text->data[from + kept++] = ' ';
      at = after;
      continue;
    }
    (void)bt_utf8_next(all.data, all.length, &after);
    memmove(text->data + from + kept, all.data + at, after - at);
    kept += after - at;
    at = after;
  }
  bt_str_truncate(text, from + kept);
}

void bt_flail_signature(struct bt_str *out, struct bt_slice line) {
  size_t from = out->length;
  bt_utf8_lower(out, line.data, line.length);
  if (out->failed)
    return;
  remove_all(out, from, address_end);
  remove_all(out, from, double_quotation_end);
  remove_all(out, from, single_quotation_end);
  remove_all(out, from, path_end);
  remove_all(out, from, number_end);
  collapse_spaces(out, from);
  struct bt_slice trimmed = bt_trim_w(out->data + from, out->length - from);
  memmove(out->data + from, trimmed.data, trimmed.length);
  bt_str_truncate(out, from + trimmed.length);
}

bool bt_flail_signature_counts(struct bt_slice signature) {
  static const char *const idle[] = {"created at", "created at:", "completed at", "completed at:"};
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (bt_slice_equals(signature, idle[i]))
      return false;
  return bt_utf16_length(signature.data, signature.length) >= SIGNATURE_MIN;
}
