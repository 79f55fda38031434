/* core/delivery/exclude.h - the private exclusion file's text, before and after.
 *
 * Pure text. Rules: spec/delivery-handoff.md 11.2. */
#ifndef BATON_CORE_DELIVERY_EXCLUDE_H
#define BATON_CORE_DELIVERY_EXCLUDE_H

#include <stdbool.h>

#include "core/base/str.h"

#define BT_EXCLUDE_PATTERN "/.verified-delivery/handoff.json"
#define BT_EXCLUDE_TEMPORARY \
  "/.verified-delivery/.handoff.json.tmp" /* only where a rename would cross file systems                              \
                                           */
#define BT_EXCLUDE_BYTES_MAX ((size_t)16 * 1024 * 1024)

/* The last word on the pattern is that it is there, with or without its leading slash. Broader patterns do not count.
 */
bool bt_exclude_has(const char *text, size_t length, const char *pattern);

/* Appends what the file should hold. Existing bytes stay as they are. */
void bt_exclude_with(struct bt_str *out, const char *text, size_t length, const char *pattern);

#endif
