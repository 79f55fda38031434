/* core/base/json_parse.c - JSON.parse: the strict grammar of spec/context-handoff.md 4.1. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json_tree.h"
#include "core/base/number.h"
#include "core/base/utf8.h"

struct parser {
  const char *text;
  size_t length, at;
  unsigned depth;
  struct bt_str scratch; /* a string with escapes while it is put together */
  const char *wrong;     /* what was expected; NULL while all is well */
  bool no_memory;
};

static struct bt_json *parse_value(struct parser *parser);

static struct bt_json *fail(struct parser *parser, const char *wrong) {
  if (parser->wrong == NULL) {
    parser->wrong = wrong;
  }
  return NULL;
}

static struct bt_json *fail_memory(struct parser *parser) {
  parser->no_memory = true;
  return fail(parser, "out of memory");
}

/* The next byte, or NUL at the end; a real NUL byte is nowhere allowed, so that the two need not differ. */
static char peek(const struct parser *parser) {
  return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static void skip_blanks(struct parser *parser) {
  while (parser->at < parser->length) {
    char byte = parser->text[parser->at];
    if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
      break;
    }
    parser->at++;
  }
}

/* ------------------------------------------------------------- strings ------------------------ */

/* Four hex digits after `\u`; -1 when they are none. */
static int32_t read_unit(struct parser *parser) {
  int32_t unit = 0;
  if (parser->length - parser->at < 4) {
    return -1;
  }
  for (int i = 0; i < 4; i++) {
    char byte = parser->text[parser->at + (size_t)i];
    int32_t digit;
    if (byte >= '0' && byte <= '9') {
      digit = byte - '0';
    } else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f') {
      digit = (byte | 0x20) - 'a' + 10;
    } else {
      return -1;
    }
    unit = unit << 4 | digit;
  }
  parser->at += 4;
  return unit;
}

/* One escape, behind its backslash. */
static bool read_escape(struct parser *parser) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char byte = peek(parser);
  if (byte == 'u') {
    parser->at++;
    int32_t unit = read_unit(parser);
    if (unit < 0) {
      return false;
    }
    bt_utf8_put(&parser->scratch, (uint32_t)unit); /* joins the halves of a pair */
    return true;
  }
  const char *found = byte != '\0' ? strchr(from, byte) : NULL;
  if (found == NULL) {
    return false;
  }
  bt_str_putc(&parser->scratch, to[found - from]);
  parser->at++;
  return true;
}

/* Length of the run of bytes at the parser that stand for themselves. */
static size_t plain_run(const struct parser *parser) {
  size_t at = parser->at;
  while (at < parser->length) {
    unsigned char byte = (unsigned char)parser->text[at];
    bool nul = byte == 0xC0; /* only as C0 80: internal text holds no other C0 */
    if (byte == '"' || byte == '\\' || byte < 0x20 || nul) {
      break;
    }
    at++;
  }
  return at - parser->at;
}

static char *copy_bytes(struct parser *parser, const char *bytes, size_t length) {
  char *copy = malloc(length + 1);
  if (copy == NULL) {
    (void)fail_memory(parser);
    return NULL;
  }
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  return copy;
}

/* A string, from its opening quote. The caller frees the text. NULL on failure. */
static char *parse_string(struct parser *parser) {
  parser->at++;
  size_t run = plain_run(parser);
  const char *start = parser->text + parser->at;
  parser->at += run;
  if (peek(parser) == '"') { /* nearly all strings: no escape in them */
    parser->at++;
    return copy_bytes(parser, start, run);
  }
  bt_str_clear(&parser->scratch);
  bt_str_append(&parser->scratch, start, run);
  for (;;) {
    char byte = peek(parser);
    if (byte == '"') {
      break;
    }
    if (byte != '\\') {
      (void)fail(parser, parser->at < parser->length ? "a control character in a string" : "a string without its end");
      return NULL;
    }
    parser->at++;
    if (!read_escape(parser)) {
      (void)fail(parser, "an unknown escape");
      return NULL;
    }
    run = plain_run(parser);
    bt_utf8_append(&parser->scratch, parser->text + parser->at, run);
    parser->at += run;
  }
  parser->at++;
  if (parser->scratch.failed) {
    (void)fail_memory(parser);
    return NULL;
  }
  return copy_bytes(parser, parser->scratch.data, parser->scratch.length);
}

/* ------------------------------------------------------------- numbers and words -------------- */

static size_t skip_digits(struct parser *parser) {
  size_t from = parser->at;
  while (peek(parser) >= '0' && peek(parser) <= '9') {
    parser->at++;
  }
  return parser->at - from;
}

static struct bt_json *parse_number(struct parser *parser) {
  size_t from = parser->at;
  if (peek(parser) == '-') {
    parser->at++;
  }
  bool leading_zero = peek(parser) == '0';
  size_t digits = skip_digits(parser);
  if (digits == 0 || (leading_zero && digits > 1)) {
    return fail(parser, "not a number");
  }
  if (peek(parser) == '.') {
    parser->at++;
    if (skip_digits(parser) == 0) {
      return fail(parser, "no digit after the point");
    }
  }
  if (peek(parser) == 'e' || peek(parser) == 'E') {
    parser->at++;
    if (peek(parser) == '+' || peek(parser) == '-') {
      parser->at++;
    }
    if (skip_digits(parser) == 0) {
      return fail(parser, "no digit in the exponent");
    }
  }
  struct bt_json *value = bt_json_new_number(bt_decimal_to_double(parser->text + from, parser->at - from));
  return value != NULL ? value : fail_memory(parser);
}

static struct bt_json *parse_word(struct parser *parser, const char *word, struct bt_json *(*make)(void)) {
  size_t length = strlen(word);
  if (parser->length - parser->at < length || memcmp(parser->text + parser->at, word, length) != 0) {
    return fail(parser, "an unknown word");
  }
  parser->at += length;
  struct bt_json *value = make();
  return value != NULL ? value : fail_memory(parser);
}

static struct bt_json *new_true(void) {
  return bt_json_new_bool(true);
}
static struct bt_json *new_false(void) {
  return bt_json_new_bool(false);
}

/* ------------------------------------------------------------- containers --------------------- */

/* A key with its colon. */
static char *parse_key(struct parser *parser) {
  skip_blanks(parser);
  if (peek(parser) != '"') {
    (void)fail(parser, "no quoted key");
    return NULL;
  }
  char *key = parse_string(parser);
  if (key == NULL) {
    return NULL;
  }
  skip_blanks(parser);
  if (peek(parser) != ':') {
    (void)fail(parser, "no colon after a key");
    free(key);
    return NULL;
  }
  parser->at++;
  return key;
}

/* Members up to and with the closing bracket, into `container`. */
static bool parse_members(struct parser *parser, struct bt_json *container, bool keyed, char closing) {
  skip_blanks(parser);
  if (peek(parser) == closing) {
    parser->at++;
    return true;
  }
  for (;;) {
    char *key = keyed ? parse_key(parser) : NULL;
    if (keyed && key == NULL) {
      return false;
    }
    struct bt_json *value = parse_value(parser);
    if (value == NULL) {
      free(key);
      return false;
    }
    bt_json_link_last(container, key, value);
    skip_blanks(parser);
    char byte = peek(parser);
    if (byte != ',' && byte != closing) {
      (void)fail(parser, "neither a comma nor the closing bracket");
      return false;
    }
    parser->at++;
    if (byte == closing) {
      return true;
    }
  }
}

static struct bt_json *parse_container(struct parser *parser, bool keyed) {
  if (parser->depth >= BT_JSON_DEPTH_MAX) {
    return fail(parser, "nested too deeply");
  }
  struct bt_json *container = keyed ? bt_json_new_object() : bt_json_new_array();
  if (container == NULL) {
    return fail_memory(parser);
  }
  parser->at++;
  parser->depth++;
  bool done = parse_members(parser, container, keyed, keyed ? '}' : ']');
  parser->depth--;
  if (done && keyed && !bt_json_settle(container)) {
    (void)fail_memory(parser);
    done = false;
  }
  if (!done) {
    bt_json_free(container);
    return NULL;
  }
  return container;
}

static struct bt_json *parse_string_value(struct parser *parser) {
  char *text = parse_string(parser);
  if (text == NULL) {
    return NULL;
  }
  struct bt_json *value = bt_json_adopt_string(text);
  return value != NULL ? value : fail_memory(parser);
}

static struct bt_json *parse_value(struct parser *parser) {
  skip_blanks(parser);
  switch (peek(parser)) {
  case '{':
    return parse_container(parser, true);
  case '[':
    return parse_container(parser, false);
  case '"':
    return parse_string_value(parser);
  case 't':
    return parse_word(parser, "true", new_true);
  case 'f':
    return parse_word(parser, "false", new_false);
  case 'n':
    return parse_word(parser, "null", bt_json_new_null);
  default:
    return parser->at < parser->length ? parse_number(parser) : fail(parser, "the end instead of a value");
  }
}

struct bt_json *bt_json_parse_text(const char *text, size_t length, struct bt_error *err) {
  struct parser parser = {.text = text, .length = length};
  bt_str_init(&parser.scratch, length); /* an escape is never shorter than what it stands for */
  struct bt_json *value = parse_value(&parser);
  if (value != NULL) {
    skip_blanks(&parser);
    if (parser.at < length) {
      (void)fail(&parser, "something after the value");
      bt_json_free(value);
      value = NULL;
    }
  }
  bt_str_dispose(&parser.scratch);
  if (value == NULL && parser.no_memory) {
    (void)bt_error_set(err, BT_NOMEM, "JSON", "out of memory");
  } else if (value == NULL) {
    (void)bt_error_set(err, BT_CORRUPT, "JSON", "not JSON at byte %zu: %s", parser.at, parser.wrong);
  }
  return value;
}

struct bt_json *bt_json_parse(const char *bytes, size_t length, struct bt_error *err) {
  if (bt_utf8_is_plain(bytes, length)) {
    return bt_json_parse_text(bytes, length, err);
  }
  struct bt_str text;
  bt_str_init(&text, 3 * length); /* U+FFFD is three bytes */
  bt_utf8_decode8(&text, bytes, length);
  struct bt_json *value = NULL;
  if (text.failed) {
    (void)bt_error_set(err, BT_NOMEM, "JSON", "out of memory");
  } else {
    value = bt_json_parse_text(text.data, text.length, err);
  }
  bt_str_dispose(&text);
  return value;
}
