/* core/text/find.c - plain search. */
#include "core/text/find.h"

#include <string.h>

size_t bt_text_find(const char *text, size_t length, size_t from, const char *needle) {
  size_t needle_length = strlen(needle);
  while (from + needle_length <= length) {
    const char *hit = memchr(text + from, needle[0], length - from - needle_length + 1);
    if (!hit)
      break;
    if (memcmp(hit, needle, needle_length) == 0)
      return (size_t)(hit - text);
    from = (size_t)(hit - text) + 1;
  }
  return length;
}

size_t bt_text_count(const char *text, size_t length, const char *needle) {
  size_t count = 0;
  for (size_t at, from = 0; (at = bt_text_find(text, length, from, needle)) < length; from = at + strlen(needle))
    count++;
  return count;
}
