/* core/base/json_tree.h - the inside of a JSON tree, for the files of core/base that build and order one.
 *
 * Not for other layers: core/base/json.h is what they see. Must not know: cJSON (only json.c does). */
#ifndef BATON_CORE_BASE_JSON_TREE_H
#define BATON_CORE_BASE_JSON_TREE_H

#include "core/base/json.h"

/* A string value that takes `owned` (malloc'd, also freed on failure). NULL: out of memory. */
struct bt_json *bt_json_adopt_string(char *owned) BT_NODISCARD;

/* Appends a new value in constant time. `owned_key` is malloc'd and taken, NULL for an array's element. */
void bt_json_link_last(struct bt_json *container, char *owned_key, struct bt_json *value);

/* Exchanges what two members hold; keys and places stay. */
void bt_json_swap_values(struct bt_json *a, struct bt_json *b);

/* Fills `members`, which has room for bt_json_count(container) of them. */
void bt_json_members(struct bt_json *container, struct bt_json **members);

/* Makes `members` the content of `container`, in that order. All must have been its members; those left
 * out are the caller's to free. */
void bt_json_relink(struct bt_json *container, struct bt_json *const *members, size_t count);

/* core/base/json_order.c: an integer-like key (spec 4.1: canonical decimal of 0..4294967294). */
bool bt_json_key_is_index(const char *key, unsigned long *index);

/* Settles an object whose members stand as they were read: a repeated key keeps its first place and its
 * last value, integer-like keys go to the front. False: out of memory, the object is as before. */
bool bt_json_settle(struct bt_json *object) BT_NODISCARD;

#endif
