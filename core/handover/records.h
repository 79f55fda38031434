/* core/handover/records.h - the records that a supervisor derives and those that a worker wrote, told apart.
 *
 * Lists only: none of them is ever written, edited or removed here. A handover is the worker's where its transcript
 * shows the command that wrote it: the command named the file, or the file was made while the command ran. Everything
 * else is derived, unless another session of the root is known whose worker wrote it: then it is that one's alone.
 * Rules: spec/handover-request.md 9. */
#ifndef BATON_CORE_HANDOVER_RECORDS_H
#define BATON_CORE_HANDOVER_RECORDS_H

#include "core/base/arena.h"
#include "core/handover/sessions.h"
#include "core/model/handover.h"

/* The folders of each root, listed once for all of its sessions. They are as they were when first asked for. */
struct bt_handover_shelves;
struct bt_handover_shelves *bt_handover_shelves_new(void); /* NULL: out of memory */
void bt_handover_shelves_free(struct bt_handover_shelves *shelves);

/* The records below the session's root that are of its time: from its first record to two minutes behind its last one,
 * and those that carry its id in their name. Newest first, at most `most` of them; `total`: how many there are. What
 * cannot be listed holds none. False: out of memory, or the arena is full; then there are none. */
bool bt_handover_records(struct bt_arena *arena, struct bt_handover_shelves *shelves,
                         const struct bt_ask_session *session, size_t most, const struct bt_handover_record **records,
                         size_t *count, size_t *total);

#endif
