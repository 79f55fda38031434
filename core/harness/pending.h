/* core/harness/pending.h - tool calls that have no result yet, by the hash of their id.
 *
 * Bounded: past the ceiling the oldest is forgotten, which only a hostile file reaches. */
#ifndef BATON_CORE_HARNESS_PENDING_H
#define BATON_CORE_HARNESS_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BT_PENDING_MAX 512

struct bt_pending {
  struct {
    uint64_t id;
    bool asks_user; /* a call that waits for the user by its nature */
  } calls[BT_PENDING_MAX];
  size_t count;
};

void bt_pending_add(struct bt_pending *pending, uint64_t id, bool asks_user); /* again: no change of place */
void bt_pending_remove(struct bt_pending *pending, uint64_t id);
void bt_pending_drop(struct bt_pending *pending);
bool bt_pending_has(const struct bt_pending *pending, uint64_t id);
bool bt_pending_asks_user(const struct bt_pending *pending);

#endif
