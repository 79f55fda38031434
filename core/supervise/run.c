/* core/supervise/run.c - actions out, reports in. */
#include "core/supervise/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/steady.h"
#include "core/supervise/continue_step.h"
#include "core/supervise/place.h"
#include "core/supervise/process.h"
#include "core/supervise/status.h"

#define NO_CHILD ((pid_t)-1)

struct run {
  const struct bt_env *env;
  const char *const *command;
  const struct bt_sup_host *host;
  struct bt_sup_machine *machine;
  struct bt_process_signals *signals;
  struct bt_sup_status status;
  pid_t child;
};

static void report(struct run *run, struct bt_sup_event event);

/* argv of a child: command, --session-id, id, its own words, and for a successor the prompt as one word. */
static const char **words_of(const struct run *run) {
  size_t count = 0, at = 0;
  while (run->command[count] != NULL)
    count++;
  const char **words = calloc(count + 4, sizeof *words);
  if (words == NULL)
    return NULL;
  words[at++] = run->command[0];
  words[at++] = "--session-id";
  words[at++] = bt_sup_session(run->machine);
  for (size_t i = 1; i < count; i++)
    words[at++] = run->command[i];
  if (run->machine->prompt.length > 0)
    words[at++] = run->machine->prompt.data;
  return words;
}

static void spawn(struct run *run) {
  struct bt_error err = {0};
  const char **words = words_of(run);
  char **environment = bt_process_session_environment();
  struct bt_process_spec spec = {
      .argv = words, .cwd = run->env->root, .environment = environment, .output = -1, .complaints = -1};
  enum bt_code code = words != NULL && environment != NULL
                          ? BT_OK
                          : bt_error_set(&err, BT_NOMEM, "spawn", "spawn %s ENOMEM", run->command[0]);
  run->host->before_spawn(run->host->context);
  run->child = NO_CHILD;
  if (code == BT_OK)
    code = bt_process_start(&spec, &run->child, &err);
  if (code == BT_OK) {
    report(run, (struct bt_sup_event){.kind = BT_SUP_SPAWNED});
  } else {
    run->child = NO_CHILD;
    report(run, (struct bt_sup_event){.kind = BT_SUP_EXITED, .exit = {.failed_to_start = true, .error = err.message}});
  }
  free(words);
  bt_process_free_environment(environment);
}

/* What the operator is told about the deny is what the ledger says now. */
static void report_failure(struct run *run, enum bt_sup_event_kind kind, const char *text) {
  struct bt_sup_sample sample;
  bt_sup_probe(run->env, bt_sup_session(run->machine), &sample);
  report(run, (struct bt_sup_event){.kind = kind, .text = text, .consumed = sample.deny_consumed});
}

static void hand_on(struct run *run, bool with_transcript) {
  struct bt_error err = {0};
  struct bt_sup_payload payload;
  if (bt_sup_continue(run->env, bt_sup_session(run->machine), with_transcript, &payload, &err) == BT_OK)
    report(run, (struct bt_sup_event){.kind = BT_SUP_CONTINUED, .payload = &payload});
  else
    report_failure(run, BT_SUP_CONTINUE_FAILED, err.message);
  bt_sup_payload_dispose(&payload);
}

static void verify(struct run *run) {
  struct bt_error err = {0};
  if (bt_sup_verify(run->env, bt_sup_session(run->machine), run->machine->content_hash.data, &err) == BT_OK)
    report(run, (struct bt_sup_event){.kind = BT_SUP_VERIFIED});
  else
    report_failure(run, BT_SUP_VERIFY_FAILED, err.message);
}

static void send(struct run *run, int number) {
  if (run->child != NO_CHILD && kill(run->child, number) != 0 && errno == ESRCH)
    report(run, (struct bt_sup_event){.kind = BT_SUP_GONE});
}

/* A child that has ended is reported before anything else is looked at. */
static void reap(struct run *run) {
  struct bt_sup_exit end;
  if (run->child == NO_CHILD || !bt_process_ended(run->child, false, &end))
    return;
  run->child = NO_CHILD;
  run->host->after_end(run->host->context, &end);
  report(run, (struct bt_sup_event){.kind = BT_SUP_EXITED, .exit = end});
}

static void act(struct run *run, const struct bt_sup_action *action) {
  switch (action->kind) {
  case BT_SUP_DO_SPAWN:
    spawn(run);
    break;
  case BT_SUP_DO_LOG:
    run->host->log(run->host->context, action->text);
    break;
  case BT_SUP_DO_TELL:
    run->host->tell(run->host->context, action->text);
    break;
  case BT_SUP_DO_SIGNAL:
    send(run, action->signal);
    break;
  case BT_SUP_DO_CONTINUE:
    reap(run);
    hand_on(run, action->with_transcript);
    break;
  case BT_SUP_DO_VERIFY:
    reap(run);
    verify(run);
    break;
  }
}

/* One event, and all that follows from it. Actions that are answered come last in a step, so the list is moved out of
 * the machine before they are carried out. */
static void report(struct run *run, struct bt_sup_event event) {
  struct bt_sup_action actions[BT_SUP_ACTIONS_MAX];
  event.now_ms = bt_steady_ms();
  bt_sup_step(run->machine, &event);
  size_t count = run->machine->action_count;
  for (size_t i = 0; i < count; i++)
    actions[i] = run->machine->actions[i];
  run->machine->action_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (!run->machine->no_memory)
      act(run, &actions[i]);
    free(actions[i].text);
  }
}

static void tick(struct run *run) {
  struct bt_sup_sample sample;
  bt_sup_probe(run->env, bt_sup_session(run->machine), &sample);
  report(run, (struct bt_sup_event){.kind = BT_SUP_TICK,
                                    .deny_open = sample.deny_open,
                                    .transcript_there = sample.transcript_there,
                                    .transcript_ns = sample.transcript_ns});
}

static void loop(struct run *run) {
  char first[37];
  if (bt_random_uuid(first, NULL) != BT_OK)
    first[0] = '\0';
  report(run, (struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = first});
  while (run->machine->state != BT_SUP_DONE && !run->machine->no_memory) {
    bt_sup_status_note(&run->status, run->env, run->machine, run->child);
    int64_t left = -1;
    if (run->machine->wake_ms != BT_SUP_NEVER) {
      left = run->machine->wake_ms - bt_steady_ms();
      left = left > 0 ? left : 0;
    }
    if (bt_process_signals_wait(run->signals, left))
      report(run, (struct bt_sup_event){.kind = BT_SUP_INTERRUPT});
    reap(run);
    if (run->machine->wake_ms != BT_SUP_NEVER && bt_steady_ms() >= run->machine->wake_ms)
      tick(run);
  }
}

enum bt_code bt_supervise(const struct bt_env *env, const char *const *command, const struct bt_sup_host *host,
                          struct bt_sup_machine *machine, struct bt_error *err) {
  struct run run = {.env = env, .command = command, .host = host, .machine = machine, .child = NO_CHILD};
  run.signals = bt_process_signals_take(err);
  if (run.signals == NULL)
    return BT_IO;
  if (bt_sup_status_begin(&run.status, env, command[0], err) != BT_OK)
    host->log(host->context, "its state file cannot be written: the dashboard will not show this run");
  loop(&run);
  bt_sup_status_end(&run.status);
  bt_process_signals_give_back(run.signals);
  return machine->no_memory ? bt_error_set(err, BT_NOMEM, "supervise", "out of memory") : BT_OK;
}
