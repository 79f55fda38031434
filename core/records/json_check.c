/* core/records/json_check.c - see json_check.h. One byte at a time through a small machine; inside strings in runs. */
#include "core/harness/read_at.h"
#include "core/records/json_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/records/timeline.h"

#define PIECE_BYTES ((size_t)256 << 10)

enum state {
  VALUE,         /* a value must come */
  FIRST_ELEMENT, /* a value or ] */
  FIRST_KEY,     /* a key or } */
  KEY,           /* a key must come */
  COLON,
  AFTER, /* a value is complete */
  STRING,
  ESCAPE,
  HEX,
  LITERAL,
  MINUS, /* number: a digit must come */
  ZERO,  /* number: 0 was first */
  WHOLE, /* number: digits before the point */
  POINT, /* number: a digit must come behind the point */
  FRACTION,
  EXPONENT,      /* number: sign or digit */
  EXPONENT_SIGN, /* number: digit */
  EXPONENT_DIGITS
};

void bt_json_check_init(struct bt_json_check *check) {
  memset(check, 0, sizeof *check);
  check->state = VALUE;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool in_root_object(const struct bt_json_check *check) {
  return check->depth == 1 && check->is_object[0];
}

/* `end` is the offset behind the value. */
static void complete(struct bt_json_check *check, int64_t end) {
  if (in_root_object(check) && check->member_count > 0 && check->member_count <= BT_JSON_CHECK_MEMBERS) {
    struct bt_json_member_span *member = &check->members[check->member_count - 1];
    if (member->end == 0) {
      member->start = check->value_start;
      member->end = end;
    }
  }
  check->state = AFTER;
}

static void begin_key(struct bt_json_check *check) {
  check->is_key = true;
  check->key_length = 0;
  check->state = STRING;
  if (in_root_object(check) && check->member_count < BT_JSON_CHECK_MEMBERS)
    memset(&check->members[check->member_count], 0, sizeof check->members[0]);
}

static void keep_key_byte(struct bt_json_check *check, char c) {
  if (!check->is_key || !in_root_object(check) || check->member_count >= BT_JSON_CHECK_MEMBERS)
    return;
  char *key = check->members[check->member_count].key;
  if (check->key_length + 1 < sizeof check->members[0].key)
    key[check->key_length++] = c;
}

static void end_string(struct bt_json_check *check) {
  if (!check->is_key) {
    complete(check, check->offset + 1);
    return;
  }
  check->is_key = false;
  check->state = COLON;
  if (in_root_object(check) && check->member_count <= BT_JSON_CHECK_MEMBERS)
    check->member_count++;
}

static bool open_container(struct bt_json_check *check, bool is_object) {
  if (check->depth == BT_JSON_CHECK_DEPTH)
    return false;
  check->is_object[check->depth++] = is_object;
  check->state = is_object ? FIRST_KEY : FIRST_ELEMENT;
  return true;
}

static bool close_container(struct bt_json_check *check, bool is_object) {
  if (check->depth == 0 || check->is_object[check->depth - 1] != is_object)
    return false;
  check->depth--;
  complete(check, check->offset + 1);
  return true;
}

static bool begin_literal(struct bt_json_check *check, const char *word) {
  check->literal = word;
  check->literal_at = 1;
  check->state = LITERAL;
  return true;
}

static bool begin_value(struct bt_json_check *check, char c) {
  if (in_root_object(check))
    check->value_start = check->offset;
  switch (c) {
  case '{':
    return open_container(check, true);
  case '[':
    return open_container(check, false);
  case '"':
    check->state = STRING;
    return true;
  case 't':
    return begin_literal(check, "true");
  case 'f':
    return begin_literal(check, "false");
  case 'n':
    return begin_literal(check, "null");
  case '-':
    check->state = MINUS;
    return true;
  default:
    check->state = c == '0' ? ZERO : WHOLE;
    return is_digit(c);
  }
}

static bool after_value(struct bt_json_check *check, char c) {
  if (is_space(c))
    return true;
  if (check->depth == 0)
    return false;
  if (c == ',') {
    check->state = check->is_object[check->depth - 1] ? KEY : VALUE;
    return true;
  }
  return (c == '}' || c == ']') && close_container(check, c == '}');
}

/* A number goes on with `c`, or ends before it. `*ended` in the second case. */
static bool in_number(struct bt_json_check *check, char c, bool *ended) {
  bool digit = is_digit(c), may_end = false;
  int next = -1;
  switch (check->state) {
  case MINUS:
    next = c == '0' ? ZERO : digit ? WHOLE : -1;
    break;
  case ZERO:
  case WHOLE:
    may_end = true;
    next = digit && check->state == WHOLE ? WHOLE : c == '.' ? POINT : c == 'e' || c == 'E' ? EXPONENT : -1;
    break;
  case POINT:
    next = digit ? FRACTION : -1;
    break;
  case FRACTION:
    may_end = true;
    next = digit ? FRACTION : c == 'e' || c == 'E' ? EXPONENT : -1;
    break;
  case EXPONENT:
    next = digit ? EXPONENT_DIGITS : c == '+' || c == '-' ? EXPONENT_SIGN : -1;
    break;
  default:
    may_end = check->state == EXPONENT_DIGITS;
    next = digit ? EXPONENT_DIGITS : -1;
    break;
  }
  if (next >= 0) {
    check->state = next;
    return true;
  }
  *ended = may_end;
  return may_end;
}

static bool in_string(struct bt_json_check *check, char c) {
  if (check->state == HEX) {
    if (--check->hex_left == 0)
      check->state = STRING;
    return is_hex(c);
  }
  if (check->state == ESCAPE) {
    check->hex_left = 4;
    check->state = c == 'u' ? HEX : STRING;
    return c != '\0' && strchr("\"\\/bfnrtu", c) != NULL;
  }
  if (c == '"') {
    end_string(check);
    return true;
  }
  keep_key_byte(check, c);
  if (c == '\\')
    check->state = ESCAPE;
  return (unsigned char)c >= 0x20;
}

static bool step(struct bt_json_check *check, char c) {
  switch (check->state) {
  case STRING:
  case ESCAPE:
  case HEX:
    return in_string(check, c);
  case LITERAL:
    if (c != check->literal[check->literal_at])
      return false;
    if (check->literal[++check->literal_at] == '\0')
      complete(check, check->offset + 1);
    return true;
  case AFTER:
    return after_value(check, c);
  case VALUE:
    return is_space(c) || begin_value(check, c);
  case FIRST_ELEMENT:
    return is_space(c) || (c == ']' ? close_container(check, false) : begin_value(check, c));
  case FIRST_KEY:
  case KEY:
    if (is_space(c))
      return true;
    if (c == '}' && check->state == FIRST_KEY)
      return close_container(check, true);
    begin_key(check);
    return c == '"';
  case COLON:
    if (c == ':')
      check->state = VALUE;
    return c == ':' || is_space(c);
  default: {
    bool ended = false;
    if (!in_number(check, c, &ended))
      return false;
    if (!ended)
      return true;
    complete(check, check->offset);
    return after_value(check, c);
  }
  }
}

bool bt_json_check_feed(struct bt_json_check *check, const char *bytes, size_t length) {
  for (size_t i = 0; i < length && !check->is_bad; i++) {
    if (check->state == STRING && !check->is_key) {
      size_t from = i;
      while (i < length && bytes[i] != '"' && bytes[i] != '\\' && (unsigned char)bytes[i] >= 0x20)
        i++;
      check->offset += (int64_t)(i - from);
      if (i == length)
        break;
    }
    check->is_bad = !step(check, bytes[i]);
    check->offset++;
  }
  return !check->is_bad;
}

bool bt_json_check_end(struct bt_json_check *check) {
  bool number =
      check->state == ZERO || check->state == WHOLE || check->state == FRACTION || check->state == EXPONENT_DIGITS;
  if (number && check->depth == 0)
    complete(check, check->offset);
  return !check->is_bad && check->depth == 0 && check->state == AFTER;
}

const struct bt_json_member_span *bt_json_check_member(const struct bt_json_check *check, const char *key) {
  size_t count = check->member_count < BT_JSON_CHECK_MEMBERS ? check->member_count : BT_JSON_CHECK_MEMBERS;
  for (size_t i = count; i > 0; i--) {
    if (strcmp(check->members[i - 1].key, key) == 0)
      return &check->members[i - 1];
  }
  return NULL;
}

enum bt_code bt_json_check_file(struct bt_json_check *check, int fd, int64_t size, const char *name,
                                struct bt_error *err) {
  char *piece = malloc(PIECE_BYTES);
  enum bt_code code = piece != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, name, "out of memory");
  bt_json_check_init(check);
  for (int64_t at = 0; code == BT_OK && at < size;) {
    ssize_t got = bt_read_at(fd, piece, PIECE_BYTES, at);
    if (got <= 0)
      code = bt_error_set_errno(err, got < 0 ? errno : EIO, name, "%s cannot be read", name);
    else if (!bt_json_check_feed(check, piece, (size_t)got))
      break;
    at += got;
  }
  free(piece);
  if (code == BT_OK && !bt_json_check_end(check))
    code = bt_error_set(err, BT_CORRUPT, name, "%s does not parse", name);
  return code;
}
