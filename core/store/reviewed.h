/* core/store/reviewed.h - which briefs the operator has read, and the text they read.
 *
 * Reads what core/ops/marks.c keeps: STATE/reviewed/<session>-<hash of the brief>. A mark counts for exactly that hash
 * (dashboard.md rows 36, 37). */
#ifndef BATON_CORE_STORE_REVIEWED_H
#define BATON_CORE_STORE_REVIEWED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

#define BT_REVIEWED_PATH 128

/* Below env->state_dir. The session goes in by its SHA-256: an id may be anything. */
void bt_reviewed_path(char out[BT_REVIEWED_PATH], const char *session, const char *hash);

/* Whether that brief is marked, and since when. */
bool bt_reviewed(const struct bt_env *env, const char *session, const char *hash, int64_t *since_ms);

/* The text that was marked last for the session, as bytes. BT_MISSING when none was; BT_IO, BT_NOMEM. */
enum bt_code bt_reviewed_last(const struct bt_env *env, const char *session, struct bt_str *bytes,
                              struct bt_error *err) BT_NODISCARD;

#endif
