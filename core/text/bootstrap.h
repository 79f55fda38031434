/* core/text/bootstrap.h - the prompt that hands a brief to a successor.
 *
 * Owns: the words around the brief. Must not know: who is asked, how the prompt travels.
 * Rules: spec/context-handoff.md 2.2, 9.8, A.3. */
#ifndef BATON_CORE_TEXT_BOOTSTRAP_H
#define BATON_CORE_TEXT_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

/* Appends the prompt: the body stands in it byte for byte. `verified` is for a reader that checked the signature
 * (`continue`); without it the prompt claims nothing (keyless session start). BT_INPUT when an id (denied session
 * first) is NULL or not prompt-safe; the message names it in JSON quotes. On failure nothing was appended. */
enum bt_code bt_bootstrap_prompt(struct bt_str *out, const char *deny_session_id, const char *ticket_id,
                                 const char *body, size_t body_length, bool verified,
                                 struct bt_error *err) BT_NODISCARD;

#endif
