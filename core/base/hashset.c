/* core/base/hashset.c - open addressing over 64-bit hashes. */
#include "core/base/hashset.h"

#include <stdlib.h>
#include <string.h>

void bt_hashset_init(struct bt_hashset *set) {
  *set = (struct bt_hashset){0};
}

void bt_hashset_dispose(struct bt_hashset *set) {
  free(set->slots);
  bt_hashset_init(set);
}

bool bt_hashset_copy(struct bt_hashset *to, const struct bt_hashset *from) {
  bt_hashset_init(to);
  if (from->capacity == 0)
    return true;
  to->slots = malloc(from->capacity * sizeof *to->slots);
  if (!to->slots)
    return false;
  memcpy(to->slots, from->slots, from->capacity * sizeof *to->slots);
  to->count = from->count;
  to->capacity = from->capacity;
  return true;
}

static uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return h;
}

uint64_t bt_id_hash(const char *text, size_t length) {
  uint64_t h = 0x9e3779b97f4a7c15u ^ length;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    h = mix(h ^ word) + 0x9e3779b97f4a7c15u;
    text += 8;
    length -= 8;
  }
  uint64_t rest = 0;
  memcpy(&rest, text, length);
  h = mix(h ^ rest);
  return h ? h : 1;
}

/* The slot that holds `hash`, or the empty one where it belongs. The table is never full. */
static size_t slot_of(const struct bt_hashset *set, uint64_t hash) {
  size_t at = (size_t)hash & (set->capacity - 1);
  while (set->slots[at] && set->slots[at] != hash)
    at = (at + 1) & (set->capacity - 1);
  return at;
}

bool bt_hashset_has(const struct bt_hashset *set, uint64_t hash) {
  return set->capacity && set->slots[slot_of(set, hash)] == hash;
}

static bool grow(struct bt_hashset *set) {
  struct bt_hashset bigger = {.capacity = set->capacity ? set->capacity * 2 : 64, .count = set->count};
  bigger.slots = calloc(bigger.capacity, sizeof *bigger.slots);
  if (!bigger.slots)
    return false;
  for (size_t i = 0; i < set->capacity; i++)
    if (set->slots[i])
      bigger.slots[slot_of(&bigger, set->slots[i])] = set->slots[i];
  free(set->slots);
  *set = bigger;
  return true;
}

bool bt_hashset_add(struct bt_hashset *set, uint64_t hash, bool *failed) {
  if (bt_hashset_has(set, hash))
    return false;
  if ((set->count + 1) * 4 > set->capacity * 3 && !grow(set)) {
    *failed = true;
    return true;
  }
  set->slots[slot_of(set, hash)] = hash;
  set->count++;
  return true;
}
