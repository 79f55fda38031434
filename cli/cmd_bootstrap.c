/* cli/cmd_bootstrap.c - `baton bootstrap SESSION`: the prompt to start a successor with. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/ops/successor.h"

#define PROMPT_MAX (2u << 20)

/* The brief is another session's text: raw into a pipe, where the successor reads it, line by line in its visible form
 * on a terminal. */
static int print_prompt(const struct cli_env *cli, const struct bt_str *prompt) {
  struct bt_str out;
  bt_str_init(&out, PROMPT_MAX * 4);
  if (!cli->stdout_tty) {
    bt_utf8_encode8(&out, prompt->data, prompt->length);
  } else {
    for (size_t at = 0; at <= prompt->length;) {
      const char *end = memchr(prompt->data + at, '\n', prompt->length - at);
      size_t length = end != NULL ? (size_t)(end - prompt->data) - at : prompt->length - at;
      bt_text_visible(&out, prompt->data + at, length);
      if (end != NULL)
        bt_str_putc(&out, '\n');
      at += length + 1;
    }
  }
  bt_str_putc(&out, '\n');
  int status = out.failed ? 1 : out_text(&out);
  bt_str_dispose(&out);
  return status;
}

int cmd_bootstrap(struct cli_env *cli, int argc, char **argv) {
  const char *dir = NULL, *session = NULL;
  bool help = false;
  const struct option_spec specs[] = {
      {"dir", &dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  size_t count = sizeof specs / sizeof *specs;
  struct option_rest rest = {.positionals = &session, .positional_max = 1};
  struct bt_error err = {0};
  struct bt_str prompt;
  bt_str_init(&prompt, PROMPT_MAX);
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && help) {
    printf("Usage: baton bootstrap SESSION [--dir PATH]\n\nPrints the prompt that a successor starts with, from its\n"
           "authorization and the brief. Consumes nothing.\n\n");
    options_print_help(specs, count);
    bt_str_dispose(&prompt);
    return out_flush();
  }
  if (code == BT_OK)
    code = bt_id_require(session, "SESSION", &err);
  if (code == BT_OK)
    code = cli_env_set_dir(cli, dir, &err);
  if (code == BT_OK)
    code = bt_successor_prompt(&cli->env, session, &prompt, &err);
  int status = code == BT_OK ? print_prompt(cli, &prompt) : out_error(&err);
  bt_str_dispose(&prompt);
  return status;
}
