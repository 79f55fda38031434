/* cli/main.c - finds the command and runs it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <locale.h>

#include "core/base/str.h"
#include "cli/cmd.h"
#include "cli/env.h"
#include "cli/libraries.h"
#include "cli/hook.h"
#include "cli/out.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"

#define ARGUMENT_MAX (8u << 20)

static const struct cmd commands[] = {
#define CMD_ROW(word, group, help) {#word, CMD_##group, help, cmd_##word},
    CMD_TABLE(CMD_ROW)
#undef CMD_ROW
};

const struct cmd *cmd_table(size_t *count) {
  *count = sizeof commands / sizeof *commands;
  return commands;
}

const struct cmd *cmd_find(const char *word) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (bt_text_equals(commands[i].word, word))
      return &commands[i];
  }
  return NULL;
}

static void print_group(enum cmd_group group, const char *head) {
  printf("\n%s\n", head);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (commands[i].group == group)
      printf("  %-11s %s\n", commands[i].word, commands[i].help);
  }
}

static int print_help(void) {
  printf("Usage: baton [--readonly] COMMAND [FLAGS]     baton COMMAND --help\n"
         "       baton                                  the dashboard; in a pipe the table of sessions\n"
         "\nTriage of coding-agent sessions that are stuck at a handoff.\n");
  print_group(CMD_SHARED, "Change the ledger (dry run unless --write is given; also as `baton handoff COMMAND`):");
  print_group(CMD_OWN, "Look and tend:");
  return out_flush();
}

static int print_version(void) {
  char library[96];
  printf("baton %s\n", BATON_VERSION);
  for (size_t i = 0; library_at(i, library, sizeof library); i++)
    printf("%s%s", i == 0 ? "with " : ", ", library);
  printf("\n");
  return out_flush();
}

static int unknown(const char *word, bool shared_only) {
  struct bt_str names;
  struct bt_error err = {0};
  bt_str_init(&names, 1024);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!shared_only || commands[i].group == CMD_SHARED)
      bt_str_printf(&names, "%s%s", names.length > 0 ? " " : "", commands[i].word);
  }
  (void)bt_error_set(&err, BT_USAGE, word, "unknown command %s; known: %s", word, names.data);
  bt_str_dispose(&names);
  return out_error(&err);
}

/* Whatever hashes could not go on without the library, and says so before it has done anything. `hook` asks for it where
 * it must; `info` is to tell what is missing. */
static int run_command(const struct cmd *command, struct cli_env *cli, int argc, char **argv) {
  struct bt_error err = {0};
  if (command->run != cmd_hook && command->run != cmd_info && bt_digest_load(&err) != BT_OK)
    return out_error(&err);
  return command->run(cli, argc, argv);
}

/* Without a command: the dashboard on a terminal, the table in a pipe, and the help where there is nothing to show. */
static int run_bare(struct cli_env *cli, int argc, char **argv) {
  int ledger = bt_fs_open_root(cli->env.ledger_dir, NULL);
  if (ledger >= 0)
    close(ledger);
  bool terminal = cli->stdin_tty && cli->stdout_tty;
  const char *plain = getenv("BATON_PLAIN");
  terminal = terminal || (plain != NULL && plain[0] != '\0');
  const struct cmd *command = cmd_find(terminal || argc > 1 ? "ui" : "list");
  if (command == NULL || (ledger < 0 && !terminal && argc <= 1))
    return print_help();
  return run_command(command, cli, argc, argv);
}

/* `baton help COMMAND`; under `handoff` the word means the overall usage whatever follows (spec/context-handoff.md 8.1). */
static int print_help_of(struct cli_env *cli, const char *word) {
  const struct cmd *command = cmd_find(word);
  char flag[] = "--help", *argv[] = {NULL, flag, NULL};
  if (command == NULL)
    return unknown(word, false);
  argv[0] = strdup(word);
  int status = argv[0] != NULL ? run_command(command, cli, 2, argv) : 1;
  free(argv[0]);
  return status;
}

static bool is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* argv[0] is the word before: the program, or `handoff`. */
static int dispatch(struct cli_env *cli, int argc, char **argv, bool umbrella) {
  if (argc > 2 && !umbrella && strcmp(argv[1], "help") == 0 && argv[2][0] != '-')
    return print_help_of(cli, argv[2]);
  if (argc > 1 && is_help(argv[1]))
    return print_help();
  if (umbrella) {
    const struct cmd *command = argc > 1 ? cmd_find(argv[1]) : NULL;
    if (argc <= 1)
      return print_help();
    return command != NULL && command->group == CMD_SHARED ? run_command(command, cli, argc - 1, argv + 1)
                                                           : unknown(argv[1], true);
  }
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    return print_version();
  }
  if (argc > 1 && strcmp(argv[1], "--readonly") == 0) {
    cli->env.readonly = true;
    argv[1] = argv[0];
    return dispatch(cli, argc - 1, argv + 1, false);
  }
  if (argc > 1 && strcmp(argv[1], "handoff") == 0)
    return dispatch(cli, argc - 1, argv + 1, true);
  if (argc <= 1 || (argv[1][0] == '-' && cmd_find("ui") != NULL))
    return run_bare(cli, argc, argv);
  const struct cmd *command = cmd_find(argv[1]);
  return command != NULL ? run_command(command, cli, argc - 1, argv + 1) : unknown(argv[1], false);
}

static void free_arguments(int argc, char **argv) {
  for (int i = 0; argv != NULL && i < argc; i++)
    free(argv[i]);
  free(argv);
}

/* Arguments as the other programs see them: ill-formed UTF-8 replaced (spec/context-handoff.md 13.13). */
static char **decode_arguments(int argc, char **argv) {
  char **text = calloc((size_t)argc + 1, sizeof *text);
  for (int i = 0; text != NULL && i < argc; i++) {
    struct bt_str decoded;
    bt_str_init(&decoded, ARGUMENT_MAX);
    bt_utf8_decode8(&decoded, argv[i], strlen(argv[i]));
    text[i] = bt_str_take(&decoded, NULL);
    if (text[i] == NULL) {
      free_arguments(argc, text);
      return NULL;
    }
  }
  return text;
}

/* A program may be started with some of its three streams closed. Then the next file that is opened would be that
 * stream, and what is printed would go into it. What stands in fails as a closed one does. */
static void keep_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      _exit(1);
  }
}

int main(int argc, char **argv) {
  struct cli_env cli;
  struct bt_error err = {0};
  int status;
  keep_streams();
  bool gate = hook_is_gate_call(argc, argv); /* before every tool call of a session: nothing is done in vain */
  if (gate)
    hook_outlive_signals();
  else
    setlocale(LC_CTYPE, ""); /* not LC_ALL: numbers are printed the C way */
  enum bt_code code = cli_env_init(&cli, gate, &err);
  char **text = decode_arguments(argc, argv);
  char **words = text != NULL ? calloc((size_t)argc + 1, sizeof *words) : NULL;
  if (code == BT_OK && words == NULL)
    code = bt_error_set(&err, BT_NOMEM, "arguments", "out of memory");
  if (code != BT_OK) {
    status = gate ? hook_refuse(&cli, &err) : out_error(&err);
  } else {
    cli.argument_count = argc;
    cli.arguments = text;
    cli.raw_arguments = argv;
    memcpy(words, text, (size_t)argc * sizeof *words); /* the dispatcher shifts these; `text` owns the strings */
    status = dispatch(&cli, argc, words, false);
  }
  free(words);
  free_arguments(argc, text);
  cli_env_dispose(&cli);
  return status;
}
