/* core/harness/opencode.h - OpenCode's exported document becomes facts.
 *
 * Rules: spec/transcripts.md 3.3, 5.3, 6.3, 7. Owns the messages of one file in short form; knows nothing of how lines
 * were read. */
#ifndef BATON_CORE_HARNESS_OPENCODE_H
#define BATON_CORE_HARNESS_OPENCODE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"
#include "core/harness/turn_reader.h"

bool bt_opencode_fits(const struct bt_tape *record); /* the whole document as one object */

enum bt_code bt_opencode_feed(struct bt_turn_reader *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_opencode_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
