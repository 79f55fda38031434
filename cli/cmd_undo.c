/* cli/cmd_undo.c - `baton undo`: the lock that was removed last comes back, if its place is free. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/ops/undo.h"

#define TEXT_MAX (1u << 20)

static int print_json(bool write, const struct bt_str *path, const struct bt_str *removed_at) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  struct bt_json *json = bt_json_new_object();
  int status = 1;
  if (json != NULL && bt_json_set_number(json, "schema_version", 1) == BT_OK &&
      bt_json_set_bool(json, "dry_run", !write) == BT_OK && bt_json_set_string(json, "path", path->data) == BT_OK &&
      bt_json_set_string(json, "removed_at", removed_at->data) == BT_OK) {
    bt_json_print_pretty(&out, json);
    bt_str_putc(&out, '\n');
    status = out.failed ? 1 : out_text(&out);
  }
  bt_json_free(json);
  bt_str_dispose(&out);
  return status;
}

static int print_line(bool write, const struct bt_str *path, const struct bt_str *removed_at) {
  struct bt_str raw, out;
  bt_str_init(&raw, TEXT_MAX);
  bt_str_init(&out, TEXT_MAX);
  bt_str_printf(&raw,
                write ? "put %s back (removed %s)" : "dry-run: would put %s back (removed %s); pass --write to do it",
                path->data, removed_at->data);
  bt_text_visible(&out, raw.data, raw.length);
  int status = out_line(out.data);
  bt_str_dispose(&raw);
  bt_str_dispose(&out);
  return status;
}

static int undo(const struct cli_env *cli, bool write, bool json) {
  struct bt_str path, removed_at, warning;
  struct bt_error err = {0};
  bt_str_init(&path, TEXT_MAX);
  bt_str_init(&removed_at, TEXT_MAX);
  bt_str_init(&warning, TEXT_MAX);
  int status = 0;
  if (bt_undo(&cli->env, write, &path, &removed_at, &warning, &err) != BT_OK)
    status = out_error(&err);
  if (warning.length > 0)
    out_warning(warning.data);
  if (err.code == BT_OK)
    status = json ? print_json(write, &path, &removed_at) : print_line(write, &path, &removed_at);
  bt_str_dispose(&path);
  bt_str_dispose(&removed_at);
  bt_str_dispose(&warning);
  return status;
}

int cmd_undo(struct cli_env *cli, int argc, char **argv) {
  const char *dir = NULL;
  bool write = false, json = false, help = false;
  const struct option_spec specs[] = {
      {"dir", &dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"write", NULL, &write, NULL, "do it; without it this is a dry run"},
      {"json", NULL, &json, NULL, "print one JSON document"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, count, NULL, &err);
  if (code == BT_OK && help) {
    printf("Usage: baton undo [--write]\n\nPuts the lock file that `unlock` removed last back, if its place is still "
           "free.\n"
           "Nothing else is ever undone: a continuation stays.\n\n");
    options_print_help(specs, count);
    return out_flush();
  }
  if (code == BT_OK)
    code = cli_env_set_dir(cli, dir, &err);
  return code == BT_OK ? undo(cli, write, json) : out_error(&err);
}
