/* cli/cmd_ask_ack.c - `baton ask ack` and `baton ask text`: a request, passed on by the operator. */
#include "cli/ask_watch.h"
#include "cli/cmd_ask.h"
#include "cli/out.h"
#include "core/handover/op.h"
#include "core/handover/request.h"

/* The session that a verb is about, replayed. */
static enum bt_code find_subject(struct ask_watch *watch, struct bt_ask_session **session, struct bt_error *err) {
  enum bt_code code = bt_ask_sessions_update(&watch->sessions, err);
  *session = code == BT_OK ? bt_ask_sessions_find(&watch->sessions, watch->subject) : NULL;
  if (code == BT_OK && *session == NULL)
    code = bt_error_set(err, BT_MISSING, watch->subject, "there is no transcript of %s", watch->subject);
  return code;
}

/* Said again, or seen by `watch` meanwhile: there is nothing left to note, and nothing is. */
static bool is_asked(struct ask_watch *watch) {
  struct bt_ask_session *session = NULL;
  return !watch->cli->env.readonly && find_subject(watch, &session, NULL) == BT_OK &&
         bt_ask_state_of(&session->replay.machine) == BT_ASK_STATE_ASKED;
}

static int acknowledge(struct ask_watch *watch) {
  const struct bt_env *env = &watch->cli->env;
  const struct bt_request request = {.verb = BT_VERB_ACK,
                                     .session = watch->subject,
                                     .projects = watch->sessions.projects,
                                     .window = watch->sessions.window_flag};
  struct bt_plan *plan = NULL;
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {0};
  enum bt_code code = bt_ask_op_plan(env, &request, &plan, &err);
  if (code == BT_OK)
    code = bt_ask_op_execute(env, plan, &receipt, &err);
  if (code == BT_OK && receipt->warning != NULL)
    out_warning(receipt->warning);
  bt_receipt_free(receipt);
  bt_plan_free(plan);
  if ((code == BT_STATE || code == BT_STALE) && is_asked(watch))
    code = BT_OK;
  return code == BT_OK ? out_line("asked") : ask_fail(&err);
}

int ask_ack(struct cli_env *cli, int argc, char **argv) {
  struct ask_watch watch;
  struct bt_error err = {0};
  enum bt_code code = ask_watch_begin(cli, argc, argv, ASK_ACK, &watch, &err);
  if (code == BT_OK && watch.help)
    return out_flush();
  return ask_watch_end(&watch, code == BT_OK ? acknowledge(&watch) : ask_fail(&err));
}

int ask_text(struct cli_env *cli, int argc, char **argv) {
  struct ask_watch watch;
  struct bt_ask_session *session = NULL;
  struct bt_error err = {0};
  struct bt_str text;
  enum bt_code code = ask_watch_begin(cli, argc, argv, ASK_TEXT, &watch, &err);
  if (code == BT_OK && watch.help)
    return out_flush();
  if (code == BT_OK)
    code = find_subject(&watch, &session, &err);
  if (code == BT_OK && session->replay.machine.fill == BT_ASK_UNKNOWN)
    code = bt_error_set(&err, BT_STATE, watch.subject, "nothing is known of how full %s is", watch.subject);
  if (code != BT_OK)
    return ask_watch_end(&watch, ask_fail(&err));
  const struct bt_ask_machine *machine = &session->replay.machine;
  bt_str_init(&text, 65536);
  bt_ask_request_text(&text, machine->fill, machine->window, machine->line, BT_ASK_COMMAND);
  int status = out_text(&text);
  bt_str_dispose(&text);
  return ask_watch_end(&watch, status);
}
