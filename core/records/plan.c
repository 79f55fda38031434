/* core/records/plan.c - a look in words, and the build behind it (plan.h). */
#include "core/records/plan.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/utf8.h"
#include "core/ops/actionlog.h"
#include "core/ops/command.h"
#include "core/records/build.h"
#include "core/records/index.h"
#include "core/records/locate.h"

#define PLAN_BYTES ((size_t)4 << 20)
#define TEXT_BYTES ((size_t)1 << 20)
#define FAULT_BYTES 65536
enum { ROWS = 3, STEPS = 6, CHECKS = 2, SENTENCES = 3 };

const char *bt_record_off(const struct bt_session *session) {
  if (!session->transcript_path)
    return "no transcript of this session was found";
  if (session->transcript_problem)
    return session->transcript_problem;
  if (!session->transcript)
    return "its transcript is still being read";
  return bt_locate_label(session->transcript->harness) ? NULL : "no adapter reads this harness's transcripts";
}

/* One build or look of what the request names. */
struct work {
  struct bt_records records;
  struct bt_str faults, path;
  struct bt_store_source store;
  struct bt_build_report report;
};

static void work_dispose(struct work *work) {
  bt_store_source_close(&work->store);
  bt_build_report_dispose(&work->report);
  bt_records_dispose(&work->records);
  bt_str_dispose(&work->faults);
  bt_str_dispose(&work->path);
}

/* Ends with work_dispose, whatever it returns. */
static enum bt_code work_run(struct work *work, const struct bt_env *env, const struct bt_request *asked,
                             bool look_only, struct bt_error *err) {
  memset(work, 0, sizeof *work);
  bt_build_report_init(&work->report);
  bt_str_init(&work->faults, FAULT_BYTES);
  bt_str_init(&work->path, TEXT_BYTES);
  if (asked->session == NULL || asked->transcript == NULL || asked->harness == NULL)
    return bt_error_set(err, BT_USAGE, "record", "there is no transcript to build a record from");
  bt_utf8_encode8(&work->path, asked->transcript, strlen(asked->transcript));
  if (work->path.failed)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  enum bt_code code = bt_records_find(&work->records, env, &work->faults, err);
  if (code == BT_OK)
    code = bt_store_source_open(&work->store, asked->harness, work->path.data, asked->transcript, err);
  struct bt_build_request request = {
      .source = &work->store.source, .harness = asked->harness, .look_only = look_only, .program = "baton records"};
  return code == BT_OK ? bt_build(&work->records, &request, &work->report, err) : code;
}

/* What must be the same when the plan is carried out: the record, not the transcript, which may grow all the time. */
static bool fingerprint_of(const struct work *work, const struct bt_request *request, char out[BT_SHA256_HEX]) {
  struct bt_str text;
  bt_str_init(&text, TEXT_BYTES * 4);
  bt_str_printf(&text, "record\n%s\n%s\n%s\n%s\n%s\n", request->transcript, request->harness, work->report.folder,
                work->report.id, work->report.sealed);
  bool made = !text.failed;
  bt_sha256_hex(text.data, text.length, out);
  bt_str_dispose(&text);
  return made;
}

/* ---- the plan's words ---- */

struct words {
  struct bt_arena *arena;
  struct bt_plan *plan;
  struct bt_plan_row *rows;
  struct bt_plan_step *steps;
  struct bt_plan_check *checks;
  const char **will, **will_not;
  bool failed;
};

static const char *keep(struct words *words, const char *text) {
  words->failed |= text == NULL;
  return text;
}

/* Text of the outside in its visible form. */
static const char *shown(struct words *words, const char *text) {
  struct bt_str visible;
  bt_str_init(&visible, TEXT_BYTES * 4);
  bt_text_visible(&visible, text, strlen(text));
  const char *kept = visible.failed ? NULL : bt_arena_strndup(words->arena, visible.data, visible.length);
  bt_str_dispose(&visible);
  return keep(words, kept);
}

static void row(struct words *words, const char *label, const char *now, const char *after) {
  words->rows[words->plan->row_count++] =
      (struct bt_plan_row){label, now, after, now != NULL && !bt_text_equals(now, after)};
}

static void step(struct words *words, const char *what, const char *path, const char *note) {
  words->steps[words->plan->step_count++] = (struct bt_plan_step){what, path, note};
}

static void check(struct words *words, enum bt_check kind, const char *text) {
  words->checks[words->plan->check_count++] = (struct bt_plan_check){kind, keep(words, text)};
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static const char *count_text(struct words *words, uint64_t count) {
  return keep(words, bt_arena_printf(words->arena, "%" PRIu64, count));
}

static const char *revision_text(struct words *words, double revision) {
  char digits[BT_NUMBER_TEXT];
  digits[bt_double_to_text(digits, revision)] = '\0';
  return keep(words, bt_arena_strdup(words->arena, digits));
}

static void describe(struct words *words, const struct work *work) {
  const struct bt_build_report *report = &work->report;
  const struct bt_request *request = &words->plan->request;
  const char *folder = shown(words, report->folder);
  row(words, "record", report->is_new ? "none" : revision_text(words, report->revision),
      keep(words, bt_arena_printf(words->arena, "revision %s", revision_text(words, report->revision + 1))));
  row(words, "turns", report->is_new ? "none" : count_text(words, report->before),
      count_text(words, report->before + report->fresh));
  row(words, "project", NULL, shown(words, report->project));
  step(words, "read", shown(words, request->transcript), request->harness);
  step(words, report->is_new ? "make folder" : "keep folder", folder, NULL);
  step(words, report->is_new ? "write" : "append to", "timeline.jsonl",
       keep(words, bt_arena_printf(words->arena, "%" PRIu64 " turn%s; what stands there stays", report->fresh,
                                   plural(report->fresh))));
  step(words, report->is_new ? "write" : "replace", "HANDOFF.md, HANDOFF.summary.json, HANDOFF.llm.json, TOOLS.md",
       NULL);
  step(words, "note it", "PROJECT.md, links/, INDEX.json", "in the same store");
  step(words, "seal", "manifest.json", "last: a build that dies before is made again as a whole");
  if (work->store.left_last)
    check(words, BT_CHECK_WARN, "what stands last in the transcript may still change and is left for a later build");
  check(words, BT_CHECK_WARN, "its words are copied as they are, secrets too; in a shell --redact takes those out");
}

static const char *command_of(struct words *words, const struct work *work) {
  const struct bt_request *request = &words->plan->request;
  struct bt_str line;
  bt_str_init(&line, TEXT_BYTES);
  bt_str_puts(&line, "(cd ");
  bt_shell_word(&line, work->records.env->cwd);
  bt_str_puts(&line, " && ");
  if (work->records.rule == BT_STORE_ENV) {
    bt_str_puts(&line, "HANDOFFS_ROOT=");
    bt_shell_word(&line, work->records.root);
    bt_str_putc(&line, ' ');
  }
  bt_str_puts(&line, "baton records build --from ");
  bt_shell_word(&line, request->transcript);
  bt_str_printf(&line, " --harness %s)", request->harness);
  const char *kept = line.failed ? NULL : bt_arena_strndup(words->arena, line.data, line.length);
  bt_str_dispose(&line);
  return keep(words, kept);
}

static struct bt_json *payload_of(const struct bt_request *request, const struct bt_build_report *report,
                                  bool dry_run) {
  struct bt_json *payload = bt_json_new_object();
  if (payload != NULL && bt_json_set_string(payload, "tool", "baton records") == BT_OK &&
      bt_json_set_string(payload, "command", "build") == BT_OK &&
      bt_json_set_bool(payload, "dryRun", dry_run) == BT_OK &&
      bt_json_set_string(payload, "session", request->session) == BT_OK &&
      bt_json_set_string(payload, "source", request->transcript) == BT_OK &&
      bt_json_set_string(payload, "harness", request->harness) == BT_OK &&
      bt_json_set_string(payload, "folder", report->folder) == BT_OK &&
      bt_json_set_number(payload, "new_turns", (double)report->fresh) == BT_OK &&
      bt_json_set_bool(payload, "up_to_date", report->up_to_date) == BT_OK)
    return payload;
  bt_json_free(payload);
  return NULL;
}

/* The document in the arena; takes `payload`. */
static const char *printed(struct bt_arena *arena, struct bt_json *payload) {
  struct bt_str text;
  bt_str_init(&text, PLAN_BYTES);
  bt_json_print_pretty(&text, payload);
  const char *kept = payload == NULL || text.failed ? NULL : bt_arena_strndup(arena, text.data, text.length);
  bt_str_dispose(&text);
  bt_json_free(payload);
  return kept;
}

static void say_all(struct words *words, const struct work *work) {
  const struct bt_build_report *report = &work->report;
  struct bt_plan *plan = words->plan;
  const char *session = shown(words, plan->request.session);
  plan->title =
      keep(words, bt_arena_printf(words->arena, "%s the record of %s", report->is_new ? "Build" : "Refresh", session));
  plan->summary =
      "Writes this session's record from its transcript: one folder that a person reads, a program parses and "
      "anyone can check. The ledger and the transcript are only read.";
  describe(words, work);
  words->will[plan->will_count++] =
      keep(words, bt_arena_printf(words->arena, "Adds %" PRIu64 " turn%s to the record and makes its files again.",
                                  report->fresh, plural(report->fresh)));
  words->will_not[plan->will_not_count++] = "It does NOT touch the ledger, the transcript or the working tree.";
  words->will_not[plan->will_not_count++] = "It does NOT send anything anywhere, and needs no key.";
  plan->undo = "turns in a record are never taken out again; remove its folder to be rid of it";
  plan->confirm_label = report->is_new ? "build" : "refresh";
  plan->disabled = work->records.env->readonly ? "read-only: started with --readonly"
                   : report->up_to_date        ? "the record is up to date"
                                               : NULL;
  plan->command = command_of(words, work);
  plan->payload = keep(words, printed(words->arena, payload_of(&plan->request, report, true)));
  plan->human =
      report->up_to_date
          ? keep(words, bt_arena_printf(words->arena, "dry-run: the record of %s is up to date", session))
          : keep(words, bt_arena_printf(words->arena, "dry-run: %" PRIu64 " turn%s would be added to the record of %s",
                                        report->fresh, plural(report->fresh), session));
}

static bool keep_request(struct words *words, const struct bt_request *asked) {
  struct bt_request *request = &words->plan->request;
  *request = (struct bt_request){.verb = BT_VERB_RECORD};
  request->session = bt_arena_strdup(words->arena, asked->session);
  request->transcript = bt_arena_strdup(words->arena, asked->transcript);
  request->harness = bt_arena_strdup(words->arena, asked->harness);
  return request->session != NULL && request->transcript != NULL && request->harness != NULL;
}

static struct bt_plan *make(const struct work *work, const struct bt_request *asked) {
  struct words words = {.arena = bt_arena_new(PLAN_BYTES)};
  words.plan = words.arena != NULL ? BT_ARENA_NEW(words.arena, struct bt_plan) : NULL;
  if (words.plan != NULL) {
    words.rows = BT_ARENA_ARRAY(words.arena, struct bt_plan_row, ROWS);
    words.steps = BT_ARENA_ARRAY(words.arena, struct bt_plan_step, STEPS);
    words.checks = BT_ARENA_ARRAY(words.arena, struct bt_plan_check, CHECKS);
    words.will = BT_ARENA_ARRAY(words.arena, const char *, SENTENCES);
    words.will_not = BT_ARENA_ARRAY(words.arena, const char *, SENTENCES);
  }
  bool whole = words.plan != NULL && words.rows != NULL && words.steps != NULL && words.checks != NULL &&
               words.will != NULL && words.will_not != NULL && keep_request(&words, asked);
  if (whole) {
    struct bt_plan *plan = words.plan;
    say_all(&words, work);
    words.failed |= !fingerprint_of(work, &plan->request, plan->fingerprint);
    plan->arena = words.arena;
    plan->rows = words.rows;
    plan->steps = words.steps;
    plan->checks = words.checks;
    plan->will = words.will;
    plan->will_not = words.will_not;
  }
  if (whole && !words.failed)
    return words.plan;
  bt_arena_free(words.arena);
  return NULL;
}

enum bt_code bt_record_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                            struct bt_error *err) {
  struct work work;
  *plan = NULL;
  enum bt_code code = work_run(&work, env, request, true, err);
  if (code == BT_OK && (*plan = make(&work, request)) == NULL)
    code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
  work_dispose(&work);
  return code;
}

/* ---- doing it ---- */

/* The record as it is now is the one of the plan. */
static enum bt_code recheck(const struct bt_env *env, const struct bt_plan *plan, struct bt_error *err) {
  struct work work;
  char now[BT_SHA256_HEX];
  enum bt_code code = work_run(&work, env, &plan->request, true, err);
  if (code == BT_OK) {
    if (!fingerprint_of(&work, &plan->request, now))
      code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
    else if (strcmp(now, plan->fingerprint) != 0)
      code = bt_error_set(err, BT_STALE, plan->request.session,
                          "the record changed under this command; nothing was changed");
  }
  work_dispose(&work);
  return code;
}

static struct bt_receipt *receipt_of(const struct work *work, const struct bt_request *request) {
  const struct bt_build_report *report = &work->report;
  struct bt_arena *arena = bt_arena_new(PLAN_BYTES);
  struct bt_receipt *receipt = arena != NULL ? BT_ARENA_NEW(arena, struct bt_receipt) : NULL;
  struct bt_str folder;
  bt_str_init(&folder, TEXT_BYTES * 4);
  bt_text_visible(&folder, report->folder, strlen(report->folder));
  if (receipt != NULL && !folder.failed) {
    receipt->arena = arena;
    receipt->human = report->up_to_date
                         ? bt_arena_printf(arena, "the record is up to date: %s", folder.data)
                         : bt_arena_printf(arena, "recorded %" PRIu64 " turn%s, %" PRIu64 " of them new, in %s",
                                           report->turns, plural(report->turns), report->fresh, folder.data);
    receipt->payload = printed(arena, payload_of(request, report, false));
  }
  bt_str_dispose(&folder);
  if (receipt != NULL && receipt->human != NULL && receipt->payload != NULL)
    return receipt;
  bt_arena_free(arena);
  return NULL;
}

/* The log is no evidence: what is done stays done, with a warning. */
static void log_it(const struct bt_env *env, const struct bt_request *request, const struct bt_error *outcome,
                   struct bt_receipt *receipt) {
  struct bt_error failed = {0};
  if (env->readonly || bt_actionlog_add(env, request, outcome, receipt, &failed) == BT_OK || receipt == NULL)
    return;
  receipt->warning = bt_arena_printf(receipt->arena, "the action log could not be written: %s", failed.message);
}

enum bt_code bt_record_execute(const struct bt_env *env, const struct bt_plan *plan, struct bt_receipt **receipt,
                               struct bt_error *err) {
  struct bt_error own;
  struct bt_error *outcome = err != NULL ? err : &own;
  struct work work;
  memset(outcome, 0, sizeof *outcome);
  *receipt = NULL;
  enum bt_code code = recheck(env, plan, outcome);
  if (code == BT_OK) {
    code = work_run(&work, env, &plan->request, false, outcome);
    if (code == BT_OK && (*receipt = receipt_of(&work, &plan->request)) == NULL)
      code = bt_error_set(outcome, BT_NOMEM, "record", "the record was built, but out of memory for the words");
    work_dispose(&work);
  }
  if (code == BT_OK)
    memset(outcome, 0, sizeof *outcome);
  log_it(env, &plan->request, outcome, *receipt);
  return code;
}
