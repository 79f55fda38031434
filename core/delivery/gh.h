/* core/delivery/gh.h - asks the forge's own command line tool about one pull request, or has it edit one.
 *
 * Owns: the argument vector, the limits, and what a failure of that tool means. Never a shell; only when asked for.
 * Rules: spec/delivery-handoff.md 7, 14. */
#ifndef BATON_CORE_DELIVERY_GH_H
#define BATON_CORE_DELIVERY_GH_H

#include "core/base/str.h"
#include "core/delivery/pr.h"
#include "core/env.h"

#define BT_GH_TIMEOUT_MS 20000 /* BATON_GH_TIMEOUT_MS overrides it */
#define BT_GH_OUTPUT_MAX ((size_t)1024 * 1024)

/* `number`: digits; `identity`: of the recorded repository. The answer is in `pr` (unreadable, not found, or read);
 * *note says in words, in the arena, why it is unreadable. Fails with BT_NOMEM only. Blocks for at most the time limit.
 */
enum bt_code bt_gh_view(struct bt_arena *arena, const struct bt_env *env, const char *number, const char *identity,
                        int64_t now_ms, int64_t max_age_s, struct bt_pr *pr, const char **note,
                        struct bt_error *err) BT_NODISCARD;

/* Replaces the description by the content of `body_path`. BT_STATE, BT_IO with gh's own words; BT_NOMEM. */
enum bt_code bt_gh_edit(const struct bt_env *env, const char *number, const char *identity, const char *body_path,
                        struct bt_error *err) BT_NODISCARD;

#endif
