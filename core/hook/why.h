/* core/hook/why.h - evaluates the gate for a question without touching anything, and explains the answer.
 *
 * Rules: spec/context-handoff.md 6, 15.1 item 7; dashboard.md rows 40-42 and screen 6.4. */
#ifndef BATON_CORE_HOOK_WHY_H
#define BATON_CORE_HOOK_WHY_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/band.h"
#include "core/model/why.h"

/* The id that stands for "a session without a record" while the gate is asked; it can name no real session's file. */
#define BT_WHY_NEW_SESSION "a new session"

struct bt_why_request {     /* strings borrowed, internal text */
  const char *session;      /* NULL: a session that has no record */
  const char *const *paths; /* edit targets */
  size_t path_count;
  const char *bash;           /* shell command; NULL: none */
  struct bt_signals observed; /* zero: no signal */
  bool scan_truncated;
};

/* `snapshot` is of the same ledger and gives the joined view (steps, blast radius). On BT_OK *why is the caller's
 * (bt_why_free). BT_UNSAFE for a session id that is none, BT_TOO_LARGE for a command with too many paths, BT_NOMEM. */
enum bt_code bt_why_explain(const struct bt_env *env, const struct bt_snapshot *snapshot,
                            const struct bt_why_request *request, struct bt_why **why,
                            struct bt_error *err) BT_NODISCARD;

#endif
