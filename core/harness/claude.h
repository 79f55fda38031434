/* core/harness/claude.h - Claude Code's records become facts, one object at a time, in file order.
 *
 * Rules: spec/transcripts.md 3.1, 5.1, 6, 7. Owns the accumulators of one file; knows nothing of how lines were read.
 */
#ifndef BATON_CORE_HARNESS_CLAUDE_H
#define BATON_CORE_HARNESS_CLAUDE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"

struct bt_claude;

bool bt_claude_fits(const struct bt_tape *record); /* as the first object of a file */

/* `stem`: the file's name without its extension, copied. NULL: out of memory. */
struct bt_claude *bt_claude_new(const char *stem) BT_NODISCARD;
void bt_claude_free(struct bt_claude *reader);
struct bt_claude *bt_claude_copy(const struct bt_claude *reader) BT_NODISCARD; /* NULL: out of memory */

/* `record` holds one JSON object. BT_OK or BT_NOMEM. */
enum bt_code bt_claude_feed(struct bt_claude *reader, const struct bt_tape *record) BT_NODISCARD;

/* The facts so far; `facts` is overwritten, the caller disposes of it. Reading quality, depth, host band and the
 * staleness overlay are not set here. */
enum bt_code bt_claude_facts(const struct bt_claude *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
