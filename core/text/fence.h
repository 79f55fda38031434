/* core/text/fence.h - wraps text that a session wrote so that it cannot pass for anything else.
 *
 * Owns: the two delimiters and what stands in place of one found inside. Must not know: sections, files.
 * Rules: spec/context-handoff.md 9.5 (Fence). Text is internal text (core/base/utf8.h). */
#ifndef BATON_CORE_TEXT_FENCE_H
#define BATON_CORE_TEXT_FENCE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/text/redact.h"

#define BT_FENCE_OPEN "<<<UNTRUSTED-CAPTURE-DATA"
#define BT_FENCE_CLOSE "END-UNTRUSTED>>>"
#define BT_FENCE_REMOVED "[adlc: fence delimiter removed]"

/* Appends open delimiter, LF, the content (delimiters in it removed, then redacted), LF, close delimiter. `list`
 * (may be NULL) gets what was redacted. On failure nothing was appended. */
enum bt_code bt_fence(struct bt_str *out, const char *content, size_t length, struct bt_redact_list *list,
                      struct bt_error *err) BT_NODISCARD;

/* How many delimiters were removed from inside the fences of a finished text. */
size_t bt_fence_count_removed(const char *text, size_t length);

#endif
