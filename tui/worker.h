/* tui/worker.h - one thread that does one kind of job at a time, beside the screen, at low priority.
 *
 * One order waits at most: a newer one takes its place. One result waits at most: the newest. So each order must ask for
 * all that the ones before it asked for: by itself, or by `merge`. Knows nothing of what the job is. */
#ifndef BATON_TUI_WORKER_H
#define BATON_TUI_WORKER_H

#include <stdbool.h>

#include "core/base/error.h"

struct worker;

struct worker_kind {
  void *(*run)(void *context,
               void *order); /* on the thread; the result, NULL: nothing new. The order is freed behind it */
  /* Takes over into `order` what `older`, which waits and is about to be dropped, asks for besides. NULL: nothing */
  void (*merge)(void *order, const void *older);
  void (*free_order)(void *order);
  void (*free_result)(void *result);
};

/* `kind` and `context` are borrowed and outlive it. NULL with err when the system gives no thread. */
struct worker *worker_new(const struct worker_kind *kind, void *context, struct bt_error *err) BT_NODISCARD;
/* Ends with the job that is being done, which worker_give_up tells that nobody waits for it. NULL is allowed. */
void worker_free(struct worker *worker);
const int *worker_give_up(const struct worker *worker); /* for bt_env.give_up of the job */

void worker_ask(struct worker *worker, void *order); /* moves in; not NULL */
int worker_fd(const struct worker *worker);          /* has input when worker_take may have something */
/* Moves out; NULL: nothing. *more (NULL allowed): another order waits or is being done, its result is still to come. */
void *worker_take(struct worker *worker, bool *more);

#endif
