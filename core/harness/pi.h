/* core/harness/pi.h - pi's session files become facts: a header, then entries that form a tree.
 *
 * Rules: spec/transcripts.md 3.3, 5.3, 6.5, 7. Owns the messages of one file in short form; knows nothing of how lines
 * were read. */
#ifndef BATON_CORE_HARNESS_PI_H
#define BATON_CORE_HARNESS_PI_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"
#include "core/harness/turn_reader.h"

bool bt_pi_fits(const struct bt_tape *record); /* as the first object of a file: a session with an id */

enum bt_code bt_pi_feed(struct bt_turn_reader *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_pi_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
