/* core/harness/turn_reader.h - the accumulators of the readers that keep turns (Gemini, pi, OpenCode): made, copied and
 * freed alike.
 *
 * Owns the messages of one file in short form. What a record means is each reader's own. */
#ifndef BATON_CORE_HARNESS_TURN_READER_H
#define BATON_CORE_HARNESS_TURN_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"
#include "core/harness/turns.h"

struct bt_turn_reader {
  char *stem; /* the file's name without its extension */
  struct bt_transcript_facts facts;
  struct bt_turns turns;
  int64_t start_time_ms; /* named by the file's metadata; BT_TIME_UNKNOWN */
  uint64_t last_id;      /* of the latest entry */
  bool begun, headless;  /* an object came; the first was not the header that the format wants */
  bool failed;           /* memory was short */
};

/* NULL: out of memory. */
struct bt_turn_reader *bt_turn_reader_new(const char *stem, enum bt_harness harness) BT_NODISCARD;
void bt_turn_reader_free(struct bt_turn_reader *reader);
struct bt_turn_reader *bt_turn_reader_copy(const struct bt_turn_reader *reader) BT_NODISCARD;

/* The facts of the turns, with the stem as session id where no record gave one; the caller disposes of them. */
enum bt_code bt_turn_reader_facts(const struct bt_turn_reader *reader, bool is_tree,
                                  struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
