/* core/base/json_order.c - the order in which an object enumerates its keys (spec/context-handoff.md 4.1).
 *
 * Repeated keys are found by sorting, not by hashing: an object of a hostile file cannot make it slow. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json_tree.h"

enum { FEW_MEMBERS = 16 }; /* up to here comparing each with each is faster than sorting */

enum group { INDEXED, NAMED, DROPPED };

struct place {
  struct bt_json *member;
  const char *key;
  enum group group;
  unsigned long index; /* of an integer-like key */
  size_t rank;         /* position in which it was read */
};

bool bt_json_key_is_index(const char *key, unsigned long *index) {
  uint64_t value = 0;
  if (key[0] < '0' || key[0] > '9' || (key[0] == '0' && key[1] != '\0')) {
    return false;
  }
  for (size_t i = 0; key[i] != '\0'; i++) {
    if (key[i] < '0' || key[i] > '9' || i >= 10) {
      return false;
    }
    value = value * 10 + (uint64_t)(key[i] - '0');
  }
  if (value > 4294967294u) {
    return false;
  }
  *index = (unsigned long)value;
  return true;
}

static int compare(unsigned long a, unsigned long b) {
  return a < b ? -1 : a > b;
}

static int by_key_then_rank(const void *a, const void *b) {
  const struct place *left = a, *right = b;
  int order = strcmp(left->key, right->key);
  return order != 0 ? order : compare(left->rank, right->rank);
}

static int by_group_index_rank(const void *a, const void *b) {
  const struct place *left = a, *right = b;
  int order = compare(left->group, right->group);
  if (order == 0) {
    order = compare(left->index, right->index);
  }
  return order != 0 ? order : compare(left->rank, right->rank);
}

/* Whether the object needs no work, for objects small enough to look at all pairs. */
static bool small_and_settled(const struct bt_json *object, size_t count) {
  bool settled = count <= FEW_MEMBERS;
  for (const struct bt_json *a = bt_json_first(object); settled && a != NULL; a = bt_json_next(a)) {
    const char *key = bt_json_key(a);
    settled = key[0] < '0' || key[0] > '9'; /* perhaps integer-like: look closer */
    for (const struct bt_json *b = bt_json_next(a); settled && b != NULL; b = bt_json_next(b)) {
      settled = strcmp(key, bt_json_key(b)) != 0;
    }
  }
  return settled;
}

/* Gives each first occurrence the last one's value and marks the others as dropped. */
static void merge_repeated(struct place *places, size_t count) {
  qsort(places, count, sizeof *places, by_key_then_rank);
  for (size_t first = 0, next; first < count; first = next) {
    next = first + 1;
    while (next < count && strcmp(places[first].key, places[next].key) == 0) {
      places[next++].group = DROPPED;
    }
    if (next - first > 1) {
      bt_json_swap_values(places[first].member, places[next - 1].member);
    }
  }
}

bool bt_json_settle(struct bt_json *object) {
  size_t count = bt_json_count(object);
  if (count < 2 || small_and_settled(object, count)) {
    return true;
  }
  struct place *places = calloc(count, sizeof *places);
  struct bt_json **order = calloc(count, sizeof *order);
  bool done = places != NULL && order != NULL;
  if (done) {
    size_t kept = 0;
    bt_json_members(object, order);
    for (size_t i = 0; i < count; i++) {
      places[i] = (struct place){order[i], bt_json_key(order[i]), NAMED, 0, i};
      if (bt_json_key_is_index(places[i].key, &places[i].index)) {
        places[i].group = INDEXED;
      }
    }
    merge_repeated(places, count);
    qsort(places, count, sizeof *places, by_group_index_rank);
    while (kept < count && places[kept].group != DROPPED) {
      order[kept] = places[kept].member;
      kept++;
    }
    bt_json_relink(object, order, kept);
    for (size_t i = kept; i < count; i++) {
      bt_json_free(places[i].member);
    }
  }
  free(order);
  free(places);
  return done;
}
