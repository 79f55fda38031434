/* core/delivery/doc.c - looking into a JSON tree, changing it, writing it. */
#include "core/delivery/doc.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"

enum bt_json_type bt_node_type(const struct bt_node *node) {
  return node != NULL ? node->type : BT_JSON_ABSENT;
}

struct bt_node *bt_node_get(const struct bt_node *object, const char *key) {
  struct bt_node *member = bt_node_type(object) == BT_JSON_OBJECT ? object->first : NULL;
  while (member != NULL && strcmp(member->key, key) != 0)
    member = member->next;
  return member;
}

const char *bt_node_text(const struct bt_node *node) {
  return bt_node_type(node) == BT_JSON_STRING ? node->text : NULL;
}

size_t bt_node_count(const struct bt_node *container) {
  size_t count = 0;
  for (const struct bt_node *item = container != NULL ? container->first : NULL; item != NULL; item = item->next)
    count++;
  return count;
}

bool bt_node_integer(const struct bt_node *node, double *value) {
  if (bt_node_type(node) != BT_JSON_NUMBER)
    return false;
  *value = bt_decimal_to_double(node->text, strlen(node->text));
  return isfinite(*value) && floor(*value) == *value;
}

/* ---- changing ---- */

struct bt_node *bt_node_new(struct bt_arena *arena, enum bt_json_type type) {
  struct bt_node *node = BT_ARENA_NEW(arena, struct bt_node);
  if (node != NULL)
    node->type = type;
  return node;
}

struct bt_node *bt_node_new_string(struct bt_arena *arena, const char *text) {
  struct bt_node *node = bt_node_new(arena, BT_JSON_STRING);
  if (node == NULL)
    return NULL;
  node->text = bt_arena_strdup(arena, text);
  return node->text != NULL ? node : NULL;
}

struct bt_node *bt_node_new_integer(struct bt_arena *arena, long long value) {
  struct bt_node *node = bt_node_new(arena, BT_JSON_NUMBER);
  if (node == NULL)
    return NULL;
  node->text = bt_arena_printf(arena, "%lld", value);
  return node->text != NULL ? node : NULL;
}

struct bt_node *bt_node_clone(struct bt_arena *arena, const struct bt_node *node) {
  struct bt_node *copy = bt_node_new(arena, node->type);
  if (copy == NULL)
    return NULL;
  copy->text = node->text; /* texts never change */
  for (const struct bt_node *item = node->first; item != NULL; item = item->next) {
    struct bt_node *inner = bt_node_clone(arena, item);
    if (!bt_node_push(copy, inner))
      return NULL;
    inner->key = item->key;
  }
  return copy;
}

bool bt_node_push(struct bt_node *array, struct bt_node *element) {
  if (element == NULL)
    return false;
  element->parent = array;
  element->next = NULL;
  if (array->last != NULL)
    array->last->next = element;
  else
    array->first = element;
  array->last = element;
  return true;
}

bool bt_node_set(struct bt_arena *arena, struct bt_node *object, const char *key, struct bt_node *value) {
  struct bt_node *before = NULL, *member = object->first;
  if (value == NULL)
    return false;
  while (member != NULL && strcmp(member->key, key) != 0) {
    before = member;
    member = member->next;
  }
  value->key = member != NULL ? member->key : bt_arena_strdup(arena, key);
  if (member == NULL)
    return value->key != NULL && bt_node_push(object, value);
  value->parent = object;
  value->next = member->next;
  if (before != NULL)
    before->next = value;
  else
    object->first = value;
  if (object->last == member)
    object->last = value;
  return true;
}

bool bt_node_set_string(struct bt_arena *arena, struct bt_node *object, const char *key, const char *text) {
  return bt_node_set(arena, object, key, bt_node_new_string(arena, text));
}

bool bt_node_equals(const struct bt_node *a, const struct bt_node *b) {
  if (a == NULL || b == NULL || a->type != b->type || !bt_text_equals(a->text, b->text))
    return a == b;
  const struct bt_node *left = a->first, *right = b->first;
  while (left != NULL && right != NULL && bt_text_equals(left->key, right->key) && bt_node_equals(left, right)) {
    left = left->next;
    right = right->next;
  }
  return left == NULL && right == NULL;
}

/* ---- writing ---- */

static void print_string(struct bt_str *out, const char *text, unsigned flags) {
  if ((flags & BT_DOC_HIDE_SECRETS) == 0) {
    bt_json_print_string(out, text, strlen(text));
    return;
  }
  struct bt_str plain;
  bt_str_init(&plain, strlen(text));
  bt_text_without_secrets(&plain, text, strlen(text));
  bt_json_print_string(out, plain.data, plain.length);
  out->failed = out->failed || plain.failed;
  bt_str_dispose(&plain);
}

static void print_break(struct bt_str *out, unsigned levels) {
  bt_str_putc(out, '\n');
  for (unsigned i = 0; i < levels; i++)
    bt_str_puts(out, "  ");
}

static void print_container(struct bt_str *out, const struct bt_node *node, unsigned indent, unsigned flags) {
  bool keyed = node->type == BT_JSON_OBJECT;
  bt_str_putc(out, keyed ? '{' : '[');
  for (const struct bt_node *item = node->first; item != NULL && !out->failed; item = item->next) {
    if (item != node->first)
      bt_str_putc(out, ',');
    print_break(out, indent + 1);
    if (keyed) {
      print_string(out, item->key, flags);
      bt_str_puts(out, ": ");
    }
    bt_doc_print(out, item, indent + 1, flags);
  }
  if (node->first != NULL)
    print_break(out, indent);
  bt_str_putc(out, keyed ? '}' : ']');
}

void bt_doc_print(struct bt_str *out, const struct bt_node *node, unsigned indent, unsigned flags) {
  switch (bt_node_type(node)) {
  case BT_JSON_OBJECT:
  case BT_JSON_ARRAY:
    print_container(out, node, indent, flags);
    break;
  case BT_JSON_STRING: {
    bool hides = (flags & BT_DOC_HIDE_SECRETS) != 0 && node->key != NULL && strcmp(node->key, "repository") == 0;
    print_string(out, hides ? bt_repository_without_user(node->text) : node->text, flags);
    break;
  }
  case BT_JSON_NUMBER:
    bt_str_puts(out, node->text);
    break;
  case BT_JSON_TRUE:
  case BT_JSON_FALSE:
    bt_str_puts(out, node->type == BT_JSON_TRUE ? "true" : "false");
    break;
  default:
    bt_str_puts(out, "null");
    break;
  }
}

const char *bt_repository_without_user(const char *text) {
  size_t front = strcspn(text, "/"), at = front, colon = strcspn(text, ":");
  while (at > 0 && text[at - 1] != '@')
    at--;
  bool login = colon >= at && colon < front; /* `git@host:path` */
  return login ? text : text + at;
}

/* Where the part of a URL ends that may name a user. Characters that a well-formed one would escape do not end it:
 * rather hide too much. */
static bool ends_authority(char byte) {
  return byte == '/' || (unsigned char)byte <= ' ';
}

void bt_text_without_secrets(struct bt_str *out, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    size_t mark = at;
    while (mark + 3 <= length && memcmp(text + mark, "://", 3) != 0)
      mark++;
    if (mark + 3 > length) {
      bt_str_append(out, text + at, length - at);
      return;
    }
    size_t start = mark + 3, end = start, after_user = start;
    for (; end < length && !ends_authority(text[end]); end++)
      after_user = text[end] == '@' ? end + 1 : after_user;
    bt_str_append(out, text + at, start - at);
    bt_str_append(out, text + after_user, end - after_user);
    at = end;
  }
}
