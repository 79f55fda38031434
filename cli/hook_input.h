/* cli/hook_input.h - what both called halves of `baton hook` begin with: the document, and the root it is about. */
#ifndef BATON_CLI_HOOK_INPUT_H
#define BATON_CLI_HOOK_INPUT_H

#include <stdbool.h>

#include "cli/env.h"
#include "core/base/str.h"

/* Reads standard input to its end, up to the ceiling of `out`. False with err set when it is larger or cannot be read. */
bool hook_read_document(struct bt_str *out, struct bt_error *err);

/* Sets root and ledger of `cli` by spec/context-handoff.md A.4: nearest ancestor with a ledger of the document's `cwd`
 * (NULL: not told), else of CLAUDE_PROJECT_DIR, else of the working directory. *found is false when there is none. */
enum bt_code hook_enter_root(struct cli_env *cli, const char *cwd, bool *found, struct bt_error *err) BT_NODISCARD;

#endif
