/* core/harness/reader.h - one shape for the readers of all line-based transcript formats.
 *
 * A reader owns the accumulators of one file and is fed one JSON object at a time, in file order. It can be copied, so
 * that the effect of an unfinished last line can be shown without being kept (spec/transcripts.md 10 step 3). */
#ifndef BATON_CORE_HARNESS_READER_H
#define BATON_CORE_HARNESS_READER_H

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"

struct bt_reader_ops {
  enum bt_harness harness;
  /* Whether a file whose first object is `record` is surely of this format. */
  bool (*fits)(const struct bt_tape *record);
  void *(*create)(const char *stem); /* NULL: out of memory */
  void (*destroy)(void *reader);
  void *(*copy)(const void *reader);
  enum bt_code (*feed)(void *reader, const struct bt_tape *record);
  enum bt_code (*facts)(const void *reader, struct bt_transcript_facts *facts); /* the caller disposes of the result */
};

/* The format that the record shows itself to be of, wherever its file lies; where it shows none, that of `hint`. Never
 * NULL. */
const struct bt_reader_ops *bt_reader_for(const struct bt_tape *record, enum bt_harness hint);
/* The reader of a harness, for a file that has no object yet. */
const struct bt_reader_ops *bt_reader_of(enum bt_harness harness);

#endif
