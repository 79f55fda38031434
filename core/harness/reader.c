/* core/harness/reader.c - the table of line-based formats. */
#include "core/harness/reader.h"

#include "core/harness/claude.h"

static bool fits_anything(const struct bt_tape *record) {
  (void)record;
  return true;
}

static void *claude_create(const char *stem) {
  return bt_claude_new(stem);
}
static void claude_destroy(void *reader) {
  bt_claude_free(reader);
}
static void *claude_copy(const void *reader) {
  return bt_claude_copy(reader);
}
static enum bt_code claude_feed(void *reader, const struct bt_tape *record) {
  return bt_claude_feed(reader, record);
}
static enum bt_code claude_facts(const void *reader, struct bt_transcript_facts *facts) {
  return bt_claude_facts(reader, facts);
}

static const struct bt_reader_ops readers[] = {
    {BT_HARNESS_CLAUDE, fits_anything, claude_create, claude_destroy, claude_copy, claude_feed, claude_facts},
};

#define READER_COUNT (sizeof readers / sizeof *readers)

const struct bt_reader_ops *bt_reader_for(const struct bt_tape *record) {
  size_t at = 0;
  while (at + 1 < READER_COUNT && !readers[at].fits(record))
    at++;
  return &readers[at];
}

const struct bt_reader_ops *bt_reader_of(enum bt_harness harness) {
  for (size_t i = 0; i < READER_COUNT; i++)
    if (readers[i].harness == harness)
      return &readers[i];
  return &readers[READER_COUNT - 1];
}
