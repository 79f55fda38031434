/* core/harness/gemini.h - Gemini CLI's chats become facts: lines that add, replace and take back messages, or one
 * document.
 *
 * Rules: spec/transcripts.md 3.3, 5.3, 6.4, 7. Owns the messages of one file in short form; knows nothing of how lines
 * were read. */
#ifndef BATON_CORE_HARNESS_GEMINI_H
#define BATON_CORE_HARNESS_GEMINI_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/harness/facts.h"
#include "core/harness/turn_reader.h"

bool bt_gemini_fits(const struct bt_tape *record); /* as the first object of a file */

enum bt_code bt_gemini_feed(struct bt_turn_reader *reader, const struct bt_tape *record) BT_NODISCARD;
enum bt_code bt_gemini_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
