/* core/base/json.h - strict ECMAScript JSON in, ECMAScript JSON out, around a cJSON tree.
 *
 * Only core/base/json.c includes cJSON. Rules: spec/context-handoff.md 4.1-4.3 and 13.1-13.5.
 * Strings are internal text (core/base/utf8.h): NUL as C0 80, a lone half as three bytes.
 * Keys are matched exactly. A repeated key keeps its first position and its last value.
 * Objects enumerate integer-like keys first, ascending; parsing already puts them there, and
 * bt_json_set keeps it so. Every tree is owned by its root: bt_json_free frees all of it. */
#ifndef BATON_CORE_BASE_JSON_H
#define BATON_CORE_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

struct bt_json; /* opaque: one value of a tree */

enum bt_json_type {
  BT_JSON_ABSENT, /* what every getter says of a NULL value */
  BT_JSON_NULL,
  BT_JSON_FALSE,
  BT_JSON_TRUE,
  BT_JSON_NUMBER,
  BT_JSON_STRING,
  BT_JSON_ARRAY,
  BT_JSON_OBJECT
};

#define BT_JSON_DEPTH_MAX 4096 /* containers open at once; deeper input is BT_CORRUPT */

/* Parses raw bytes as they come from a file or pipe (decode8 is applied: ill-formed bytes are U+FFFD).
 * NULL on failure, with BT_CORRUPT and the byte offset in the message, or BT_NOMEM. The caller frees the
 * result. */
struct bt_json *bt_json_parse(const char *bytes, size_t length, struct bt_error *err) BT_NODISCARD;
/* The same for text in internal form (decoded before, or the string of another JSON value): C0 80 is a
 * NUL, which JSON does not allow raw, and lone halves stay. */
struct bt_json *bt_json_parse_text(const char *text, size_t length, struct bt_error *err) BT_NODISCARD;
void bt_json_free(struct bt_json *root);                                 /* NULL is allowed */
struct bt_json *bt_json_clone(const struct bt_json *value) BT_NODISCARD; /* NULL: out of memory */

enum bt_json_type bt_json_type(const struct bt_json *value);
const struct bt_json *bt_json_get(const struct bt_json *object, const char *key); /* NULL: absent or no object */
const struct bt_json *bt_json_first(const struct bt_json *container);             /* first member/element or NULL */
const struct bt_json *bt_json_next(const struct bt_json *value);
const char *bt_json_key(const struct bt_json *member); /* NULL for an element */
size_t bt_json_count(const struct bt_json *container);
bool bt_json_is_nullish(const struct bt_json *value); /* NULL or null */

/* Borrowed text of a string value; NULL when it is not a string. */
const char *bt_json_string(const struct bt_json *value);
const char *bt_json_get_string(const struct bt_json *object, const char *key);
bool bt_json_number(const struct bt_json *value, double *number); /* false when not a number */
bool bt_json_get_bool(const struct bt_json *object, const char *key, bool *value);
bool bt_json_is_integer(const struct bt_json *value, double *number);  /* Number.isInteger */
bool bt_json_truthy(const struct bt_json *value);                      /* spec 13.16 */
bool bt_json_equals(const struct bt_json *a, const struct bt_json *b); /* deep, key order ignored */

/* JavaScript String(value) and Number(value), spec 13.6 and 13.26. */
void bt_json_to_text(struct bt_str *out, const struct bt_json *value);
double bt_text_to_number(const char *text, size_t length); /* NaN where it is none */
double bt_json_to_number(const struct bt_json *value);     /* absent gives NaN, null 0 */

/* Building. Each returns NULL (or BT_NOMEM) when memory is short. */
struct bt_json *bt_json_new_object(void) BT_NODISCARD;
struct bt_json *bt_json_new_array(void) BT_NODISCARD;
struct bt_json *bt_json_new_null(void) BT_NODISCARD;
struct bt_json *bt_json_new_bool(bool value) BT_NODISCARD;
struct bt_json *bt_json_new_number(double value) BT_NODISCARD;
struct bt_json *bt_json_new_string(const char *text) BT_NODISCARD; /* copies; NULL makes null */

/* Puts `value` (taken, also on failure; NULL counts as out of memory) under `key`: an existing key keeps its position. */
enum bt_code bt_json_set(struct bt_json *object, const char *key, struct bt_json *value) BT_NODISCARD;
enum bt_code bt_json_set_string(struct bt_json *object, const char *key,
                                const char *text) BT_NODISCARD; /* NULL: null */
enum bt_code bt_json_set_number(struct bt_json *object, const char *key, double value) BT_NODISCARD;
enum bt_code bt_json_set_bool(struct bt_json *object, const char *key, bool value) BT_NODISCARD;
enum bt_code bt_json_set_null(struct bt_json *object, const char *key) BT_NODISCARD;
enum bt_code bt_json_push(struct bt_json *array, struct bt_json *value) BT_NODISCARD; /* takes value */
void bt_json_remove(struct bt_json *object, const char *key);

/* Printing, spec 4.2. The output is real UTF-8 bytes. Pretty does not add the final newline. */
void bt_json_print_compact(struct bt_str *out, const struct bt_json *value);
void bt_json_print_pretty(struct bt_str *out, const struct bt_json *value);
void bt_json_print_string(struct bt_str *out, const char *text, size_t length); /* quoted */
void bt_json_print_number(struct bt_str *out, double value);

/* core/base/canon.c: canonical JSON, spec 4.3. A NULL value prints nothing (an absent body). */
void bt_json_print_canonical(struct bt_str *out, const struct bt_json *value);

/* Name and version of the library behind this file. */
void bt_json_library(char *out, size_t size);

#endif
