/* core/harness/place.h - what the place of a session file tells of its working folder, where its records do not.
 *
 * A hint, for files that cannot be read and for those whose records name no folder: the names lose characters, so only
 * an exact one is believed. Knows the scope's folders; reads nothing. Rules: spec/transcripts.md 1.1, 1.4, 1.5. */
#ifndef BATON_CORE_HARNESS_PLACE_H
#define BATON_CORE_HARNESS_PLACE_H

#include "core/harness/scope.h"
#include "core/harness/source.h"

enum bt_place {
  BT_PLACE_SILENT,   /* it says nothing */
  BT_PLACE_HERE,     /* the name of a worktree of this repository */
  BT_PLACE_NEAR,     /* of a folder below one, or of one beside it with a longer name */
  BT_PLACE_ELSEWHERE /* of no folder of this repository */
};

enum bt_place bt_place_of(const struct bt_source *source, const struct bt_scope *scope);

/* The working folder of a Gemini project that is named by the SHA-256 of its path, when that is a worktree of this
 * repository; NULL: not told. Borrowed from the scope. */
const char *bt_place_gemini_cwd(const struct bt_source *source, const struct bt_scope *scope);

/* Whether `name` is the lower-case SHA-256 of `path`. */
bool bt_place_is_digest_of(const char *name, const char *path);

#endif
