/* tui/verifier.h - checks the chains of the evidence beside the screen, so that no key waits for a long history.
 *
 * One check at a time; what is asked for meanwhile is one more, and only where the files have changed since. */
#ifndef BATON_TUI_VERIFIER_H
#define BATON_TUI_VERIFIER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"

struct verifier;
struct bt_log_source;

/* What `env` points at is borrowed and outlives it. NULL with err when the system gives no thread. */
struct verifier *verifier_new(const struct bt_env *env, struct bt_error *err) BT_NODISCARD;
void verifier_free(struct verifier *verifier); /* NULL is allowed; the check that is going on is left off */

void verifier_ask(struct verifier *verifier);
int verifier_fd(const struct verifier *verifier); /* has input when verifier_take may have something */
/* False: nothing new. Else *source is the caller's, or NULL and err says why there is none. */
bool verifier_take(struct verifier *verifier, struct bt_log_source **source, struct bt_error *err);

#endif
