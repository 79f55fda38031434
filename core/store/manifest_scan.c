/* core/store/manifest_scan.c - recognises a line that is already in its printed form. */
#include "core/store/manifest_scan.h"

#include <string.h>

#include "core/base/json.h"

#define SCAN_DEPTH_MAX 16 /* deeper, or more keys in one object: the tree is as good */
#define SCAN_KEYS_MAX 32
#define NUMBER_MAX 32

struct scanner {
  const unsigned char *at, *end;
};

static const char *const member_names[BT_MEMBER_COUNT] = {"seq",   "gate", "ts",  "ticket",     "data",
                                                          "files", "prev", "sig", "sigVersion", "anchor"};

const char *bt_entry_member_name(enum bt_entry_member member) {
  return member_names[member];
}

/* Length of the well-formed sequence at `at`, 0 for an ill-formed one. */
static size_t utf8_sequence(const unsigned char *at, const unsigned char *end) {
  unsigned char lead = at[0];
  if (lead < 0x80)
    return 1;
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || (size_t)(end - at) < length)
    return 0;
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at[1] < low || at[1] > high)
    return 0;
  for (size_t i = 2; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
  }
  return length;
}

bool bt_bytes_are_utf8(const char *bytes, size_t length) {
  const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
  while (at < end) {
    size_t step = utf8_sequence(at, end);
    if (step == 0)
      return false;
    at += step;
  }
  return true;
}

/* The escape at a backslash, as the printer writes it; lone halves are left to the tree. */
static size_t plain_escape(const unsigned char *at, const unsigned char *end) {
  if (end - at < 2)
    return 0;
  if (memchr("\"\\bfnrt", at[1], 7) != NULL)
    return 2;
  if (at[1] != 'u' || end - at < 6 || at[2] != '0' || at[3] != '0' || (at[4] != '0' && at[4] != '1'))
    return 0;
  bool digit = at[5] >= '0' && at[5] <= '9';
  if (!digit && (at[5] < 'a' || at[5] > 'f'))
    return 0;
  bool has_short_form = at[4] == '0' && memchr("89acd", at[5], 5) != NULL;
  return has_short_form ? 0 : 6;
}

static bool scan_string(struct scanner *in, struct bt_slice *text) {
  const unsigned char *start = ++in->at; /* after the quote */
  while (in->at < in->end) {
    unsigned char byte = *in->at;
    size_t step = 1;
    if (byte == '"') {
      *text = (struct bt_slice){.data = (const char *)start, .length = (size_t)(in->at - start)};
      in->at++;
      return true;
    }
    if (byte == '\\')
      step = plain_escape(in->at, in->end);
    else if (byte < 0x20)
      step = 0;
    else if (byte >= 0x80)
      step = utf8_sequence(in->at, in->end);
    if (step == 0)
      return false;
    in->at += step;
  }
  return false;
}

/* Short integers are their own printed form; for the rest the printer is asked. */
static bool scan_number(struct scanner *in) {
  const unsigned char *start = in->at;
  while (in->at < in->end && *in->at != '\0' && strchr("+-.0123456789eE", *in->at) != NULL)
    in->at++;
  size_t length = (size_t)(in->at - start);
  size_t digits = 0;
  while (digits < length && start[digits] >= '0' && start[digits] <= '9')
    digits++;
  if (digits == length && length > 0 && length <= 15 && (start[0] != '0' || length == 1))
    return true;
  if (length == 0 || length > NUMBER_MAX)
    return false;
  struct bt_str printed;
  bt_str_init(&printed, 64);
  bt_json_print_number(&printed, bt_text_to_number((const char *)start, length));
  bool same = !printed.failed && printed.length == length && memcmp(printed.data, start, length) == 0;
  bt_str_dispose(&printed);
  return same;
}

static bool scan_word(struct scanner *in, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0)
    return false;
  in->at += length;
  return true;
}

static bool scan_value(struct scanner *in, int depth);

static bool scan_byte(struct scanner *in, char byte) {
  if (in->at >= in->end || *in->at != (unsigned char)byte)
    return false;
  in->at++;
  return true;
}

/* A key and its colon. A key that begins with a digit may be integer-like and then belongs elsewhere. */
static bool scan_key(struct scanner *in, struct bt_slice *key) {
  if (in->at >= in->end || *in->at != '"' || !scan_string(in, key))
    return false;
  return (key->length == 0 || key->data[0] < '0' || key->data[0] > '9') && scan_byte(in, ':');
}

static bool scan_object(struct scanner *in, int depth) {
  struct bt_slice keys[SCAN_KEYS_MAX];
  size_t count = 0;
  in->at++;
  if (scan_byte(in, '}'))
    return true;
  do {
    struct bt_slice key;
    if (count == SCAN_KEYS_MAX || !scan_key(in, &key))
      return false;
    for (size_t i = 0; i < count; i++) {
      if (keys[i].length == key.length && memcmp(keys[i].data, key.data, key.length) == 0)
        return false;
    }
    keys[count++] = key;
    if (!scan_value(in, depth))
      return false;
  } while (scan_byte(in, ','));
  return scan_byte(in, '}');
}

static bool scan_array(struct scanner *in, int depth) {
  in->at++;
  if (scan_byte(in, ']'))
    return true;
  do {
    if (!scan_value(in, depth))
      return false;
  } while (scan_byte(in, ','));
  return scan_byte(in, ']');
}

static bool scan_value(struct scanner *in, int depth) {
  struct bt_slice text;
  if (in->at >= in->end || depth == SCAN_DEPTH_MAX)
    return false;
  switch (*in->at) {
  case '"':
    return scan_string(in, &text);
  case '{':
    return scan_object(in, depth + 1);
  case '[':
    return scan_array(in, depth + 1);
  case 't':
    return scan_word(in, "true");
  case 'f':
    return scan_word(in, "false");
  case 'n':
    return scan_word(in, "null");
  default:
    return scan_number(in);
  }
}

static enum bt_entry_member member_of(struct bt_slice key) {
  for (int i = 0; i < BT_MEMBER_COUNT; i++) {
    if (bt_slice_equals(key, member_names[i]))
      return (enum bt_entry_member)i;
  }
  return BT_MEMBER_COUNT;
}

bool bt_entry_scan(struct bt_entry_scan *scan, const char *line, size_t length) {
  struct scanner in = {.at = (const unsigned char *)line, .end = (const unsigned char *)line + length};
  memset(scan, 0, sizeof *scan);
  while (in.end > in.at && (in.end[-1] == '\r' || in.end[-1] == ' ' || in.end[-1] == '\t'))
    in.end--;
  if (!scan_byte(&in, '{'))
    return false;
  if (scan_byte(&in, '}'))
    return in.at == in.end;
  do {
    struct bt_slice key;
    if (!scan_key(&in, &key))
      return false;
    const unsigned char *start = in.at;
    if (!scan_value(&in, 0))
      return false;
    enum bt_entry_member member = member_of(key);
    if (member == BT_MEMBER_COUNT)
      continue; /* whatever it is, a v1 signature does not cover it */
    if (scan->members[member].data != NULL)
      return false;
    scan->members[member] = (struct bt_slice){.data = (const char *)start, .length = (size_t)(in.at - start)};
  } while (scan_byte(&in, ','));
  return scan_byte(&in, '}') && in.at == in.end;
}
