/* cli/cmd_why.c - `baton why`: may a session change files, and what would clear it. Looks only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/why_print.h"
#include "core/base/str.h"
#include "core/harness/view.h"
#include "core/hook/why.h"
#include "core/model/id.h"
#include "core/store/load.h"

#define REFUSED 2
#define WHY_THREADS 2

struct why_flags {
  const char *session, *path, *bash, *dir;
  bool json, help;
};

static int explain(struct cli_env *cli, const struct why_flags *flags, const struct bt_why_request *request) {
  struct bt_error err = {0};
  struct bt_snapshot *snapshot = NULL;
  struct bt_why *why = NULL;
  int status;
  struct bt_harness_view *view = NULL;
  enum bt_code code = BT_OK;
  if (request->session && !(view = bt_harness_view_load(&cli->env, false, WHY_THREADS, &err)))
    code = err.code;
  if (code == BT_OK)
    code = bt_store_load(&cli->env, 0, view, &snapshot, &err);
  bt_harness_view_free(view);
  if (code == BT_OK)
    code = bt_why_explain(&cli->env, snapshot, request, &why, &err);
  if (code != BT_OK)
    status = out_error(&err);
  else
    status = flags->json ? why_print_json(why) : why_print_text(why);
  if (status == 0 && !why->allowed)
    status = REFUSED;
  bt_why_free(why);
  bt_snapshot_free(snapshot);
  return status;
}

static int print_help(const struct option_spec *specs, size_t count) {
  printf(
      "Usage: baton why [SESSION] [--path PATH]... [--bash COMMAND]\n\n"
      "Says whether a session may change files right now, which rule and which record refuse, what would clear it and\n"
      "what would not. Without SESSION: a session that has no record yet. Changes nothing and spends nothing.\n\n");
  options_print_help(specs, count);
  printf("\nExit status: 0 allowed, 2 refused, 1 error.\n");
  return out_flush();
}

int cmd_why(struct cli_env *cli, int argc, char **argv) {
  struct why_flags flags = {0};
  const char *session = NULL;
  struct option_rest rest = {.positionals = &session, .positional_max = 1};
  const struct option_spec specs[] = {
      {"path", &flags.path, NULL, "PATH", "also ask for an edit of this file; may be repeated"},
      {"bash", &flags.bash, NULL, "COMMAND", "also ask for this shell command"},
      {"dir", &flags.dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &flags.json, NULL, "print one JSON document"},
      {"help", NULL, &flags.help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && flags.help)
    return print_help(specs, count);
  if (code == BT_OK && rest.positional_count > 1)
    code = bt_error_set(&err, BT_USAGE, "why", "one session at a time");
  if (code == BT_OK && session != NULL)
    code = bt_id_require(session, "SESSION", &err);
  if (code == BT_OK)
    code = cli_env_set_dir(cli, flags.dir, &err);
  const char **paths = code == BT_OK ? calloc((size_t)argc + 1, sizeof *paths) : NULL;
  if (code == BT_OK && paths == NULL)
    code = bt_error_set(&err, BT_NOMEM, "why", "out of memory");
  if (code != BT_OK)
    return out_error(&err);
  struct bt_why_request request = {.session = session, .paths = paths, .bash = flags.bash};
  request.path_count = options_collect(argc, argv, specs, count, "path", paths);
  int status = explain(cli, &flags, &request);
  free(paths);
  return status;
}
