/* core/records/printed.h - the content of a JSON string exactly as JSON.stringify prints it, without the quotes.
 *
 * Most strings of a transcript are in this form already, so that a turn goes from source to timeline to payload as one
 * run of bytes that is checked and never taken apart ("printed text" in the headers of core/records).
 * Rules: spec/session-records.md 2.1, 2.2. */
#ifndef BATON_CORE_RECORDS_PRINTED_H
#define BATON_CORE_RECORDS_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"
#include "core/base/tape.h"

/* Whether the content of a valid JSON string is in printed form. A lone half may count as not. */
bool bt_printed_is(struct bt_slice raw);

/* The string at `token` in printed form: a slice of the tape's bytes where it is so already, else of `scratch`, which
 * is overwritten. An empty slice for another type. `scratch->failed` when memory was short. */
struct bt_slice bt_printed_of(const struct bt_tape *tape, uint32_t token, struct bt_str *scratch);

/* Appends internal text in printed form. */
void bt_printed_put(struct bt_str *out, const char *text, size_t length);

/* Next code point of the content of any valid JSON string; `*at` moves on. Requires *at < raw.length. */
uint32_t bt_printed_next(struct bt_slice raw, size_t *at);

/* Appends printed text as internal text: all of it, its first `units`, or as the bytes of a UTF-8 file. */
void bt_printed_text(struct bt_str *out, struct bt_slice printed);
void bt_printed_head(struct bt_str *out, struct bt_slice printed, size_t units);
void bt_printed_bytes(struct bt_str *out, struct bt_slice printed);

bool bt_printed_is_blank(struct bt_slice raw);

#endif
