/* core/delivery/op.c - reconcile and stop, as plans. */
#include "core/delivery/op.h"

#include <string.h>

#include "core/base/utf8.h"
#include "core/delivery/apply.h"
#include "core/model/delivery_words.h"
#include "core/ops/actionlog.h"
#include "core/ops/command.h"
#include "core/ops/planning.h"

#define ARENA_MAX ((size_t)256 * 1024 * 1024)

struct look { /* one evaluation and what is to become of the record */
  struct bt_arena *arena;
  struct bt_delivery_request request;
  struct bt_evaluation evaluation;
  struct bt_change change;
  struct bt_delivery_applied dry; /* what a write to the file would come to */
  bool needs_detail;              /* a stop that does not say yet what stopped it */
};

/* ---- looking ---- */

static enum bt_code change_of(const struct bt_request *request, struct look *look, struct bt_error *err) {
  const struct bt_steps none = {NULL, 0};
  const struct bt_watcher_change no_watchers = {.facts = &look->request.watchers};
  if (request->verb == BT_VERB_RECONCILE)
    return bt_change_reconcile(&look->evaluation, &none, &no_watchers, look->request.now_ms, &look->change, err);
  look->needs_detail = request->detail == NULL || strspn(request->detail, " \t\r\n\v\f") == strlen(request->detail);
  return bt_change_close_boundary(&look->evaluation, look->needs_detail ? "?" : request->detail, request->resumable,
                                  look->request.now_ms, &look->change, err);
}

/* Nothing to write: the code that the command would give, and what it rests on. */
static enum bt_code nothing(const struct look *look, struct bt_error *err) {
  const struct bt_codes *reasons = &look->evaluation.reasons;
  return bt_error_set(err, BT_STATE, "delivery", "%s%s%s: nothing is to be written", look->change.code,
                      reasons->count > 0 ? ", " : "", reasons->count > 0 ? reasons->items[0] : "");
}

/* To the store that the record came from. */
static enum bt_code apply(const struct bt_request *request, struct look *look, bool write,
                          struct bt_delivery_applied *applied, struct bt_error *err) {
  const struct bt_delivery_order order = {
      .verb = bt_verb_word(request->verb), .target = look->evaluation.source, .write = write};
  return bt_delivery_apply(&order, &look->request, &look->evaluation, &look->change, applied, err);
}

/* Dispose in every case. */
static enum bt_code look_at(const struct bt_env *env, const struct bt_request *request, struct look *look,
                            struct bt_error *err) {
  memset(look, 0, sizeof *look);
  look->arena = bt_arena_new(ARENA_MAX);
  if (look->arena == NULL)
    return bt_error_set(err, BT_NOMEM, "delivery", "out of memory");
  bt_delivery_request_usual(&look->request, env, request->tree);
  look->request.pr_given = request->pr_state != NULL;
  look->request.pr_bytes = request->pr_state;
  look->request.pr_length = request->pr_state != NULL ? strlen(request->pr_state) : 0;
  look->request.pr_taken_ms = request->pr_taken_ms;
  enum bt_code code = bt_delivery_evaluate(look->arena, &look->request, &look->evaluation, err);
  if (code == BT_OK)
    code = change_of(request, look, err);
  if (code == BT_OK && look->change.after == NULL)
    code = nothing(look, err);
  if (code == BT_OK && look->evaluation.source == BT_SOURCE_FILE)
    code = apply(request, look, false, &look->dry, err);
  return code;
}

static void dispose(struct look *look) {
  bt_arena_free(look->arena);
}

static const struct bt_store_copy *copy_of(const struct bt_evaluation *evaluation) {
  return evaluation->source == BT_SOURCE_HOST ? &evaluation->host : &evaluation->file;
}

/* ---- words ---- */

/* A value on one line, without secrets, in its visible form. */
static const char *value_text(struct bt_planner *planner, const struct bt_node *node) {
  struct bt_str text, flat;
  bool gap = false;
  if (node == NULL)
    return "(none)";
  if (bt_node_type(node) == BT_JSON_ARRAY && node->first == NULL)
    return "(empty)";
  bt_str_init(&text, ARENA_MAX);
  bt_str_init(&flat, ARENA_MAX);
  if (bt_node_text(node) != NULL)
    bt_text_without_secrets(&text, node->text, strlen(node->text));
  else
    bt_doc_print(&text, node, 0, BT_DOC_HIDE_SECRETS);
  for (size_t i = 0; i < text.length; i++) { /* the breaks of the printed form are blanks here */
    bool blank = text.data[i] == '\n' || text.data[i] == ' ';
    if (!blank && gap && flat.length > 0)
      bt_str_putc(&flat, ' ');
    if (!blank)
      bt_str_putc(&flat, text.data[i]);
    gap = blank;
  }
  const char *shown = flat.failed || text.failed ? NULL : bt_planner_visible(planner, flat.data);
  planner->failed = planner->failed || shown == NULL;
  bt_str_dispose(&text);
  bt_str_dispose(&flat);
  return shown;
}

/* Only what differs, member by member; the time of the change goes without saying. */
static void add_difference(struct bt_planner *planner, const struct look *look) {
  const struct bt_node *before = look->evaluation.delivery->node;
  for (const struct bt_node *member = look->change.after->first; member != NULL; member = member->next) {
    const struct bt_node *old = bt_node_get(before, member->key);
    if ((old != NULL && bt_node_equals(old, member)) || strcmp(member->key, "updated_at") == 0)
      continue;
    bool open_question = look->needs_detail && strcmp(member->key, "stop_detail") == 0;
    bt_plan_row(planner, bt_planner_visible(planner, member->key), value_text(planner, old),
                open_question ? "(to be said below)" : value_text(planner, member));
  }
}

static void check_code(struct bt_planner *planner, enum bt_check state, const char *code) {
  const char *means = bt_delivery_code_means(code);
  bt_plan_check(planner, state, "%s%s%s", bt_planner_visible(planner, code), means != NULL ? ": " : "",
                means != NULL ? means : "");
}

static void add_checks(struct bt_planner *planner, const struct look *look) {
  const struct bt_evaluation *evaluation = &look->evaluation;
  bt_plan_check(planner, evaluation->verdict == BT_VERDICT_USABLE ? BT_CHECK_OK : BT_CHECK_WARN, "verdict now: %s",
                bt_verdict_word(evaluation->verdict));
  for (size_t i = 0; i < evaluation->reasons.count; i++)
    check_code(planner, BT_CHECK_WARN, evaluation->reasons.items[i]);
  if (evaluation->source == BT_SOURCE_FILE && look->dry.refused)
    check_code(planner, BT_CHECK_BAD, look->dry.code);
  else if (evaluation->source == BT_SOURCE_FILE)
    bt_plan_check(planner, BT_CHECK_OK, "the record is neither tracked nor staged, and git will ignore it");
}

static void add_steps(struct bt_planner *planner, const struct look *look) {
  const char *path = look->evaluation.source == BT_SOURCE_HOST ? look->request.host_path : BT_RECORD_PATH;
  if (look->dry.exclusion_needed)
    bt_plan_step(planner, "exclude record", "info/exclude", "one line, so that git never lists it");
  bt_plan_step(planner, "write record", bt_planner_visible(planner, path),
               "by rename, only where it is still as it was read");
}

static void describe(struct bt_planner *planner, const struct bt_request *request, const struct look *look) {
  struct bt_plan *plan = planner->plan;
  bool stop = request->verb == BT_VERB_STOP;
  plan->title = bt_planner_text(planner, "%s the delivery in %s", stop ? "Stop" : "Reconcile",
                                bt_planner_visible(planner, look->evaluation.work.tree));
  if (!stop)
    plan->summary =
        "Makes the record follow what is true now. Evidence that was not taken on the live head goes back to "
        "pending; nothing is ever carried over.";
  else if (request->resumable)
    plan->summary = "Writes down that the delivery stopped at the edge of what was authorized. The record stays open.";
  else
    plan->summary = "Writes down that the delivery stopped at the edge of what was authorized, and closes the record. "
                    "Nothing opens a closed one again.";
  plan->confirm_label = stop ? "stop" : "reconcile";
  plan->undo = stop && !request->resumable ? "none: a new delivery needs a new directive"
                                           : "none: what was taken off stays readable in the record";
  add_difference(planner, look);
  add_checks(planner, look);
  add_steps(planner, look);
  bt_plan_will(planner, "Writes this one record, whole or not at all.");
  bt_plan_will_not(planner, "It does NOT touch the branch, the index, the pull request or a running watcher.");
}

/* The same for a shell. */
static const char *command_of(struct bt_planner *planner, const struct bt_request *request) {
  struct bt_str line;
  bt_str_init(&line, (size_t)1024 * 1024);
  bt_str_puts(&line,
              request->verb == BT_VERB_STOP ? "baton delivery close --boundary-stop" : "baton delivery reconcile");
  bt_str_puts(&line, " --repo ");
  bt_shell_word(&line, request->tree);
  if (request->verb == BT_VERB_STOP) {
    bt_str_puts(&line, request->detail != NULL && request->detail[0] == '-' ? " --detail=" : " --detail ");
    bt_shell_word(&line, request->detail != NULL ? request->detail : "");
    bt_str_puts(&line, request->resumable ? " --resumable" : "");
  }
  bt_str_puts(&line, request->pr_state != NULL ? " --gh --write" : " --write");
  const char *text = line.failed ? NULL : bt_arena_strndup(planner->arena, line.data, line.length);
  planner->failed = planner->failed || text == NULL;
  bt_str_dispose(&line);
  return text;
}

static const char *why_locked(const struct look *look) {
  if (look->evaluation.source == BT_SOURCE_PR)
    return "the record lies in the pull request: publishing is done from a shell, with --confirm-publish";
  if (look->dry.refused)
    return look->dry.code;
  return look->needs_detail ? "say what stopped it" : NULL;
}

/* ---- the plan ---- */

static struct bt_json *payload_of(const struct look *look, bool dry_run) {
  struct bt_json *payload = bt_json_new_object();
  const char *code = dry_run ? "would-write" : "written";
  if (payload == NULL || bt_json_set_string(payload, "schema", "baton/delivery-verdict-v1") != BT_OK ||
      bt_json_set_string(payload, "verdict", bt_verdict_word(look->evaluation.verdict)) != BT_OK ||
      bt_json_set_string(payload, "code", code) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  struct bt_str text;
  bt_str_init(&text, ARENA_MAX);
  bt_doc_print(&text, look->change.after, 0, BT_DOC_HIDE_SECRETS);
  struct bt_json *after = text.failed ? NULL : bt_json_parse(text.data, text.length, NULL);
  bt_str_dispose(&text);
  if (after != NULL && bt_json_set(payload, "after", after) == BT_OK)
    return payload;
  bt_json_free(payload);
  return NULL;
}

/* Everything that the plan rests on; not the time. */
static void mix_facts(struct bt_planner *planner, const struct look *look) {
  const struct bt_evaluation *evaluation = &look->evaluation;
  const struct bt_store_copy *copy = copy_of(evaluation);
  bt_plan_mix(planner, "store", bt_source_word(evaluation->source));
  bt_plan_mix(planner, "record", copy->bytes != NULL ? bt_planner_text(planner, "%s", copy->bytes) : NULL);
  bt_plan_mix(planner, "verdict", bt_verdict_word(evaluation->verdict));
  bt_plan_mix(planner, "head", evaluation->live.head);
  bt_plan_mix(planner, "refusal", look->dry.refused ? look->dry.code : NULL);
  for (size_t i = 0; i < evaluation->reasons.count; i++)
    bt_plan_mix(planner, "reason", evaluation->reasons.items[i]);
}

static enum bt_code make_plan(const struct bt_env *env, const struct bt_request *request, const struct look *look,
                              struct bt_plan **plan, struct bt_error *err) {
  struct bt_planner planner;
  enum bt_code code = bt_planner_init(&planner, env, request, err);
  if (code == BT_OK) {
    describe(&planner, request, look);
    mix_facts(&planner, look);
    planner.plan->request.subject = bt_planner_text(&planner, "%s", request->tree);
    bt_plan_answer(&planner, payload_of(look, true), "dry-run: would %s the delivery in %s; pass --write to do it",
                   bt_verb_word(request->verb), request->tree);
    const char *command = command_of(&planner, request);
    const char *locked = why_locked(look);
    code = bt_planner_finish(&planner, plan, err);
    if (code == BT_OK) {
      (*plan)->command = command;
      (*plan)->disabled = (*plan)->disabled != NULL ? (*plan)->disabled : locked;
    }
  }
  bt_planner_dispose(&planner);
  return code;
}

enum bt_code bt_delivery_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                                 struct bt_error *err) {
  struct look look;
  *plan = NULL;
  enum bt_code code = look_at(env, request, &look, err);
  if (code == BT_OK)
    code = make_plan(env, request, &look, plan, err);
  dispose(&look);
  return code;
}

/* ---- execution ---- */

/* What was done or refused there is in the action log then. */
static enum bt_code write_it(const struct bt_request *request, struct look *look, struct bt_receipt *receipt,
                             struct bt_error *err) {
  struct bt_delivery_applied applied;
  enum bt_code code = apply(request, look, true, &applied, err);
  if (code == BT_OK && applied.refused)
    return bt_delivery_refusal(&applied, err);
  if (code == BT_OK && applied.unlogged)
    receipt->warning = "the action log could not be written";
  return code;
}

/* The same plan again, from what is true now. */
static enum bt_code recheck(const struct bt_env *env, const struct bt_plan *plan, const struct look *look,
                            struct bt_error *err) {
  struct bt_plan *again = NULL;
  enum bt_code code = make_plan(env, &plan->request, look, &again, err);
  if (code == BT_OK && again->disabled != NULL)
    code = bt_error_set(err, env->readonly ? BT_READONLY : BT_REFUSED, "delivery", "%s", again->disabled);
  if (code == BT_OK && strcmp(again->fingerprint, plan->fingerprint) != 0)
    code = bt_error_set(err, BT_STALE, BT_RECORD_PATH, "the delivery changed under this plan; nothing was written");
  bt_plan_free(again);
  return code;
}

static enum bt_code make_receipt(const struct bt_plan *plan, const struct look *look, struct bt_receipt **receipt,
                                 struct bt_error *err) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct bt_receipt *made = arena != NULL ? BT_ARENA_NEW(arena, struct bt_receipt) : NULL;
  struct bt_str text;
  bt_str_init(&text, ARENA_MAX);
  struct bt_json *payload = payload_of(look, false);
  if (payload != NULL)
    bt_json_print_pretty(&text, payload);
  bt_json_free(payload);
  if (made != NULL) {
    made->arena = arena;
    made->payload = text.failed ? NULL : bt_arena_strndup(arena, text.data, text.length);
    made->human = plan->request.verb == BT_VERB_STOP
                      ? (plan->request.resumable ? "stopped; the record stays open" : "stopped; the record is closed")
                      : "reconciled: the record follows what is true now";
  }
  bt_str_dispose(&text);
  if (made != NULL && payload != NULL && made->payload != NULL) {
    *receipt = made;
    return BT_OK;
  }
  bt_arena_free(arena);
  return bt_error_set(err, BT_NOMEM, "delivery", "out of memory");
}

enum bt_code bt_delivery_op_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                                    struct bt_error *err) {
  struct look look;
  struct bt_error own = {0};
  *receipt = NULL;
  enum bt_code code = look_at(env, &plan->request, &look, &own);
  if (code == BT_STATE)
    own.code = code = BT_STALE;
  if (code == BT_OK)
    code = recheck(env, plan, &look, &own);
  if (code == BT_OK) /* the words first: once the record is there nothing may fail any more */
    code = make_receipt(plan, &look, receipt, &own);
  bool logged = code == BT_OK;
  if (code == BT_OK)
    code = write_it(&plan->request, &look, *receipt, &own);
  if (!logged && !env->readonly && bt_actionlog_add(env, &plan->request, &own, NULL, NULL) != BT_OK)
    bt_error_append(&own, "the action log could not be written");
  if (code != BT_OK) {
    bt_receipt_free(*receipt);
    *receipt = NULL;
  }
  dispose(&look);
  if (code != BT_OK && err != NULL)
    *err = own;
  return code;
}
