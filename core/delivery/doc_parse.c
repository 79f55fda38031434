/* core/delivery/doc_parse.c - RFC 8259 to the letter, in reading order: the first fault met is the one reported. */
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/delivery/doc.h"

struct member { /* for finding repeated names once the whole text has been read */
  const struct bt_node *node;
  size_t rank;
};

struct parser {
  struct bt_arena *arena;
  const char *text;
  size_t length, at;
  unsigned depth;
  struct bt_str scratch; /* a string with escapes while it is put together */
  const char *reason;    /* the first fault; NULL while all is well */
  bool no_memory, has_nul;
  struct member *members;
  size_t member_count, member_room, names_read;
};

static struct bt_node *parse_value(struct parser *parser);

static void *fail(struct parser *parser, const char *reason) {
  if (parser->reason == NULL)
    parser->reason = reason;
  return NULL;
}

static void *fail_memory(struct parser *parser) {
  parser->no_memory = true;
  return fail(parser, "parse");
}

/* The next byte, or NUL at the end; a real NUL byte is nowhere allowed, so that the two need not differ. */
static char peek(const struct parser *parser) {
  return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static void skip_blanks(struct parser *parser) {
  while (parser->at < parser->length && strchr(" \n\r\t", parser->text[parser->at]) != NULL &&
         parser->text[parser->at] != '\0')
    parser->at++;
}

/* ---- strings ---- */

/* Four hex digits; -1 when they are none. */
static int32_t read_unit(struct parser *parser) {
  static const char digits[] = "0123456789abcdef";
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    char byte = peek(parser);
    byte = byte >= 'A' && byte <= 'F' ? (char)(byte - 'A' + 'a') : byte;
    const char *found = byte != '\0' ? strchr(digits, byte) : NULL;
    if (found == NULL)
      return -1;
    unit = unit << 4 | (int32_t)(found - digits);
    parser->at++;
  }
  return unit;
}

/* Behind `\u`: one character, which may take a second escape. Half a pair alone is not allowed. */
static bool read_unicode(struct parser *parser) {
  int32_t unit = read_unit(parser);
  if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
    return false;
  uint32_t code_point = (uint32_t)unit;
  if (unit >= 0xD800 && unit <= 0xDBFF) {
    if (parser->length - parser->at < 2 || memcmp(parser->text + parser->at, "\\u", 2) != 0)
      return false;
    parser->at += 2;
    int32_t low = read_unit(parser);
    if (low < 0xDC00 || low > 0xDFFF)
      return false;
    code_point = 0x10000u + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
  }
  parser->has_nul = parser->has_nul || code_point == 0;
  bt_utf8_put(&parser->scratch, code_point);
  return true;
}

static bool read_escape(struct parser *parser) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char byte = peek(parser);
  parser->at++;
  if (byte == 'u')
    return read_unicode(parser);
  const char *found = byte != '\0' ? strchr(from, byte) : NULL;
  if (found != NULL)
    bt_str_putc(&parser->scratch, to[found - from]);
  return found != NULL;
}

/* From the opening quote on. NULL on failure. */
static const char *parse_string(struct parser *parser) {
  bt_str_clear(&parser->scratch);
  parser->at++;
  for (;;) {
    size_t from = parser->at;
    while (parser->at < parser->length && (unsigned char)parser->text[parser->at] >= 0x20 &&
           parser->text[parser->at] != '"' && parser->text[parser->at] != '\\')
      parser->at++;
    if (!bt_utf8_is_plain(parser->text + from, parser->at - from))
      return fail(parser, "parse");
    bt_str_append(&parser->scratch, parser->text + from, parser->at - from);
    char byte = peek(parser);
    if (byte == '"')
      break;
    if (byte != '\\')
      return fail(parser, "parse");
    parser->at++;
    if (!read_escape(parser))
      return fail(parser, "parse");
  }
  parser->at++;
  const char *copy =
      parser->scratch.failed ? NULL : bt_arena_strndup(parser->arena, parser->scratch.data, parser->scratch.length);
  return copy != NULL ? copy : fail_memory(parser);
}

/* ---- numbers and words ---- */

static struct bt_node *new_node(struct parser *parser, enum bt_json_type type) {
  struct bt_node *node = bt_node_new(parser->arena, type);
  return node != NULL ? node : fail_memory(parser);
}

static size_t skip_digits(struct parser *parser) {
  size_t from = parser->at;
  while (peek(parser) >= '0' && peek(parser) <= '9')
    parser->at++;
  return parser->at - from;
}

static struct bt_node *parse_number(struct parser *parser) {
  size_t from = parser->at;
  parser->at += peek(parser) == '-';
  bool leading_zero = peek(parser) == '0';
  size_t digits = skip_digits(parser);
  bool good = digits > 0 && !(leading_zero && digits > 1);
  if (good && peek(parser) == '.') {
    parser->at++;
    good = skip_digits(parser) > 0;
  }
  if (good && (peek(parser) == 'e' || peek(parser) == 'E')) {
    parser->at++;
    parser->at += peek(parser) == '+' || peek(parser) == '-';
    good = skip_digits(parser) > 0;
  }
  if (!good)
    return fail(parser, "parse");
  struct bt_node *node = new_node(parser, BT_JSON_NUMBER);
  if (node != NULL) {
    node->text = bt_arena_strndup(parser->arena, parser->text + from, parser->at - from);
    if (node->text == NULL)
      return fail_memory(parser);
  }
  return node;
}

static struct bt_node *parse_word(struct parser *parser, const char *word, enum bt_json_type type) {
  size_t length = strlen(word);
  if (parser->length - parser->at < length || memcmp(parser->text + parser->at, word, length) != 0)
    return fail(parser, "parse");
  parser->at += length;
  return new_node(parser, type);
}

static struct bt_node *parse_string_value(struct parser *parser) {
  const char *text = parse_string(parser);
  struct bt_node *node = text != NULL ? new_node(parser, BT_JSON_STRING) : NULL;
  if (node != NULL)
    node->text = text;
  return node;
}

/* ---- containers ---- */

static const char *parse_key(struct parser *parser) {
  skip_blanks(parser);
  if (peek(parser) != '"')
    return fail(parser, "parse");
  const char *key = parse_string(parser);
  if (key == NULL)
    return NULL;
  skip_blanks(parser);
  if (peek(parser) != ':')
    return fail(parser, "parse");
  parser->at++;
  return key;
}

static bool remember_member(struct parser *parser, const struct bt_node *node, size_t rank) {
  if (parser->member_count == parser->member_room) {
    size_t room = parser->member_room > 0 ? 2 * parser->member_room : 64;
    struct member *grown = realloc(parser->members, room * sizeof *grown);
    if (grown == NULL)
      return fail_memory(parser) != NULL;
    parser->members = grown;
    parser->member_room = room;
  }
  parser->members[parser->member_count++] = (struct member){node, rank};
  return true;
}

static bool parse_members(struct parser *parser, struct bt_node *container, char closing) {
  bool keyed = container->type == BT_JSON_OBJECT;
  skip_blanks(parser);
  if (peek(parser) == closing) {
    parser->at++;
    return true;
  }
  for (;;) {
    const char *key = keyed ? parse_key(parser) : NULL;
    size_t rank = parser->names_read++;
    struct bt_node *value = keyed && key == NULL ? NULL : parse_value(parser);
    if (value == NULL)
      return false;
    value->key = key;
    (void)bt_node_push(container, value);
    if (keyed && !remember_member(parser, value, rank))
      return false;
    skip_blanks(parser);
    char byte = peek(parser);
    if (byte != ',' && byte != closing) {
      (void)fail(parser, "parse");
      return false;
    }
    parser->at++;
    if (byte == closing)
      return true;
  }
}

static struct bt_node *parse_container(struct parser *parser, enum bt_json_type type) {
  if (parser->depth >= BT_DOC_DEPTH_MAX)
    return fail(parser, "limit:depth");
  struct bt_node *container = new_node(parser, type);
  parser->at++;
  parser->depth++;
  bool done = container != NULL && parse_members(parser, container, type == BT_JSON_OBJECT ? '}' : ']');
  parser->depth--;
  return done ? container : NULL;
}

static struct bt_node *parse_value(struct parser *parser) {
  skip_blanks(parser);
  switch (peek(parser)) {
  case '{':
    return parse_container(parser, BT_JSON_OBJECT);
  case '[':
    return parse_container(parser, BT_JSON_ARRAY);
  case '"':
    return parse_string_value(parser);
  case 't':
    return parse_word(parser, "true", BT_JSON_TRUE);
  case 'f':
    return parse_word(parser, "false", BT_JSON_FALSE);
  case 'n':
    return parse_word(parser, "null", BT_JSON_NULL);
  default:
    return parse_number(parser);
  }
}

/* ---- repeated names ---- */

static int by_place(const void *a, const void *b) {
  const struct member *left = a, *right = b;
  if (left->node->parent != right->node->parent)
    return (uintptr_t)left->node->parent < (uintptr_t)right->node->parent ? -1 : 1;
  int order = strcmp(left->node->key, right->node->key);
  return order != 0 ? order : left->rank < right->rank ? -1 : 1;
}

/* The first one in reading order; sorting keeps a hostile file from making this slow. */
static const char *first_repetition(struct parser *parser) {
  const struct member *found = NULL;
  if (parser->member_count > 1)
    qsort(parser->members, parser->member_count, sizeof *parser->members, by_place);
  for (size_t i = 1; i < parser->member_count; i++) {
    const struct member *left = &parser->members[i - 1], *right = &parser->members[i];
    bool repeated = left->node->parent == right->node->parent && strcmp(left->node->key, right->node->key) == 0;
    if (repeated && (found == NULL || right->rank < found->rank))
      found = right;
  }
  return found != NULL ? found->node->key : NULL;
}

enum bt_code bt_doc_parse(struct bt_arena *arena, const char *bytes, size_t length, struct bt_node **root,
                          const char **reason, struct bt_error *err) {
  struct parser parser = {.arena = arena, .text = bytes, .length = length};
  bt_str_init(&parser.scratch, length + 4);
  *root = parse_value(&parser);
  skip_blanks(&parser);
  if (*root != NULL && parser.at < length)
    (void)fail(&parser, "parse");
  const char *repeated = parser.reason == NULL ? first_repetition(&parser) : NULL;
  if (parser.reason == NULL && parser.has_nul)
    parser.reason = "nul";
  else if (repeated != NULL)
    parser.reason = bt_arena_printf(arena, "duplicate-key:%s", repeated);
  parser.no_memory = parser.no_memory || (repeated != NULL && parser.reason == NULL);
  bt_str_dispose(&parser.scratch);
  free(parser.members);
  *reason = parser.reason;
  if (parser.no_memory)
    return bt_error_set(err, BT_NOMEM, "JSON", "out of memory");
  if (parser.reason == NULL)
    return BT_OK;
  return bt_error_set(err, BT_CORRUPT, "JSON", "not usable at byte %zu: %s", parser.at, parser.reason);
}
