/* core/delivery/doc.h - one strict JSON text as an ordered tree that can be changed and written back.
 *
 * core/base/json.h reads as ECMAScript does: repeated names merge, integer-like names move, numbers are respelled. A
 * handoff record may have none of that done to it (spec/delivery-handoff.md 2, 11.4): what baton does not change keeps
 * its order and its number tokens byte for byte. Owns nothing: nodes and texts live in the caller's arena.
 * Texts are UTF-8 (core/base/utf8.h); a NUL from an escape is C0 80 and is reported. */
#ifndef BATON_CORE_DELIVERY_DOC_H
#define BATON_CORE_DELIVERY_DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/str.h"

#define BT_DOC_DEPTH_MAX 64 /* containers open at once */

struct bt_node {
  enum bt_json_type type; /* never BT_JSON_ABSENT */
  const char *key;        /* member name; NULL for an element and the root */
  const char *text;       /* of a string: decoded; of a number: its token; NULL otherwise */
  struct bt_node *first, *last, *next;
  const struct bt_node *parent;
};

/* Parses the whole text. BT_OK with *root set; BT_CORRUPT with the reason code of spec/delivery-handoff.md 2 ("parse",
 * "limit:depth", "nul", "duplicate-key:NAME") in *reason, which lives in the arena; BT_NOMEM. */
enum bt_code bt_doc_parse(struct bt_arena *arena, const char *bytes, size_t length, struct bt_node **root,
                          const char **reason, struct bt_error *err) BT_NODISCARD;

enum bt_json_type bt_node_type(const struct bt_node *node);                 /* BT_JSON_ABSENT for NULL */
struct bt_node *bt_node_get(const struct bt_node *object, const char *key); /* NULL: absent or no object */
const char *bt_node_text(const struct bt_node *node);                       /* of a string; NULL for anything else */
size_t bt_node_count(const struct bt_node *container);
bool bt_node_integer(const struct bt_node *node, double *value); /* a number without a fraction */

/* Building and changing; NULL (false) when memory is short. Texts are copied. */
struct bt_node *bt_node_new(struct bt_arena *arena, enum bt_json_type type); /* container, null, true or false */
struct bt_node *bt_node_new_string(struct bt_arena *arena, const char *text);
struct bt_node *bt_node_new_integer(struct bt_arena *arena, long long value);
struct bt_node *bt_node_clone(struct bt_arena *arena, const struct bt_node *node); /* without its key */
bool bt_node_push(struct bt_node *array, struct bt_node *element);                 /* false: element is NULL */
/* Replaces the member where it stands, or appends it. False: value is NULL or memory is short. */
bool bt_node_set(struct bt_arena *arena, struct bt_node *object, const char *key, struct bt_node *value);
bool bt_node_set_string(struct bt_arena *arena, struct bt_node *object, const char *key, const char *text);

bool bt_node_equals(const struct bt_node *a,
                    const struct bt_node *b); /* order and number tokens count; NULLs are equal */

enum {
  BT_DOC_HIDE_SECRETS = 1
}; /* user information in URLs and in `repository` is left out: for people and logs, never for a store */
/* Pretty, two spaces, UTF-8 unescaped, no final newline; continued lines are indented by `indent` levels more. */
void bt_doc_print(struct bt_str *out, const struct bt_node *node, unsigned indent, unsigned flags);

/* The name of a repository, which may have no scheme: `user@host/path` and `user:word@host/path` without what
 * names a user. Points into `text`. The user of
 * `user@host:path` is a login of ssh and stays. */
const char *bt_repository_without_user(const char *text);

/* Appends `text` without the user information of any URL in it (`scheme://user:word@host`). */
void bt_text_without_secrets(struct bt_str *out, const char *text, size_t length);

#endif
