/* core/base/arena.c - memory that is freed all at once. */
#include "core/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = _Alignof(max_align_t) };

struct chunk {
  struct chunk *next;
  size_t size, used;
  max_align_t bytes[];
};

struct bt_arena {
  struct chunk *chunks; /* the head is the one that is filled */
  size_t ceiling, used;
};

struct bt_arena *bt_arena_new(size_t ceiling_bytes) {
  struct bt_arena *arena = calloc(1, sizeof *arena);
  if (arena != NULL) {
    arena->ceiling = ceiling_bytes;
  }
  return arena;
}

void bt_arena_free(struct bt_arena *arena) {
  if (arena == NULL) {
    return;
  }
  while (arena->chunks != NULL) {
    struct chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  free(arena);
}

/* A chunk for at least `size` bytes. A large block gets its own, behind the head, which is still to be filled. */
static struct chunk *add_chunk(struct bt_arena *arena, size_t size) {
  size_t room = size > CHUNK_BYTES / 4 ? size : CHUNK_BYTES;
  struct chunk *chunk = calloc(1, sizeof *chunk + room);
  if (chunk == NULL) {
    return NULL;
  }
  chunk->size = room;
  if (room != CHUNK_BYTES && arena->chunks != NULL) {
    chunk->next = arena->chunks->next;
    arena->chunks->next = chunk;
  } else {
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }
  return chunk;
}

void *bt_arena_alloc(struct bt_arena *arena, size_t size) {
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (rounded < size) {
    return NULL;
  }
  if (rounded == 0) {
    rounded = ALIGNMENT; /* every block has its own address */
  }
  if (rounded > arena->ceiling - arena->used || rounded > SIZE_MAX - sizeof(struct chunk)) {
    return NULL;
  }
  struct chunk *chunk = arena->chunks;
  if (chunk == NULL || rounded > chunk->size - chunk->used) {
    chunk = add_chunk(arena, rounded);
    if (chunk == NULL) {
      return NULL;
    }
  }
  void *block = (char *)chunk->bytes + chunk->used;
  chunk->used += rounded;
  arena->used += rounded;
  return block;
}

void *bt_arena_calloc(struct bt_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) {
    return NULL;
  }
  return bt_arena_alloc(arena, count * size);
}

char *bt_arena_strndup(struct bt_arena *arena, const char *text, size_t length) {
  if (text == NULL || length == SIZE_MAX) {
    return NULL;
  }
  char *copy = bt_arena_alloc(arena, length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length); /* the NUL is there: memory is zeroed */
  }
  return copy;
}

char *bt_arena_strdup(struct bt_arena *arena, const char *text) {
  return text != NULL ? bt_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *bt_arena_printf(struct bt_arena *arena, const char *fmt, ...) {
  va_list args, again;
  char *text = NULL;
  va_start(args, fmt);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, args);
  if (length >= 0) {
    text = bt_arena_alloc(arena, (size_t)length + 1);
  }
  if (text != NULL) {
    (void)vsnprintf(text, (size_t)length + 1, fmt, again);
  }
  va_end(again);
  va_end(args);
  return text;
}

size_t bt_arena_used(const struct bt_arena *arena) {
  return arena->used;
}
