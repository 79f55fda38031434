/* views/carried.c - who carries sessions from context to context on this host, and through which ones. */
#include "views/carried.h"

#include <string.h>

#include "core/model/supervised.h"
#include "views/parts.h"

void bt_carried_chain(struct bt_flow *flow, int label_at, int text_at, const struct bt_supervised *one,
                      const char *session_id) {
  for (size_t i = 0; i < one->session_count; i++)
    bt_flow_printf(flow, label_at, BT_ROLE_LABEL, i == 0 ? "chain" : "", text_at,
                   session_id && strcmp(one->sessions[i], session_id) == 0 ? BT_ROLE_BOLD : BT_ROLE_DEFAULT, "%s%s",
                   i == 0 ? "" : "> ", one->sessions[i]);
}

void bt_carried_add(struct bt_flow *flow, const struct bt_frame *frame, int label_at, int text_at) {
  const struct bt_snapshot *snapshot = frame->snapshot;
  for (size_t i = 0; i < snapshot->supervised_count; i++) {
    const struct bt_supervised *one = &snapshot->supervised[i];
    char age[BT_PART_BYTES];
    bt_age_of(age, one->started_ms, frame->now_ms);
    bt_flow_blank(flow);
    bt_flow_printf(flow, label_at, BT_ROLE_LABEL, "CARRIED", text_at, BT_ROLE_DEFAULT,
                   "by supervise, pid %.0f, for %s: %s", one->pid, age, one->state);
    bt_flow_labelled(flow, label_at + 2, BT_ROLE_LABEL, "in", text_at, BT_ROLE_DEFAULT, one->root);
    bt_flow_labelled(flow, label_at + 2, BT_ROLE_LABEL, "runs", text_at, BT_ROLE_DEFAULT, one->program);
    bt_carried_chain(flow, label_at + 2, text_at, one, NULL);
  }
}
