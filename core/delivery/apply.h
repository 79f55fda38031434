/* core/delivery/apply.h - a changed record goes to its store, or it is told what would come of that.
 *
 * The one way to a store: the dashboard's dialogs (core/delivery/op.h) and `baton delivery` both come through here, with
 * an evaluation and the change made from it. Owns: which store, the copies of what is written over, the description that
 * is published, the line in the action log. Rules: spec/delivery-handoff.md 5, 11, 14. */
#ifndef BATON_CORE_DELIVERY_APPLY_H
#define BATON_CORE_DELIVERY_APPLY_H

#include "core/delivery/change.h"

struct bt_delivery_order {
  const char *verb; /* for the action log: "reconcile" */
  enum bt_source target;
  const char *body_out; /* publishing: the new description goes to this file (absolute); NULL: to the forge */
  bool gh;              /* publishing: the forge may be written to */
  bool confirm_publish; /* readers of the forge may see directive and watchers */
  bool write;           /* false: nothing is written, and nothing goes to the action log */
  /* A line for people, as soon as it is true: where a copy of what is written over lies, and how to put it back. Raw
   * text of the outside may be in it. NULL: nobody reads them. */
  void (*say)(const char *line);
};

struct bt_delivery_applied {
  const char *code; /* of the change, "written", or "refused:..." */
  int exit_status;  /* of that code */
  const struct bt_node
      *after;            /* the record as it is, or would be, written; NULL: refused, or there is nothing to write */
  const char *target;    /* where it lies; NULL: no store was chosen */
  bool exclusion_needed; /* git's exclusion line was not there */
  bool written, refused;
  bool unlogged; /* done, but the action log could not be written */
};

/* The store that `word` (--store; NULL: none was named) or the evaluation chooses. BT_USAGE. */
enum bt_code bt_delivery_target(const char *word, const struct bt_evaluation *evaluation, enum bt_source *target,
                                struct bt_error *err) BT_NODISCARD;
/* The `store` value of a record there, in the evaluation's arena. NULL: out of memory. */
const char *bt_delivery_store_word(const struct bt_delivery_request *request, const struct bt_evaluation *evaluation,
                                   enum bt_source target, const char *pr_number);

/* BT_OK with the answer in `applied`, refusals too. BT_USAGE: the order lacks what its store needs; BT_READONLY; BT_BUSY,
 * BT_UNSAFE, BT_STATE, BT_IO, BT_NOMEM of a write that failed: `applied` is to be left alone then. */
enum bt_code bt_delivery_apply(const struct bt_delivery_order *order, const struct bt_delivery_request *request,
                               struct bt_evaluation *evaluation, const struct bt_change *change,
                               struct bt_delivery_applied *applied, struct bt_error *err) BT_NODISCARD;

/* A refusal as an error: BT_STALE where the record changed meanwhile, else BT_REFUSED. */
enum bt_code bt_delivery_refusal(const struct bt_delivery_applied *applied, struct bt_error *err);

#endif
