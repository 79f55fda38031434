/* core/base/hashset.h - a set of texts remembered by their 64-bit hashes, with a ceiling.
 *
 * For "seen before?" over ids of a long transcript: eight bytes an id, no text kept. Two different texts with one hash count
 * as the same; at a million ids the chance of that is about one in forty million. */
#ifndef BATON_CORE_BASE_HASHSET_H
#define BATON_CORE_BASE_HASHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_hashset {
  uint64_t *slots; /* 0 is empty */
  size_t count, capacity;
};

void bt_hashset_init(struct bt_hashset *set);
void bt_hashset_dispose(struct bt_hashset *set);
bool bt_hashset_copy(struct bt_hashset *to,
                     const struct bt_hashset *from); /* `to` as after init; false: out of memory */

/* Never 0. */
uint64_t bt_id_hash(const char *text, size_t length);

bool bt_hashset_has(const struct bt_hashset *set, uint64_t hash);

/* True when it was not there. When memory is short the id is not remembered and `*failed` becomes true. */
bool bt_hashset_add(struct bt_hashset *set, uint64_t hash, bool *failed);

#endif
