/* core/hook/protected.h - is a path one of the gate's own files, by name, through a link, or by covering them?
 *
 * Reads the file system (stat, realpath), writes nothing. Paths are internal text, relative to the root or absolute.
 * Rules: spec/context-handoff.md 6.5. */
#ifndef BATON_CORE_HOOK_PROTECTED_H
#define BATON_CORE_HOOK_PROTECTED_H

#include <stdbool.h>

#include "core/base/error.h"

/* The lexical predicate alone. False also when memory is short: use bt_protect_classify where that matters. */
bool bt_path_is_protected(const char *path);

enum bt_protection { BT_UNPROTECTED, BT_PROTECTED_LEXICAL, BT_PROTECTED_SYMLINK, BT_PROTECTED_COVERS };

struct bt_protector; /* one root, resolved once */

/* NULL: out of memory. `root` is absolute; the caller frees. */
struct bt_protector *bt_protector_new(const char *root) BT_NODISCARD;
void bt_protector_free(struct bt_protector *protector); /* NULL is allowed */

/* BT_NOMEM only. */
enum bt_code bt_protect_classify(const struct bt_protector *protector, const char *path, enum bt_protection *out,
                                 struct bt_error *err) BT_NODISCARD;

#endif
