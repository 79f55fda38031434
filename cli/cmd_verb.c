/* cli/cmd_verb.c - the verbs that change the ledger: parse, plan, and with --write execute.
 *
 * They are alike: the flags differ, the way does not. Dry run by default (spec/context-handoff.md 8). */
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/plan_print.h"
#include "core/ops/op.h"

struct verb_flags { /* where the flags of one command line go */
  struct bt_request request;
  const char *dir;
  bool write, json, help, plan;
};

/* Which optional flags a verb knows, and what its help says. */
struct verb_shape {
  enum bt_verb verb;
  const char *usage, *about;
  const char *const *flags; /* names, NULL-terminated, in the order of the help */
};

static const char *const write_flags[] = {"session", "ticket", "host", "content-hash", NULL};
static const char *const resume_flags[] = {"session", "deny-session", NULL};
static const char *const bypass_flags[] = {"session", "unbound-reason", "ticket", NULL};
static const char *const repair_flags[] = {"session", "ticket", "content-hash", "host", NULL};
static const char *const unlock_flags[] = {"session", "pid",         "started-at", "host",
                                           "nonce",   "ledger-lock", "pid-reused", NULL};
static const char *const continue_flags[] = {"deny-session", "session", "capture-from", "ticket", "host", NULL};
static const char *const no_flags[] = {NULL};

static const struct verb_shape shapes[] = {
    {BT_VERB_WRITE, "baton write --session ID [--ticket ID] [--content-hash HASH] [--host NAME] [--write]",
     "Writes a final checkpoint of a session and makes sure that it is denied.", write_flags},
    {BT_VERB_RESUME, "baton resume --session CONSUMER --deny-session ID [--write]",
     "Lets an existing session take over the work of a denied one, and consumes that deny.", resume_flags},
    {BT_VERB_BYPASS, "baton bypass --session ID [--unbound-reason TEXT] [--ticket ID] [--write]",
     "Lets one gated call of a session through, within 10 minutes. It is not a fix.", bypass_flags},
    {BT_VERB_REPAIR, "baton repair --session ID --ticket ID --content-hash HASH [--host NAME] [--write]",
     "Binds a ticket and a hash to a deny that is already open. Never clears one.", repair_flags},
    {BT_VERB_UNLOCK,
     "baton unlock --session ID --pid N --started-at TIME --host NAME --nonce HEX [--write]\n"
     "       baton unlock --ledger-lock NAME --pid N --started-at TIME --host NAME --nonce TOKEN [--write]",
     "Removes the lock of a process that is gone. `baton locks` shows the four proofs. Needs no key.", unlock_flags},
    {BT_VERB_CONTINUE,
     "baton continue --deny-session ID [--session SUCCESSOR] [--capture-from FILE] [--ticket ID] [--write]",
     "Writes a brief and hands the work of a denied session to one new session, for good.", continue_flags},
    {BT_VERB_UNDO, "baton undo [--write]",
     "Puts the lock file that `unlock` removed last back, if its place is still free. Nothing else is ever undone:\n"
     "a continuation stays.",
     no_flags},
};

/* Every flag that any verb knows; a verb's table is a choice from it. */
#define SPEC_MAX 20
static size_t all_specs(struct verb_flags *flags, struct option_spec specs[SPEC_MAX]) {
  struct bt_request *request = &flags->request;
  const struct option_spec all[] = {
      {"session", &request->session, NULL, "ID", "the session; for continue its successor, minted when absent"},
      {"deny-session", &request->deny_session, NULL, "ID", "the denied session"},
      {"ticket", &request->ticket, NULL, "ID", "the ticket"},
      {"host", &request->host, NULL, "NAME", "the host; `local` when absent"},
      {"content-hash", &request->content_hash, NULL, "HASH", "hash of what is handed on"},
      {"unbound-reason", &request->unbound_reason, NULL, "TEXT",
       "also lift unbound and broken records, for this reason"},
      {"capture-from", &request->capture_from, NULL, "FILE", "transcript whose last words go into the brief"},
      {"pid", &request->pid, NULL, "N", "proof: the lock's pid"},
      {"started-at", &request->started_at, NULL, "TIME", "proof: the lock's started_at"},
      {"nonce", &request->nonce, NULL, "HEX", "proof: the lock's nonce (the token of a ledger lock)"},
      {"ledger-lock", &request->ledger_lock, NULL, "NAME",
       "a lock of the manifest: manifest.jsonl, manifest.d/.lineage, ..."},
      {"pid-reused", NULL, &request->pid_reused, NULL,
       "accept a living pid whose process began after the lock, unless the clock was set since"},
  };
  size_t count = sizeof all / sizeof *all;
  for (size_t i = 0; i < count; i++)
    specs[i] = all[i];
  return count;
}

static size_t specs_of(const struct verb_shape *shape, struct verb_flags *flags, struct option_spec specs[SPEC_MAX]) {
  struct option_spec all[SPEC_MAX];
  size_t known = all_specs(flags, all), count = 0;
  for (const char *const *name = shape->flags; *name != NULL; name++) {
    for (size_t i = 0; i < known; i++) {
      if (bt_text_equals(all[i].name, *name))
        specs[count++] = all[i];
    }
  }
  specs[count++] = (struct option_spec){"dir", &flags->dir, NULL, "PATH", "the ledger directory; .adlc when absent"};
  specs[count++] = (struct option_spec){"write", NULL, &flags->write, NULL, "do it; without it this is a dry run"};
  specs[count++] = (struct option_spec){"plan", NULL, &flags->plan, NULL, "print the plan and change nothing"};
  specs[count++] = (struct option_spec){"json", NULL, &flags->json, NULL, "print one JSON document"};
  specs[count++] = (struct option_spec){"help", NULL, &flags->help, NULL, "print this help"};
  return count;
}

static int print_help(const struct verb_shape *shape, const struct option_spec *specs, size_t count) {
  printf("Usage: %s\n\n%s\n\n", shape->usage, shape->about);
  options_print_help(specs, count);
  printf("\nExit status: 0 done, 1 failed, 2 refused and nothing changed.\n");
  return out_flush();
}

static int print_answer(const struct verb_flags *flags, const char *payload, const char *human) {
  return out_line(flags->json ? payload : human);
}

static int execute(const struct cli_env *cli, const struct verb_flags *flags, const struct bt_plan *plan) {
  struct bt_error err = {0};
  struct bt_receipt *receipt = NULL;
  if (bt_op_execute(&cli->env, plan, &receipt, &err) != BT_OK)
    return out_error(&err);
  if (receipt->warning != NULL)
    out_warning(receipt->warning);
  int status = print_answer(flags, receipt->payload, receipt->human);
  bt_receipt_free(receipt);
  return status;
}

static int run(struct cli_env *cli, struct verb_flags *flags) {
  struct bt_error err = {0};
  struct bt_plan *plan = NULL;
  flags->request.terse = !flags->plan;
  enum bt_code code = bt_op_check(&flags->request, &err);
  if (code == BT_OK)
    code = cli_env_set_dir(cli, flags->dir, &err);
  if (code == BT_OK)
    code = bt_op_plan(&cli->env, &flags->request, &plan, &err);
  if (code != BT_OK) {
    if (flags->write)
      bt_op_log_refusal(&cli->env, &flags->request, &err);
    return out_error(&err);
  }
  int status;
  if (flags->plan)
    status = flags->json ? plan_print_json(plan) : plan_print_text(plan);
  else if (flags->write)
    status = execute(cli, flags, plan);
  else
    status = print_answer(flags, plan->payload, plan->human);
  bt_plan_free(plan);
  return status;
}

static int cmd_verb(struct cli_env *cli, int argc, char **argv, enum bt_verb verb) {
  const struct verb_shape *shape = shapes;
  while (shape->verb != verb)
    shape++;
  struct verb_flags flags = {.request = {.verb = verb}};
  struct option_spec specs[SPEC_MAX];
  struct bt_error err = {0};
  size_t count = specs_of(shape, &flags, specs);
  if (options_parse(argc, argv, specs, count, NULL, &err) != BT_OK)
    return out_error(&err);
  if (flags.help)
    return print_help(shape, specs, count);
  if (flags.plan && flags.write) {
    (void)bt_error_set(&err, BT_USAGE, "--plan", "--plan changes nothing: leave --write out");
    return out_error(&err);
  }
  return run(cli, &flags);
}

int cmd_write(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_WRITE);
}

int cmd_resume(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_RESUME);
}

int cmd_bypass(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_BYPASS);
}

int cmd_repair(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_REPAIR);
}

int cmd_unlock(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_UNLOCK);
}

int cmd_continue(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_CONTINUE);
}

int cmd_undo(struct cli_env *cli, int argc, char **argv) {
  return cmd_verb(cli, argc, argv, BT_VERB_UNDO);
}
