/* core/hook/session_start.h - what a new session is told about the work it may go on with. Keyless and advisory.
 *
 * Reads only: nothing is consumed, healed or believed. Rules: spec/context-handoff.md A.3, 9.8 (unverified form). */
#ifndef BATON_CORE_HOOK_SESSION_START_H
#define BATON_CORE_HOOK_SESSION_START_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

#define BT_START_TEXT_MAX ((size_t)1024 * 1024)

/* Appends the text to inject into session `session_id` ("": none known); nothing is a fine answer. `supervised`: somebody
 * else has handed it its prompt already. BT_NOMEM only. */
enum bt_code bt_session_start_text(const struct bt_env *env, const char *session_id, bool supervised,
                                   struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
