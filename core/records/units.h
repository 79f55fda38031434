/* core/records/units.h - cuts of text counted in UTF-16 units.
 *
 * Rules: spec/session-records.md 2.1. Text is internal text (core/base/utf8.h); a cut inside a pair leaves a lone half.
 */
#ifndef BATON_CORE_RECORDS_UNITS_H
#define BATON_CORE_RECORDS_UNITS_H

#include <stddef.h>

#include "core/base/str.h"

/* Appends the first or the last `units` of `text` to `out`. */
void bt_units_head(struct bt_str *out, const char *text, size_t length, size_t units);
void bt_units_tail(struct bt_str *out, const char *text, size_t length, size_t units);

#endif
