/* core/ops/continue_plan.c - the checks of `continue` and the brief it would hand on
 * (spec/context-handoff.md 8.8, 8.9). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/harness/narrative.h"
#include "core/model/id.h"
#include "core/ops/command.h"
#include "core/ops/continue.h"
#include "core/ops/document.h"
#include "core/ops/gather.h"
#include "core/ops/verb.h"
#include "core/store/reviewed.h"
#include "core/store/tickets.h"
#include "core/text/bootstrap.h"

#define PROMPT_MAX (4u << 20)

enum bt_code bt_continue_degrade(struct bt_error *err, const char *session, const char *fmt, ...) {
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return bt_error_set(err, BT_REFUSED, session, "handoff continue: %s", text);
}

enum bt_code bt_continue_check(const struct bt_request *request, struct bt_error *err) {
  enum bt_code code = bt_id_require(request->deny_session, "--deny-session", err);
  if (code == BT_OK && request->session != NULL)
    code = bt_id_require(request->session, "--session", err);
  if (code == BT_OK && bt_text_equals(request->session, request->deny_session))
    code = bt_continue_degrade(err, request->session, "%s cannot continue itself", request->session);
  return code;
}

/* Step 4 and the minting of an id. */
static enum bt_code resolve_successor(struct bt_planner *planner, struct bt_error *err) {
  struct bt_request *request = &planner->plan->request;
  if (request->session == NULL) {
    char minted[37];
    enum bt_code code = bt_random_uuid(minted, err);
    if (code != BT_OK)
      return code;
    request->session = bt_arena_strdup(planner->arena, minted);
    if (request->session == NULL)
      return bt_error_set(err, BT_NOMEM, request->deny_session, "out of memory");
  }
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  enum bt_code code = bt_document_path(&path, BT_FILE_AUTH, request->session, err);
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  if (code == BT_OK && planner->ledger >= 0)
    bt_fs_stat_at(planner->ledger, path.data, &stat);
  bt_str_dispose(&path);
  if (code == BT_OK && stat.kind != BT_FS_ABSENT && stat.kind != BT_FS_UNKNOWN)
    code = bt_continue_degrade(err, request->session, "%s already holds an authorization", request->session);
  return code;
}

/* With the command that would bind it; the id stands in it as a shell will read it. */
static enum bt_code refuse_unbound(const char *denied, struct bt_error *err) {
  struct bt_str flag;
  bt_str_init(&flag, BT_PATH_MAX_BYTES);
  bt_shell_flag(&flag, "session", denied);
  enum bt_code code = flag.failed
                          ? bt_error_set(err, BT_NOMEM, denied, "out of memory")
                          : bt_continue_degrade(err, denied,
                                                "%s is bound to no ticket; bind one first: adlc handoff repair%s "
                                                "--ticket <id> --content-hash <hash> --write",
                                                denied, flag.data);
  bt_str_dispose(&flag);
  return code;
}

/* 8.9. The bound ticket is what counts; a selected one must agree. */
static enum bt_code resolve_ticket(struct bt_planner *planner, const struct bt_json *record, struct bt_error *err) {
  const struct bt_request *request = &planner->plan->request;
  const char *denied = request->deny_session;
  struct bt_slice bound = bt_bind_normalise(bt_json_get_string(record, "ticket_id"));
  if (bound.data == NULL)
    return refuse_unbound(denied, err);
  planner->details->ticket_id = bt_arena_strndup(planner->arena, bound.data, bound.length);
  if (planner->details->ticket_id == NULL)
    return bt_error_set(err, BT_NOMEM, denied, "out of memory");
  struct bt_slice selected = bt_bind_normalise(request->ticket);
  if (selected.data == NULL) {
    struct bt_ticket_pointer active = {0};
    enum bt_code code = bt_ticket_active(planner->env, planner->ledger, planner->arena, &active, err);
    if (code != BT_OK)
      return code;
    if (active.error != NULL)
      return bt_continue_degrade(err, denied, "the active ticket cannot be told: %s", active.error);
    selected = bt_slice_of(active.id);
  }
  if (selected.length > 0 && !bt_slice_equals(selected, planner->details->ticket_id))
    return bt_continue_degrade(err, denied, "%s is bound to ticket %s, not to %.*s", denied,
                               planner->details->ticket_id, (int)selected.length, selected.data);
  return BT_OK;
}

/* Step 8. The path becomes absolute in the resolved request: the command must run from anywhere. */
static enum bt_code read_narrative(struct bt_planner *planner, struct bt_narrative *narrative, struct bt_error *err) {
  struct bt_request *request = &planner->plan->request;
  const char *given = request->capture_from;
  if (bt_is_blank_w(given, strlen(given)))
    return bt_continue_degrade(err, request->deny_session, "--capture-from is blank");
  struct bt_error failed = {0};
  enum bt_code code = bt_narrative_load(narrative, planner->env->cwd, given, bt_env_now(planner->env), &failed);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, given, "out of memory");
  if (code != BT_OK)
    return bt_continue_degrade(err, given, "the transcript %s cannot be used: %s", given, failed.message);
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  if (bt_path_resolve(&path, planner->env->cwd, given) == BT_OK)
    request->capture_from = bt_arena_strndup(planner->arena, path.data, path.length);
  bt_str_dispose(&path);
  return request->capture_from != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, given, "out of memory");
}

static struct bt_json *content_path(const struct bt_env *env, const char *session) {
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_printf(&path, "%s/%s/%s%s", env->ledger_dir, BT_PATH_CONTENT, session, bt_ledger_suffix(BT_FILE_CAPTURE));
  struct bt_json *json = path.failed ? NULL : bt_json_new_string(path.data);
  bt_str_dispose(&path);
  return json;
}

/* Composed again from the body: the prompt is long, and one copy of the text is enough. */
static struct bt_json *prompt_json(const struct bt_request *request, const struct bt_op_details *details) {
  struct bt_str prompt;
  bt_str_init(&prompt, PROMPT_MAX);
  struct bt_json *json = NULL;
  if (bt_bootstrap_prompt(&prompt, request->deny_session, details->ticket_id, details->body, details->body_length, true,
                          NULL) == BT_OK &&
      !prompt.failed)
    json = bt_json_new_string(prompt.data);
  bt_str_dispose(&prompt);
  return json;
}

struct bt_json *bt_continue_payload(const struct bt_env *env, const struct bt_request *request,
                                    const struct bt_op_details *details, bool dry_run) {
  struct bt_json *payload = bt_payload_new(BT_VERB_CONTINUE, dry_run);
  if (payload == NULL || bt_json_set_string(payload, "successor_session_id", request->session) != BT_OK ||
      bt_json_set_string(payload, "ticket_id", details->ticket_id) != BT_OK ||
      bt_json_set(payload, "content_path", content_path(env, request->deny_session)) != BT_OK ||
      bt_json_set_string(payload, "content_hash", details->content_hash) != BT_OK ||
      bt_json_set(payload, "bootstrap_prompt", prompt_json(request, details)) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

/* Steps 9 and 10. */
static enum bt_code compose(struct bt_planner *planner, const struct bt_narrative *narrative, struct bt_brief *brief,
                            struct bt_error *err) {
  const struct bt_request *request = &planner->plan->request;
  struct bt_op_details *details = planner->details;
  if (!bt_id_is_prompt_safe(request->deny_session))
    return bt_continue_degrade(err, request->deny_session, "the session id %s cannot be quoted in a prompt",
                               request->deny_session);
  if (!bt_id_is_prompt_safe(details->ticket_id))
    return bt_continue_degrade(err, details->ticket_id, "the ticket id %s cannot be quoted in a prompt",
                               details->ticket_id);
  enum bt_code code = bt_brief_gather(planner->env, planner->ledger, details->ticket_id, narrative, brief, err);
  if (code != BT_OK)
    return code;
  details->body = bt_arena_strndup(planner->arena, brief->body.data, brief->body.length);
  details->body_length = brief->body.length;
  details->content_hash = bt_arena_strdup(planner->arena, brief->hash);
  if (details->body == NULL || details->content_hash == NULL)
    return bt_error_set(err, BT_NOMEM, request->deny_session, "out of memory");
  bt_plan_mix(planner, "brief", details->content_hash);
  struct bt_plan_brief *handed = &planner->plan->brief;
  *handed =
      (struct bt_plan_brief){.text = details->body, .length = details->body_length, .hash = details->content_hash};
  if (!request->terse)
    handed->reviewed = bt_reviewed(planner->env, request->deny_session, handed->hash, &handed->reviewed_ms);
  return BT_OK;
}

static void fill_plan(struct bt_planner *planner, const struct bt_json *record, const struct bt_brief *brief,
                      const struct bt_narrative *narrative) {
  struct bt_plan *plan = planner->plan;
  const struct bt_request *request = &plan->request;
  planner->details->record = bt_planner_json(planner, record, false);
  plan->title = bt_planner_text(planner, "Continue %s", bt_planner_visible(planner, request->deny_session));
  plan->summary = "Hands the work of a denied session to one new session. The old one stays denied for ever.";
  plan->confirm_label = "continue";
  plan->undo = "cannot be undone: a consumed deny never reopens";
  if (!request->terse)
    bt_continue_describe(planner, record, brief, narrative);
  bt_plan_answer(planner, bt_continue_payload(planner->env, request, planner->details, true),
                 "dry run: %s would be continued by %s, ticket %s, content hash %s; pass --write to do it",
                 request->deny_session, request->session, planner->details->ticket_id, planner->details->content_hash);
}

enum bt_code bt_continue_plan(struct bt_planner *planner, struct bt_error *err) {
  const struct bt_request *request = &planner->plan->request;
  const char *denied = request->deny_session;
  struct bt_narrative narrative = {0};
  struct bt_marker marker = {0};
  struct bt_brief brief = {0};
  bt_str_init(&brief.body, PROMPT_MAX);
  enum bt_code code = resolve_successor(planner, err);
  bt_plan_fact(planner, BT_FILE_DENY, denied, true);
  if (code == BT_OK)
    code = bt_marker_read(planner->ledger, denied, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_continue_degrade(err, denied, "the deny marker cannot be used (%s): %s", marker.reason, denied);
  if (code == BT_OK && !bt_text_equals(bt_json_get_string(marker.record, "status"), "open"))
    code = bt_continue_degrade(err, denied, "the deny of %s is not open", denied);
  if (code == BT_OK)
    code = resolve_ticket(planner, marker.record, err);
  bool asked = request->capture_from != NULL;
  if (code == BT_OK && asked)
    code = read_narrative(planner, &narrative, err);
  if (code == BT_OK)
    code = compose(planner, asked ? &narrative : NULL, &brief, err);
  if (code == BT_OK)
    fill_plan(planner, marker.record, &brief, asked ? &narrative : NULL);
  bt_brief_dispose(&brief);
  bt_marker_dispose(&marker);
  bt_narrative_dispose(&narrative);
  return code;
}
