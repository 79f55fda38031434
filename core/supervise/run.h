/* core/supervise/run.h - carries out what the machine decides, until it is done.
 *
 * Owns: the children of one run and the waiting between ticks. Must not know: how a log line is printed, what a terminal
 * is. Rules: spec/context-handoff.md 11.1, 11.3, 11.4. */
#ifndef BATON_CORE_SUPERVISE_RUN_H
#define BATON_CORE_SUPERVISE_RUN_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/supervise/machine.h"

struct bt_sup_host { /* what the caller lends; each member must be there */
  void *context;
  void (*log)(void *context, const char *line);                    /* visible text, no newline */
  void (*tell)(void *context, const char *text);                   /* visible text, whole lines */
  void (*before_spawn)(void *context);                             /* the terminal is still ours */
  void (*after_end)(void *context, const struct bt_sup_exit *end); /* the terminal is ours again */
};

/* Runs `command` (words as internal text, ended by NULL) until the run is done; `machine` is initialised by the caller
 * and tells the outcome. A failure is one of the supervisor itself (BT_NOMEM, BT_IO); a child that runs then goes on. */
enum bt_code bt_supervise(const struct bt_env *env, const char *const *command, const struct bt_sup_host *host,
                          struct bt_sup_machine *machine, struct bt_error *err) BT_NODISCARD;

#endif
