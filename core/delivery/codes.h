/* core/delivery/codes.h - a growing list of reason or warning codes, in the order they were found. */
#ifndef BATON_CORE_DELIVERY_CODES_H
#define BATON_CORE_DELIVERY_CODES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/error.h"

struct bt_codes {
  struct bt_arena *arena; /* holds list and texts */
  const char **items;
  size_t count, capacity;
  bool failed; /* memory was short once: the caller checks at the end */
};

void bt_codes_init(struct bt_codes *codes, struct bt_arena *arena);
void bt_codes_add(struct bt_codes *codes, const char *fmt, ...) BT_PRINTF(2, 3);
bool bt_codes_has(const struct bt_codes *codes, const char *code);

/* Borrowed texts of one array of a record. */
struct bt_texts {
  const char **items;
  size_t count;
};

#endif
