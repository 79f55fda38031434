/* core/base/tape.c - the strict JSON tokenizer behind tape.h. */
#include "core/base/tape.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/utf8.h"

/* Tokens kept from one line to the next; a line that needs more gives its memory back afterwards. */
#define KEEP_TOKENS 65536u

void bt_tape_init(struct bt_tape *tape) {
  *tape = (struct bt_tape){0};
}

void bt_tape_dispose(struct bt_tape *tape) {
  free(tape->tokens);
  bt_tape_init(tape);
}

static bool grow(struct bt_tape *tape) {
  uint32_t capacity = tape->capacity ? tape->capacity * 2 : 256;
  if (capacity < tape->capacity)
    return false;
  struct bt_token *tokens = realloc(tape->tokens, (size_t)capacity * sizeof *tokens);
  if (!tokens)
    return false;
  tape->tokens = tokens;
  tape->capacity = capacity;
  return true;
}

static bool is_hex(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* First quote, backslash or control byte at or after `at`; `end` when there is none. */
static const char *string_stop(const char *at, const char *end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
  while (end - at >= 16) {
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash)),
                               _mm_cmpeq_epi8(_mm_min_epu8(block, control), block));
    int mask = _mm_movemask_epi8(hit);
    if (mask)
      return at + __builtin_ctz((unsigned)mask);
    at += 16;
  }
#endif
  while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at > 0x1f)
    at++;
  return at;
}

/* `at` is just after the opening quote. Returns the closing quote, or NULL when the string is not strict. */
static const char *scan_string(const char *at, const char *end, bool *escaped) {
  *escaped = false;
  for (;;) {
    at = string_stop(at, end);
    if (at == end)
      return NULL;
    if (*at == '"')
      return at;
    if (*at != '\\' || end - at < 2)
      return NULL;
    *escaped = true;
    switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      at += 2;
      break;
    case 'u':
      if (end - at < 6 || !is_hex((unsigned char)at[2]) || !is_hex((unsigned char)at[3]) ||
          !is_hex((unsigned char)at[4]) || !is_hex((unsigned char)at[5]))
        return NULL;
      at += 6;
      break;
    default:
      return NULL;
    }
  }
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* End of the number that begins at `at`, or NULL. */
static const char *scan_number(const char *at, const char *end) {
  if (at < end && *at == '-')
    at++;
  if (at == end || !is_digit(*at))
    return NULL;
  if (*at == '0')
    at++;
  else
    while (at < end && is_digit(*at))
      at++;
  if (at < end && *at == '.') {
    if (++at == end || !is_digit(*at))
      return NULL;
    while (at < end && is_digit(*at))
      at++;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-'))
      at++;
    if (at == end || !is_digit(*at))
      return NULL;
    while (at < end && is_digit(*at))
      at++;
  }
  return at;
}

static const char *skip_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
    at++;
  return at;
}

/* The running parse: where it is, and the open containers. */
struct parse {
  struct bt_tape *tape;
  const char *at, *end;
  uint32_t open[BT_TAPE_DEPTH_MAX];
  unsigned depth;
};

static enum bt_code push(struct parse *p, enum bt_json_type type, const char *start, const char *end, bool escaped) {
  struct bt_tape *tape = p->tape;
  if (tape->count == tape->capacity && !grow(tape))
    return BT_NOMEM;
  tape->tokens[tape->count] = (struct bt_token){.start = (uint32_t)(start - tape->bytes),
                                                .length = (uint32_t)(end - start),
                                                .next = tape->count + 1,
                                                .type = (uint8_t)type,
                                                .escaped = escaped};
  tape->count++;
  return BT_OK;
}

static enum bt_code scan_word(struct parse *p, const char *word, size_t length, enum bt_json_type type) {
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0)
    return BT_CORRUPT;
  const char *start = p->at;
  p->at += length;
  return push(p, type, start, p->at, false);
}

static enum bt_code scan_text(struct parse *p) {
  bool escaped;
  const char *start = p->at + 1, *close = scan_string(start, p->end, &escaped);
  if (!close)
    return BT_CORRUPT;
  p->at = close + 1;
  return push(p, BT_JSON_STRING, start, close, escaped);
}

/* A key and its colon. */
static enum bt_code scan_key(struct parse *p) {
  if (p->at == p->end || *p->at != '"')
    return BT_CORRUPT;
  enum bt_code code = scan_text(p);
  if (code)
    return code;
  p->at = skip_space(p->at, p->end);
  if (p->at == p->end || *p->at != ':')
    return BT_CORRUPT;
  p->at = skip_space(p->at + 1, p->end);
  return BT_OK;
}

static enum bt_code open_container(struct parse *p, enum bt_json_type type) {
  if (p->depth == BT_TAPE_DEPTH_MAX)
    return BT_CORRUPT;
  enum bt_code code = push(p, type, p->at, p->at + 1, false);
  if (code)
    return code;
  p->open[p->depth++] = p->tape->count - 1;
  p->at = skip_space(p->at + 1, p->end);
  return BT_OK;
}

static void close_container(struct parse *p) {
  struct bt_token *token = &p->tape->tokens[p->open[--p->depth]];
  p->at++;
  token->length = (uint32_t)(p->at - p->tape->bytes) - token->start;
  token->next = p->tape->count;
}

static enum bt_code scan_scalar(struct parse *p) {
  if (p->at == p->end)
    return BT_CORRUPT;
  switch (*p->at) {
  case '"':
    return scan_text(p);
  case 't':
    return scan_word(p, "true", 4, BT_JSON_TRUE);
  case 'f':
    return scan_word(p, "false", 5, BT_JSON_FALSE);
  case 'n':
    return scan_word(p, "null", 4, BT_JSON_NULL);
  default: {
    const char *start = p->at, *end = scan_number(start, p->end);
    if (!end)
      return BT_CORRUPT;
    p->at = end;
    return push(p, BT_JSON_NUMBER, start, end, false);
  }
  }
}

/* Opens a container that is not empty, or takes a whole value. `*complete` tells which. */
static enum bt_code scan_value(struct parse *p, bool *complete) {
  *complete = true;
  if (p->at == p->end || (*p->at != '{' && *p->at != '['))
    return scan_scalar(p);
  bool is_object = *p->at == '{';
  enum bt_code code = open_container(p, is_object ? BT_JSON_OBJECT : BT_JSON_ARRAY);
  if (code)
    return code;
  if (p->at < p->end && *p->at == (is_object ? '}' : ']')) {
    close_container(p);
    return BT_OK;
  }
  *complete = false;
  return is_object ? scan_key(p) : BT_OK;
}

/* After a complete value: closes what ends here, and steps to the next value. `*done` when the root is complete. */
static enum bt_code scan_after(struct parse *p, bool *done) {
  for (;;) {
    if (p->depth == 0) {
      *done = true;
      return BT_OK;
    }
    p->at = skip_space(p->at, p->end);
    if (p->at == p->end)
      return BT_CORRUPT;
    bool is_object = p->tape->tokens[p->open[p->depth - 1]].type == BT_JSON_OBJECT;
    if (*p->at == ',') {
      p->at = skip_space(p->at + 1, p->end);
      return is_object ? scan_key(p) : BT_OK;
    }
    if (*p->at != (is_object ? '}' : ']'))
      return BT_CORRUPT;
    close_container(p);
  }
}

enum bt_code bt_tape_parse(struct bt_tape *tape, const char *bytes, size_t length) {
  if (tape->capacity > KEEP_TOKENS)
    bt_tape_dispose(tape);
  tape->bytes = bytes;
  tape->count = 0;
  if (length > BT_TAPE_BYTES_MAX)
    return BT_TOO_LARGE;
  struct parse parse;
  parse.tape = tape;
  parse.end = bytes + length;
  parse.at = skip_space(bytes, parse.end);
  parse.depth = 0;
  enum bt_code code = BT_OK;
  for (bool done = false; !done && code == BT_OK;) {
    bool complete;
    code = scan_value(&parse, &complete);
    if (code == BT_OK && complete)
      code = scan_after(&parse, &done);
  }
  if (code == BT_OK && skip_space(parse.at, parse.end) != parse.end)
    code = BT_CORRUPT;
  if (code != BT_OK)
    tape->count = 0;
  return code;
}

enum bt_json_type bt_tape_type(const struct bt_tape *tape, uint32_t token) {
  return token < tape->count ? (enum bt_json_type)tape->tokens[token].type : BT_JSON_ABSENT;
}

uint32_t bt_tape_first(const struct bt_tape *tape, uint32_t container) {
  enum bt_json_type type = bt_tape_type(tape, container);
  if ((type != BT_JSON_OBJECT && type != BT_JSON_ARRAY) || tape->tokens[container].next == container + 1)
    return BT_TOKEN_NONE;
  return container + 1;
}

uint32_t bt_tape_next(const struct bt_tape *tape, uint32_t container, uint32_t token) {
  if (token >= tape->count || container >= tape->count)
    return BT_TOKEN_NONE;
  uint32_t next = tape->tokens[token].next;
  return next < tape->tokens[container].next ? next : BT_TOKEN_NONE;
}

/* A string that has escapes, against ASCII. */
static bool escaped_is(const struct bt_tape *tape, uint32_t token, const char *ascii, size_t length) {
  const struct bt_token *t = &tape->tokens[token];
  if (t->length > length * 6) /* even if every character were written \uXXXX */
    return false;
  struct bt_str text;
  bt_str_init(&text, (size_t)t->length * 3 + 1);
  bt_tape_text(tape, token, &text);
  bool equal = !text.failed && text.length == length && memcmp(text.data, ascii, length) == 0;
  bt_str_dispose(&text);
  return equal;
}

uint32_t bt_tape_get(const struct bt_tape *tape, uint32_t object, const char *key) {
  uint32_t found = BT_TOKEN_NONE;
  if (bt_tape_type(tape, object) != BT_JSON_OBJECT)
    return found;
  size_t length = strlen(key);
  const struct bt_token *tokens = tape->tokens;
  for (uint32_t at = object + 1, end = tokens[object].next; at < end; at = tokens[at + 1].next) {
    const struct bt_token *t = &tokens[at];
    bool same = t->escaped ? escaped_is(tape, at, key, length)
                           : t->length == length && memcmp(tape->bytes + t->start, key, length) == 0;
    if (same)
      found = at + 1;
  }
  return found;
}

bool bt_tape_is(const struct bt_tape *tape, uint32_t token, const char *ascii) {
  if (bt_tape_type(tape, token) != BT_JSON_STRING)
    return false;
  const struct bt_token *t = &tape->tokens[token];
  size_t length = strlen(ascii);
  if (t->escaped)
    return escaped_is(tape, token, ascii, length);
  return t->length == length && memcmp(tape->bytes + t->start, ascii, length) == 0;
}

bool bt_tape_is_true(const struct bt_tape *tape, uint32_t token) {
  return bt_tape_type(tape, token) == BT_JSON_TRUE;
}

bool bt_tape_number(const struct bt_tape *tape, uint32_t token, double *number) {
  if (bt_tape_type(tape, token) != BT_JSON_NUMBER)
    return false;
  struct bt_slice raw = bt_tape_raw(tape, token);
  *number = bt_text_to_number(raw.data, raw.length);
  return true;
}

static uint32_t hex4(const char *at) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char c = (unsigned char)at[i];
    value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

/* One escape at `at` (already validated). Two halves written one after the other are one character. */
static const char *put_escape(struct bt_str *out, const char *at, const char *end) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  if (at[1] != 'u') {
    const char *known = strchr(from, at[1]);
    bt_str_putc(out, known ? to[known - from] : at[1]);
    return at + 2;
  }
  uint32_t unit = hex4(at + 2);
  at += 6;
  if (unit >= 0xD800 && unit < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
    uint32_t low = hex4(at + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      at += 6;
    }
  }
  bt_utf8_put(out, unit);
  return at;
}

void bt_tape_text(const struct bt_tape *tape, uint32_t token, struct bt_str *out) {
  if (bt_tape_type(tape, token) != BT_JSON_STRING)
    return;
  struct bt_slice raw = bt_tape_raw(tape, token);
  const char *at = raw.data, *end = raw.data + raw.length;
  while (at < end) {
    const char *slash = memchr(at, '\\', (size_t)(end - at));
    const char *run = slash ? slash : end;
    bt_utf8_decode8(out, at, (size_t)(run - at));
    at = slash ? put_escape(out, slash, end) : end;
  }
}

struct bt_slice bt_tape_raw(const struct bt_tape *tape, uint32_t token) {
  if (token >= tape->count)
    return (struct bt_slice){"", 0};
  const struct bt_token *t = &tape->tokens[token];
  return (struct bt_slice){tape->bytes + t->start, t->length};
}
