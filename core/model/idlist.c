/* core/model/idlist.c - sorted pointers and a binary search. */
#include "core/model/idlist.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"

enum bt_code bt_idlist_add(struct bt_idlist *set, const char *id, struct bt_error *err) {
  if (id == NULL)
    return BT_OK;
  if (set->count == set->capacity) {
    size_t capacity = set->capacity == 0 ? 16 : set->capacity * 2;
    const char **grown = NULL;
    if (capacity <= SIZE_MAX / sizeof *grown)
      grown = realloc(set->ids, capacity * sizeof *grown);
    if (grown == NULL)
      return bt_error_set(err, BT_NOMEM, "session ids", "out of memory");
    set->ids = grown;
    set->capacity = capacity;
  }
  set->ids[set->count++] = id;
  set->sorted = false;
  return BT_OK;
}

enum bt_code bt_idlist_add_ids(struct bt_idlist *set, const struct bt_json *ids, struct bt_error *err) {
  enum bt_code code = BT_OK;
  for (const struct bt_json *id = bt_json_first(ids); id != NULL && code == BT_OK; id = bt_json_next(id))
    code = bt_idlist_add(set, bt_json_string(id), err);
  return code;
}

enum bt_code bt_idlist_add_records(struct bt_idlist *set, const struct bt_json *records, struct bt_error *err) {
  enum bt_code code = BT_OK;
  for (const struct bt_json *one = bt_json_first(records); one != NULL && code == BT_OK; one = bt_json_next(one))
    code = bt_idlist_add(set, bt_json_get_string(one, "session_id"), err);
  return code;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool bt_idlist_has(struct bt_idlist *set, const char *id) {
  if (id == NULL || set->count == 0)
    return false;
  if (!set->sorted) {
    qsort(set->ids, set->count, sizeof *set->ids, compare);
    set->sorted = true;
  }
  return bsearch(&id, set->ids, set->count, sizeof *set->ids, compare) != NULL;
}

void bt_idlist_dispose(struct bt_idlist *set) {
  free(set->ids);
  *set = (struct bt_idlist){0};
}
