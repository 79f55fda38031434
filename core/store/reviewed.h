/* core/store/reviewed.h - which briefs the operator has read, and the copies that are kept to be compared with.
 *
 * Reads what core/ops/marks.c keeps below env->state_dir: reviewed/<session>-<hash>, the text of a brief that was
 * marked as read, and verified/<session>-<hash>, the last one that was verified when it was kept. A mark counts for
 * exactly that hash (dashboard.md rows 36, 37). */
#ifndef BATON_CORE_STORE_REVIEWED_H
#define BATON_CORE_STORE_REVIEWED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/brief_diff.h"

#define BT_REVIEWED_PATH 128
#define BT_REVIEWED_FOLDER "reviewed"
#define BT_VERIFIED_FOLDER "verified"

/* FOLDER/<session>-<hash>, below env->state_dir. The session goes in by its SHA-256: an id may be anything. */
void bt_reviewed_path(char out[BT_REVIEWED_PATH], const char *folder, const char *session, const char *hash);
/* Whether the name of a file of these folders belongs to that session. */
bool bt_reviewed_is_of(const char *name, const char *session);

/* Whether that brief is marked, and since when. */
bool bt_reviewed(const struct bt_env *env, const char *session, const char *hash, int64_t *since_ms);

struct bt_kept_copy {
  enum bt_copy_kind kind;
  char hash[65];
  int64_t kept_ms;
};
/* The copy that a brief of the session is held against, its bytes into `bytes` (initialised): one that hashes to
 * `expected` (NULL: nothing is expected), whatever it was kept for; else the last that was verified when it was kept;
 * else the last that was marked as read. A copy that no longer hashes to its own name counts for nothing.
 * BT_MISSING when there is none; BT_NOMEM. */
enum bt_code bt_reviewed_copy(const struct bt_env *env, const char *session, const char *expected, struct bt_str *bytes,
                              struct bt_kept_copy *copy, struct bt_error *err) BT_NODISCARD;

#endif
