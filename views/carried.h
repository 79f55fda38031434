/* views/carried.h - who carries sessions from context to context on this host, and through which ones.
 *
 * A chain is the same on a session's page and on the locks screen. Rules: spec/context-handoff.md 11; a state file counts
 * only while its process lives (core/store/supervised.h). */
#ifndef BATON_VIEWS_CARRIED_H
#define BATON_VIEWS_CARRIED_H

#include "views/flow.h"
#include "views/frame.h"

struct bt_supervised;

/* The sessions in the order of succession, one a line; `session_id` (NULL: none) stands out. */
void bt_carried_chain(struct bt_flow *flow, int label_at, int text_at, const struct bt_supervised *one,
                      const char *session_id);

/* Every supervisor of this host, whatever ledger it works on; nothing where there is none. */
void bt_carried_add(struct bt_flow *flow, const struct bt_frame *frame, int label_at, int text_at);

#endif
