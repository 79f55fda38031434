/* tests/support/transcripts.h - a transcript written as text, read as facts. */
#ifndef BATON_TESTS_SUPPORT_TRANSCRIPTS_H
#define BATON_TESTS_SUPPORT_TRANSCRIPTS_H

#include <stddef.h>

#include "core/harness/facts.h"

#define TRANSCRIPT_STEM "5b1f0c3e-1111-4a2b-8c3d-0123456789ab"

/* Facts of a file of these bytes; fails the test when it cannot be read. Dispose of them. */
struct bt_transcript_facts facts_of_bytes(enum bt_harness harness, const char *stem, const char *bytes, size_t length);
struct bt_transcript_facts facts_of(enum bt_harness harness, const char *text); /* stem: TRANSCRIPT_STEM */

/* An empty scratch file, open for reading and writing, without a name. */
int transcript_file(void);

/* Texts with ' for ", so that records can be read in C. The result is heap. */
char *quoted(const char *text);

#endif
