/* tests/support/cuts.h - a transcript that grows must give the facts of a full read, wherever it was cut before.
 *
 * Rule: spec/transcripts.md 10 step 4. */
#ifndef BATON_TESTS_SUPPORT_CUTS_H
#define BATON_TESTS_SUPPORT_CUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/harness/facts.h"

/* The first fact in which the two differ, or NULL. */
const char *facts_difference(const struct bt_transcript_facts *a, const struct bt_transcript_facts *b);

/* Cuts `bytes` at offset `cut`: a file of so many bytes is read, grows to its full size and is read again; both times
 * the facts must be those of a reader that sees the file for the first time. `fd` is an empty scratch file open for
 * reading and writing. What differs, or NULL. */
const char *cut_difference(int fd, const char *stem, enum bt_harness harness, const char *bytes, size_t length,
                           size_t cut);

/* All cuts that the rule asks for: every offset up to 64 KiB, above that line boundaries +-2 and seeded offsets, at
 * most `lines_max` boundaries and `seeded` offsets. What differs (and *at), or NULL. */
const char *all_cuts(int fd, const char *stem, enum bt_harness harness, const char *bytes, size_t length,
                     size_t lines_max, size_t seeded, size_t *at);

#endif
