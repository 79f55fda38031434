/* cli/env.h - the real environment, read once and handed to core as a struct bt_env.
 *
 * Owns: every string that the env borrows. Takes the signing key out of the environment: ADLC_MANIFEST_KEY is
 * overwritten in place and unset, so that no child and no /proc file shows it (design: ownership). */
#ifndef BATON_CLI_ENV_H
#define BATON_CLI_ENV_H

#include <stdbool.h>

#include "core/env.h"
#include "core/base/error.h"

struct bt_arena;

struct cli_env {
  struct bt_env env;
  struct bt_arena *arena; /* strings of the env; also for a command's own short strings */
  char *key;              /* owned, wiped by cli_env_dispose */
  bool stdin_tty, stdout_tty;
  int argument_count; /* of both: the command line as commands see it, and its own bytes */
  char *const *arguments, *const *raw_arguments;
};

/* The bytes that an argument had before it became text: a path of ill-formed UTF-8 must be opened by them. `argument`
 * itself when it is none of the command line's. */
const char *cli_env_raw(const struct cli_env *cli, const char *argument);

/* Fills everything except root and ledger_dir, which are those of `.adlc` below the working directory until
 * cli_env_set_dir says otherwise. `in_haste` asks the user database, which may be a server, only for a home folder that
 * the environment does not name: the user is a number then. BT_NOMEM or BT_IO (no working directory) on failure;
 * dispose either way. */
enum bt_code cli_env_init(struct cli_env *cli, bool in_haste, struct bt_error *err) BT_NODISCARD;
void cli_env_dispose(struct cli_env *cli);

/* `--dir` by spec/context-handoff.md 2.4. NULL: the default. BT_INPUT when its last segment is not `.adlc`. */
enum bt_code cli_env_set_dir(struct cli_env *cli, const char *dir, struct bt_error *err) BT_NODISCARD;

/* Replaces the key (used for the sample ledger's published key). Copies. */
enum bt_code cli_env_set_key(struct cli_env *cli, const char *key, bool is_sample, struct bt_error *err) BT_NODISCARD;

/* For a process that holds the key beside programs it does not trust: no core file, no look into its memory or its
 * environment by others of the same user, and the administrator's key, which nothing here uses, is gone as well
 * (spec/context-handoff.md A.2 item 4). */
void cli_env_guard(void);

#endif
