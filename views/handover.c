/* views/handover.c - words of the handover column. */
#include "views/handover.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/clock.h"

enum bt_role bt_role_of_handover(const struct bt_handover *handover) {
  if (!handover || handover->state == BT_ASK_STATE_UNKNOWN || handover->state == BT_ASK_STATE_UNSUPERVISED)
    return BT_ROLE_DIM;
  return handover->state == BT_ASK_STATE_DUE       ? BT_ROLE_WARNING
         : handover->state == BT_ASK_STATE_WRITTEN ? BT_ROLE_VERIFIED
                                                   : BT_ROLE_DEFAULT;
}

static int64_t percent(const struct bt_handover *handover) {
  return handover->window > 0 ? (200 * handover->fill + handover->window) / (2 * handover->window) : 0;
}

/* "58k", "900": enough for a column. */
static void tokens_shown(char *out, size_t size, int64_t tokens) {
  if (tokens >= 10000)
    snprintf(out, size, "%" PRId64 "k", tokens / 1000);
  else
    snprintf(out, size, "%" PRId64, tokens);
}

static void armed_shown(char out[BT_PART_BYTES], const struct bt_handover *handover) {
  char left[24];
  int64_t distance = handover->line - handover->fill;
  tokens_shown(left, sizeof left, distance > 0 ? distance : 0);
  snprintf(out, BT_PART_BYTES, "%" PRId64 "%% %s left", percent(handover), left);
}

void bt_handover_shown(char out[BT_PART_BYTES], const struct bt_handover *handover, int64_t now_ms) {
  char age[BT_PART_BYTES];
  if (!handover) {
    snprintf(out, BT_PART_BYTES, "?");
    return;
  }
  switch (handover->state) {
  case BT_ASK_STATE_DUE:
    snprintf(out, BT_PART_BYTES, "handover due");
    break;
  case BT_ASK_STATE_ASKED:
    bt_age_of(age, handover->asked_ms, now_ms);
    snprintf(out, BT_PART_BYTES, "asked %.20s", age);
    break;
  case BT_ASK_STATE_REARMED:
    snprintf(out, BT_PART_BYTES, "re-armed%s%s", handover->cause ? " " : "", handover->cause ? handover->cause : "");
    break;
  case BT_ASK_STATE_ARMED:
    armed_shown(out, handover);
    break;
  case BT_ASK_STATE_UNKNOWN:
    snprintf(out, BT_PART_BYTES, "?");
    break;
  default:
    snprintf(out, BT_PART_BYTES, "%s", bt_ask_state_word(handover->state));
    break;
  }
}

static void add_state(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_handover *handover,
                      int label_at, int text_at) {
  char age[BT_PART_BYTES], state[3 * BT_PART_BYTES], figures[2 * BT_PART_BYTES] = "";
  bt_age_of(age, handover->asked_ms, frame->now_ms);
  bool timed = handover->state == BT_ASK_STATE_DUE || handover->state == BT_ASK_STATE_ASKED;
  bool due = handover->state == BT_ASK_STATE_DUE;
  snprintf(state, sizeof state, "%s%s%s%.40s%s%s%s", due ? "handover " : "", bt_ask_state_word(handover->state),
           !timed ? ""
           : due  ? " for "
                  : " ",
           timed ? age : "", timed && !due ? " ago" : "", handover->cause ? " by " : "",
           handover->cause ? handover->cause : "");
  if (handover->measured)
    snprintf(figures, sizeof figures, "   %" PRId64 "%% of %" PRId64 " tokens, line at %" PRId64, percent(handover),
             handover->window, handover->line);
  bt_flow_printf(flow, label_at, BT_ROLE_LABEL, "HANDOVER", text_at, bt_role_of_handover(handover), "%s%s", state,
                 figures);
}

static void add_records(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_handover *handover,
                        int text_at) {
  char when[BT_PART_BYTES];
  for (size_t i = 0; i < handover->record_count; i++) {
    const struct bt_handover_record *record = &handover->records[i];
    bt_clock_near(when, frame->scene, record->time_ms, frame->now_ms);
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, text_at + 2, BT_ROLE_DIM, "%s  %s, %s: %s", when, record->kind,
                   record->by_worker ? "worker" : "derived", record->path);
  }
  if (handover->record_total > handover->record_count)
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, text_at + 2, BT_ROLE_DIM, "and %zu older records",
                   handover->record_total - handover->record_count);
}

void bt_handover_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session, int label_at,
                     int text_at) {
  const struct bt_handover *handover = bt_snapshot_handover(frame->snapshot, session->id);
  const struct bt_handover_mod *mod = &frame->snapshot->handover_mod;
  if (!handover || (handover->state == BT_ASK_STATE_UNSUPERVISED && !handover->record_count))
    return;
  add_state(flow, frame, handover, label_at, text_at);
  if (handover->written_path)
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, text_at + 2, BT_ROLE_DEFAULT, "written: %s", handover->written_path);
  if (handover->compacted_before_written)
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, text_at + 2, BT_ROLE_WARNING,
                   "compacted before it was written: only a derived record covers that window");
  if (mod->state && handover->state != BT_ASK_STATE_UNSUPERVISED)
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, text_at + 2, BT_ROLE_DIM, "mod that asks by itself: %s (%s)",
                   mod->state, mod->reason);
  add_records(flow, frame, handover, text_at);
}
