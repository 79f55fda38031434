/* core/harness/transcript.h - one line-based transcript file, read once and then only where it grew.
 *
 * Rules: spec/transcripts.md 2 (lines), 4.2 (depth window), 10 (incremental reading). After any sequence of updates the
 * facts equal those of a full read of the file as it is. Owns buffers and accumulators, never the descriptor. */
#ifndef BATON_CORE_HARNESS_TRANSCRIPT_H
#define BATON_CORE_HARNESS_TRANSCRIPT_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/harness/facts.h"

#define BT_LINE_MAX ((size_t)64 << 20) /* bytes; a longer line is passed over and counted as skipped */

struct bt_transcript;

/* `stem`: file name without extension; `hint`: whose store it lies in, used until the content decides. NULL: out of
 * memory. */
struct bt_transcript *bt_transcript_new(const char *stem, enum bt_harness hint) BT_NODISCARD;
void bt_transcript_free(struct bt_transcript *transcript);

/* Reads what is new through `fd` (a regular file open for reading). `*changed` (may be NULL) tells whether the facts
 * may differ. On failure the facts are those of before and the next update starts from the beginning of the file. */
enum bt_code bt_transcript_update(struct bt_transcript *transcript, int fd, bool *changed,
                                  struct bt_error *err) BT_NODISCARD;

/* Looks at the first `bytes` only: identity and the beginning, no fill, no depth to speak of. `*whole` tells that this
 * was all of the file, read as by an update. Nothing is remembered unless it was. */
enum bt_code bt_transcript_peek(struct bt_transcript *transcript, int fd, size_t bytes, bool *whole,
                                struct bt_error *err) BT_NODISCARD;

/* Borrowed, valid until the next update. Without the staleness overlay, which needs a clock (bt_facts_settle_state). */
const struct bt_transcript_facts *bt_transcript_facts(const struct bt_transcript *transcript);

#endif
