/* core/ops/planning.h - how a verb builds its plan: facts, rows, steps, checks, sentences.
 *
 * For core/ops, and for the plans of core/handover and core/delivery. Owns: the growing lists of a plan and its fingerprint. Must not know: any verb.
 * Everything lives in the plan's arena. When memory is short the planner remembers it (`failed`), the builders do
 * nothing more, and bt_planner_finish says so once. With `request.terse` the dialog builders do nothing. */
#ifndef BATON_CORE_OPS_PLANNING_H
#define BATON_CORE_OPS_PLANNING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/store/deny.h"
#include "core/store/path.h"

/* One thing that the plan rests on. */
enum bt_fact_kind { BT_FACT_FILE, BT_FACT_DENY_STORE };
struct bt_fact {
  enum bt_fact_kind kind;
  const char *path; /* relative to the ledger directory; the subject of a STALE error */
  char hash[BT_SHA256_HEX];
  bool recheck; /* looked at again under the lock; the lock itself is not */
};

struct bt_op_details {
  const struct bt_fact *facts;
  size_t fact_count;
  const char *record;    /* the deny marker as compact JSON, NULL: the verb does not rest on one */
  const char *ticket_id; /* resolved binds */
  const char *content_hash;
  const char *body; /* continue: the brief as composed, internal text */
  size_t body_length;
  const char *lock_path; /* unlock and undo: the lock's file and bytes */
  const char *lock_bytes;
  size_t lock_length;
  const char *trash_name; /* undo: the copy's name in the trash */
};

struct bt_planner_list { /* grows in the arena; handed to the plan by bt_planner_finish */
  void *items;
  size_t count, room;
};

struct bt_planner {
  const struct bt_env *env;
  int ledger; /* descriptor of the ledger directory, -1 where there is none */
  struct bt_arena *arena;
  struct bt_plan *plan; /* plan->request is the resolved one */
  struct bt_op_details *details;
  bool failed;
  struct bt_planner_list rows, steps, checks, will, will_not, facts;
  struct bt_sha256 *hash; /* of the fingerprint */
};

/* Opens the ledger, copies the request into the plan's arena. BT_NOMEM only; dispose in every case. */
enum bt_code bt_planner_init(struct bt_planner *planner, const struct bt_env *env, const struct bt_request *request,
                             struct bt_error *err) BT_NODISCARD;
/* Closes the ledger and frees the plan unless it was finished. */
void bt_planner_dispose(struct bt_planner *planner);
/* Fills fingerprint, command and disabled, and hands the plan out. */
enum bt_code bt_planner_finish(struct bt_planner *planner, struct bt_plan **plan, struct bt_error *err) BT_NODISCARD;

/* Text in the plan's arena; NULL after `failed`. */
const char *bt_planner_text(struct bt_planner *planner, const char *fmt, ...) BT_PRINTF(2, 3);
const char *bt_planner_visible(struct bt_planner *planner,
                               const char *text); /* safe for a terminal; NULL as "(none)" */
const char *bt_planner_json(struct bt_planner *planner, const struct bt_json *value, bool pretty);
/* ".adlc/<file of the session>", for a step. */
const char *bt_planner_path(struct bt_planner *planner, enum bt_ledger_file file, const char *session);

/* Puts text (a resolved bind, a content hash) into the fingerprint. */
void bt_plan_mix(struct bt_planner *planner, const char *name, const char *text);
/* Notes the file's bytes as a fact. */
void bt_plan_fact(struct bt_planner *planner, enum bt_ledger_file file, const char *session, bool recheck);
void bt_plan_fact_path(struct bt_planner *planner, const char *path, bool recheck);
void bt_plan_fact_denies(struct bt_planner *planner);
/* The facts again: BT_STALE, naming the first that moved. */
enum bt_code bt_facts_recheck(const struct bt_plan *plan, int ledger, struct bt_error *err) BT_NODISCARD;

/* For the dialogs; nothing with `terse`. Formats make visible text of nothing: hand over visible text. */
void bt_plan_row(struct bt_planner *planner, const char *label, const char *now, const char *after);
void bt_plan_step(struct bt_planner *planner, const char *what, const char *path, const char *note);
void bt_plan_check(struct bt_planner *planner, enum bt_check check, const char *fmt, ...) BT_PRINTF(3, 4);
void bt_plan_will(struct bt_planner *planner, const char *fmt, ...) BT_PRINTF(2, 3);
void bt_plan_will_not(struct bt_planner *planner, const char *fmt, ...) BT_PRINTF(2, 3);

/* Sets payload, and human to visible text. Takes `payload` (NULL counts as out of memory). */
void bt_plan_answer(struct bt_planner *planner, struct bt_json *payload, const char *fmt, ...) BT_PRINTF(3, 4);

#endif
