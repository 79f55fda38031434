/* core/delivery/change.h - what a record becomes: reconciled, closed, or written anew.
 *
 * Pure: takes an evaluation, gives the record as it should be; nothing is read or written here. What nobody asked to
 * change keeps its order and its bytes. Rules: spec/delivery-handoff.md 12, 13. Everything lives in the evaluation's
 * arena. */
#ifndef BATON_CORE_DELIVERY_CHANGE_H
#define BATON_CORE_DELIVERY_CHANGE_H

#include "core/delivery/evaluate.h"

struct bt_steps { /* of --completed, --reverified */
  const struct bt_delivery_step *items;
  size_t count;
};

/* `gate=verdict@evidence`, split at the first `=` and then at the first `@`. False: a part is missing or blank, or
 * memory is short. */
bool bt_step_parse(struct bt_arena *arena, const char *text, struct bt_delivery_step *step);

struct bt_watcher_change {
  struct bt_texts add;
  const char *supersede; /* NULL: none; otherwise exactly one is added */
  const struct bt_liveness_facts *facts;
};

struct bt_change {
  const char *code; /* "would-write", or why nothing is written: "nothing-to-do", "refused:…", a verdict's word */
  int exit_status;  /* of that code */
  struct bt_node *after; /* the record to write; NULL: nothing is written */
  struct bt_codes notes; /* for people: what was given and not used */
};

/* All four: BT_OK with the answer in `change`; BT_USAGE for what the command line should not have said; BT_NOMEM. */
enum bt_code bt_change_reconcile(struct bt_evaluation *evaluation, const struct bt_steps *reverified,
                                 const struct bt_watcher_change *watchers, int64_t now_ms, struct bt_change *change,
                                 struct bt_error *err) BT_NODISCARD;
/* `evidence`: for the one step that is pending; NULL. */
enum bt_code bt_change_close_delivered(struct bt_evaluation *evaluation, const struct bt_steps *completed,
                                       const char *evidence, int64_t now_ms, struct bt_change *change,
                                       struct bt_error *err) BT_NODISCARD;
enum bt_code bt_change_close_boundary(struct bt_evaluation *evaluation, const char *detail, bool resumable,
                                      int64_t now_ms, struct bt_change *change, struct bt_error *err) BT_NODISCARD;

struct bt_record_wish { /* the flags of `record`; NULL and empty where they were not given */
  struct bt_node *from; /* --from: a whole record, parsed */
  bool update, replace_corrupt;
  const char *store; /* the `store` value to write */
  const char *directive;
  struct bt_texts authorize, withhold, pending;
  const char *pull_request;
  bool no_pull_request;
  const char *branch, *head, *repository; /* given, or what is live; NULL unknown */
  bool branch_given, head_given;
  struct bt_steps completed;
  struct bt_watcher_change watchers;
  const char *stop_reason, *stop_detail;
};
enum bt_code bt_change_record(struct bt_evaluation *evaluation, const struct bt_record_wish *wish, int64_t now_ms,
                              struct bt_change *change, struct bt_error *err) BT_NODISCARD;

/* ---- for core/delivery/change*.c only ---- */

/* A change that writes nothing. */
void bt_change_none(struct bt_change *change, struct bt_evaluation *evaluation, const char *code, int exit_status);
/* Sets `updated_at`, judges the result and fills `change`. Faults of the result are BT_USAGE: only flags can bring
 * them. */
enum bt_code bt_change_finish(struct bt_evaluation *evaluation, struct bt_node *after, int64_t now_ms,
                              struct bt_change *change, struct bt_error *err) BT_NODISCARD;
struct bt_node *bt_step_node(struct bt_arena *arena, const struct bt_delivery_step *step); /* NULL: no memory */
struct bt_node *bt_texts_node(struct bt_arena *arena, const struct bt_texts *texts);       /* the same */
void bt_time_seconds(char out[32], int64_t now_ms);                                        /* YYYY-MM-DDTHH:MM:SSZ */
/* Adds `entry` to the list that the record keeps under `key`, made when it is not there. */
bool bt_keep_entry(struct bt_arena *arena, struct bt_node *record, const char *key, struct bt_node *entry);
/* Adds watchers to the record in `after`. *refusal: the refused code, NULL when all were added. */
enum bt_code bt_change_watchers(struct bt_evaluation *evaluation, struct bt_node *after, struct bt_texts recorded,
                                const struct bt_watcher_change *watchers, int64_t now_ms, const char **refusal,
                                struct bt_error *err) BT_NODISCARD;

#endif
