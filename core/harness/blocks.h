/* core/harness/blocks.h - texts and calls of a message's content, for the formats that keep turns
 * (core/harness/turns.h). */
#ifndef BATON_CORE_HARNESS_BLOCKS_H
#define BATON_CORE_HARNESS_BLOCKS_H

#include <stdbool.h>

#include "core/base/tape.h"
#include "core/harness/turns.h"

/* The text of a content, trimmed: a string, or the non-blank texts of a list joined with LF. An element is a string, or
 * an object with a `text` whose `type`, if any, is "text"; `wanted` (may be NULL) leaves elements out. *text is the
 * caller's; untouched when there is none. False: out of memory. */
bool bt_blocks_text(const struct bt_tape *tape, uint32_t content,
                    bool (*wanted)(const struct bt_tape *tape, uint32_t part), char **text) BT_NODISCARD;

/* Whether an element is a block of type "text": for formats in which every block has a type. */
bool bt_blocks_is_text(const struct bt_tape *tape, uint32_t part);

/* Adds a call with the id and name of these tokens. False: out of memory. */
bool bt_blocks_add_call(struct bt_turn *turn, const struct bt_tape *tape, uint32_t id, uint32_t name,
                        bool pending) BT_NODISCARD;

#endif
