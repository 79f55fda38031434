/* core/harness/take.h - small takings from a parsed record that every reader makes the same way.
 *
 * Rules: spec/transcripts.md 2.1 (trim), 2.2 (numbers, times), 5 (empty never replaces). Texts are internal text in
 * which an unpaired half has become U+FFFD. Knows no record format. */
#ifndef BATON_CORE_HARNESS_TAKE_H
#define BATON_CORE_HARNESS_TAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"
#include "core/base/tape.h"

/* Appends the text of a string token; nothing for another type. */
void bt_take_text(const struct bt_tape *tape, uint32_t token, struct bt_str *out);

/* Replaces *slot (heap) by the token's text unless it is no string or empty. False: out of memory, *slot untouched. */
bool bt_take_string(const struct bt_tape *tape, uint32_t token, char **slot) BT_NODISCARD;
bool bt_take_slice(struct bt_slice text, char **slot) BT_NODISCARD; /* the same from a slice, empty ones too */

/* A token counter: integral, 0..2^53; everything else is 0. `*numeric` (may be NULL): a JSON number of any value. */
int64_t bt_take_counter(const struct bt_tape *tape, uint32_t token, bool *numeric);

/* ISO-8601 string or number of milliseconds; BT_TIME_UNKNOWN for anything else. */
int64_t bt_take_time(const struct bt_tape *tape, uint32_t token);

/* 0 when the token is no string or empty. */
uint64_t bt_take_id(const struct bt_tape *tape, uint32_t token);

/* The one-line form of first_prompt (spec/transcripts.md 5). */
void bt_one_line(struct bt_str *out, struct bt_slice text);

bool bt_slice_starts(struct bt_slice text, const char *prefix);
bool bt_slice_has(struct bt_slice text, const char *needle, size_t *at); /* `at` may be NULL */

/* Whether text is 8-4-4-4-12 hex digits. */
bool bt_is_uuid(const char *text, size_t length);

#endif
