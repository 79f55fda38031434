/* core/handover/op.c - acknowledging, as a plan. */
#include "core/handover/op.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/handover/request.h"
#include "core/handover/sessions.h"
#include "core/handover/write.h"
#include "core/ops/actionlog.h"
#include "core/ops/command.h"
#include "core/ops/planning.h"

#define RECEIPT_MAX ((size_t)1024 * 1024)

struct look { /* one session, replayed */
  struct bt_str projects;
  struct bt_ask_settings settings;
  struct bt_ask_sessions sessions;
  struct bt_ask_session *session;
};

void bt_ask_projects(struct bt_str *out, const struct bt_env *env) {
  if (env->sample_dir != NULL)
    bt_str_printf(out, "%s/claude", env->sample_dir);
  else
    bt_str_printf(out, "%s/projects", env->claude_dir);
}

/* Dispose in every case; `request` outlives it. */
static enum bt_code look_at(const struct bt_env *env, const struct bt_request *request, struct look *look,
                            struct bt_error *err) {
  memset(look, 0, sizeof *look);
  bt_str_init(&look->projects, 65536);
  if (request->projects != NULL)
    bt_str_puts(&look->projects, request->projects);
  else
    bt_ask_projects(&look->projects, env);
  if (look->projects.failed)
    return bt_error_set(err, BT_NOMEM, "ask", "out of memory");
  enum bt_code code = bt_ask_settings_load(&look->settings, env->config_dir, err);
  if (code == BT_NOMEM)
    return code;
  look->sessions = (struct bt_ask_sessions){.projects = look->projects.data,
                                            .state_dir = env->state_dir,
                                            .only = &request->session,
                                            .only_count = 1,
                                            .window_flag = request->window,
                                            .settings = &look->settings};
  code = bt_ask_sessions_update(&look->sessions, err);
  look->session = code == BT_OK ? bt_ask_sessions_find(&look->sessions, request->session) : NULL;
  if (code == BT_OK && look->session == NULL)
    return bt_error_set(err, BT_MISSING, request->session, "there is no transcript of %s", request->session);
  return code;
}

static void dispose(struct look *look) {
  bt_ask_sessions_dispose(&look->sessions);
  bt_ask_settings_dispose(&look->settings);
  bt_str_dispose(&look->projects);
}

static enum bt_code require_due(const struct look *look, struct bt_error *err) {
  enum bt_ask_state state = bt_ask_state_of(&look->session->replay.machine);
  if (state == BT_ASK_STATE_DUE)
    return BT_OK;
  return bt_error_set(err, BT_STATE, look->session->id, "nothing is due for %s: it is %s", look->session->id,
                      bt_ask_state_word(state));
}

/* ---- the plan ---- */

static struct bt_json *payload_of(const struct look *look, bool dry_run) {
  struct bt_json *payload = bt_json_new_object();
  if (payload == NULL || bt_json_set_string(payload, "schema", "baton/ask-ack-v1") != BT_OK ||
      bt_json_set_bool(payload, "dry_run", dry_run) != BT_OK ||
      bt_json_set_string(payload, "session", look->session->id) != BT_OK ||
      bt_json_set_number(payload, "ordinal", (double)look->session->replay.machine.ordinal) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static void describe(struct bt_planner *planner, const struct look *look) {
  const struct bt_ask_machine *machine = &look->session->replay.machine;
  struct bt_plan *plan = planner->plan;
  plan->title =
      bt_planner_text(planner, "Acknowledge the request for %s", bt_planner_visible(planner, look->session->id));
  plan->summary =
      "Notes that you have passed the handover request on, so that it is not due any more. The worker is not "
      "told anything by this.";
  plan->confirm_label = "acknowledge";
  plan->undo = "none needed: the next window is asked for anew";
  bt_plan_row(planner, "handover", "due", "asked");
  bt_plan_row(planner, "window", NULL,
              bt_planner_text(planner, "%" PRId64 " of %" PRId64 " tokens, %" PRId64 "%%", machine->fill,
                              machine->window, bt_ask_percent(machine->fill, machine->window)));
  bt_plan_row(planner, "line", NULL, bt_planner_text(planner, "%" PRIu64 " tokens", machine->line));
  bt_plan_step(
      planner, "write state",
      bt_planner_text(planner, "%s/" BT_ASK_KEEP_FOLDER "/%s.json", planner->env->state_dir, look->session->id),
      "baton's own file");
  bt_plan_will(planner, "Writes this one file of baton's own.");
  bt_plan_will_not(planner, "It does NOT write into the repository or send the request: copy its text for that.");
}

static enum bt_code make_plan(const struct bt_env *env, const struct bt_request *request, const struct look *look,
                              struct bt_plan **plan, struct bt_error *err) {
  struct bt_planner planner;
  struct bt_str line;
  bt_str_init(&line, 65536);
  enum bt_code code = bt_planner_init(&planner, env, request, err);
  if (code == BT_OK) {
    describe(&planner, look);
    bt_plan_mix(&planner, "ordinal", bt_planner_text(&planner, "%" PRIu64, look->session->replay.machine.ordinal));
    bt_plan_mix(&planner, "state", bt_ask_state_word(bt_ask_state_of(&look->session->replay.machine)));
    bt_plan_answer(&planner, payload_of(look, true), "dry-run: would note that the request for %s was passed on",
                   look->session->id);
    bt_str_puts(&line, "baton ask ack ");
    bt_shell_word(&line, look->session->id);
    if (env->sample_dir != NULL) { /* the command itself reads the provider's own */
      bt_str_puts(&line, " --projects ");
      bt_shell_word(&line, look->sessions.projects);
    }
    const char *command = line.failed ? NULL : bt_arena_strndup(planner.arena, line.data, line.length);
    planner.failed = planner.failed || command == NULL;
    code = bt_planner_finish(&planner, plan, err);
    if (code == BT_OK)
      (*plan)->command = command;
  }
  bt_str_dispose(&line);
  bt_planner_dispose(&planner);
  return code;
}

enum bt_code bt_ask_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                            struct bt_error *err) {
  struct look look;
  *plan = NULL;
  enum bt_code code = look_at(env, request, &look, err);
  if (code == BT_OK)
    code = require_due(&look, err);
  if (code == BT_OK)
    code = make_plan(env, request, &look, plan, err);
  dispose(&look);
  return code;
}

/* ---- execution ---- */

static enum bt_code recheck(const struct bt_env *env, const struct bt_plan *plan, const struct look *look,
                            struct bt_error *err) {
  struct bt_plan *again = NULL;
  enum bt_code code = make_plan(env, &plan->request, look, &again, err);
  if (code == BT_OK && strcmp(again->fingerprint, plan->fingerprint) != 0)
    code = bt_error_set(err, BT_STALE, look->session->id, "the session moved on; nothing was written");
  bt_plan_free(again);
  return code;
}

static enum bt_code make_receipt(const struct look *look, struct bt_receipt **receipt, struct bt_error *err) {
  struct bt_arena *arena = bt_arena_new(RECEIPT_MAX);
  struct bt_receipt *made = arena != NULL ? BT_ARENA_NEW(arena, struct bt_receipt) : NULL;
  struct bt_json *payload = payload_of(look, false);
  struct bt_str text;
  bt_str_init(&text, RECEIPT_MAX);
  if (payload != NULL)
    bt_json_print_pretty(&text, payload);
  if (made != NULL) {
    made->arena = arena;
    made->payload = text.failed ? NULL : bt_arena_strndup(arena, text.data, text.length);
    made->human = "asked: the request was passed on";
  }
  bool whole = made != NULL && payload != NULL && made->payload != NULL;
  bt_json_free(payload);
  bt_str_dispose(&text);
  if (whole) {
    *receipt = made;
    return BT_OK;
  }
  bt_arena_free(arena);
  return bt_error_set(err, BT_NOMEM, "ask", "out of memory");
}

static enum bt_code acknowledge(const struct bt_env *env, struct look *look, struct bt_error *err) {
  struct bt_ask_session *session = look->session;
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, "ask", "read-only: nothing is written");
  session->keep.window_ordinal = session->replay.machine.ordinal;
  bt_ask_keep_add(session->keep.acked, &session->keep.acked_count, session->replay.machine.ordinal);
  return bt_ask_keep_write(env->state_dir, session->id, &session->keep, err);
}

enum bt_code bt_ask_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                               struct bt_error *err) {
  struct look look;
  struct bt_error own = {0}, unlogged = {0};
  *receipt = NULL;
  enum bt_code code = look_at(env, &plan->request, &look, &own);
  if (code == BT_OK)
    code = recheck(env, plan, &look, &own);
  if (code == BT_OK)
    code = make_receipt(&look, receipt, &own);
  if (code == BT_OK)
    code = acknowledge(env, &look, &own);
  if (code != BT_OK) {
    bt_receipt_free(*receipt);
    *receipt = NULL;
  }
  if (!env->readonly && bt_actionlog_add(env, &plan->request, &own, *receipt, &unlogged) != BT_OK && *receipt != NULL)
    (*receipt)->warning = "the action log could not be written";
  dispose(&look);
  if (code != BT_OK && err != NULL)
    *err = own;
  return code;
}
