/* tui/asker.h - follows the transcripts of the sessions on show for the handover column, on a thread of its own.
 *
 * Told with every snapshot which sessions these are; then reads on where their transcripts grew. Nothing is drawn or
 * written here. Rules: spec/handover-request.md 6, 10. */
#ifndef BATON_TUI_ASKER_H
#define BATON_TUI_ASKER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/handover/table.h"

struct asker;

/* `env` is borrowed and must not change. NULL with err when the system gives no thread. */
struct asker *asker_new(const struct bt_env *env, struct bt_error *err) BT_NODISCARD;
void asker_free(struct asker *asker); /* NULL is allowed */

void asker_ask(struct asker *asker, const struct bt_snapshot *snapshot);
int asker_fd(const struct asker *asker);
/* Takes the news; true when the table is another one now. */
bool asker_take(struct asker *asker);
const struct bt_handover_table *asker_table(const struct asker *asker); /* NULL: nothing is known yet */

#endif
