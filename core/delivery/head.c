/* core/delivery/head.c - what a moved head does to a delivery and to its evidence. */
#include <string.h>

#include "core/delivery/evaluate.h"
#include "core/delivery/fields.h"

/* Evidence counts for the heads it names, or for the recorded one when it names none. */
static bool is_valid(const struct bt_delivery_step *step, const char *recorded, const char *live) {
  bool names_any;
  bool named = bt_evidence_names(step->evidence, live, &names_any);
  return !bt_gate_is_head_bound(step->gate) || named || (!names_any && strcmp(recorded, live) == 0);
}

static enum bt_code find_invalid(struct bt_evaluation *out, struct bt_error *err) {
  const struct bt_delivery *delivery = out->delivery;
  out->invalidated = BT_ARENA_ARRAY(out->arena, size_t, delivery->completed_count + 1);
  if (out->invalidated == NULL)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  for (size_t i = 0; i < delivery->completed_count; i++) {
    if (!is_valid(&delivery->completed[i], delivery->head, out->live.head))
      out->invalidated[out->invalidated_count++] = i;
  }
  return BT_OK;
}

static enum bt_code reaches(const struct bt_work *work, const char *id, const char *tip, bool *does,
                            struct bt_error *err) {
  enum bt_code code = bt_work_is_ancestor(work, id, tip, does, err);
  *does = *does || strcmp(id, tip) == 0;
  return code;
}

/* Nothing of the change is left on the branch: its head is on the base now and the recorded one is not. */
static enum bt_code is_dropped(struct bt_evaluation *out, bool *dropped, struct bt_error *err) {
  const char *base = out->live.base;
  bool live_on_base = false, recorded_on_base = false;
  *dropped = false;
  if (base == NULL) {
    bt_codes_add(&out->warnings, "base-unknown");
    return BT_OK;
  }
  enum bt_code code = reaches(&out->work, out->live.head, base, &live_on_base, err);
  if (code == BT_OK && live_on_base)
    code = reaches(&out->work, out->delivery->head, base, &recorded_on_base, err);
  *dropped = code == BT_OK && live_on_base && !recorded_on_base;
  return code;
}

static enum bt_code judge_moved(struct bt_evaluation *out, struct bt_error *err) {
  const char *live = out->live.head, *recorded = out->delivery->head;
  bool has_live = false, has_recorded = false, dropped = false, advanced = false, rewound = false;
  enum bt_code code = bt_work_has_commit(&out->work, live, &has_live, err);
  if (code == BT_OK)
    code = bt_work_has_commit(&out->work, recorded, &has_recorded, err);
  if (code != BT_OK)
    return code;
  if (!has_live || !has_recorded) {
    out->verdict = bt_evaluation_end(out, BT_VERDICT_RECONCILE_HEAD, "head:unknown");
    return BT_OK;
  }
  code = is_dropped(out, &dropped, err);
  if (code == BT_OK && dropped) {
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_ROLLED_BACK, "branch:change-dropped");
    return BT_OK;
  }
  if (code == BT_OK)
    code = bt_work_is_ancestor(&out->work, recorded, live, &advanced, err);
  if (code == BT_OK && !advanced)
    code = bt_work_is_ancestor(&out->work, live, recorded, &rewound, err);
  out->verdict = bt_evaluation_end(out, BT_VERDICT_RECONCILE_HEAD,
                                   advanced  ? "head:advanced"
                                   : rewound ? "head:rewound"
                                             : "head:rewritten");
  return code;
}

enum bt_code bt_judge_head(struct bt_evaluation *out, struct bt_error *err) {
  const struct bt_delivery *delivery = out->delivery;
  bool with_pr = delivery->pull_request != NULL;
  enum bt_code code = bt_live_refs(out, delivery->branch, with_pr, err);
  if (code != BT_OK)
    return code;
  if (out->live.head == NULL) {
    out->verdict = with_pr ? bt_evaluation_end(out, BT_VERDICT_AMBIGUOUS_LIVE_STATE, "head:unknown-live")
                           : bt_evaluation_end(out, BT_VERDICT_STALE_BRANCH_MISSING, "branch:missing");
    return BT_OK;
  }
  code = find_invalid(out, err);
  if (code == BT_OK && strcmp(out->live.head, delivery->head) != 0)
    return judge_moved(out, err);
  out->verdict = BT_VERDICT_USABLE;
  if (out->invalidated_count > 0)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_RECONCILE_HEAD, "evidence:other-head");
  return code;
}
