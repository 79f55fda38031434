/* core/base/canon.c - canonical JSON (spec/context-handoff.md 4.3). */
#include <stdlib.h>
#include <string.h>

#include "core/base/json_tree.h"
#include "core/base/utf8.h"

static int by_units(const void *a, const void *b) {
  const char *left = bt_json_key(*(const struct bt_json *const *)a);
  const char *right = bt_json_key(*(const struct bt_json *const *)b);
  return bt_utf16_compare(left, strlen(left), right, strlen(right));
}

static void print_members(struct bt_str *out, const struct bt_json **members, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *key = bt_json_key(members[i]);
    if (i > 0) {
      bt_str_putc(out, ',');
    }
    bt_json_print_string(out, key, strlen(key));
    bt_str_putc(out, ':');
    bt_json_print_canonical(out, members[i]);
  }
}

static void print_object(struct bt_str *out, const struct bt_json *object) {
  const size_t count = bt_json_count(object);
  const struct bt_json **members = calloc(count + 1, sizeof *members);
  if (members == NULL) {
    out->failed = true;
    return;
  }
  size_t used = 0, indexed = 0;
  for (const struct bt_json *item = bt_json_first(object); item != NULL; item = bt_json_next(item)) {
    unsigned long index;
    members[used++] = item;
    indexed += bt_json_key_is_index(bt_json_key(item), &index); /* those lead, in their order, already */
  }
  qsort(members + indexed, count - indexed, sizeof *members, by_units);
  bt_str_putc(out, '{');
  print_members(out, members, count);
  bt_str_putc(out, '}');
  free(members);
}

void bt_json_print_canonical(struct bt_str *out, const struct bt_json *value) {
  switch (bt_json_type(value)) {
  case BT_JSON_ABSENT:
    break;
  case BT_JSON_OBJECT:
    print_object(out, value);
    break;
  case BT_JSON_ARRAY:
    bt_str_putc(out, '[');
    for (const struct bt_json *item = bt_json_first(value); item != NULL; item = bt_json_next(item)) {
      if (item != bt_json_first(value)) {
        bt_str_putc(out, ',');
      }
      bt_json_print_canonical(out, item);
    }
    bt_str_putc(out, ']');
    break;
  default:
    bt_json_print_compact(out, value);
    break;
  }
}
