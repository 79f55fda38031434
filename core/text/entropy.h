/* core/text/entropy.h - the last pass of redaction: words that look random.
 *
 * Owns: how text is split into tokens, which punctuation belongs to none, when a token counts as random.
 * Must not know: secret shapes. For core/text/redact.c only. Rules: spec/context-handoff.md 10.3, 13.24. */
#ifndef BATON_CORE_TEXT_ENTROPY_H
#define BATON_CORE_TEXT_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/str.h"
#include "core/text/redact.h"

/* Appends `text` to `out` with each random token replaced; `list` (may be NULL) gets one kind for each. False when
 * memory is short. */
bool bt_redact_entropy(struct bt_str *out, const char *text, size_t length, struct bt_redact_list *list) BT_NODISCARD;

/* Appends the replacement of `kind` and reports it (redact.c). A failure shows in `out`. */
void bt_redact_mark(struct bt_str *out, enum bt_redact_kind kind, struct bt_redact_list *list);

#endif
