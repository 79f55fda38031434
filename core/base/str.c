/* core/base/str.c - a growing byte buffer with a ceiling, and borrowed slices. */
#include "core/base/str.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `data` points at while nothing was appended; never written, capacity 0 tells. */
static const char empty_text[1] = "";

void bt_str_init(struct bt_str *str, size_t ceiling_bytes) {
  str->data = (char *)(uintptr_t)empty_text;
  str->length = 0;
  str->capacity = 0;
  str->ceiling = ceiling_bytes;
  str->failed = str->full = false;
}

void bt_str_dispose(struct bt_str *str) {
  if (str->capacity > 0) {
    free(str->data);
  }
  bt_str_init(str, str->ceiling);
}

void bt_str_clear(struct bt_str *str) {
  bt_str_truncate(str, 0);
  str->failed = str->full = false;
}

void bt_str_truncate(struct bt_str *str, size_t length) {
  assert(length <= str->length);
  str->length = length;
  if (str->capacity > 0) {
    str->data[length] = '\0';
  }
}

bool bt_str_reserve(struct bt_str *str, size_t extra) {
  if (!str->failed && str->capacity > str->length && extra < str->capacity - str->length) {
    return true; /* there already; capacity never exceeds the ceiling and its NUL */
  }
  if (str->failed)
    return false;
  if (extra > str->ceiling - str->length) {
    str->failed = str->full = true;
    return false;
  }
  size_t needed = str->length + extra + 1; /* the ceiling is far below SIZE_MAX in practice; checked next */
  if (needed <= extra) {
    str->failed = true;
    return false;
  }
  size_t capacity = str->capacity < 32 ? 64 : str->capacity;
  while (capacity < needed) {
    capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
  }
  if (capacity - 1 > str->ceiling) {
    capacity = str->ceiling + 1; /* never below `needed`: extra fits under the ceiling */
  }
  char *grown = realloc(str->capacity > 0 ? str->data : NULL, capacity);
  if (grown == NULL) {
    str->failed = true;
    return false;
  }
  grown[str->length] = '\0';
  str->data = grown;
  str->capacity = capacity;
  return true;
}

void bt_str_append(struct bt_str *str, const void *bytes, size_t length) {
  if (length == 0 || !bt_str_reserve(str, length)) {
    return;
  }
  memcpy(str->data + str->length, bytes, length);
  str->length += length;
  str->data[str->length] = '\0';
}

void bt_str_puts(struct bt_str *str, const char *text) {
  bt_str_append(str, text, text != NULL ? strlen(text) : 0);
}

void bt_str_putc(struct bt_str *str, char byte) {
  bt_str_append(str, &byte, 1);
}

void bt_str_printf(struct bt_str *str, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, args);
  if (length < 0) {
    str->failed = true;
  } else if (length > 0 && bt_str_reserve(str, (size_t)length)) {
    (void)vsnprintf(str->data + str->length, (size_t)length + 1, fmt, again);
    str->length += (size_t)length;
  }
  va_end(again);
  va_end(args);
}

char *bt_str_take(struct bt_str *str, size_t *length) {
  char *taken = NULL;
  if (length != NULL) {
    *length = 0;
  }
  if (!str->failed) {
    taken = str->capacity > 0 ? str->data : calloc(1, 1);
    if (length != NULL) {
      *length = str->length;
    }
    str->capacity = 0; /* the memory is the caller's now */
  }
  bt_str_dispose(str);
  return taken;
}

struct bt_slice bt_slice_of(const char *text) {
  return (struct bt_slice){text != NULL ? text : empty_text, text != NULL ? strlen(text) : 0};
}

bool bt_slice_equals(struct bt_slice slice, const char *text) {
  return text != NULL && strlen(text) == slice.length && memcmp(slice.data, text, slice.length) == 0;
}

bool bt_text_equals(const char *a, const char *b) {
  if (a == NULL || b == NULL) {
    return a == b;
  }
  return strcmp(a, b) == 0;
}

bool bt_starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool bt_ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text);
  size_t tail = strlen(suffix);
  return length >= tail && memcmp(text + (length - tail), suffix, tail) == 0;
}
