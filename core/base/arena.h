/* core/base/arena.h - memory that is freed all at once.
 *
 * Owns: chunks. A snapshot and everything it points at live in one arena.
 * An arena has a ceiling given at birth; past it, or when malloc fails, the functions answer NULL
 * and the caller reports BT_NOMEM. Nothing is ever freed singly. Memory is zeroed. */
#ifndef BATON_CORE_BASE_ARENA_H
#define BATON_CORE_BASE_ARENA_H

#include <stddef.h>

struct bt_arena;

/* `ceiling_bytes` bounds what the arena will ever hold. NULL when memory is short. */
struct bt_arena *bt_arena_new(size_t ceiling_bytes);
void bt_arena_free(struct bt_arena *arena); /* NULL is allowed */

/* Zeroed, aligned for any type. NULL past the ceiling or when memory is short. */
void *bt_arena_alloc(struct bt_arena *arena, size_t size);
void *bt_arena_calloc(struct bt_arena *arena, size_t count, size_t size); /* NULL on overflow too */

/* Copies; the result is NUL-terminated. `text` NULL gives NULL. */
char *bt_arena_strdup(struct bt_arena *arena, const char *text);
char *bt_arena_strndup(struct bt_arena *arena, const char *text, size_t length);
char *bt_arena_printf(struct bt_arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

size_t bt_arena_used(const struct bt_arena *arena);

#define BT_ARENA_NEW(arena, type) ((type *)bt_arena_alloc((arena), sizeof(type)))
#define BT_ARENA_ARRAY(arena, type, count) ((type *)bt_arena_calloc((arena), (count), sizeof(type)))

#endif
