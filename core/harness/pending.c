/* core/harness/pending.c - see pending.h. */
#include "core/harness/pending.h"

#include <string.h>

static size_t find(const struct bt_pending *pending, uint64_t id) {
  size_t at = 0;
  while (at < pending->count && pending->calls[at].id != id)
    at++;
  return at;
}

static void remove_at(struct bt_pending *pending, size_t at) {
  memmove(&pending->calls[at], &pending->calls[at + 1], (pending->count - at - 1) * sizeof pending->calls[0]);
  pending->count--;
}

void bt_pending_add(struct bt_pending *pending, uint64_t id, bool asks_user) {
  size_t at = find(pending, id);
  if (at == pending->count) {
    if (pending->count == BT_PENDING_MAX)
      remove_at(pending, 0);
    at = pending->count++;
  }
  pending->calls[at].id = id;
  pending->calls[at].asks_user = asks_user;
}

void bt_pending_remove(struct bt_pending *pending, uint64_t id) {
  size_t at = find(pending, id);
  if (at < pending->count)
    remove_at(pending, at);
}

void bt_pending_drop(struct bt_pending *pending) {
  pending->count = 0;
}

bool bt_pending_has(const struct bt_pending *pending, uint64_t id) {
  return find(pending, id) < pending->count;
}

bool bt_pending_asks_user(const struct bt_pending *pending) {
  for (size_t i = 0; i < pending->count; i++)
    if (pending->calls[i].asks_user)
      return true;
  return false;
}
