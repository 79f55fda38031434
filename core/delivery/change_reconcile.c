/* core/delivery/change_reconcile.c - a record follows what has become true: a moved head, a merge. */
#include <string.h>

#include "core/delivery/change.h"
#include "core/delivery/fields.h"

struct reconcile {
  struct bt_evaluation *evaluation;
  const struct bt_steps *reverified;
  struct bt_node *after;
  struct bt_codes returned; /* gates that go back to pending */
  bool *used;               /* of the re-verified entries */
  const char *now;
};

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

static struct bt_slice name_of(const char *text) {
  return bt_trim_blank(text, strlen(text));
}

static bool same_name(const char *a, const char *b) {
  struct bt_slice left = name_of(a), right = name_of(b);
  return left.length == right.length && memcmp(left.data, right.data, left.length) == 0;
}

static bool is_invalid(const struct bt_evaluation *evaluation, size_t index) {
  for (size_t i = 0; i < evaluation->invalidated_count; i++) {
    if (evaluation->invalidated[i] == index)
      return true;
  }
  return false;
}

/* ---- a moved head ---- */

/* New evidence is about the new head, or it is none. */
static bool all_bound(const struct bt_steps *reverified, const char *head) {
  bool names_any;
  for (size_t i = 0; i < reverified->count; i++) {
    if (!bt_evidence_names(reverified->items[i].evidence, head, &names_any))
      return false;
  }
  return true;
}

/* What is taken off the list of completed steps stays readable, with the head that it did not hold for. */
static bool keep_invalidated(struct reconcile *reconcile, const struct bt_node *entry) {
  struct bt_arena *arena = reconcile->evaluation->arena;
  struct bt_node *kept = bt_node_new(arena, BT_JSON_OBJECT);
  return kept != NULL && bt_node_set(arena, kept, "entry", bt_node_clone(arena, entry)) &&
         bt_node_set_string(arena, kept, "head", reconcile->evaluation->live.head) &&
         bt_node_set_string(arena, kept, "at", reconcile->now) &&
         bt_keep_entry(arena, reconcile->after, "x-baton-invalidated", kept);
}

/* One invalid entry: the new one takes its place, or its gate goes back. Several old ones get one new. */
static bool renew(struct reconcile *reconcile, const struct bt_node *entry, const char *gate, struct bt_node *list) {
  struct bt_arena *arena = reconcile->evaluation->arena;
  if (!keep_invalidated(reconcile, entry))
    return false;
  for (size_t i = 0; i < reconcile->reverified->count; i++) {
    const struct bt_delivery_step *step = &reconcile->reverified->items[i];
    if (!step->passed || !same_name(step->gate, gate))
      continue;
    bool again = reconcile->used[i];
    reconcile->used[i] = true;
    return again || bt_node_push(list, bt_step_node(arena, step));
  }
  for (size_t i = 0; i < reconcile->returned.count; i++) {
    if (same_name(reconcile->returned.items[i], gate))
      return true;
  }
  struct bt_slice name = name_of(gate);
  bt_codes_add(&reconcile->returned, "%.*s", (int)name.length, name.data);
  return !reconcile->returned.failed;
}

static bool renew_completed(struct reconcile *reconcile) {
  const struct bt_delivery *delivery = reconcile->evaluation->delivery;
  struct bt_arena *arena = reconcile->evaluation->arena;
  struct bt_node *list = bt_node_new(arena, BT_JSON_ARRAY);
  const struct bt_node *old = bt_node_get(delivery->node, "completed_steps");
  size_t index = 0;
  for (const struct bt_node *entry = old->first; list != NULL && entry != NULL; entry = entry->next, index++) {
    bool done = is_invalid(reconcile->evaluation, index)
                    ? renew(reconcile, entry, delivery->completed[index].gate, list)
                    : bt_node_push(list, bt_node_clone(arena, entry));
    if (!done)
      return false;
  }
  return list != NULL && bt_node_set(arena, reconcile->after, "completed_steps", list);
}

static bool was_returned(const struct reconcile *reconcile, const char *step) {
  for (size_t i = 0; i < reconcile->returned.count; i++) {
    if (same_name(reconcile->returned.items[i], step))
      return true;
  }
  return false;
}

/* Known gates in canonical order, then the others in their old order, then what was pending already. */
static bool renew_pending(struct reconcile *reconcile) {
  const struct bt_texts *pending = &reconcile->evaluation->delivery->pending;
  struct bt_codes list;
  bt_codes_init(&list, reconcile->evaluation->arena);
  for (int rank = 0; rank < 7; rank++) {
    for (size_t i = 0; i < reconcile->returned.count; i++) {
      int own = bt_gate_rank(reconcile->returned.items[i]);
      if (own == rank || (rank == 6 && own < 0))
        bt_codes_add(&list, "%s", reconcile->returned.items[i]);
    }
  }
  for (size_t i = 0; i < pending->count; i++) {
    if (!was_returned(reconcile, pending->items[i]))
      bt_codes_add(&list, "%s", pending->items[i]);
  }
  struct bt_texts texts = {list.items, list.count};
  struct bt_arena *arena = reconcile->evaluation->arena;
  return !list.failed && bt_node_set(arena, reconcile->after, "pending_steps", bt_texts_node(arena, &texts));
}

static bool follow_head(struct reconcile *reconcile) {
  struct bt_arena *arena = reconcile->evaluation->arena;
  return renew_completed(reconcile) && renew_pending(reconcile) &&
         bt_node_set_string(arena, reconcile->after, "head_sha", reconcile->evaluation->live.head);
}

/* ---- a merge ---- */

static bool append_merge(struct reconcile *reconcile) {
  struct bt_evaluation *evaluation = reconcile->evaluation;
  const struct bt_delivery *delivery = evaluation->delivery;
  for (size_t i = 0; i < delivery->completed_count; i++) {
    if (delivery->completed[i].passed && bt_trimmed_equals(delivery->completed[i].gate, "merge"))
      return true;
  }
  const char *evidence = evaluation->pr.merge != NULL
                             ? bt_arena_printf(evaluation->arena, "merged as %s, which holds head %s",
                                               evaluation->pr.merge, delivery->head)
                             : bt_arena_printf(evaluation->arena, "merged with head %s", delivery->head);
  struct bt_delivery_step step = {"merge", "pass", evidence, true};
  struct bt_node *list = bt_node_get(reconcile->after, "completed_steps");
  return evidence != NULL && bt_node_push(list, bt_step_node(evaluation->arena, &step));
}

/* What comes before verifying the merge is done or has become moot. */
static bool follow_merge(struct reconcile *reconcile) {
  struct bt_arena *arena = reconcile->evaluation->arena;
  struct bt_texts left = reconcile->evaluation->delivery->pending;
  while (left.count > 0 && !bt_trimmed_equals(left.items[0], "post-merge-verify")) {
    left.items++;
    left.count--;
  }
  return append_merge(reconcile) && bt_node_set(arena, reconcile->after, "pending_steps", bt_texts_node(arena, &left));
}

/* ---- the verb ---- */

static void note_unused(const struct reconcile *reconcile, struct bt_change *change) {
  for (size_t i = 0; i < reconcile->reverified->count; i++) {
    if (!reconcile->used[i])
      bt_codes_add(&change->notes, "not used, no such entry was invalid or it did not pass: %s",
                   reconcile->reverified->items[i].gate);
  }
}

static enum bt_code apply(struct reconcile *reconcile, const struct bt_watcher_change *watchers, int64_t now_ms,
                          struct bt_change *change, struct bt_error *err) {
  struct bt_evaluation *evaluation = reconcile->evaluation;
  const char *refusal = NULL;
  bool done = true;
  if (evaluation->verdict == BT_VERDICT_RECONCILE_HEAD)
    done = follow_head(reconcile);
  else if (evaluation->verdict == BT_VERDICT_RECONCILE_MERGED)
    done = follow_merge(reconcile);
  if (!done)
    return out_of_memory(err);
  enum bt_code code =
      bt_change_watchers(evaluation, reconcile->after, evaluation->delivery->watchers, watchers, now_ms, &refusal, err);
  if (code != BT_OK)
    return code;
  if (refusal != NULL) {
    bt_change_none(change, evaluation, refusal, BT_DELIVERY_EXIT_REFUSED);
    return BT_OK;
  }
  note_unused(reconcile, change);
  return bt_change_finish(evaluation, reconcile->after, now_ms, change, err);
}

enum bt_code bt_change_reconcile(struct bt_evaluation *evaluation, const struct bt_steps *reverified,
                                 const struct bt_watcher_change *watchers, int64_t now_ms, struct bt_change *change,
                                 struct bt_error *err) {
  bool moved = evaluation->verdict == BT_VERDICT_RECONCILE_HEAD;
  bool merged = evaluation->verdict == BT_VERDICT_RECONCILE_MERGED;
  bool usable = evaluation->verdict == BT_VERDICT_USABLE && evaluation->delivery != NULL;
  char now[32];
  bt_time_seconds(now, now_ms);
  bt_change_none(change, evaluation, bt_verdict_word(evaluation->verdict), bt_verdict_exit(evaluation->verdict));
  if (usable && watchers->add.count == 0)
    bt_change_none(change, evaluation, "nothing-to-do", 0);
  if (!moved && !merged && !(usable && watchers->add.count > 0))
    return BT_OK;
  if (moved && !all_bound(reverified, evaluation->live.head)) {
    bt_change_none(change, evaluation, "refused:evidence-unbound", BT_DELIVERY_EXIT_REFUSED);
    return BT_OK;
  }
  struct reconcile reconcile = {.evaluation = evaluation, .reverified = reverified, .now = now};
  bt_codes_init(&reconcile.returned, evaluation->arena);
  reconcile.used = BT_ARENA_ARRAY(evaluation->arena, bool, reverified->count + 1);
  reconcile.after = bt_node_clone(evaluation->arena, evaluation->delivery->node);
  if (reconcile.used == NULL || reconcile.after == NULL)
    return out_of_memory(err);
  return apply(&reconcile, watchers, now_ms, change, err);
}
