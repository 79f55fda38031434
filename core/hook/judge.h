/* core/hook/judge.h - the answer of the gate to one tool call of a harness.
 *
 * Puts together what the call says, the depth of its transcript, the active ticket and the pipeline
 * (core/hook/pretool.h). Must not know: where documents come from and answers go, time budgets.
 * Rules: spec/context-handoff.md 6.8, 6.9, A.2. */
#ifndef BATON_CORE_HOOK_JUDGE_H
#define BATON_CORE_HOOK_JUDGE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/hook/answer.h"
#include "core/hook/call.h"
#include "core/hook/pretool.h"

/* The calling session's id, "" when none is known (6.7). Look at out->failed. */
void bt_hook_session(struct bt_str *out, const struct bt_hook_call *call);

/* May the call go on under any deny (6.9)? Asked before a root is looked for. `program`: the running executable. */
bool bt_hook_is_recovery(const struct bt_hook_call *call, const char *program, const char *session_id);

struct bt_verdict_text {
  bool deny;
  struct bt_str reason; /* internal text made visible, several lines; empty when the call is allowed */
};

/* `env` is of the root that was found; its key verifies grants and authorizations. `cwd` is the call's, absolute. May
 * write a marker and spend a grant, and asks `before_write` each time. Whatever cannot be judged is a denial, told in the text: a failure is only memory so
 * short that not even that could be said. Dispose in every case. */
enum bt_code bt_hook_judge(const struct bt_env *env, const struct bt_hook_call *call, const char *session_id,
                           const char *cwd, struct bt_before_write before_write, struct bt_verdict_text *out,
                           struct bt_error *err) BT_NODISCARD;
void bt_verdict_text_dispose(struct bt_verdict_text *verdict);

/* What the agent is told to do about a refusal. */
enum bt_denial_kind bt_denial_kind_of(const struct bt_pretool_decision *decision);

#endif
