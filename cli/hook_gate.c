/* cli/hook_gate.c - `baton hook pre-tool`: a document in, a decision out, in time, and closed when in doubt. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/hook.h"
#include "cli/hook_input.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/harness/wiring.h"
#include "core/hook/answer.h"
#include "core/hook/deadline.h"
#include "core/hook/judge.h"
#include "core/hook/place.h"
#include "core/model/thresholds.h"

#define DENIED 2
#define WRITE_MS 100 /* for a marker and the sentinel, each with its fsyncs, on a slow disk */

bool hook_is_gate_call(int argc, char **argv) {
  int at = argc > 1 && strcmp(argv[1], "--readonly") == 0 ? 2 : 1;
  return argc > at + 1 && strcmp(argv[at], "hook") == 0 && strcmp(argv[at + 1], "pre-tool") == 0 &&
         bt_text_equals(getenv(BT_GATE_SWITCH), "1");
}

/* A harness takes a program that dies of a signal for one that has no objection. */
void hook_outlive_signals(void) {
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  (void)sigaction(SIGPIPE, &ignored, NULL); /* nobody reads the answer: the exit status still is one */
  (void)sigaction(SIGXFSZ, &ignored, NULL); /* the marker may not be written: that is an error, and a refusal */
}

/* Prints what `reason` says as the harness wants it. */
static int deny(const char *reason) {
  struct bt_str document;
  bt_str_init(&document, 2 * BT_ANSWER_MAX);
  bt_answer_deny(&document, reason);
  (void)out_text(&document);
  fputs(reason, stderr);
  bt_str_dispose(&document);
  return DENIED;
}

static void word_denial(struct bt_str *reason, const struct cli_env *cli, const char *code, const char *detail,
                        const char *session_id) {
  const struct bt_denial denial = {.reasons = &code,
                                   .count = 1,
                                   .detail = detail,
                                   .kind = BT_DENIAL_UNSURE,
                                   .program = cli->env.self_path,
                                   .session_id = session_id};
  bt_answer_reason(reason, &denial);
}

static int deny_because(const struct cli_env *cli, const char *code, const char *detail) {
  struct bt_str reason;
  bt_str_init(&reason, BT_ANSWER_MAX);
  word_denial(&reason, cli, code, detail, NULL);
  int status = deny(reason.data);
  bt_str_dispose(&reason);
  return status;
}

int hook_refuse(const struct cli_env *cli, const struct bt_error *err) {
  return deny_because(cli, BT_REASON_FAILED, err->message);
}

/* ---- one call ---- */

struct late { /* the answer for when the time is up */
  struct bt_str reason, document;
  struct bt_late_answer answer;
};

static bool late_make(struct late *late, const struct cli_env *cli, const char *session_id) {
  bt_str_init(&late->reason, BT_ANSWER_MAX);
  bt_str_init(&late->document, 2 * BT_ANSWER_MAX);
  word_denial(&late->reason, cli, BT_REASON_SCAN, "the time was up before the gate had its answer", session_id);
  bt_answer_deny(&late->document, late->reason.data);
  late->answer = (struct bt_late_answer){.output = {late->document.data, late->document.length},
                                         .complaint = {late->reason.data, late->reason.length},
                                         .exit_status = DENIED};
  return !late->reason.failed && !late->document.failed;
}

static void late_dispose(struct late *late) {
  bt_str_dispose(&late->reason);
  bt_str_dispose(&late->document);
}

struct gate { /* one run */
  struct cli_env *cli;
  enum bt_hook_harness harness;
  struct bt_deadline *deadline;
  struct late early, later; /* before and after the session is known */
  struct bt_str document, session;
  struct bt_hook_call call;
  struct bt_verdict_text verdict;
};

static int allow(struct gate *gate) {
  bt_deadline_claim(gate->deadline);
  gate->deadline = NULL;
  return 0;
}

static int refuse(struct gate *gate, const char *code, const struct bt_error *err) {
  bt_deadline_claim(gate->deadline);
  gate->deadline = NULL;
  return deny_because(gate->cli, code, err->message);
}

/* No marker is written and no grant spent without the time for it. */
static void before_write(void *context) {
  const struct gate *gate = context;
  bt_deadline_check(gate->deadline, WRITE_MS);
}

/* The call is of a gated tool and a root judges it. */
static int judge(struct gate *gate) {
  struct bt_error err = {0};
  struct bt_str cwd;
  const struct bt_env *env = &gate->cli->env;
  bt_str_init(&cwd, BT_HOOK_DOCUMENT_MAX);
  if (bt_path_resolve(&cwd, env->cwd, gate->call.cwd != NULL ? gate->call.cwd : ".") != BT_OK)
    bt_str_clear(&cwd);
  enum bt_code code = bt_hook_judge(env, &gate->call, gate->session.data, cwd.length > 0 ? cwd.data : env->cwd,
                                    (struct bt_before_write){before_write, gate}, &gate->verdict, &err);
  bt_str_dispose(&cwd);
  if (code != BT_OK)
    return refuse(gate, BT_REASON_FAILED, &err);
  bt_deadline_claim(gate->deadline);
  gate->deadline = NULL;
  return gate->verdict.deny ? deny(gate->verdict.reason.data) : 0;
}

static int run(struct gate *gate) {
  struct bt_error err = {0};
  struct cli_env *cli = gate->cli;
  if (!hook_read_document(&gate->document, &err))
    return refuse(gate, BT_REASON_DOCUMENT, &err);
  enum bt_code code = bt_hook_call_read(gate->document.data, gate->document.length, gate->harness, &gate->call, &err);
  if (code != BT_OK)
    return refuse(gate, BT_REASON_DOCUMENT, &err);
  if (!gate->call.gated)
    return allow(gate);
  bt_hook_session(&gate->session, &gate->call);
  if (late_make(&gate->later, cli, gate->session.data))
    bt_deadline_answer(gate->deadline, &gate->later.answer);
  if (bt_hook_is_recovery(&gate->call, cli->env.self_path, gate->session.data))
    return allow(gate);
  bool found;
  code = hook_enter_root(cli, gate->call.cwd, &found, &err);
  if (code == BT_OK && !gate->session.failed)
    return found ? judge(gate) : allow(gate);
  return refuse(gate, BT_REASON_FAILED, &err);
}

static int judge_call(struct cli_env *cli, enum bt_hook_harness harness) {
  struct gate gate = {.cli = cli, .harness = harness};
  struct bt_error err = {0};
  bt_str_init(&gate.document, BT_HOOK_DOCUMENT_MAX);
  bt_str_init(&gate.session, BT_HOOK_DOCUMENT_MAX * 3);
  bool ready = late_make(&gate.early, cli, NULL);
  gate.deadline = ready ? bt_deadline_start(BT_MAX_SCAN_WALL_MS, &gate.early.answer, &err) : NULL;
  if (!ready)
    (void)bt_error_set(&err, BT_NOMEM, "gate", "out of memory");
  int status = gate.deadline != NULL ? run(&gate) : hook_refuse(cli, &err);
  bt_verdict_text_dispose(&gate.verdict);
  bt_hook_call_dispose(&gate.call);
  late_dispose(&gate.early);
  late_dispose(&gate.later);
  bt_str_dispose(&gate.document);
  bt_str_dispose(&gate.session);
  return status;
}

static int print_help(const struct option_spec *specs, size_t count) {
  printf(
      "Usage: baton hook pre-tool [--harness claude-code|codex]\n\n"
      "Reads the hook document of one tool call and decides. Allowed: no output, exit 0. Refused: one line of JSON on\n"
      "standard output, the reason on standard error, exit 2. Takes at most %d ms; what cannot be judged in that time\n"
      "is refused. Does nothing unless " BT_GATE_SWITCH " is exactly 1 in the environment.\n\n",
      BT_MAX_SCAN_WALL_MS);
  options_print_help(specs, count);
  return out_flush();
}

int hook_pre_tool(struct cli_env *cli, int argc, char **argv) {
  const char *word = NULL;
  bool help = false;
  enum bt_hook_harness harness = BT_HOOK_ANY;
  const struct option_spec specs[] = {
      {"harness", &word, NULL, "NAME", "who calls: claude-code or codex; told by the document when absent"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  struct bt_error err = {0};
  bool on = bt_gate_is_on(&cli->env);
  cli_env_guard();
  enum bt_code code = options_parse(argc, argv, specs, sizeof specs / sizeof *specs, NULL, &err);
  if (code == BT_OK && help)
    return print_help(specs, sizeof specs / sizeof *specs);
  if (code == BT_OK && word != NULL && !bt_hook_harness_of_word(word, &harness))
    code = bt_error_set(&err, BT_USAGE, "--harness", "--harness must be claude-code or codex, not %s", word);
  if (code != BT_OK)
    return on ? hook_refuse(cli, &err) : out_error(&err);
  if (on)
    return judge_call(cli, harness);
  fputs("baton hook pre-tool: the gate is off, " BT_GATE_SWITCH " is not 1 in the environment\n", stderr);
  return 0;
}
