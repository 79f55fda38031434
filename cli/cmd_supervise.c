/* cli/cmd_supervise.c - `baton supervise`: runs a harness and hands its work on, session after session. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/json_out.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/supervise_list.h"
#include "cli/terminal.h"
#include "core/base/utf8.h"
#include "core/supervise/run.h"
#include "core/supervise/signal_name.h"

struct supervise_flags {
  const char *dir;
  bool json, list, help;
};

/* ---- what the run borrows ---- */

static void say_log(void *context, const char *line) {
  (void)context;
  fprintf(stderr, "supervise: %s\n", line);
}

static void say_text(void *context, const char *text) {
  (void)context;
  fputs(text, stderr);
}

static void save_terminal(void *context) {
  terminal_save(context);
}

static void restore_terminal(void *context, const struct bt_sup_exit *end) {
  terminal_restore(context, end->signalled);
}

/* ---- what it ends with ---- */

static void put_exit(struct json_out *json, const struct bt_sup_machine *machine) {
  const struct bt_sup_exit *exit = &machine->child;
  if (!machine->child_known) {
    json_null(json, "childExit");
    return;
  }
  json_open(json, "childExit", '{');
  if (exit->signalled || exit->failed_to_start)
    json_null(json, "code");
  else
    json_integer(json, "code", exit->code);
  json_text(json, "signal", exit->signalled ? bt_signal_name(exit->signal) : NULL);
  json_text(json, "error", exit->failed_to_start ? exit->error : NULL);
  json_close(json, '}');
}

static void put_abnormal(struct json_out *json, const struct bt_sup_machine *machine) {
  json_open(json, "abnormalExits", '[');
  for (size_t i = 0; i < machine->abnormal_count; i++) {
    const struct bt_sup_abnormal *abnormal = &machine->abnormal[i];
    json_open(json, NULL, '{');
    json_text(json, "sessionId", abnormal->session);
    if (abnormal->signalled)
      json_null(json, "code");
    else
      json_integer(json, "code", abnormal->code);
    json_text(json, "signal", abnormal->signalled ? bt_signal_name(abnormal->signal) : NULL);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static int print_json(const struct bt_sup_machine *machine) {
  struct json_out json;
  json_begin(&json);
  json_text(&json, "tool", "handoff");
  json_text(&json, "command", "supervise");
  json_bool(&json, "dryRun", false);
  json_text(&json, "reason", bt_sup_reason_word(machine->reason));
  json_open(&json, "sessions", '[');
  for (size_t i = 0; i < machine->session_count; i++)
    json_text(&json, NULL, machine->sessions[i]);
  json_close(&json, ']');
  json_integer(&json, "continuations", (int64_t)machine->continuations);
  put_exit(&json, machine);
  put_abnormal(&json, machine);
  json_integer(&json, "exitCode", bt_sup_exit_status(machine->reason));
  return json_end(&json);
}

static int print_line(const struct bt_sup_machine *machine) {
  printf("supervise: %s, %zu continuation%s: ", bt_sup_reason_word(machine->reason), machine->continuations,
         machine->continuations == 1 ? "" : "s");
  for (size_t i = 0; i < machine->session_count; i++)
    printf("%s%s", i > 0 ? " \xE2\x86\x92 " : "", machine->sessions[i]);
  printf("%s\n", machine->session_count == 0 ? "none" : "");
  return out_flush();
}

/* ---- the command ---- */

static int supervise(struct cli_env *cli, char **command, bool json) {
  struct bt_error err = {0};
  struct bt_sup_machine machine;
  struct terminal terminal = {.fd = -1};
  const struct bt_sup_host host = {.context = &terminal,
                                   .log = say_log,
                                   .tell = say_text,
                                   .before_spawn = save_terminal,
                                   .after_end = restore_terminal};
  struct sigaction ignored = {.sa_handler = SIG_IGN};
  sigemptyset(&ignored.sa_mask);
  (void)sigaction(SIGPIPE, &ignored, NULL); /* a log that nobody reads is no reason to leave a session alone */
  cli_env_guard();
  bt_sup_init(&machine, bt_sup_defaults());
  enum bt_code code = bt_supervise(&cli->env, (const char *const *)command, &host, &machine, &err);
  int status;
  if (code != BT_OK)
    status = out_error(&err);
  else if ((status = json ? print_json(&machine) : print_line(&machine)) == 0)
    status = bt_sup_exit_status(machine.reason);
  bt_sup_dispose(&machine);
  return status;
}

static int print_help(const struct option_spec *specs, size_t count) {
  printf("Usage: baton supervise [--dir PATH] [--json] -- COMMAND [ARGS]...\n"
         "       baton supervise --list [--json]\n\n"
         "Runs COMMAND with a session id of its own and watches its deny record. When the session is denied and its\n"
         "transcript is quiet, its work is handed on, it is ended, and COMMAND runs again as its successor with the\n"
         "verified brief as its last argument. Needs the signing key; the command never sees it.\n\n");
  options_print_help(specs, count);
  printf(
      "\nExit status: 0 the command ended well or was interrupted, 1 error, 2 no automatic continuation was possible,\n"
      "3 the command failed, 4 it could not be started.\n");
  return out_flush();
}

/* Before the first `--`, ahead of every other check. */
static bool wants_help(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return true;
  }
  return false;
}

static enum bt_code check(struct cli_env *cli, const struct supervise_flags *flags, const struct option_rest *rest,
                          int argc, char **argv, struct bt_error *err) {
  if (!rest->separator)
    return bt_error_set(err, BT_USAGE, "supervise", "the command to run comes after `--`");
  if (rest->after >= argc || argv[rest->after][0] == '\0')
    return bt_error_set(err, BT_USAGE, "supervise", "there is no command after `--`");
  enum bt_code code = cli_env_set_dir(cli, flags->dir, err);
  if (code == BT_OK && cli->env.readonly)
    code = bt_error_set(err, BT_READONLY, "supervise", "read-only: a handoff could not be recorded");
  if (code == BT_OK && cli->env.key == NULL)
    code = bt_error_set(err, BT_KEY, "supervise", "ADLC_MANIFEST_KEY is not set; a handoff could not be signed");
  return code;
}

int cmd_supervise(struct cli_env *cli, int argc, char **argv) {
  struct supervise_flags flags = {0};
  struct option_rest rest = {0};
  struct bt_error err = {0};
  const struct option_spec specs[] = {
      {"dir", &flags.dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"json", NULL, &flags.json, NULL, "print one JSON document at the end"},
      {"list", NULL, &flags.list, NULL, "show the supervised sessions of this host instead"},
      {"help", NULL, &flags.help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  if (wants_help(argc, argv))
    return print_help(specs, count);
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && flags.list)
    return supervise_list(cli, flags.json);
  if (code == BT_OK)
    code = check(cli, &flags, &rest, argc, argv, &err);
  return code == BT_OK ? supervise(cli, argv + rest.after, flags.json) : out_error(&err);
}
