/* core/base/json.c - the tree: making, reading and changing values. The only user of cJSON.
 *
 * cJSON gives the node, its life and its links. Nodes and texts come from calloc and malloc (cJSON's
 * own default hooks), so that one cJSON_Delete frees a tree whichever part was made here.
 * Its parser, printer, getters and number type are not used; they do not fit (core/base/json.h). */
#include "core/base/json.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json_tree.h"

/* struct bt_json is never defined: a pointer to it is a pointer to a cJSON node. */
static cJSON *node(struct bt_json *value) {
  return (cJSON *)(void *)value;
}
static const cJSON *cnode(const struct bt_json *value) {
  return (const cJSON *)(const void *)value;
}
static struct bt_json *json(cJSON *item) {
  return (struct bt_json *)(void *)item;
}
static const struct bt_json *cjson(const cJSON *item) {
  return (const struct bt_json *)(const void *)item;
}

/* ------------------------------------------------------------- making ------------------------- */

static struct bt_json *new_node(int type) {
  cJSON *item = calloc(1, sizeof *item);
  if (item != NULL) {
    item->type = type;
  }
  return json(item);
}

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy != NULL ? memcpy(copy, text, size) : NULL;
}

struct bt_json *bt_json_new_object(void) {
  return new_node(cJSON_Object);
}
struct bt_json *bt_json_new_array(void) {
  return new_node(cJSON_Array);
}
struct bt_json *bt_json_new_null(void) {
  return new_node(cJSON_NULL);
}
struct bt_json *bt_json_new_bool(bool value) {
  return new_node(value ? cJSON_True : cJSON_False);
}

struct bt_json *bt_json_new_number(double value) {
  struct bt_json *made = new_node(cJSON_Number);
  if (made != NULL) {
    node(made)->valuedouble = value; /* valueint is never read */
  }
  return made;
}

struct bt_json *bt_json_adopt_string(char *owned) {
  struct bt_json *made = owned != NULL ? new_node(cJSON_String) : NULL;
  if (made == NULL) {
    free(owned);
    return NULL;
  }
  node(made)->valuestring = owned;
  return made;
}

struct bt_json *bt_json_new_string(const char *text) {
  return text != NULL ? bt_json_adopt_string(copy_text(text)) : bt_json_new_null();
}

void bt_json_free(struct bt_json *root) {
  cJSON_Delete(node(root));
}

struct bt_json *bt_json_clone(const struct bt_json *value) {
  if (value == NULL) {
    return NULL;
  }
  const cJSON *source = cnode(value);
  struct bt_json *copy = new_node(source->type & 0xFF);
  if (copy == NULL) {
    return NULL;
  }
  node(copy)->valuedouble = source->valuedouble;
  if (source->valuestring != NULL) {
    node(copy)->valuestring = copy_text(source->valuestring);
    if (node(copy)->valuestring == NULL) {
      goto fail;
    }
  }
  for (const cJSON *child = source->child; child != NULL; child = child->next) {
    struct bt_json *child_copy = bt_json_clone(cjson(child));
    char *key = child_copy != NULL && child->string != NULL ? copy_text(child->string) : NULL;
    if (child_copy == NULL || (child->string != NULL && key == NULL)) {
      bt_json_free(child_copy);
      goto fail;
    }
    bt_json_link_last(copy, key, child_copy);
  }
  return copy;
fail:
  bt_json_free(copy);
  return NULL;
}

/* ------------------------------------------------------------- links -------------------------- */

/* Puts `item` before `next` (at the end for NULL). The first child's `prev` is the last child. */
static void link_before(cJSON *container, cJSON *next, cJSON *item) {
  cJSON *first = container->child;
  item->next = next;
  if (first == NULL) {
    item->prev = item;
    container->child = item;
    return;
  }
  cJSON *last = first->prev;
  if (next == NULL) {
    item->prev = last;
    last->next = item;
    first->prev = item;
  } else {
    item->prev = next == first ? last : next->prev;
    if (next == first) {
      container->child = item;
    } else {
      next->prev->next = item;
    }
    next->prev = item;
  }
}

void bt_json_link_last(struct bt_json *container, char *owned_key, struct bt_json *value) {
  node(value)->string = owned_key;
  link_before(node(container), NULL, node(value));
}

void bt_json_swap_values(struct bt_json *a, struct bt_json *b) {
  cJSON left = *node(a), right = *node(b);
  *node(a) =
      (cJSON){left.next, left.prev, right.child, right.type, right.valuestring, 0, right.valuedouble, left.string};
  *node(b) =
      (cJSON){right.next, right.prev, left.child, left.type, left.valuestring, 0, left.valuedouble, right.string};
}

void bt_json_members(struct bt_json *container, struct bt_json **members) {
  for (cJSON *item = node(container)->child; item != NULL; item = item->next) {
    *members++ = json(item);
  }
}

void bt_json_relink(struct bt_json *container, struct bt_json *const *members, size_t count) {
  for (cJSON *item = node(container)->child, *next; item != NULL; item = next) {
    next = item->next;
    item->next = item->prev = NULL; /* cJSON_Delete of one left out must not run along the old chain */
  }
  node(container)->child = NULL;
  for (size_t i = 0; i < count; i++) {
    link_before(node(container), NULL, node(members[i]));
  }
}

/* ------------------------------------------------------------- reading ------------------------ */

enum bt_json_type bt_json_type(const struct bt_json *value) {
  if (value == NULL) {
    return BT_JSON_ABSENT;
  }
  switch (cnode(value)->type & 0xFF) {
  case cJSON_False:
    return BT_JSON_FALSE;
  case cJSON_True:
    return BT_JSON_TRUE;
  case cJSON_Number:
    return BT_JSON_NUMBER;
  case cJSON_String:
    return BT_JSON_STRING;
  case cJSON_Array:
    return BT_JSON_ARRAY;
  case cJSON_Object:
    return BT_JSON_OBJECT;
  default:
    return BT_JSON_NULL;
  }
}

static cJSON *find(const struct bt_json *object, const char *key) {
  if (bt_json_type(object) != BT_JSON_OBJECT || key == NULL) {
    return NULL;
  }
  cJSON *item = cnode(object)->child;
  while (item != NULL && strcmp(item->string, key) != 0) {
    item = item->next;
  }
  return item;
}

const struct bt_json *bt_json_get(const struct bt_json *object, const char *key) {
  return cjson(find(object, key));
}

const struct bt_json *bt_json_first(const struct bt_json *container) {
  return container != NULL ? cjson(cnode(container)->child) : NULL;
}

const struct bt_json *bt_json_next(const struct bt_json *value) {
  return value != NULL ? cjson(cnode(value)->next) : NULL;
}

const char *bt_json_key(const struct bt_json *member) {
  return member != NULL ? cnode(member)->string : NULL;
}

size_t bt_json_count(const struct bt_json *container) {
  size_t count = 0;
  for (const struct bt_json *item = bt_json_first(container); item != NULL; item = bt_json_next(item)) {
    count++;
  }
  return count;
}

bool bt_json_is_nullish(const struct bt_json *value) {
  return bt_json_type(value) <= BT_JSON_NULL;
}

const char *bt_json_string(const struct bt_json *value) {
  return bt_json_type(value) == BT_JSON_STRING ? cnode(value)->valuestring : NULL;
}

const char *bt_json_get_string(const struct bt_json *object, const char *key) {
  return bt_json_string(bt_json_get(object, key));
}

bool bt_json_number(const struct bt_json *value, double *number) {
  if (bt_json_type(value) != BT_JSON_NUMBER) {
    return false;
  }
  *number = cnode(value)->valuedouble;
  return true;
}

bool bt_json_is_integer(const struct bt_json *value, double *number) {
  double found;
  if (!bt_json_number(value, &found) || !isfinite(found) || found != floor(found)) {
    return false;
  }
  if (number != NULL) {
    *number = found;
  }
  return true;
}

bool bt_json_get_bool(const struct bt_json *object, const char *key, bool *value) {
  enum bt_json_type type = bt_json_type(bt_json_get(object, key));
  if (type != BT_JSON_TRUE && type != BT_JSON_FALSE) {
    return false;
  }
  *value = type == BT_JSON_TRUE;
  return true;
}

/* ------------------------------------------------------------- changing ----------------------- */

/* Where a new key belongs: behind the smaller integer-like keys when it is one itself, else at the end. */
static cJSON *place_of(const cJSON *object, const char *key) {
  unsigned long index, other;
  if (!bt_json_key_is_index(key, &index)) {
    return NULL;
  }
  cJSON *item = object->child;
  while (item != NULL && bt_json_key_is_index(item->string, &other) && other < index) {
    item = item->next;
  }
  return item;
}

enum bt_code bt_json_set(struct bt_json *object, const char *key, struct bt_json *value) {
  assert(bt_json_type(object) == BT_JSON_OBJECT);
  if (value == NULL) {
    return BT_NOMEM;
  }
  cJSON *present = find(object, key);
  if (present != NULL) {
    bt_json_swap_values(json(present), value);
    bt_json_free(value); /* the old value by now */
    return BT_OK;
  }
  char *copy = copy_text(key);
  if (copy == NULL) {
    bt_json_free(value);
    return BT_NOMEM;
  }
  node(value)->string = copy;
  link_before(node(object), place_of(node(object), key), node(value));
  return BT_OK;
}

enum bt_code bt_json_set_string(struct bt_json *object, const char *key, const char *text) {
  return bt_json_set(object, key, bt_json_new_string(text));
}

enum bt_code bt_json_set_number(struct bt_json *object, const char *key, double value) {
  return bt_json_set(object, key, bt_json_new_number(value));
}

enum bt_code bt_json_set_bool(struct bt_json *object, const char *key, bool value) {
  return bt_json_set(object, key, bt_json_new_bool(value));
}

enum bt_code bt_json_set_null(struct bt_json *object, const char *key) {
  return bt_json_set(object, key, bt_json_new_null());
}

enum bt_code bt_json_push(struct bt_json *array, struct bt_json *value) {
  assert(bt_json_type(array) == BT_JSON_ARRAY);
  if (value == NULL) {
    return BT_NOMEM;
  }
  bt_json_link_last(array, NULL, value);
  return BT_OK;
}

void bt_json_remove(struct bt_json *object, const char *key) {
  cJSON *present = find(object, key);
  if (present != NULL) {
    cJSON_Delete(cJSON_DetachItemViaPointer(node(object), present));
  }
}

void bt_json_library(char *out, size_t size) {
  snprintf(out, size, "cJSON %s", cJSON_Version());
}
