/* tests/support/failing_memory.c - the C library's allocators with a counter before them. */
#include "tests/support/failing_memory.h"

#include <stddef.h>

static long left = -1; /* allocations that still succeed; negative: all of them */
static bool failed;

void failing_memory_after(long successes) {
  failed = false;
  left = successes;
}

bool failing_memory_end(void) {
  left = -1;
  return failed;
}

static bool refuse(void) {
  if (left < 0 || left-- > 0)
    return false;
  left = -1;
  failed = true;
  return true;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
char *__wrap_strndup(const char *text, size_t size);

void *__wrap_malloc(size_t size) {
  return refuse() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  return refuse() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *block, size_t size) {
  return refuse() ? NULL : __real_realloc(block, size);
}
char *__wrap_strdup(const char *text) {
  return refuse() ? NULL : __real_strdup(text);
}
char *__wrap_strndup(const char *text, size_t size) {
  return refuse() ? NULL : __real_strndup(text, size);
}
