/* cli/cmd_delivery.c - `baton delivery record|show|validate|reconcile|close`. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_delivery.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/delivery/apply.h"
#include "core/delivery/guard.h"
#include "core/model/plan.h"
#include "core/store/git_run.h"

#define ARENA_MAX ((size_t)512 * 1024 * 1024)

struct run {
  struct cli_env *cli;
  struct bt_arena *arena;
  struct delivery_flags flags;
  struct bt_delivery_request request;
  struct bt_evaluation evaluation;
};

static int fail(const struct bt_error *err) {
  int status = out_error(err);
  return err->code == BT_USAGE ? BT_DELIVERY_EXIT_USAGE : status == BT_DELIVERY_EXIT_USAGE ? 1 : status;
}

static const char *source_path(struct run *run) {
  switch (run->evaluation.source) {
  case BT_SOURCE_FILE:
    return BT_RECORD_PATH;
  case BT_SOURCE_HOST:
    return run->request.host_path;
  case BT_SOURCE_PR: {
    char number[32] = "";
    const struct bt_pr *pr = &run->evaluation.pr;
    if (pr->has_number)
      (void)snprintf(number, sizeof number, "%.0f", pr->number);
    bool recorded = number[0] == '\0' && run->evaluation.delivery != NULL;
    return bt_delivery_store_word(&run->request, &run->evaluation, BT_SOURCE_PR,
                                  recorded ? run->evaluation.delivery->pr_number : number);
  }
  default:
    return NULL;
  }
}

static struct delivery_result result_of(struct run *run) {
  return (struct delivery_result){.evaluation = &run->evaluation,
                                  .watchers = &run->request.watchers,
                                  .source_path = source_path(run),
                                  .now_ms = run->request.now_ms,
                                  .exit_status = bt_verdict_exit(run->evaluation.verdict)};
}

static void say(const char *line) {
  out_say("%s", line);
}

/* As the action log has it; a stop is told apart from an end, as in the dialogs. */
static const char *verb_word(const struct delivery_flags *flags) {
  if (flags->verb == DELIVERY_CLOSE)
    return flags->boundary_stop ? bt_verb_word(BT_VERB_STOP) : "close";
  return flags->verb == DELIVERY_RECONCILE ? bt_verb_word(BT_VERB_RECONCILE) : "delivery-record";
}

/* Where the change goes, and how. */
static enum bt_code order_of(struct run *run, struct bt_delivery_order *order, struct bt_error *err) {
  const struct delivery_flags *flags = &run->flags;
  struct bt_str path;
  *order = (struct bt_delivery_order){.verb = verb_word(flags),
                                      .gh = flags->gh,
                                      .confirm_publish = flags->confirm_publish,
                                      .write = flags->write,
                                      .say = say};
  enum bt_code code = bt_delivery_target(flags->store, &run->evaluation, &order->target, err);
  if (code != BT_OK || flags->body_out == NULL)
    return code;
  bt_str_init(&path, 65536);
  code = bt_path_resolve(&path, run->cli->env.cwd, flags->body_out);
  order->body_out = code == BT_OK ? bt_arena_strndup(run->arena, path.data, path.length) : NULL;
  bt_str_dispose(&path);
  return order->body_out != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, "--body-out", "out of memory");
}

static int apply_and_print(struct run *run, const struct bt_change *change) {
  struct delivery_result result = result_of(run);
  struct bt_delivery_order order;
  struct bt_delivery_applied applied;
  struct bt_error err = {0};
  result.before = run->evaluation.delivery != NULL ? run->evaluation.delivery->node : NULL;
  result.notes = &change->notes;
  enum bt_code code = order_of(run, &order, &err);
  if (code == BT_OK)
    code = bt_delivery_apply(&order, &run->request, &run->evaluation, change, &applied, &err);
  if (code != BT_OK)
    return fail(&err);
  if (applied.unlogged)
    out_warning("the action log could not be written");
  result.code = applied.code;
  result.exit_status = applied.exit_status;
  result.after = applied.after;
  result.target = applied.target;
  result.exclusion_needed = applied.exclusion_needed;
  result.written = applied.written;
  return delivery_print(&result, run->flags.json);
}

/* ---- the verbs ---- */

static int do_show(struct run *run) {
  struct bt_error err = {0};
  if (bt_delivery_scan(run->arena, &run->request, &run->evaluation, &err) != BT_OK)
    return fail(&err);
  struct delivery_result result = result_of(run);
  result.open_only = true;
  return delivery_print(&result, run->flags.json);
}

static int do_validate(struct run *run) {
  struct bt_error err = {0};
  if (bt_delivery_evaluate(run->arena, &run->request, &run->evaluation, &err) != BT_OK)
    return fail(&err);
  struct delivery_result result = result_of(run);
  return delivery_print(&result, run->flags.json);
}

static struct bt_watcher_change watcher_change(const struct run *run) {
  return (struct bt_watcher_change){run->flags.watchers, run->flags.supersede, &run->request.watchers};
}

static int do_reconcile(struct run *run) {
  struct bt_error err = {0};
  struct bt_change change;
  struct bt_watcher_change watchers = watcher_change(run);
  enum bt_code code = bt_delivery_evaluate(run->arena, &run->request, &run->evaluation, &err);
  if (code == BT_OK)
    code = bt_change_reconcile(&run->evaluation, &run->flags.reverified, &watchers, run->request.now_ms, &change, &err);
  return code == BT_OK ? apply_and_print(run, &change) : fail(&err);
}

static int do_close(struct run *run) {
  struct bt_error err = {0};
  struct bt_change change;
  const struct delivery_flags *flags = &run->flags;
  enum bt_code code = bt_delivery_evaluate(run->arena, &run->request, &run->evaluation, &err);
  if (code == BT_OK && flags->delivered)
    code = bt_change_close_delivered(&run->evaluation, &flags->completed, flags->evidence, run->request.now_ms, &change,
                                     &err);
  else if (code == BT_OK)
    code =
        bt_change_close_boundary(&run->evaluation, flags->detail, flags->resumable, run->request.now_ms, &change, &err);
  return code == BT_OK ? apply_and_print(run, &change) : fail(&err);
}

/* ---- record ---- */

static enum bt_code read_texts(struct run *run, struct bt_record_wish *wish, struct bt_error *err) {
  const struct delivery_flags *flags = &run->flags;
  const char *bytes = NULL, *reason = NULL;
  size_t length = 0;
  int64_t taken = 0;
  enum bt_code code = BT_OK;
  wish->directive = flags->directive;
  if (flags->directive_file != NULL) {
    code = delivery_read_input(run->arena, flags->directive_file, BT_DELIVERY_BYTES_MAX, run->request.now_ms, &bytes,
                               &length, &taken, err);
    if (code == BT_OK && (strlen(bytes) != length || !bt_utf8_is_plain(bytes, length)))
      code = bt_error_set(err, BT_USAGE, flags->directive_file, "the directive is not plain UTF-8 text");
    wish->directive = bytes;
  }
  if (code != BT_OK || flags->from == NULL)
    return code;
  code = delivery_read_input(run->arena, flags->from, BT_DELIVERY_BYTES_MAX, run->request.now_ms, &bytes, &length,
                             &taken, err);
  if (code == BT_OK && length > BT_DELIVERY_BYTES_MAX)
    return bt_error_set(err, BT_USAGE, flags->from, "--from is not a record: limit:size");
  if (code == BT_OK)
    code = bt_doc_parse(run->arena, bytes, length, &wish->from, &reason, err);
  if (code == BT_CORRUPT || (code == BT_OK && bt_node_type(wish->from) != BT_JSON_OBJECT))
    return bt_error_set(err, BT_USAGE, flags->from, "--from is not a record: %s", reason != NULL ? reason : "type:$");
  return code;
}

/* What the flags do not say is what is live. */
static enum bt_code fill_wish(struct run *run, struct bt_record_wish *wish, struct bt_error *err) {
  const struct delivery_flags *flags = &run->flags;
  const struct bt_delivery *old = flags->update ? run->evaluation.delivery : NULL;
  enum bt_source target;
  *wish = (struct bt_record_wish){.update = flags->update,
                                  .replace_corrupt = flags->replace_corrupt,
                                  .authorize = flags->authorize,
                                  .withhold = flags->withhold,
                                  .pending = flags->pending,
                                  .pull_request = flags->pr,
                                  .no_pull_request = flags->no_pr,
                                  .branch_given = flags->branch != NULL,
                                  .head_given = flags->head != NULL,
                                  .completed = flags->completed,
                                  .watchers = watcher_change(run),
                                  .stop_reason = flags->stop_reason,
                                  .stop_detail = flags->stop_detail};
  enum bt_code code = read_texts(run, wish, err);
  if (code == BT_OK)
    code = bt_delivery_target(flags->store, &run->evaluation, &target, err);
  if (code != BT_OK)
    return code;
  const char *number = run->request.pr_wanted;
  if (number == NULL && old != NULL)
    number = old->pr_number;
  wish->store = bt_delivery_store_word(&run->request, &run->evaluation, target, number);
  struct bt_evaluation present = run->evaluation;
  code = bt_delivery_present(&present, &run->request, flags->branch, &wish->branch, err);
  wish->repository = present.live.repository;
  wish->head = flags->head != NULL ? flags->head : present.live.head;
  if (code == BT_OK && wish->store == NULL)
    code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
  return code;
}

/* A new record needs what nothing can be said about without; the sentence says where it would come from. */
static enum bt_code check_present(const struct run *run, const struct bt_record_wish *wish, struct bt_error *err) {
  bool has_base = wish->from != NULL || (wish->update && run->evaluation.delivery != NULL);
  if (has_base)
    return BT_OK;
  if (wish->branch == NULL)
    return bt_error_set(err, BT_USAGE, "--branch", "HEAD is detached: --branch is needed");
  if (wish->head == NULL)
    return bt_error_set(err, BT_USAGE, "--head", "the branch has no commit here: --head is needed");
  if (wish->repository == NULL)
    return bt_error_set(err, BT_STATE, "remote", "no remote says which repository this is: add one, or use --from");
  return BT_OK;
}

/* A store that may not be written to is said first: nothing else would help. */
static enum bt_code refuse_unsafe(struct run *run, struct bt_change *change, struct bt_error *err) {
  const char *refusal = NULL;
  enum bt_source target;
  enum bt_code code = bt_delivery_target(run->flags.store, &run->evaluation, &target, err);
  change->code = NULL;
  if (code != BT_OK || target != BT_SOURCE_FILE || run->evaluation.verdict != BT_VERDICT_CORRUPT)
    return code;
  code = bt_guard_path(&run->evaluation.work, &refusal, err);
  if (code == BT_OK && refusal != NULL)
    bt_change_none(change, &run->evaluation, refusal, BT_DELIVERY_EXIT_REFUSED);
  return code;
}

static int do_record(struct run *run) {
  struct bt_error err = {0};
  struct bt_change change = {.code = NULL};
  struct bt_record_wish wish;
  enum bt_code code = bt_delivery_evaluate(run->arena, &run->request, &run->evaluation, &err);
  if (code == BT_OK)
    code = refuse_unsafe(run, &change, &err);
  if (code == BT_OK && change.code != NULL)
    return apply_and_print(run, &change);
  if (code == BT_OK)
    code = fill_wish(run, &wish, &err);
  bool in_the_way = (run->evaluation.delivery != NULL && !run->flags.update) ||
                    (run->evaluation.verdict == BT_VERDICT_CORRUPT && !run->flags.replace_corrupt);
  if (code == BT_OK && !in_the_way)
    code = check_present(run, &wish, &err);
  if (code == BT_OK)
    code = bt_change_record(&run->evaluation, &wish, run->request.now_ms, &change, &err);
  return code == BT_OK ? apply_and_print(run, &change) : fail(&err);
}

/* ---- which verb ---- */

static int print_help(void) {
  printf("Usage: baton delivery VERB [FLAGS]     baton delivery VERB --help\n\n"
         "An interrupted delivery, written down so that it can be resumed, and checked before anybody does.\n\n"
         "  record     write down where it stands\n"
         "  show       the record, and where it lies\n"
         "  validate   may it go on?\n"
         "  reconcile  follow a moved head or a merge\n"
         "  close      delivered, or stopped at its boundary\n\n"
         "record, reconcile and close are dry runs unless --write is given.\n");
  return out_flush();
}

static int run_verb(struct run *run, enum delivery_verb verb, int argc, char **argv) {
  static int (*const verbs[])(struct run *) = {do_record, do_show, do_validate, do_reconcile, do_close};
  struct bt_error err = {0};
  enum bt_code code = delivery_flags_read(run->arena, verb, argc, argv, &run->flags, &err);
  if (code == BT_OK && run->flags.help)
    return out_flush();
  if (code == BT_OK)
    code = delivery_request_make(run->cli, run->arena, &run->flags, &run->request, &err);
  return code == BT_OK ? verbs[verb](run) : fail(&err);
}

int cmd_delivery(struct cli_env *cli, int argc, char **argv) {
  static const char *const words[] = {"record", "show", "validate", "reconcile", "close"};
  struct bt_error err = {0};
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
    (void)print_help();
    return argc < 2 ? BT_DELIVERY_EXIT_USAGE : 0;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(argv[1], words[i]) != 0)
      continue;
    struct run run = {.cli = cli, .arena = bt_arena_new(ARENA_MAX)};
    int status = 1;
    if (run.arena == NULL)
      status = out_error(&(struct bt_error){.code = BT_NOMEM});
    else
      status = run_verb(&run, (enum delivery_verb)i, argc - 1, argv + 1);
    bt_arena_free(run.arena);
    return status;
  }
  (void)bt_error_set(&err, BT_USAGE, argv[1], "unknown verb %s: record, show, validate, reconcile or close", argv[1]);
  return fail(&err);
}
