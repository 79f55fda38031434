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

struct bt_pi;

bool bt_pi_fits(const struct bt_tape *record); /* as the first object of a file: a session with an id */

/* `stem`: the file's name without its extension. NULL: out of memory. */
struct bt_pi *bt_pi_new(const char *stem) BT_NODISCARD;
void bt_pi_free(struct bt_pi *reader);
struct bt_pi *bt_pi_copy(const struct bt_pi *reader) BT_NODISCARD;

enum bt_code bt_pi_feed(struct bt_pi *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_pi_facts(const struct bt_pi *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
