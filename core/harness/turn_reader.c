/* core/harness/turn_reader.c - see turn_reader.h. */
#include "core/harness/turn_reader.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/harness/take.h"

struct bt_turn_reader *bt_turn_reader_new(const char *stem, enum bt_harness harness) {
  struct bt_turn_reader *reader = calloc(1, sizeof *reader);
  if (!reader)
    return NULL;
  bt_facts_init(&reader->facts, harness);
  reader->start_time_ms = BT_TIME_UNKNOWN;
  reader->stem = strdup(stem);
  if (!reader->stem) {
    bt_turn_reader_free(reader);
    return NULL;
  }
  return reader;
}

void bt_turn_reader_free(struct bt_turn_reader *reader) {
  if (!reader)
    return;
  bt_facts_dispose(&reader->facts);
  bt_turns_dispose(&reader->turns);
  free(reader->stem);
  free(reader);
}

struct bt_turn_reader *bt_turn_reader_copy(const struct bt_turn_reader *from) {
  struct bt_turn_reader *to = malloc(sizeof *to);
  if (!to)
    return NULL;
  *to = *from;
  to->stem = strdup(from->stem);
  bool ok = bt_turns_copy(&to->turns, &from->turns);
  ok &= bt_facts_copy(&to->facts, &from->facts) == BT_OK;
  if (!ok || !to->stem) {
    bt_turn_reader_free(to);
    return NULL;
  }
  return to;
}

enum bt_code bt_turn_reader_facts(const struct bt_turn_reader *reader, bool is_tree,
                                  struct bt_transcript_facts *facts) {
  enum bt_code code = bt_facts_copy(facts, &reader->facts);
  if (code)
    return code;
  bool ok = bt_turns_facts(&reader->turns, is_tree, facts) &&
            (facts->session_id || bt_take_slice(bt_slice_of(reader->stem), &facts->session_id));
  if (!ok)
    bt_facts_dispose(facts);
  return ok ? BT_OK : BT_NOMEM;
}
