/* core/hook/place.h - where a tool call happens: the root that judges it, and its targets as seen from there.
 *
 * Looks for folders, writes nothing. Must not know: records, tools. Rules: spec/context-handoff.md A.4, last paragraph. */
#ifndef BATON_CORE_HOOK_PLACE_H
#define BATON_CORE_HOOK_PLACE_H

#include "core/base/str.h"
#include "core/hook/call.h"

struct bt_arena;

/* Appends the nearest ancestor of `from` (internal text; relative to `base`, which is absolute) that holds a folder
 * `.adlc`, itself included; where no ancestor as spelled does, the nearest one of where `from` really leads. False when there is none, or `from` is NULL or empty. Look at out->failed. */
bool bt_hook_find_root(struct bt_str *out, const char *base, const char *from);

/* The targets of `call` as the gate wants them: relative to `root` where they lie below it, else as they are. A
 * relative target is one of `cwd` (absolute); as other programs would read it from the root, its own spelling is
 * judged as well. The list and what is new in it are in `arena`. BT_NOMEM only. */
enum bt_code bt_hook_edit_paths(const struct bt_hook_call *call, const char *root, const char *cwd,
                                struct bt_arena *arena, const char *const **paths, size_t *count,
                                struct bt_error *err) BT_NODISCARD;

#endif
