/* core/store/own_log.h - what baton's own log says was not done: verbs that were refused, or that failed.
 *
 * Reads only, and only the end of the file; core/ops/actionlog.h writes it. No evidence: nothing in it is signed
 * (dashboard.md rows 38, 68, screen 6.8). */
#ifndef BATON_CORE_STORE_OWN_LOG_H
#define BATON_CORE_STORE_OWN_LOG_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"

struct bt_arena;

#define BT_ACTIONLOG_NAME "log" /* inside env->state_dir */
#define BT_OWN_LOG_MAX 200      /* newest ones that are kept */

struct bt_own_refusal {       /* strings in the arena, NULL: not said */
  int64_t ts_ms;              /* BT_TIME_UNKNOWN */
  const char *verb, *verdict; /* "unlock"; refused, stale, busy, failed */
  const char *session, *successor, *subject, *detail, *user, *host;
};

/* Those of this ledger, newest first, into `list` (room for BT_OWN_LOG_MAX). No log is none of them; a line that cannot be
 * read is left out. BT_NOMEM; any other trouble with the file is none of them too. */
enum bt_code bt_own_log_refusals(const struct bt_env *env, struct bt_arena *arena, struct bt_own_refusal *list,
                                 size_t *count, struct bt_error *err) BT_NODISCARD;

/* The same of bytes that are there already; those of `ledger_dir`. `whole`: they begin with the file. Adds to *count, up to
 * BT_OWN_LOG_MAX. False: memory is short. */
bool bt_own_log_lines(const char *ledger_dir, struct bt_arena *arena, const char *bytes, size_t length, bool whole,
                      struct bt_own_refusal *list, size_t *count) BT_NODISCARD;

#endif
