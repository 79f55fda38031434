/* core/supervise/machine.c - one case a state. */
#include "core/supervise/machine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/supervise/words.h"

#define TEXT_MAX ((size_t)65536)
#define PROMPT_MAX ((size_t)4 * 1024 * 1024)

struct bt_sup_config bt_sup_defaults(void) {
  return (struct bt_sup_config){.poll_ms = BT_SUPERVISE_DENY_POLL_MS,
                                .quiescence_ms = BT_SUPERVISE_QUIESCENCE_MS,
                                .grace_ms = BT_SUPERVISE_TERMINATE_GRACE_MS};
}

void bt_sup_init(struct bt_sup_machine *machine, struct bt_sup_config config) {
  *machine = (struct bt_sup_machine){.config = config, .wake_ms = BT_SUP_NEVER};
  bt_str_init(&machine->prompt, PROMPT_MAX);
  bt_str_init(&machine->successor, TEXT_MAX);
  bt_str_init(&machine->successor_prompt, PROMPT_MAX);
  bt_str_init(&machine->ticket, TEXT_MAX);
  bt_str_init(&machine->content_hash, TEXT_MAX);
  bt_str_init(&machine->content_path, TEXT_MAX);
  bt_str_init(&machine->start_error, TEXT_MAX);
}

static void forget_actions(struct bt_sup_machine *machine) {
  for (size_t i = 0; i < machine->action_count; i++)
    free(machine->actions[i].text);
  machine->action_count = 0;
}

void bt_sup_dispose(struct bt_sup_machine *machine) {
  forget_actions(machine);
  for (size_t i = 0; i < machine->session_count; i++)
    free(machine->sessions[i]);
  for (size_t i = 0; i < machine->abnormal_count; i++)
    free(machine->abnormal[i].session);
  free(machine->sessions);
  free(machine->abnormal);
  bt_str_dispose(&machine->prompt);
  bt_str_dispose(&machine->successor);
  bt_str_dispose(&machine->successor_prompt);
  bt_str_dispose(&machine->ticket);
  bt_str_dispose(&machine->content_hash);
  bt_str_dispose(&machine->content_path);
  bt_str_dispose(&machine->start_error);
  *machine = (struct bt_sup_machine){0};
}

const char *bt_sup_session(const struct bt_sup_machine *machine) {
  return machine->session_count > 0 ? machine->sessions[machine->session_count - 1] : NULL;
}

/* ---- actions ---- */

static struct bt_sup_action *act(struct bt_sup_machine *machine, enum bt_sup_action_kind kind) {
  struct bt_sup_action *action = &machine->actions[machine->action_count++];
  *action = (struct bt_sup_action){.kind = kind};
  return action;
}

static void act_text(struct bt_sup_machine *machine, enum bt_sup_action_kind kind, struct bt_str *text) {
  struct bt_sup_action *action = act(machine, kind);
  action->text = bt_str_take(text, NULL);
  machine->no_memory |= action->text == NULL;
  bt_str_dispose(text);
}

static void log_event(struct bt_sup_machine *machine, const char *fmt, ...) BT_PRINTF(2, 3);
static void log_event(struct bt_sup_machine *machine, const char *fmt, ...) {
  char line[2048];
  struct bt_str text;
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  bt_str_init(&text, TEXT_MAX);
  bt_str_puts(&text, line);
  act_text(machine, BT_SUP_DO_LOG, &text);
}

static void log_exit(struct bt_sup_machine *machine, const char *more) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_str_printf(&text, "session %s ", bt_sup_session(machine));
  bt_sup_say_exit(&text, &machine->child);
  bt_str_puts(&text, more);
  act_text(machine, BT_SUP_DO_LOG, &text);
}

/* ---- steps of the loop ---- */

static void finish(struct bt_sup_machine *machine, enum bt_sup_reason reason) {
  machine->reason = reason;
  machine->state = BT_SUP_DONE;
  machine->wake_ms = BT_SUP_NEVER;
}

static void add_session(struct bt_sup_machine *machine, const char *id) {
  char **grown = realloc(machine->sessions, (machine->session_count + 1) * sizeof *grown);
  if (grown != NULL)
    machine->sessions = grown;
  char *copy = grown != NULL ? malloc(strlen(id) + 1) : NULL;
  if (copy == NULL) {
    machine->no_memory = true;
    return;
  }
  memcpy(copy, id, strlen(id) + 1);
  machine->sessions[machine->session_count++] = copy;
}

static void spawn(struct bt_sup_machine *machine) {
  machine->state = BT_SUP_STARTING;
  machine->wake_ms = BT_SUP_NEVER;
  machine->child_known = machine->running = machine->signalled = machine->sampled = false;
  machine->child = (struct bt_sup_exit){0};
  (void)act(machine, BT_SUP_DO_SPAWN);
}

static void begin(struct bt_sup_machine *machine, const char *id) {
  if (!bt_id_is_prompt_safe(id)) {
    finish(machine, BT_SUP_UNSAFE_SESSION_ID);
    return;
  }
  add_session(machine, id);
  spawn(machine);
}

/* Step 3, once the child has ended. */
static void conclude(struct bt_sup_machine *machine) {
  enum bt_sup_reason end = bt_sup_classify(&machine->child);
  if (machine->reason == BT_SUP_REASON_NONE)
    machine->reason = end;
  if (machine->reason == end && end != BT_SUP_CHILD_EXITED)
    log_exit(machine, "");
  finish(machine, machine->reason);
}

static void wait_for_end(struct bt_sup_machine *machine) {
  machine->state = BT_SUP_WAITING;
  machine->wake_ms = BT_SUP_NEVER;
  if (!machine->running)
    conclude(machine);
}

static void degrade(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  const struct bt_sup_degrade facts = {
      .why = event->text != NULL ? event->text : "no reason is known",
      .consumed = event->consumed,
      .successor = machine->state == BT_SUP_VERIFYING ? machine->successor.data : NULL,
  };
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_sup_say_degrade(&text, machine, &facts);
  act_text(machine, BT_SUP_DO_TELL, &text);
  machine->reason = BT_SUP_DEGRADED;
  wait_for_end(machine);
}

/* Step 10: the child ended by itself, and not well. */
static void note_abnormal(struct bt_sup_machine *machine) {
  const char *session = bt_sup_session(machine);
  if (machine->signalled || machine->running || bt_sup_classify(&machine->child) == BT_SUP_CHILD_EXITED)
    return;
  struct bt_sup_abnormal *grown = realloc(machine->abnormal, (machine->abnormal_count + 1) * sizeof *grown);
  if (grown != NULL)
    machine->abnormal = grown;
  char *copy = grown != NULL ? malloc(strlen(session) + 1) : NULL;
  if (copy != NULL) {
    memcpy(copy, session, strlen(session) + 1);
    grown[machine->abnormal_count++] = (struct bt_sup_abnormal){.session = copy,
                                                                .signalled = machine->child.signalled,
                                                                .code = machine->child.code,
                                                                .signal = machine->child.signal};
  }
  machine->no_memory |= copy == NULL;
  log_exit(machine, " before it was asked to end; its work is handed on all the same");
}

/* Steps 10 to 12. */
static void succeed(struct bt_sup_machine *machine) {
  note_abnormal(machine);
  machine->continuations++;
  log_event(machine, "session %s goes on as %s under ticket %s, brief %s", bt_sup_session(machine),
            machine->successor.data, machine->ticket.data, machine->content_path.data);
  add_session(machine, machine->successor.data);
  bt_str_clear(&machine->prompt);
  bt_str_append(&machine->prompt, machine->successor_prompt.data, machine->successor_prompt.length);
  machine->no_memory |= machine->prompt.failed;
  if (machine->interrupted) {
    machine->child_known = false; /* the successor was not started, and nobody asks about the one before */
    finish(machine, BT_SUP_INTERRUPTED);
  } else {
    spawn(machine);
  }
}

/* Step 9. */
static void terminate(struct bt_sup_machine *machine, int64_t now_ms) {
  if (!machine->running) {
    succeed(machine);
    return;
  }
  machine->signalled = true;
  machine->state = BT_SUP_TERMINATING;
  machine->grace_end_ms = now_ms + machine->config.grace_ms;
  machine->wake_ms = now_ms + machine->config.poll_ms;
  act(machine, BT_SUP_DO_SIGNAL)->signal = SIGTERM;
}

static void await_end(struct bt_sup_machine *machine, int64_t now_ms) {
  if (!machine->running || (machine->state == BT_SUP_KILLING && now_ms >= machine->grace_end_ms)) {
    succeed(machine);
  } else if (now_ms >= machine->grace_end_ms) {
    machine->state = BT_SUP_KILLING;
    machine->grace_end_ms = now_ms + machine->config.grace_ms;
    machine->wake_ms = now_ms + machine->config.poll_ms;
    log_event(machine, "session %s did not end when asked; SIGKILL was used", bt_sup_session(machine));
    act(machine, BT_SUP_DO_SIGNAL)->signal = SIGKILL;
  } else {
    machine->wake_ms = now_ms + machine->config.poll_ms;
    if (machine->wake_ms > machine->grace_end_ms)
      machine->wake_ms = machine->grace_end_ms;
  }
}

/* Step 5 and 6. */
static void ask_to_continue(struct bt_sup_machine *machine, bool transcript_there) {
  machine->state = BT_SUP_CONTINUING;
  machine->wake_ms = BT_SUP_NEVER;
  if (!transcript_there)
    log_event(machine, "WARNING: session %s has no transcript; its last words will be missing from the brief",
              bt_sup_session(machine));
  act(machine, BT_SUP_DO_CONTINUE)->with_transcript = transcript_there;
}

/* Step 4. */
static void quiesce(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  bool same = machine->sampled && machine->seen_there == event->transcript_there &&
              (!event->transcript_there || machine->seen_ns == event->transcript_ns);
  if (!same) {
    machine->sampled = true;
    machine->seen_there = event->transcript_there;
    machine->seen_ns = event->transcript_ns;
    machine->quiet_since_ms = event->now_ms;
  }
  if (!machine->running || event->now_ms - machine->quiet_since_ms >= machine->config.quiescence_ms)
    ask_to_continue(machine, event->transcript_there);
  else
    machine->wake_ms = event->now_ms + machine->config.poll_ms;
}

/* Step 2: the deny comes first, so that a session which died right after its marker appeared is still continued. */
static void watch(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  if (event->deny_open) {
    log_event(machine, "session %s is denied; waiting until its transcript is quiet", bt_sup_session(machine));
    machine->state = BT_SUP_QUIESCING;
    quiesce(machine, event);
  } else if (machine->interrupted) {
    machine->reason = BT_SUP_INTERRUPTED;
    wait_for_end(machine);
  } else if (!machine->running) {
    wait_for_end(machine);
  } else {
    machine->wake_ms = event->now_ms + machine->config.poll_ms;
  }
}

static void tick(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  switch (machine->state) {
  case BT_SUP_WATCHING:
    watch(machine, event);
    break;
  case BT_SUP_QUIESCING:
    quiesce(machine, event);
    break;
  case BT_SUP_TERMINATING:
  case BT_SUP_KILLING:
    await_end(machine, event->now_ms);
    break;
  default:
    break;
  }
}

/* ---- what was reported ---- */

static void child_started(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  if (machine->state != BT_SUP_STARTING)
    return;
  machine->running = true;
  machine->state = BT_SUP_WATCHING;
  machine->wake_ms = event->now_ms;
}

static void child_ended(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  machine->running = false;
  machine->child_known = true;
  machine->child = event->exit;
  bt_str_clear(&machine->start_error);
  bt_str_puts(&machine->start_error, event->exit.error != NULL ? event->exit.error : "");
  machine->child.error = event->exit.failed_to_start ? machine->start_error.data : NULL;
  if (machine->state == BT_SUP_STARTING)
    machine->state = BT_SUP_WATCHING;
  if (machine->state == BT_SUP_WAITING)
    conclude(machine);
  else if (machine->state != BT_SUP_CONTINUING && machine->state != BT_SUP_VERIFYING)
    machine->wake_ms = event->now_ms;
}

static void take(struct bt_sup_machine *machine, struct bt_str *to, const char *text) {
  bt_str_clear(to);
  bt_str_puts(to, text);
  machine->no_memory |= to->failed;
}

static void continued(struct bt_sup_machine *machine, const struct bt_sup_payload *payload) {
  take(machine, &machine->successor, payload->successor_session_id);
  take(machine, &machine->successor_prompt, payload->bootstrap_prompt);
  take(machine, &machine->ticket, payload->ticket_id);
  take(machine, &machine->content_hash, payload->content_hash);
  take(machine, &machine->content_path, payload->content_path);
  machine->state = BT_SUP_VERIFYING;
  (void)act(machine, BT_SUP_DO_VERIFY);
}

static void interrupt(struct bt_sup_machine *machine) {
  machine->interrupted = true;
  if (machine->running)
    act(machine, BT_SUP_DO_SIGNAL)->signal = SIGINT;
}

/* The child went before its SIGTERM came. */
static void gone(struct bt_sup_machine *machine) {
  if (machine->state != BT_SUP_TERMINATING)
    return;
  machine->signalled = false;
  machine->running = false;
  succeed(machine);
}

void bt_sup_step(struct bt_sup_machine *machine, const struct bt_sup_event *event) {
  forget_actions(machine);
  if (machine->state == BT_SUP_DONE)
    return;
  switch (event->kind) {
  case BT_SUP_BEGIN:
    if (machine->state == BT_SUP_IDLE)
      begin(machine, event->text);
    break;
  case BT_SUP_SPAWNED:
    child_started(machine, event);
    break;
  case BT_SUP_EXITED:
    child_ended(machine, event);
    break;
  case BT_SUP_TICK:
    tick(machine, event);
    break;
  case BT_SUP_INTERRUPT:
    interrupt(machine);
    break;
  case BT_SUP_GONE:
    gone(machine);
    break;
  case BT_SUP_CONTINUED:
    if (machine->state == BT_SUP_CONTINUING)
      continued(machine, event->payload);
    break;
  case BT_SUP_VERIFIED:
    if (machine->state == BT_SUP_VERIFYING)
      terminate(machine, event->now_ms);
    break;
  case BT_SUP_CONTINUE_FAILED:
  case BT_SUP_VERIFY_FAILED:
    if (machine->state == BT_SUP_CONTINUING || machine->state == BT_SUP_VERIFYING)
      degrade(machine, event);
    break;
  }
}
