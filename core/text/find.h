/* core/text/find.h - plain search in text that need not be NUL-terminated.
 *
 * Owns and knows nothing else. Byte by byte, no folding. */
#ifndef BATON_CORE_TEXT_FIND_H
#define BATON_CORE_TEXT_FIND_H

#include <stddef.h>

/* Where `needle` (not empty) first stands at or after `from`; `length` when nowhere. */
size_t bt_text_find(const char *text, size_t length, size_t from, const char *needle);

/* How often it stands there, without overlaps. */
size_t bt_text_count(const char *text, size_t length, const char *needle);

#endif
