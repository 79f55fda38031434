/* core/harness/codex.h - Codex rollouts become facts, one object at a time: the wrapped format and the oldest flat one.
 *
 * Rules: spec/transcripts.md 3.2, 5.2, 6, 7. Owns the accumulators of one file; knows nothing of how lines were read,
 * of the session index (titles) or of archive folders. */
#ifndef BATON_CORE_HARNESS_CODEX_H
#define BATON_CORE_HARNESS_CODEX_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"

struct bt_codex;

bool bt_codex_fits(const struct bt_tape *record); /* as the first object of a file */

/* `stem`: the file's name without its extension. NULL: out of memory. */
struct bt_codex *bt_codex_new(const char *stem) BT_NODISCARD;
void bt_codex_free(struct bt_codex *reader);
struct bt_codex *bt_codex_copy(const struct bt_codex *reader) BT_NODISCARD;

enum bt_code bt_codex_feed(struct bt_codex *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_codex_facts(const struct bt_codex *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
