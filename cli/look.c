/* cli/look.c - flags and snapshot of the commands that only look. */
#include "cli/look.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/out.h"
#include "cli/table.h"
#include "cli/user_file.h"
#include "core/harness/view.h"
#include "core/store/import.h"
#include "core/store/load.h"

enum bt_code look_load(struct cli_env *cli, unsigned flags, bool all, struct bt_snapshot **snapshot,
                       struct bt_error *err) {
  struct bt_harness_view *view = NULL;
  if (flags & LOOK_TRANSCRIPTS) {
    view = bt_harness_view_load(&cli->env, all, LOOK_SCAN_THREADS, err);
    if (!view)
      return BT_NOMEM;
  }
  enum bt_code code = bt_store_load(&cli->env, flags & ~LOOK_TRANSCRIPTS, view, snapshot, err);
  bt_harness_view_free(view);
  if (code == BT_OK)
    (*snapshot)->all_sessions = all;
  if (code == BT_OK && !(*snapshot)->ledger_present && !all && (*snapshot)->session_count == 0 &&
      (*snapshot)->problem_count == 0) { /* a store that cannot be read is not "nothing" */
    bt_snapshot_free(*snapshot);
    *snapshot = NULL;
    code = bt_error_set(err, BT_MISSING, cli->env.ledger_dir, "there is no ledger here");
  }
  return code;
}

/* All of it, or one block more than is allowed: then it is refused as too large. */
static enum bt_code read_standard_input(struct bt_str *text, struct bt_error *err) {
  char block[16384];
  size_t got;
  while ((got = fread(block, 1, sizeof(block), stdin)) > 0 && !text->failed)
    bt_str_append(text, block, got);
  if (ferror(stdin))
    return bt_error_set(err, BT_IO, "-", "standard input cannot be read");
  if (text->failed && !text->full)
    return bt_error_set(err, BT_NOMEM, "-", "out of memory");
  return text->failed ? bt_error_set(err, BT_TOO_LARGE, "-", "larger than %zu bytes", BT_IMPORT_BYTES_MAX) : BT_OK;
}

enum bt_code look_import(const char *path, struct bt_snapshot **snapshot, struct bt_error *err) {
  struct bt_str text;
  bt_str_init(&text, BT_IMPORT_BYTES_MAX);
  enum bt_code code = strcmp(path, "-") == 0 ? read_standard_input(&text, err) : user_file_read(path, &text, err);
  if (code == BT_OK)
    code = bt_snapshot_import(path, text.data, text.length, snapshot, err);
  bt_str_dispose(&text);
  return code;
}

enum look_outcome look_begin(struct cli_env *cli, int argc, char **argv, const char *usage, const char *about,
                             bool wants_subject, unsigned flags, struct look *look, int *status) {
  return look_begin_with(cli, argc, argv, usage, about, wants_subject, flags, NULL, 0, look, status);
}

const struct bt_session *look_session(const struct bt_snapshot *snapshot, const char *id) {
  const struct bt_session *session = bt_snapshot_session(snapshot, id);
  for (size_t i = 0; !session && i < snapshot->session_count; i++)
    if (strcmp(snapshot->sessions[i].id_short, id) == 0)
      session = &snapshot->sessions[i];
  return session;
}

enum look_outcome look_begin_with(struct cli_env *cli, int argc, char **argv, const char *usage, const char *about,
                                  bool wants_subject, unsigned flags, const struct option_spec *extra,
                                  size_t extra_count, struct look *look, int *status) {
  *look = (struct look){0};
  const struct option_spec own[] = {
      {"dir", &look->dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &look->json, NULL, "print one JSON document"},
      {"color", &look->colour_word, NULL, "WHEN", "auto, always or never"},
      {"help", NULL, &look->help, NULL, "print this help"},
      {"import", &look->import, NULL, "FILE", "look at what `baton scan --json` printed instead; - is standard input"},
      {"all", NULL, &look->all, NULL, "the sessions of every repository, not only of this one"},
  };
  struct option_spec specs[sizeof(own) / sizeof(*own) + LOOK_EXTRA_MAX];
  size_t count = sizeof(own) / sizeof(*own) - (flags & LOOK_TRANSCRIPTS ? 0 : 2);
  memcpy(specs, own, sizeof(own));
  for (size_t i = 0; i < extra_count && i < LOOK_EXTRA_MAX; i++)
    specs[count++] = extra[i];
  struct option_rest rest = {.positionals = &look->subject, .positional_max = 1};
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && look->help) {
    printf("Usage: %s\n\n%s\n\n", usage, about);
    options_print_help(specs, count);
    printf("\nExit status: 0 read, 1 failed. Looking changes nothing%s.\n",
           flags & LOOK_TRANSCRIPTS ? "; what was read of transcripts is kept in the cache folder" : "");
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
    code = look->import ? look_import(look->import, &look->snapshot, &err)
                        : look_load(cli, flags, look->all, &look->snapshot, &err);
  if (code == BT_OK)
    return LOOK_GO_ON;
  *status = out_error(&err);
  return LOOK_DONE;
}
