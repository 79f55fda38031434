/* core/model/idset.h - a lookup over session ids that stays fast when a file lists very many.
 *
 * Borrows the texts; they must outlive the set and not change. */
#ifndef BATON_CORE_MODEL_IDSET_H
#define BATON_CORE_MODEL_IDSET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct bt_json;

struct bt_idset { /* zero-initialised: empty */
  const char **ids;
  size_t count, capacity;
  bool sorted;
};

/* Adds every string of the array `ids`, or every `session_id` of an array of objects. BT_NOMEM only. */
enum bt_code bt_idset_add_ids(struct bt_idset *set, const struct bt_json *ids, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_idset_add_records(struct bt_idset *set, const struct bt_json *records, struct bt_error *err)
    BT_NODISCARD;
enum bt_code bt_idset_add(struct bt_idset *set, const char *id, struct bt_error *err) BT_NODISCARD; /* NULL: nothing */

bool bt_idset_has(struct bt_idset *set, const char *id); /* sorts on first use */
void bt_idset_dispose(struct bt_idset *set);

#endif
