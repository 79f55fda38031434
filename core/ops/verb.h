/* core/ops/verb.h - what each verb gives to core/ops/op.c, and what it gets while it runs.
 *
 * Inside core/ops only. One file a verb; the table is in op.c. The order of checks and writes inside each function is
 * that of the verb's table in spec/context-handoff.md 8. */
#ifndef BATON_CORE_OPS_VERB_H
#define BATON_CORE_OPS_VERB_H

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/ops/planning.h"
#include "core/ops/txn.h"

/* One execution: under the lock where the verb takes one, facts checked again. A failure is undone by op.c. */
struct bt_run {
  const struct bt_env *env;
  const struct bt_plan *plan;
  struct bt_txn *txn;
  struct bt_receipt *receipt; /* its arena is `arena` */
  struct bt_arena *arena;
};

/* Appends one signed entry and notes it in the receipt. Takes `data` (NULL counts as out of memory). */
enum bt_code bt_run_evidence(struct bt_run *run, const char *gate, const char *ticket, struct bt_json *data,
                             struct bt_error *err) BT_NODISCARD;
/* {gate, seq} of that entry, for the payload. NULL: out of memory. */
struct bt_json *bt_run_evidence_json(const struct bt_run *run);

/* Sets the receipt's payload and visible human line. Takes `payload` (NULL counts as out of memory). */
enum bt_code bt_run_answer(struct bt_run *run, struct bt_json *payload, struct bt_error *err, const char *fmt, ...)
    BT_PRINTF(4, 5) BT_NODISCARD;

/* {tool, command, dryRun}: the head of every payload. NULL: out of memory. */
struct bt_json *bt_payload_new(enum bt_verb verb, bool dry_run) BT_NODISCARD;

/* The deny marker's record that the plan rests on. NULL: out of memory. */
struct bt_json *bt_run_record(const struct bt_run *run) BT_NODISCARD;

enum bt_code bt_write_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_write_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_write_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_resume_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_resume_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_resume_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_bypass_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_bypass_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_bypass_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_repair_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_repair_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_repair_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_unlock_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_unlock_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_unlock_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_continue_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_continue_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_continue_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_undo_check(const struct bt_request *request, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_undo_plan(struct bt_planner *planner, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_undo_run(struct bt_run *run, struct bt_error *err) BT_NODISCARD;

#endif
