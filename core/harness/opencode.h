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

struct bt_opencode;

bool bt_opencode_fits(const struct bt_tape *record); /* the whole document as one object */

/* `stem`: the file's name without its extension. NULL: out of memory. */
struct bt_opencode *bt_opencode_new(const char *stem) BT_NODISCARD;
void bt_opencode_free(struct bt_opencode *reader);
struct bt_opencode *bt_opencode_copy(const struct bt_opencode *reader) BT_NODISCARD;

enum bt_code bt_opencode_feed(struct bt_opencode *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_opencode_facts(const struct bt_opencode *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
