/* core/ops/command.h - an operation written down for a shell.
 *
 * Pure. The line runs under any POSIX sh, from any folder, and holds no control byte: such bytes are given as
 * `"$(printf '\033')"` (dashboard.md row 49). */
#ifndef BATON_CORE_OPS_COMMAND_H
#define BATON_CORE_OPS_COMMAND_H

#include "core/base/str.h"
#include "core/env.h"
#include "core/model/plan.h"

/* Appends `text` as one word of a shell. */
void bt_shell_word(struct bt_str *out, const char *text);

/* Appends the line that starts an authorised successor, for a shell in any folder. */
void bt_start_command(struct bt_str *out, const char *session, const char *ledger_dir);

/* Appends ` --NAME VALUE`, joined by `=` where the value starts with a dash; nothing where `value` is NULL. */
void bt_shell_flag(struct bt_str *out, const char *name, const char *value);

/* Appends `baton VERB --dir ABSOLUTE ... --write`. */
void bt_command_line(struct bt_str *out, const struct bt_env *env, const struct bt_request *request);

#endif
