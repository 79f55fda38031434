/* cli/cmd_sample.c - `baton sample DIR`: a ledger to look around in, in a folder of its own. */
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/ops/sample.h"

static int print_help(const struct option_spec *specs, size_t count) {
  puts("Usage: baton sample DIR\n\n"
       "Writes the sample ledger to DIR/.adlc, which must not be there yet: sessions in every state, to try each verb\n"
       "on. It is signed with the key that is set, else with a published one that is used on such ledgers only.\n");
  options_print_help(specs, count);
  return out_flush();
}

/* DIR, resolved, with the ledger's name behind it. */
static enum bt_code aim(struct cli_env *cli, const char *folder, struct bt_error *err) {
  struct bt_str path;
  bt_str_init(&path, 65536);
  bt_str_printf(&path, "%s/.adlc", folder);
  enum bt_code code =
      path.failed ? bt_error_set(err, BT_NOMEM, folder, "out of memory") : cli_env_set_dir(cli, path.data, err);
  bt_str_dispose(&path);
  return code;
}

int cmd_sample(struct cli_env *cli, int argc, char **argv) {
  const char *folder = NULL;
  bool help = false;
  const struct option_spec specs[] = {{"help", NULL, &help, NULL, "print this help"}};
  struct option_rest rest = {.positionals = &folder, .positional_max = 1};
  struct bt_sample_world world;
  struct bt_error err = {0};
  enum bt_code code = options_parse(argc, argv, specs, 1, &rest, &err);
  if (code == BT_OK && help)
    return print_help(specs, 1);
  if (code == BT_OK && (!folder || rest.positional_count != 1))
    code = bt_error_set(&err, BT_USAGE, "DIR", "baton sample wants one folder: baton sample DIR");
  if (code == BT_OK)
    code = aim(cli, folder, &err);
  if (code == BT_OK) {
    bt_sample_world_of(&cli->env, &world);
    code = bt_sample_write(&cli->env, &world, &err);
  }
  if (code != BT_OK)
    return out_error(&err);
  struct bt_str line;
  bt_str_init(&line, 65536);
  bt_str_puts(&line, "the sample ledger is in ");
  bt_text_visible(&line, cli->env.ledger_dir, bt_slice_of(cli->env.ledger_dir).length);
  int status = out_line(line.data);
  bt_str_dispose(&line);
  return status;
}
