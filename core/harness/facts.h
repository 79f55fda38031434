/* core/harness/facts.h - how the facts of a transcript (core/model/transcript.h) are kept and settled.
 *
 * Facts made here own their strings (heap). Knows nothing of files or formats. Rules: spec/transcripts.md 4.3, 6, 7. */
#ifndef BATON_CORE_HARNESS_FACTS_H
#define BATON_CORE_HARNESS_FACTS_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/model/transcript.h"

/* Every text of the facts, so that nobody forgets one. */
#define BT_FACTS_TEXTS 13
void bt_facts_texts(struct bt_transcript_facts *facts, char **slots[BT_FACTS_TEXTS]);

void bt_facts_init(struct bt_transcript_facts *facts, enum bt_harness harness);
void bt_facts_dispose(struct bt_transcript_facts *facts);
enum bt_code bt_facts_copy(struct bt_transcript_facts *to, const struct bt_transcript_facts *from) BT_NODISCARD;

/* Lets `time_ms` (BT_TIME_UNKNOWN: nothing) count for started and last activity; returns it. */
int64_t bt_facts_note_time(struct bt_transcript_facts *facts, int64_t time_ms);

/* The fill as of a record: a number, or BT_COUNT_UNKNOWN, which also ends the trail. */
void bt_facts_note_fill(struct bt_transcript_facts *facts, int64_t used, int64_t time_ms);

/* Cuts the long texts (prompts, last words, title) for lists; what is left out shows as an ellipsis. False: out of
 * memory, nothing cut. */
bool bt_facts_shorten(struct bt_transcript_facts *facts, size_t text_bytes);

/* The user's word for the window (more than 0), over everything that the file says. */
void bt_facts_set_window(struct bt_transcript_facts *facts, int64_t tokens);

/* pct_centi from used and window; the window's rule 3 for Claude is applied by its reader before. */
void bt_facts_settle_fill(struct bt_transcript_facts *facts);

/* What the file itself cannot say of the state: an archive has ended; then the staleness overlay of section 7. `now_ms`
 * BT_TIME_UNKNOWN skips it; so does a live process that owns the session. */
void bt_facts_settle_state(struct bt_transcript_facts *facts, int64_t now_ms, bool owned_by_live_process);

/* host_band from depth, depth_invalid and truncated (4.3). `pct` BT_COUNT_UNKNOWN is absent. */
void bt_facts_settle_band(struct bt_transcript_facts *facts);

#endif
