/* core/hook/json_edit.h - small changes to the text of a JSON document that leave every other byte as it is.
 *
 * Pure. A document keeps its indentation, its line ends, its spelling of numbers and strings and the order of its keys; what is
 * put in looks like its neighbours. Taking out what was put in at the end gives the text of before. One change at a time:
 * the caller reads the changed text anew. The bytes of the tape end in a NUL. */
#ifndef BATON_CORE_HOOK_JSON_EDIT_H
#define BATON_CORE_HOOK_JSON_EDIT_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/base/tape.h"

/* Appends to `out` the document of `tape` with `value` as a new last element of the array, or last member `key` of the
 * object, at `container`. Look at out->failed. */
void bt_json_edit_insert(struct bt_str *out, const struct bt_tape *tape, uint32_t container, const char *key,
                         const struct bt_json *value);

/* The same document without one element of an array, or without the member whose key is `token`. */
void bt_json_edit_remove(struct bt_str *out, const struct bt_tape *tape, uint32_t container, uint32_t token);

#endif
