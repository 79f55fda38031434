/* core/store/import_values.c - a document's values, taken only as what they should be. */
#include "core/store/import_values.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"

const char *bt_import_keep(struct bt_import *import, const char *text) {
  const char *kept = bt_arena_strdup(import->arena, text);
  import->failed = import->failed || (text && !kept);
  return kept;
}

const char *bt_import_text(struct bt_import *import, const struct bt_json *object, const char *key) {
  return bt_import_keep(import, bt_json_get_string(object, key));
}

const char *bt_import_said(struct bt_import *import, const struct bt_json *object, const char *key) {
  const char *text = bt_import_text(import, object, key);
  return text ? text : "?";
}

int64_t bt_import_time(const struct bt_json *object, const char *key) {
  const char *text = bt_json_get_string(object, key);
  int64_t time_ms;
  return text && bt_time_parse(text, strlen(text), &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

bool bt_import_number(const struct bt_json *object, const char *key, double *number) {
  *number = 0;
  return bt_json_number(bt_json_get(object, key), number);
}

int64_t bt_import_count(const struct bt_json *object, const char *key) {
  double number;
  return bt_json_is_integer(bt_json_get(object, key), &number) && number >= 0 && number < 9e15 ? (int64_t)number : 0;
}

bool bt_import_flag(const struct bt_json *object, const char *key) {
  bool value = false;
  return bt_json_get_bool(object, key, &value) && value;
}

/* The value of an enum whose word stands under `key`; `otherwise` for none of them. */
int bt_import_word(const struct bt_json *object, const char *key, const char *(*word)(int value), int count,
                   int otherwise) {
  const char *text = bt_json_get_string(object, key);
  for (int i = 0; text && i < count; i++)
    if (strcmp(word(i), text) == 0)
      return i;
  return otherwise;
}

/* A zeroed array for the elements of the member `key`; *count how many. NULL when there are none. */
void *bt_import_array(struct bt_import *import, const struct bt_json *object, const char *key, size_t size,
                      size_t *count, const struct bt_json **first) {
  const struct bt_json *list = bt_json_get(object, key);
  *count = bt_json_type(list) == BT_JSON_ARRAY ? bt_json_count(list) : 0;
  *first = *count ? bt_json_first(list) : NULL;
  void *items = *count ? bt_arena_calloc(import->arena, *count, size) : NULL;
  import->failed = import->failed || (*count && !items);
  if (!items)
    *count = 0;
  return items;
}

bool bt_import_is_object(const struct bt_json *value) {
  return value && bt_json_type(value) == BT_JSON_OBJECT;
}
