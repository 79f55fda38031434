/* core/base/str.h - a growing byte buffer with a ceiling, and borrowed slices.
 *
 * The buffer is always NUL-terminated (data is never NULL after init), may hold NUL bytes, and keeps
 * a sticky failure: after an append past the ceiling or a failed malloc every later append does
 * nothing, `failed` is true, and the caller checks once at the end. */
#ifndef BATON_CORE_BASE_STR_H
#define BATON_CORE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct bt_slice {
  const char *data; /* borrowed; not NUL-terminated */
  size_t length;
};

struct bt_str {
  char *data;
  size_t length;
  size_t capacity;
  size_t ceiling; /* bytes of content, without the final NUL */
  bool failed;
  bool full; /* it failed at the ceiling; else memory was short */
};

void bt_str_init(struct bt_str *str, size_t ceiling_bytes);
void bt_str_dispose(struct bt_str *str); /* leaves it as after init */
void bt_str_clear(struct bt_str *str);   /* keeps the memory; resets `failed` */
void bt_str_append(struct bt_str *str, const void *bytes, size_t length);
void bt_str_puts(struct bt_str *str, const char *text);
void bt_str_putc(struct bt_str *str, char byte);
void bt_str_printf(struct bt_str *str, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void bt_str_truncate(struct bt_str *str, size_t length);

/* Room for `extra` more bytes behind data[length], for callers that write there themselves and then
 * raise `length` and put the NUL. False (and `failed`) past the ceiling or when memory is short. */
bool bt_str_reserve(struct bt_str *str, size_t extra);

/* Moves the content out: the caller frees it with free(). NULL (and an empty str) when it had failed. */
char *bt_str_take(struct bt_str *str, size_t *length);

struct bt_slice bt_slice_of(const char *text); /* strlen; NULL gives an empty slice */
bool bt_slice_equals(struct bt_slice slice, const char *text);
bool bt_text_equals(const char *a, const char *b); /* NULL equals NULL only */
bool bt_starts_with(const char *text, const char *prefix);
bool bt_ends_with(const char *text, const char *suffix);

#endif
