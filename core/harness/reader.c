/* core/harness/reader.c - the table of line-based formats. */
#include "core/harness/reader.h"

#include "core/harness/claude.h"
#include "core/harness/codex.h"
#include "core/harness/gemini.h"
#include "core/harness/opencode.h"
#include "core/harness/pi.h"

/* The readers have types of their own; the table speaks of them without. */
#define BT_ANY(name, making, freeing, copying)                                              \
  static void *name##_create(const char *stem) {                                            \
    return making;                                                                          \
  }                                                                                         \
  static void name##_destroy(void *reader) {                                                \
    freeing(reader);                                                                        \
  }                                                                                         \
  static void *name##_copy(const void *reader) {                                            \
    return copying(reader);                                                                 \
  }                                                                                         \
  static enum bt_code name##_feed(void *reader, const struct bt_tape *record) {             \
    return bt_##name##_feed(reader, record);                                                \
  }                                                                                         \
  static enum bt_code name##_facts(const void *reader, struct bt_transcript_facts *facts) { \
    return bt_##name##_facts(reader, facts);                                                \
  }
#define BT_READER(name) BT_ANY(name, bt_##name##_new(stem), bt_##name##_free, bt_##name##_copy)
#define BT_TURN_READER(name, harness) \
  BT_ANY(name, bt_turn_reader_new(stem, harness), bt_turn_reader_free, bt_turn_reader_copy)
#define BT_READER_OPS(harness, name, fits) \
  { harness, fits, name##_create, name##_destroy, name##_copy, name##_feed, name##_facts }

BT_READER(claude)
BT_READER(codex)
BT_TURN_READER(gemini, BT_HARNESS_GEMINI)
BT_TURN_READER(opencode, BT_HARNESS_OPENCODE)
BT_TURN_READER(pi, BT_HARNESS_PI)

static const struct bt_reader_ops readers[] = {
    BT_READER_OPS(BT_HARNESS_PI, pi, bt_pi_fits),
    BT_READER_OPS(BT_HARNESS_OPENCODE, opencode, bt_opencode_fits),
    BT_READER_OPS(BT_HARNESS_GEMINI, gemini, bt_gemini_fits),
    BT_READER_OPS(BT_HARNESS_CODEX, codex, bt_codex_fits),
    BT_READER_OPS(BT_HARNESS_CLAUDE, claude, bt_claude_fits),
};

#define READER_COUNT (sizeof readers / sizeof *readers)

const struct bt_reader_ops *bt_reader_for(const struct bt_tape *record, enum bt_harness hint) {
  for (size_t i = 0; i < READER_COUNT; i++)
    if (readers[i].fits(record))
      return &readers[i];
  return bt_reader_of(hint);
}

const struct bt_reader_ops *bt_reader_of(enum bt_harness harness) {
  size_t at = 0;
  while (at + 1 < READER_COUNT && readers[at].harness != harness)
    at++;
  return &readers[at];
}
