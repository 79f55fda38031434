/* core/model/idlist.h - a lookup over session ids that stays fast when a file lists very many.
 *
 * Borrows the texts; they must outlive the set and not change. */
#ifndef BATON_CORE_MODEL_IDLIST_H
#define BATON_CORE_MODEL_IDLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct bt_json;

struct bt_idlist { /* zero-initialised: empty */
  const char **ids;
  size_t count, capacity;
  bool sorted;
};

/* Adds every string of the array `ids`, or every `session_id` of an array of objects. BT_NOMEM only. */
enum bt_code bt_idlist_add_ids(struct bt_idlist *set, const struct bt_json *ids, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_idlist_add_records(struct bt_idlist *set, const struct bt_json *records,
                                   struct bt_error *err) BT_NODISCARD;
enum bt_code bt_idlist_add(struct bt_idlist *set, const char *id,
                           struct bt_error *err) BT_NODISCARD; /* NULL: nothing */

bool bt_idlist_has(struct bt_idlist *set, const char *id); /* sorts on first use */
void bt_idlist_dispose(struct bt_idlist *set);

#endif
