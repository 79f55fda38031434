/* core/store/capture.h - reads one capture and holds it against the hash that was recorded for it.
 *
 * Rules: spec/context-handoff.md 9.1, 9.7. Size is looked at before a byte is read. Hashing is core/text/capture.h's. */
#ifndef BATON_CORE_STORE_CAPTURE_H
#define BATON_CORE_STORE_CAPTURE_H

#include <stdbool.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/str.h"
#include "core/model/record.h"

struct bt_arena;

/* Reads handoffs/content/<session>.md below the ledger folder `dir` as decode8 text into `body` (initialised by the
 * caller with room for 3 * 65536 bytes; NULL: text not wanted) and hashes it into `hash` (may be NULL). *error is NULL, or the code: `missing`,
 * `oversize`, `unsafe`, an errno name (static text). BT_OK in both cases; BT_UNSAFE for an id that is not safe; BT_NOMEM. */
enum bt_code bt_capture_read(int dir, const char *session, struct bt_str *body, char hash[BT_SHA256_HEX],
                             const char **error, struct bt_error *err) BT_NODISCARD;

/* The verified read of 9.7: as above, and *error may also be `missing expected content_hash` (looked at first) or
 * `content_hash mismatch`. `expected` NULL or empty is a missing one. */
enum bt_code bt_capture_read_verified(int dir, const char *session, const char *expected, struct bt_str *body,
                                      const char **error, struct bt_error *err) BT_NODISCARD;

/* The same as a record for the screen. `expected` NULL: nothing says what it should hash to; `required`: its absence
 * is a fault. Fills everything but the review mark. Keeps the text in `arena` only when `keep_text`.
 * A status BT_BRIEF_NONE record is filled too (path, status). BT_UNSAFE, BT_NOMEM. */
enum bt_code bt_capture_load(int dir, const char *session, const char *expected, bool required, bool keep_text,
                             struct bt_arena *arena, struct bt_capture *capture, struct bt_error *err) BT_NODISCARD;

#endif
