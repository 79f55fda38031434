/* core/hook/deadline.h - a hook that answers in time even where the system does not.
 *
 * A thread waits beside the work. When the time is up before the work has claimed the answer, it gives one prepared
 * beforehand and ends the process, whatever the work is waiting for: a harness that never closes standard input, a file
 * system that hangs, a huge ledger. Must not know: what is being decided. Rules: spec/context-handoff.md 3.1, A.2 item 5. */
#ifndef BATON_CORE_HOOK_DEADLINE_H
#define BATON_CORE_HOOK_DEADLINE_H

#include "core/base/error.h"
#include "core/base/str.h"

struct bt_deadline;

struct bt_late_answer {              /* borrowed; must outlive the deadline */
  struct bt_slice output, complaint; /* for standard output and standard error, as they are */
  int exit_status;
};

/* NULL with BT_NOMEM or BT_IO when there can be no such thread. */
struct bt_deadline *bt_deadline_start(unsigned budget_ms, const struct bt_late_answer *answer,
                                      struct bt_error *err) BT_NODISCARD;

/* Another answer from now on: more is known about the call. NULL `deadline` is allowed. */
void bt_deadline_answer(struct bt_deadline *deadline, const struct bt_late_answer *answer);

/* Before a change is begun that takes `needed_ms`: where less time is left it does not return, and the process ends with
 * the late answer and nothing changed. A change that takes longer all the same is cut off. NULL `deadline` is allowed. */
void bt_deadline_check(struct bt_deadline *deadline, unsigned needed_ms);

/* The work has its answer. Returns only when it is the one to give it, and then no more answer comes from here. Frees.
 * NULL is allowed. */
void bt_deadline_claim(struct bt_deadline *deadline);

#endif
