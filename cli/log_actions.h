/* cli/log_actions.h - `baton log --actions`: baton's own log of what was done and what was refused, newest first.
 *
 * No evidence: nothing in it is signed (core/ops/actionlog.h, dashboard.md row 68). */
#ifndef BATON_CLI_LOG_ACTIONS_H
#define BATON_CLI_LOG_ACTIONS_H

#include <stdint.h>

#include "cli/env.h"

struct log_actions {
  const char *session; /* only what is about it; NULL: all */
  int64_t since_ms;    /* BT_TIME_UNKNOWN: all */
  size_t limit;        /* 0: none */
  bool json, jsonl;
};

/* Prints; returns the exit status. No log yet is an empty one. Only the last 4 MiB are read. */
int log_actions_print(const struct cli_env *cli, const struct log_actions *wanted);

#endif
