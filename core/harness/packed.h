/* core/harness/packed.h - the texts of one transcript's facts in one block that several holders share.
 *
 * A catalog of thousands of sessions and every view made of it speak of the same texts; they are kept once. A block
 * never changes. Holders may be on different threads. */
#ifndef BATON_CORE_HARNESS_PACKED_H
#define BATON_CORE_HARNESS_PACKED_H

#include "core/harness/facts.h"

struct bt_packed;

/* Moves the texts of `facts` (owned by them until now) into a new block with one holder, from which they are borrowed
 * then. NULL: out of memory, `facts` as before. */
struct bt_packed *bt_facts_pack(struct bt_transcript_facts *facts) BT_NODISCARD;

struct bt_packed *bt_packed_hold(struct bt_packed *packed);
void bt_packed_release(struct bt_packed *packed); /* the last holder frees it; NULL is allowed */

#endif
