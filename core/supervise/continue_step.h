/* core/supervise/continue_step.h - hands a denied session on by running this program's own `continue`.
 *
 * A program of its own, so that a failure in it cannot take the supervisor along. Rules: spec/context-handoff.md 11.1
 * (continue step), 11.2, 11.3 step 8. */
#ifndef BATON_CORE_SUPERVISE_CONTINUE_STEP_H
#define BATON_CORE_SUPERVISE_CONTINUE_STEP_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/supervise/payload.h"

/* Runs `continue --write` for `session`, with its transcript where `with_transcript`. BT_OK with a valid payload (dispose
 * in every case); otherwise the message says what went wrong. Takes no notice of SIGINT while it writes. */
enum bt_code bt_sup_continue(const struct bt_env *env, const char *session, bool with_transcript,
                             struct bt_sup_payload *payload, struct bt_error *err) BT_NODISCARD;

/* Is the capture of `session` what was promised? Otherwise the message says what it is. */
enum bt_code bt_sup_verify(const struct bt_env *env, const char *session, const char *content_hash,
                           struct bt_error *err) BT_NODISCARD;

#endif
