/* core/text/capture.h - what a capture hashes to, and how long text is cut.
 *
 * Owns: the canonical form of a capture body, its hash, the byte limits and the words put after a cut.
 * Must not know: where captures lie, who writes them.
 * Rules: spec/context-handoff.md 1.4, 4.4, 9.6, 9.7. Text is internal text (core/base/utf8.h); hand bytes of a
 * file through bt_utf8_decode8 first. A NULL text counts as the empty one. */
#ifndef BATON_CORE_TEXT_CAPTURE_H
#define BATON_CORE_TEXT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/str.h"

#define BT_CAPTURE_MAX_BYTES ((size_t)65536)
#define BT_NARRATIVE_MAX_BYTES ((size_t)32768)

/* Put after a cut. They are stored and hashed: every word counts. */
#define BT_CAPTURE_CUT_MARK \
  "\n\n---\n_[adlc: capture truncated \xe2\x80\x94 the session narrative continues beyond this point]_\n"
#define BT_NARRATIVE_CUT_MARK "\n\n_[adlc: model narrative truncated]_\n"

/* Appends the canonical form as real bytes (encode8): CR LF and lone CR become LF, spaces and tabs at line ends go.
 * A failed `out` says that memory was short or its ceiling was reached. */
void bt_capture_canonical(struct bt_str *out, const char *text, size_t length);

/* SHA-256 of the canonical form. BT_NOMEM leaves `hex` empty. */
enum bt_code bt_capture_hash(const char *text, size_t length, char hex[BT_SHA256_HEX],
                             struct bt_error *err) BT_NODISCARD;

/* Bytes that the text takes once written (encode8). */
size_t bt_text_stored_bytes(const char *text, size_t length);

/* Appends `text` to `out`, cut so that it and `mark` take at most `max_bytes` when written and no character is
 * split; unchanged where it fits. Where `mark` alone does not fit either, just the mark. Answers whether it was cut;
 * *kept_bytes (may be NULL) is how many written bytes of `text` stayed. */
bool bt_text_cap(struct bt_str *out, const char *text, size_t length, size_t max_bytes, const char *mark,
                 size_t *kept_bytes);

#endif
