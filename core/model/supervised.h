/* core/model/supervised.h - one `baton supervise` that runs on this host, and the sessions it has carried so far.
 *
 * Plain data; strings live where the list does. Text of it comes from a file: whoever shows it makes it visible. */
#ifndef BATON_CORE_MODEL_SUPERVISED_H
#define BATON_CORE_MODEL_SUPERVISED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_supervised {
  double pid;
  int64_t started_ms, updated_ms;
  const char *root, *ledger_dir;
  const char *program;         /* the harness's command word */
  const char *state;           /* watching, handing on, ... */
  const char *const *sessions; /* in the order of succession; the last one is current */
  size_t session_count;
  size_t continuations;
  bool child_known;
  double child_pid;
};

#endif
