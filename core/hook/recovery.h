/* core/hook/recovery.h - the two shell commands that stay allowed under any deny.
 *
 * Asked by the harness's hook before the pipeline, for shell tools only. Resolves two paths, writes nothing.
 * Text is internal text. Rules: spec/context-handoff.md 6.9 and 15.1 item 6. */
#ifndef BATON_CORE_HOOK_RECOVERY_H
#define BATON_CORE_HOOK_RECOVERY_H

#include <stdbool.h>

#include "core/base/str.h"

/* Exactly `pwd`. */
bool bt_recovery_is_pwd(const char *command);

struct bt_recovery_self {           /* the paths a recovery command may name; NULL: that form is not offered */
  const char *interpreter, *script; /* two-program form */
  const char *program;              /* one-program form: the running executable */
};

/* The subcommand (static text) of a recovery command of `session_id`, or NULL when it is none. */
const char *bt_recovery_match(const char *command, const struct bt_recovery_self *self, const char *session_id);

enum bt_recovery_kind { BT_RECOVERY_COMMAND, BT_RECOVERY_NO_SESSION, BT_RECOVERY_UNSAFE_PATH };

/* The display form for a diagnostic: a runnable line (BT_RECOVERY_COMMAND), or words that are no command. The
 * one-program form is shown where self->program is given. Look at out->failed. */
enum bt_recovery_kind bt_recovery_format(struct bt_str *out, const struct bt_recovery_self *self,
                                         const char *session_id);

#endif
