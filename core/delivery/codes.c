/* core/delivery/codes.c - a growing list of codes. */
#include "core/delivery/codes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bt_codes_init(struct bt_codes *codes, struct bt_arena *arena) {
  *codes = (struct bt_codes){.arena = arena};
}

static bool make_room(struct bt_codes *codes) {
  if (codes->count < codes->capacity)
    return true;
  size_t capacity = codes->capacity > 0 ? 2 * codes->capacity : 8;
  const char **items = BT_ARENA_ARRAY(codes->arena, const char *, capacity);
  if (items == NULL)
    return false;
  if (codes->count > 0)
    memcpy(items, codes->items, codes->count * sizeof *items);
  codes->items = items;
  codes->capacity = capacity;
  return true;
}

void bt_codes_add(struct bt_codes *codes, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, args);
  char *text = length >= 0 ? bt_arena_alloc(codes->arena, (size_t)length + 1) : NULL;
  if (text != NULL && make_room(codes)) {
    (void)vsnprintf(text, (size_t)length + 1, fmt, again);
    codes->items[codes->count++] = text;
  } else {
    codes->failed = true;
  }
  va_end(again);
  va_end(args);
}

bool bt_codes_has(const struct bt_codes *codes, const char *code) {
  for (size_t i = 0; i < codes->count; i++) {
    if (strcmp(codes->items[i], code) == 0)
      return true;
  }
  return false;
}
