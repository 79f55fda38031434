/* tui/librarian.h - the thread that works on the record store: looks through it, plans a build, builds. It also plans and
 * carries out what is done to deliveries.
 *
 * A transcript may be gigabytes long and git may be slow, so none of this is done where keys are read. One job at a time; a newer question
 * of a kind replaces an older one, whose answer is thrown away. A look gives way to what is waited for in a dialog, and
 * is done again behind it. A build that has begun ends before anything else does, or is stopped. */
#ifndef BATON_TUI_LIBRARIAN_H
#define BATON_TUI_LIBRARIAN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/model/records_view.h"

struct librarian;

/* `env` is borrowed and outlives it. NULL with err when the system gives no thread. */
struct librarian *librarian_new(const struct bt_env *env, struct bt_error *err) BT_NODISCARD;
/* Stops the job that is going on. True when that was a build, of which nothing is left then. NULL is allowed. */
bool librarian_free(struct librarian *librarian);
/* Stops the plan or the build that is going on: DONE tells BT_STATE, unless the build was as good as done. */
void librarian_stop(struct librarian *librarian);

void librarian_list(struct librarian *librarian);
/* Copies `request`. False: out of memory. */
bool librarian_plan(struct librarian *librarian, const struct bt_request *request);
/* `plan` is borrowed until the answer is taken; what was asked to be planned before is forgotten. */
void librarian_execute(struct librarian *librarian, const struct bt_plan *plan);

int librarian_fd(const struct librarian *librarian); /* has input when librarian_take has something */

enum librarian_kind { LIBRARIAN_NOTHING, LIBRARIAN_LISTED, LIBRARIAN_PLANNED, LIBRARIAN_DONE };
struct librarian_answer {
  enum librarian_kind kind;
  enum bt_verb verb;            /* PLANNED: what was asked to be planned */
  struct bt_records_view *view; /* LISTED: the caller's; NULL: `error` */
  struct bt_plan *plan;         /* PLANNED: the same */
  struct bt_receipt *receipt;   /* DONE: the same */
  struct bt_error error;
};
struct librarian_answer librarian_take(struct librarian *librarian);

#endif
