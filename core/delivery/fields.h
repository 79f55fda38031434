/* core/delivery/fields.h - what one field of a handoff record may hold, and the small words of that format.
 *
 * Pure text. Rules: spec/delivery-handoff.md 1, 3.3 to 3.7, 9 step 5, 10.3. "Blank" and "trim" are ASCII here. */
#ifndef BATON_CORE_DELIVERY_FIELDS_H
#define BATON_CORE_DELIVERY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"

char bt_ascii_lower(char byte);
bool bt_ascii_same(const char *a, const char *b, size_t length); /* letters folded; both have at least `length` bytes */
bool bt_ascii_word(const char *text, const char *word);          /* whole texts, letters folded */

bool bt_is_blank(const char *text); /* nothing but space, tab, CR, LF, VT, FF */
/* Without space, tab, CR, LF at both ends; borrowed. */
struct bt_slice bt_trim_blank(const char *text, size_t length);
bool bt_trimmed_equals(const char *text, const char *word); /* `word` is trimmed already */

/* The PR number of a `pull_request` value: its digits, borrowed. False: not one of the forms of 3.3. */
bool bt_pull_request_number(const char *text, struct bt_slice *number);

bool bt_branch_valid(const char *name);    /* 3.4 */
bool bt_object_id_valid(const char *text); /* 40 or 64 hexadecimal digits, not all zero */
/* RFC 3339 in UTC (3.7). `time_ms` may be NULL. Years 0000-9999; 23:59:60 counts as the second after. */
bool bt_utc_time(const char *text, size_t length, int64_t *time_ms);

/* The seven known gates, in canonical order; -1 for another name. */
int bt_gate_rank(const char *gate);
/* Evidence of this gate is about the head it was taken on (10.3). */
bool bt_gate_is_head_bound(const char *gate);

/* Next maximal run of exactly 40 or 64 hex digits that stands alone, from *at on; moves *at behind it. */
bool bt_next_object_id(const char *text, size_t *at, struct bt_slice *id);
/* The text names `id` (any case). `*names_any`: it names at least one. */
bool bt_evidence_names(const char *text, const char *id, bool *names_any);

#endif
