/* views/handover.h - how a session's handover is said: in a column of the list, in the facts of its page.
 *
 * Pure. Rules: spec/handover-request.md 10. The words say all; the roles only repeat it. */
#ifndef BATON_VIEWS_HANDOVER_H
#define BATON_VIEWS_HANDOVER_H

#include "core/model/handover.h"
#include "views/flow.h"
#include "views/frame.h"
#include "views/parts.h"

/* "handover due", "asked 12m", "62% 16k left"; "?" for NULL. */
void bt_handover_shown(char out[BT_PART_BYTES], const struct bt_handover *handover, int64_t now_ms);
enum bt_role bt_role_of_handover(const struct bt_handover *handover);

/* The facts: state, figures, the record that was written, derived records beside; nothing where nothing is known. */
void bt_handover_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session, int label_at,
                     int text_at);

#endif
