/* core/supervise/status.h - tells the dashboard what this supervisor is doing; the one writer of its state file.
 *
 * $XDG_STATE_HOME/baton/supervise/<pid>.json, replaced whole whenever something changed, gone when the run ends. A killed
 * supervisor leaves its file; nobody believes it (core/store/supervised.h), and the next run takes it away. */
#ifndef BATON_CORE_SUPERVISE_STATUS_H
#define BATON_CORE_SUPERVISE_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/supervise/machine.h"

struct bt_sup_status {
  int dir; /* -1: nothing is written */
  char name[32];
  const char *program; /* borrowed */
  int64_t started_ms;
  bool written; /* and what was written: */
  enum bt_sup_state state;
  size_t session_count;
  pid_t child;
};

/* Takes away files of supervisors that are gone. BT_IO, BT_READONLY and others when there can be no state file: the run
 * goes on without one. `program` must outlive the status. */
enum bt_code bt_sup_status_begin(struct bt_sup_status *status, const struct bt_env *env, const char *program,
                                 struct bt_error *err) BT_NODISCARD;
/* Writes what is new, if anything is. `child` -1: none runs. A failure is not worth a run: it is passed over. */
void bt_sup_status_note(struct bt_sup_status *status, const struct bt_env *env, const struct bt_sup_machine *machine,
                        pid_t child);
void bt_sup_status_end(struct bt_sup_status *status);

#endif
