/* core/store/loading.c - lists that grow, the hash over session ids, the list of problems. */
#include "core/store/loading.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/explain.h"

enum bt_code bt_loading_no_memory(struct bt_loading *load) {
  return bt_error_set(load->err, BT_NOMEM, load->env->ledger_dir, "out of memory");
}

void *bt_list_add(struct bt_list *list, size_t item_size) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 32;
    if (capacity > SIZE_MAX / item_size)
      return NULL;
    void *items = realloc(list->items, capacity * item_size);
    if (!items)
      return NULL;
    list->items = items;
    list->capacity = capacity;
  }
  char *item = (char *)list->items + list->count++ * item_size;
  memset(item, 0, item_size);
  return item;
}

void *bt_list_freeze(const struct bt_list *list, size_t item_size, struct bt_arena *arena) {
  void *items = bt_arena_calloc(arena, list->count ? list->count : 1, item_size);
  if (items && list->count)
    memcpy(items, list->items, list->count * item_size);
  return items;
}

static uint64_t hash_of(const char *id) { /* FNV-1a */
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *id; id++)
    hash = (hash ^ (unsigned char)*id) * UINT64_C(1099511628211);
  return hash;
}

static struct bt_joint *joint_at(const struct bt_loading *load, size_t index) {
  return (struct bt_joint *)load->sessions.items + index;
}

/* Where `id` is, or the free slot where it belongs. The table is never full. */
static size_t slot_of(const struct bt_loading *load, const char *id) {
  size_t slot = (size_t)hash_of(id) & (load->slot_count - 1);
  while (load->slots[slot] && strcmp(joint_at(load, load->slots[slot] - 1)->session.id, id) != 0)
    slot = (slot + 1) & (load->slot_count - 1);
  return slot;
}

static bool make_room(struct bt_loading *load) {
  if (load->slot_count && load->sessions.count < load->slot_count / 2)
    return true;
  size_t count = load->slot_count ? load->slot_count * 2 : 256;
  uint32_t *slots = calloc(count, sizeof(*slots));
  if (!slots)
    return false;
  free(load->slots);
  load->slots = slots;
  load->slot_count = count;
  for (size_t i = 0; i < load->sessions.count; i++)
    slots[slot_of(load, joint_at(load, i)->session.id)] = (uint32_t)i + 1;
  return true;
}

struct bt_joint *bt_loading_find(const struct bt_loading *load, const char *id) {
  if (!load->slot_count)
    return NULL;
  uint32_t index = load->slots[slot_of(load, id)];
  return index ? joint_at(load, index - 1) : NULL;
}

struct bt_joint *bt_loading_session(struct bt_loading *load, const char *id) {
  struct bt_joint *joint = bt_loading_find(load, id);
  if (joint)
    return joint;
  const char *copy = bt_arena_strdup(load->arena, id);
  if (!copy || !make_room(load) || !(joint = bt_list_add(&load->sessions, sizeof(*joint))))
    return NULL;
  joint->session.id = copy;
  joint->session.since_ms = joint->session.last_seen_ms = INT64_MIN;
  load->slots[slot_of(load, copy)] = (uint32_t)load->sessions.count;
  return joint;
}

enum bt_code bt_loading_problem(struct bt_loading *load, const char *subject, const char *fmt, ...) {
  va_list args;
  struct bt_problem *problem = bt_list_add(&load->problems, sizeof(*problem));
  if (!problem)
    return bt_loading_no_memory(load);
  va_start(args, fmt);
  problem->text = bt_words_vprintf(load->arena, fmt, args);
  va_end(args);
  problem->subject = bt_arena_strdup(load->arena, subject);
  return problem->text && problem->subject ? BT_OK : bt_loading_no_memory(load);
}

void bt_loading_dispose(struct bt_loading *load) {
  free(load->sessions.items);
  free(load->slots);
  free(load->denies.items);
  free(load->locks.items);
  free(load->auths.items);
  free(load->grants.items);
  free(load->problems.items);
}
