/* cli/cmd_ui_act.h - one action by questions and answers: the form, the plan in its own words, the typed word, done.
 *
 * For the plain mode. The same form, plan and execution as the dialogs; only the asking differs. Nothing is written
 * unless the word that the plan names (or, where it names none, the action's) is typed whole. */
#ifndef BATON_CLI_CMD_UI_ACT_H
#define BATON_CLI_CMD_UI_ACT_H

#include "cli/env.h"
#include "cli/cmd_ui_line.h"
#include "core/model/plan.h"
#include "core/model/snapshot.h"

/* `session` or `lock` as for the dialogs; both may be NULL for undo. */
void ui_act(struct cli_env *cli, struct line_reader *reader, enum bt_verb verb, const struct bt_snapshot *snapshot,
            const struct bt_session *session, const struct bt_lock *lock);

/* The same for a request that is made already, about `subject`. */
void ui_act_request(struct cli_env *cli, struct line_reader *reader, const struct bt_request *request,
                    const char *subject);

/* One line in visible form, and the place where an answer is typed. */
void ui_say(const char *fmt, ...) BT_PRINTF(1, 2);
/* Text that a session wrote: every line behind a bar, every control byte as its escape. */
void ui_quote(const char *text, size_t length);
void ui_prompt(const char *fmt, ...) BT_PRINTF(1, 2);

#endif
