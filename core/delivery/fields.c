/* core/delivery/fields.c - forms of single fields. */
#include "core/delivery/fields.h"

#include <string.h>

#include "core/base/clock.h"

char bt_ascii_lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

bool bt_ascii_same(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (bt_ascii_lower(a[i]) != bt_ascii_lower(b[i]))
      return false;
  }
  return true;
}

bool bt_ascii_word(const char *text, const char *word) {
  return strlen(text) == strlen(word) && bt_ascii_same(text, word, strlen(word));
}

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

static bool is_hex(char byte) {
  char lower = bt_ascii_lower(byte);
  return is_digit(byte) || (lower >= 'a' && lower <= 'f');
}

static bool is_letter_or_digit(char byte) {
  char lower = bt_ascii_lower(byte);
  return is_digit(byte) || (lower >= 'a' && lower <= 'z');
}

bool bt_is_blank(const char *text) {
  return text[strspn(text, " \t\r\n\v\f")] == '\0';
}

static bool is_trimmed(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

struct bt_slice bt_trim_blank(const char *text, size_t length) {
  size_t from = 0;
  while (from < length && is_trimmed(text[from]))
    from++;
  while (length > from && is_trimmed(text[length - 1]))
    length--;
  return (struct bt_slice){text + from, length - from};
}

bool bt_trimmed_equals(const char *text, const char *word) {
  return bt_slice_equals(bt_trim_blank(text, strlen(text)), word);
}

/* ---- pull requests ---- */

/* Digits of a PR number at `text`: no zero in front, at most ten. 0: there is none. */
static size_t number_at(const char *text) {
  size_t length = strspn(text, "0123456789");
  return length >= 1 && length <= 10 && text[0] != '0' ? length : 0;
}

/* `owner/repo#N`, with any number of path segments before the `#`, none of them empty. */
static bool read_short_form(const char *text, struct bt_slice *number) {
  const char *hash = strchr(text, '#');
  if (hash == NULL || hash == text || strstr(text, "://") != NULL)
    return false;
  for (const char *at = text; at < hash; at++) {
    bool edge = at == text || at + 1 == hash || at[1] == '/';
    if (is_trimmed(*at) || (unsigned char)*at < 0x20 || (*at == '/' && edge))
      return false;
  }
  *number = (struct bt_slice){hash + 1, number_at(hash + 1)};
  return number->length > 0 && hash[1 + number->length] == '\0';
}

/* `http(s)://host/…/pull/N`: the number may end the URL or be followed by a deeper path, a query or a fragment. */
static bool read_url_form(const char *text, struct bt_slice *number) {
  static const char *const words[] = {"/pull/", "/pulls/", "/pull-requests/", "/merge_requests/"};
  size_t scheme = bt_starts_with(text, "https://") ? 8 : bt_starts_with(text, "http://") ? 7 : 0;
  size_t host = scheme > 0 ? strcspn(text + scheme, "/?# \t\r\n") : 0;
  if (scheme == 0 || host == 0 || text[scheme + host] != '/')
    return false;
  const char *path = text + scheme + host;
  for (const char *at = path + 1 + strcspn(path + 1, "/?#"); *at == '/'; at += 1 + strcspn(at + 1, "/?#")) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      if (at == path + 1 || !bt_starts_with(at, words[i]))
        continue;
      const char *digits = at + strlen(words[i]);
      *number = (struct bt_slice){digits, number_at(digits)};
      char end = digits[number->length];
      if (number->length > 0 && (end == '\0' || end == '/' || end == '?' || end == '#'))
        return true;
    }
  }
  return false;
}

bool bt_pull_request_number(const char *text, struct bt_slice *number) {
  const char *digits = text + (text[0] == '#' || text[0] == '!');
  *number = (struct bt_slice){digits, number_at(digits)};
  if (number->length > 0 && digits[number->length] == '\0')
    return true;
  return read_url_form(text, number) || read_short_form(text, number);
}

/* ---- branches and objects ---- */

static bool component_valid(const char *name, size_t length) {
  return length > 0 && name[0] != '.' && !(length >= 5 && memcmp(name + length - 5, ".lock", 5) == 0);
}

/* git's rules for refs/heads/NAME, and three that git itself knows only for branches. */
bool bt_branch_valid(const char *name) {
  if (name[0] == '-' || bt_starts_with(name, "refs/") || strcmp(name, "HEAD") == 0)
    return false;
  for (const char *at = name; *at != '\0'; at++) {
    if ((unsigned char)*at <= ' ' || *at == 0x7F || strchr("~^:?*[\\", *at) != NULL || bt_starts_with(at, "..") ||
        bt_starts_with(at, "@{"))
      return false;
  }
  for (const char *at = name;;) {
    size_t length = strcspn(at, "/");
    if (!component_valid(at, length))
      return false;
    if (at[length] == '\0')
      return at[length - 1] != '.';
    at += length + 1;
  }
}

bool bt_object_id_valid(const char *text) {
  size_t length = strlen(text);
  if (length != 40 && length != 64)
    return false;
  for (size_t i = 0; i < length; i++) {
    if (!is_hex(text[i]))
      return false;
  }
  return strspn(text, "0") < length;
}

/* ---- times ---- */

static bool two_digits(const char *text, int *value) {
  *value = is_digit(text[0]) && is_digit(text[1]) ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
  return *value >= 0;
}

static bool has_zone(const char *text, size_t length) {
  if (length == 1)
    return text[0] == 'Z' || text[0] == 'z';
  return length == 6 && (memcmp(text, "+00:00", 6) == 0 || memcmp(text, "-00:00", 6) == 0);
}

bool bt_utc_time(const char *text, size_t length, int64_t *time_ms) {
  int century, year, month, day, hour, minute, second;
  if (length < 20 || !two_digits(text, &century) || !two_digits(text + 2, &year) || text[4] != '-' ||
      !two_digits(text + 5, &month) || text[7] != '-' || !two_digits(text + 8, &day) ||
      (text[10] != 'T' && text[10] != 't') || !two_digits(text + 11, &hour) || text[13] != ':' ||
      !two_digits(text + 14, &minute) || text[16] != ':' || !two_digits(text + 17, &second))
    return false;
  size_t at = 19, fraction = 0;
  if (text[at] == '.') {
    while (at + 1 + fraction < length && is_digit(text[at + 1 + fraction]))
      fraction++;
    if (fraction == 0)
      return false;
    at += 1 + fraction;
  }
  bool leap = second == 60 && hour == 23 && minute == 59 && ((month == 6 && day == 30) || (month == 12 && day == 31));
  if (hour > 23 || minute > 59 || (second > 59 && !leap) || !has_zone(text + at, length - at))
    return false;
  /* The calendar is the clock's business: the same moment in the one form that it reads. */
  char plain[] = "YYYY-MM-DDTHH:MM:SS.000Z";
  int64_t found;
  memcpy(plain, text, 19);
  plain[10] = 'T';
  if (leap)
    memcpy(plain + 17, "59", 2);
  for (size_t i = 0; i < fraction && i < 3; i++)
    plain[20 + i] = text[20 + i];
  if (!bt_time_parse_utc(plain, sizeof plain - 1, &found))
    return false;
  if (time_ms != NULL)
    *time_ms = found + (leap ? 1000 : 0);
  return true;
}

/* ---- gates and evidence ---- */

int bt_gate_rank(const char *gate) {
  static const char *const gates[] = {"change-ready",     "pr-open", "ci-green",
                                      "review-satisfied", "merge",   "post-merge-verify"};
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
    if (bt_trimmed_equals(gate, gates[i]))
      return (int)i;
  }
  return -1;
}

bool bt_gate_is_head_bound(const char *gate) {
  return !bt_trimmed_equals(gate, "pr-open") && !bt_trimmed_equals(gate, "merge") &&
         !bt_trimmed_equals(gate, "post-merge-verify");
}

bool bt_next_object_id(const char *text, size_t *at, struct bt_slice *id) {
  while (text[*at] != '\0') {
    size_t from = *at, length = 0;
    while (is_letter_or_digit(text[from + length]))
      length++;
    *at = from + (length > 0 ? length : 1);
    bool digits_only = length == 40 || length == 64;
    for (size_t i = 0; digits_only && i < length; i++)
      digits_only = is_hex(text[from + i]);
    if (digits_only) {
      *id = (struct bt_slice){text + from, length};
      return true;
    }
  }
  return false;
}

bool bt_evidence_names(const char *text, const char *id, bool *names_any) {
  struct bt_slice found;
  bool named = false;
  *names_any = false;
  for (size_t at = 0; bt_next_object_id(text, &at, &found);) {
    *names_any = true;
    named = named || (strlen(id) == found.length && bt_ascii_same(found.data, id, found.length));
  }
  return named;
}
