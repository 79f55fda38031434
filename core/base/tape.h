/* core/base/tape.h - one strict JSON value as a flat list of tokens over the caller's bytes: no tree, no copies.
 *
 * For lines of transcripts and manifests, where most bytes are never looked at: a whole value is validated once, and
 * every container knows where it ends, so that what is not wanted is stepped over in one move.
 * Grammar: spec/context-handoff.md 4.1, spec/transcripts.md 2.1 (bytes that are not valid UTF-8 are accepted inside strings
 * and become U+FFFD when text is produced). The bytes are borrowed and must outlive the use of the tape. */
#ifndef BATON_CORE_BASE_TAPE_H
#define BATON_CORE_BASE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/str.h"

#define BT_TAPE_DEPTH_MAX 2048
#define BT_TAPE_BYTES_MAX ((size_t)1 << 30)
#define BT_TOKEN_NONE UINT32_MAX

struct bt_token {
  uint32_t start;  /* offset; of a string: just after its opening quote */
  uint32_t length; /* of a string: without its quotes */
  uint32_t next;   /* index of the token after this one and everything in it */
  uint8_t type;    /* enum bt_json_type */
  bool escaped;    /* a string with at least one backslash */
};

struct bt_tape {
  const char *bytes;
  struct bt_token *tokens; /* tokens[0] is the root; in an object keys and values alternate */
  uint32_t count, capacity;
};

void bt_tape_init(struct bt_tape *tape);
void bt_tape_dispose(struct bt_tape *tape);

/* BT_OK, BT_CORRUPT (not one strict JSON value), BT_TOO_LARGE (over BT_TAPE_BYTES_MAX) or BT_NOMEM. The memory is kept for the next value,
 * unless it has grown past what an ordinary line needs. */
enum bt_code bt_tape_parse(struct bt_tape *tape, const char *bytes, size_t length) BT_NODISCARD;

/* What the getters say of BT_TOKEN_NONE is BT_JSON_ABSENT. */
enum bt_json_type bt_tape_type(const struct bt_tape *tape, uint32_t token);

/* Value under `key` (plain ASCII), the last one where it is repeated; BT_TOKEN_NONE when absent or no object. */
uint32_t bt_tape_get(const struct bt_tape *tape, uint32_t object, const char *key);

/* Walks a container: first element, or first key of an object; then the next sibling. BT_TOKEN_NONE at the end.
 * In an object the value of key `k` is `k + 1`, and bt_tape_next(…, k + 1) is the next key. */
uint32_t bt_tape_first(const struct bt_tape *tape, uint32_t container);
uint32_t bt_tape_next(const struct bt_tape *tape, uint32_t container, uint32_t token);

bool bt_tape_is(const struct bt_tape *tape, uint32_t token, const char *ascii); /* a string equal to `ascii` */
bool bt_tape_is_true(const struct bt_tape *tape, uint32_t token);
bool bt_tape_number(const struct bt_tape *tape, uint32_t token, double *number); /* false when not a number */

/* Appends a string's decoded internal text (core/base/utf8.h). Does nothing for another type. */
void bt_tape_text(const struct bt_tape *tape, uint32_t token, struct bt_str *out);

/* The raw bytes of any token; a string's without its quotes. */
struct bt_slice bt_tape_raw(const struct bt_tape *tape, uint32_t token);

#endif
