/* cli/look.c - flags and snapshot of the commands that only look. */
#include "cli/look.h"

#include <stdio.h>

#include "cli/options.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/harness/view.h"
#include "core/store/load.h"

static enum bt_code load(struct cli_env *cli, unsigned flags, struct look *look, struct bt_error *err) {
  struct bt_harness_view *view = NULL;
  if (flags & LOOK_TRANSCRIPTS) {
    view = bt_harness_view_load(&cli->env, look->all, LOOK_SCAN_THREADS, err);
    if (!view)
      return BT_NOMEM;
  }
  enum bt_code code = bt_store_load(&cli->env, flags & ~LOOK_TRANSCRIPTS, view, &look->snapshot, err);
  bt_harness_view_free(view);
  if (code == BT_OK)
    look->snapshot->all_sessions = look->all;
  if (code == BT_OK && !look->snapshot->ledger_present && !look->all && look->snapshot->session_count == 0) {
    bt_snapshot_free(look->snapshot);
    look->snapshot = NULL;
    code = bt_error_set(err, BT_MISSING, cli->env.ledger_dir, "there is no ledger here");
  }
  return code;
}

enum look_outcome look_begin(struct cli_env *cli, int argc, char **argv, const char *usage, const char *about,
                             bool wants_subject, unsigned flags, struct look *look, int *status) {
  *look = (struct look){0};
  const struct option_spec specs[] = {
      {"dir", &look->dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &look->json, NULL, "print one JSON document"},
      {"color", &look->colour_word, NULL, "WHEN", "auto, always or never"},
      {"help", NULL, &look->help, NULL, "print this help"},
      {"all", NULL, &look->all, NULL, "the sessions of every repository, not only of this one"},
  };
  const size_t count = sizeof(specs) / sizeof(*specs) - !(flags & LOOK_TRANSCRIPTS);
  struct option_rest rest = {.positionals = &look->subject, .positional_max = 1};
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && look->help) {
    printf("Usage: %s\n\n%s\n\n", usage, about);
    options_print_help(specs, count);
    printf("\nExit status: 0 read, 1 failed. Looking never changes anything.\n");
    *status = out_flush();
    return LOOK_DONE;
  }
  if (code == BT_OK && wants_subject && !look->subject)
    code = bt_error_set(&err, BT_USAGE, "SESSION", "which session? %s", usage);
  if (code == BT_OK)
    code = table_want_colour(cli, look->colour_word, &look->colour, &err);
  if (code == BT_OK)
    code = cli_env_set_dir(cli, look->dir, &err);
  if (code == BT_OK)
    code = load(cli, flags, look, &err);
  if (code == BT_OK)
    return LOOK_GO_ON;
  *status = out_error(&err);
  return LOOK_DONE;
}
