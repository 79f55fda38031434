/* core/delivery/apply.c - the three stores, and what is kept before they are written to. */
#include "core/delivery/apply.h"

#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/delivery/gh.h"
#include "core/delivery/identity.h"
#include "core/delivery/write.h"
#include "core/ops/actionlog.h"
#include "core/ops/command.h"

#define CORRUPT_MAX ((size_t)64 * 1024 * 1024)
#define LINE_MAX_BYTES ((size_t)256 * 1024)

struct apply {
  const struct bt_delivery_order *order;
  const struct bt_delivery_request *request;
  struct bt_evaluation *evaluation;
  struct bt_delivery_applied *applied;
  struct bt_str printed;
};

enum bt_code bt_delivery_target(const char *word, const struct bt_evaluation *evaluation, enum bt_source *target,
                                struct bt_error *err) {
  *target = evaluation->delivery != NULL ? evaluation->source : BT_SOURCE_FILE;
  if (word == NULL)
    return BT_OK;
  for (enum bt_source source = BT_SOURCE_FILE; source <= BT_SOURCE_HOST; source++) {
    if (strcmp(word, bt_source_word(source)) == 0) {
      *target = source;
      return BT_OK;
    }
  }
  return bt_error_set(err, BT_USAGE, "--store", "--store is file, pr or host");
}

const char *bt_delivery_store_word(const struct bt_delivery_request *request, const struct bt_evaluation *evaluation,
                                   enum bt_source target, const char *pr_number) {
  switch (target) {
  case BT_SOURCE_PR:
    return bt_arena_printf(evaluation->arena, "pull-request-description:%s", pr_number != NULL ? pr_number : "");
  case BT_SOURCE_HOST:
    return bt_arena_printf(evaluation->arena, "host:%s", request->host_label);
  default:
    return BT_RECORD_PATH;
  }
}

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* Takes the line; one that memory was too short for is not said. */
static void say(const struct apply *apply, struct bt_str *line) {
  if (apply->order->say != NULL && !line->failed)
    apply->order->say(line->data);
  bt_str_dispose(line);
}

static void refuse(struct apply *apply, const char *refusal) {
  apply->applied->code = refusal;
  apply->applied->exit_status = BT_DELIVERY_EXIT_REFUSED;
  apply->applied->after = NULL;
  apply->applied->refused = true;
}

static void done(struct apply *apply) {
  if (!apply->order->write)
    return;
  apply->applied->code = "written";
  apply->applied->written = true;
}

enum bt_code bt_delivery_refusal(const struct bt_delivery_applied *applied, struct bt_error *err) {
  bool changed = strcmp(applied->code, "refused:changed-meanwhile") == 0;
  return bt_error_set(err, changed ? BT_STALE : BT_REFUSED, BT_RECORD_PATH, "%s", applied->code);
}

/* ---- copies of what is written over ---- */

static const char *stamped(struct apply *apply, const char *stem, const char *number, const char *ending) {
  char time[32], plain[32];
  size_t length = 0;
  bt_time_seconds(time, apply->request->now_ms);
  for (const char *at = time; *at != '\0'; at++) {
    if (*at != '-' && *at != ':')
      plain[length++] = *at;
  }
  plain[length] = '\0';
  return bt_arena_printf(apply->evaluation->arena, "%s%s%s-%s%s", stem, number, number[0] != '\0' ? "-body" : "", plain,
                         ending);
}

/* The unreadable record that is about to be written over. */
static enum bt_code keep_corrupt(struct apply *apply, struct bt_error *err) {
  const struct bt_work *work = &apply->evaluation->work;
  struct bt_str bytes, line;
  const char *path = NULL, *name = stamped(apply, "corrupt-handoff", "", ".json");
  bt_str_init(&bytes, CORRUPT_MAX);
  int tree = bt_fs_open_root(work->tree, err);
  enum bt_code code = tree < 0 ? BT_IO : bt_fs_read_at(tree, BT_RECORD_PATH, &bytes, err);
  if (code == BT_OK && name == NULL)
    code = out_of_memory(err);
  if (code == BT_OK)
    code = bt_delivery_write_backup(work, name, bytes.data, bytes.length, &path, err);
  if (code == BT_OK) {
    bt_str_init(&line, LINE_MAX_BYTES);
    bt_str_printf(&line, "the unreadable record was copied to %s", path);
    say(apply, &line);
  }
  if (tree >= 0)
    close(tree);
  bt_str_dispose(&bytes);
  return code;
}

/* ---- the three stores ---- */

static enum bt_code to_file(struct apply *apply, struct bt_error *err) {
  struct bt_evaluation *evaluation = apply->evaluation;
  const struct bt_store_copy *old = &evaluation->file;
  bool write = apply->order->write, corrupt = old->present && old->reading.kind == BT_DELIVERY_CORRUPT;
  struct bt_delivery_outcome outcome;
  enum bt_code code = bt_delivery_write_record(&evaluation->work, old, apply->printed.data, apply->printed.length,
                                               write && !corrupt, &outcome, err);
  if (code == BT_OK && outcome.refusal == NULL && write && corrupt) {
    code = keep_corrupt(apply, err);
    if (code == BT_OK)
      code = bt_delivery_write_record(&evaluation->work, old, apply->printed.data, apply->printed.length, true,
                                      &outcome, err);
  }
  apply->applied->target = BT_RECORD_PATH;
  apply->applied->exclusion_needed = outcome.exclusion_needed;
  if (code == BT_OK && outcome.refusal != NULL)
    refuse(apply, outcome.refusal);
  else if (code == BT_OK)
    done(apply);
  return code;
}

static enum bt_code to_host(struct apply *apply, struct bt_error *err) {
  const char *path = apply->request->host_path;
  struct bt_delivery_outcome outcome = {.refusal = NULL};
  if (path == NULL)
    return bt_error_set(err, BT_USAGE, "--store", "--store host needs --host-store or BATON_HANDOFF_STORE");
  apply->applied->target = path;
  enum bt_code code = BT_OK;
  if (apply->order->write)
    code = bt_delivery_write_file(&apply->evaluation->work, path, &apply->evaluation->host, apply->printed.data,
                                  apply->printed.length, &outcome, err);
  if (code == BT_OK && outcome.refusal != NULL)
    refuse(apply, outcome.refusal);
  else if (code == BT_OK)
    done(apply);
  return code;
}

/* Where the old description is, and the line for a shell that puts it back. */
static void say_kept(const struct apply *apply, const char *number, const char *identity, const char *backup) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_str_printf(&line, "the description as it was: %s", backup);
  say(apply, &line);
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_str_puts(&line, "to put it back: gh pr edit ");
  bt_shell_word(&line, number);
  bt_str_puts(&line, " --repo ");
  bt_shell_word(&line, identity);
  bt_str_puts(&line, " --body-file ");
  bt_shell_word(&line, backup);
  say(apply, &line);
}

/* The new description to a file or to the forge, once the old one is safe. */
static enum bt_code publish(struct apply *apply, const char *number, const char *identity, const struct bt_str *body,
                            struct bt_error *err) {
  const struct bt_work *work = &apply->evaluation->work;
  const char *old = apply->evaluation->pr.body != NULL ? apply->evaluation->pr.body : "";
  const char *backup = NULL, *draft = NULL, *name = stamped(apply, "pr-", number, ".md");
  const char *draft_name = stamped(apply, "new-pr-", number, ".md");
  struct bt_delivery_outcome outcome;
  if (name == NULL || draft_name == NULL)
    return out_of_memory(err);
  enum bt_code code = bt_delivery_write_backup(work, name, old, strlen(old), &backup, err);
  if (code != BT_OK)
    return code;
  say_kept(apply, number, identity, backup);
  if (apply->order->body_out != NULL)
    return bt_delivery_write_file(work, apply->order->body_out, NULL, body->data, body->length, &outcome, err);
  code = bt_delivery_write_backup(work, draft_name, body->data, body->length, &draft, err);
  if (code == BT_OK)
    code = bt_gh_edit(apply->request->env, number, identity, draft, err);
  if (code == BT_OK)
    bt_delivery_drop_backup(draft); /* it is the description now; where that failed, it can still be given by hand */
  return code;
}

static void say_unconfirmed(const struct apply *apply, const char *number) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_str_printf(&line, "directive and watchers would be shown to every reader of pull request %s: --confirm-publish",
                number);
  say(apply, &line);
}

static enum bt_code to_pr(struct apply *apply, const struct bt_node *after, struct bt_error *err) {
  struct bt_evaluation *evaluation = apply->evaluation;
  const struct bt_pr *pr = &evaluation->pr;
  struct bt_delivery_reading reading;
  struct bt_node *copy = bt_node_clone(evaluation->arena, after);
  bool no_memory = copy == NULL;
  if (no_memory)
    return out_of_memory(err);
  enum bt_code code = bt_delivery_judge(evaluation->arena, copy, &reading, err);
  if (code != BT_OK)
    return code;
  const char *number = reading.delivery.pr_number;
  const char *identity = bt_identity_of(evaluation->arena, reading.delivery.repository, &no_memory);
  if (number == NULL)
    return bt_error_set(err, BT_USAGE, "--store", "--store pr needs a record with a pull request");
  if (!pr->given || pr->fault != NULL || pr->state == BT_PR_MISSING || !bt_pr_speaks_of(pr, number))
    return bt_error_set(err, BT_USAGE, "--store",
                        "--store pr needs the description as it is now: --gh, or --pr-state with that pull request");
  apply->applied->target = bt_delivery_store_word(apply->request, evaluation, BT_SOURCE_PR, number);
  if (!apply->order->confirm_publish) {
    say_unconfirmed(apply, number);
    refuse(apply, "refused:publish-unconfirmed");
    return BT_OK;
  }
  if (apply->order->write && apply->order->body_out == NULL && !apply->order->gh)
    return bt_error_set(err, BT_USAGE, "--store", "--store pr writes with --gh, or to --body-out FILE");
  struct bt_str body;
  const char *old = pr->body != NULL ? pr->body : "";
  bt_str_truncate(&apply->printed, apply->printed.length - 1); /* the block brings its own line end */
  bt_str_init(&body, 2 * BT_BODY_MAX);
  bt_block_put(&body, old, strlen(old), &pr->blocks, &apply->printed);
  if (body.failed || identity == NULL || apply->applied->target == NULL)
    code = out_of_memory(err);
  else if (apply->order->write)
    code = publish(apply, number, identity, &body, err);
  bt_str_dispose(&body);
  if (code == BT_OK)
    done(apply);
  return code;
}

/* ---- the whole ---- */

static enum bt_code to_store(struct apply *apply, const struct bt_node *after, struct bt_error *err) {
  bt_doc_print(&apply->printed, after, 0, 0);
  bt_str_putc(&apply->printed, '\n');
  if (apply->printed.failed)
    return out_of_memory(err);
  switch (apply->order->target) {
  case BT_SOURCE_PR:
    return to_pr(apply, after, err);
  case BT_SOURCE_HOST:
    return to_host(apply, err);
  default:
    return to_file(apply, err);
  }
}

/* What was done, and what was refused or failed. A mistake on the command line is neither. */
static void note(struct apply *apply, enum bt_code code, const struct bt_error *failure) {
  struct bt_error outcome = {0};
  if (code == BT_USAGE)
    return;
  if (code != BT_OK)
    outcome = *failure;
  else if (apply->applied->refused)
    (void)bt_delivery_refusal(apply->applied, &outcome);
  apply->applied->unlogged =
      bt_actionlog_note(apply->request->env, apply->order->verb, apply->evaluation->work.tree, &outcome, NULL) != BT_OK;
}

enum bt_code bt_delivery_apply(const struct bt_delivery_order *order, const struct bt_delivery_request *request,
                               struct bt_evaluation *evaluation, const struct bt_change *change,
                               struct bt_delivery_applied *applied, struct bt_error *err) {
  struct apply apply = {order, request, evaluation, applied, {0}};
  struct bt_error own = {0};
  *applied =
      (struct bt_delivery_applied){.code = change->code, .exit_status = change->exit_status, .after = change->after};
  if (change->after == NULL)
    return BT_OK;
  if (order->write && request->env->readonly)
    return bt_error_set(err, BT_READONLY, "delivery", "read-only: nothing is written");
  bt_str_init(&apply.printed, BT_DELIVERY_BYTES_MAX);
  enum bt_code code = to_store(&apply, change->after, &own);
  bt_str_dispose(&apply.printed);
  if (order->write)
    note(&apply, code, &own);
  if (code != BT_OK && err != NULL)
    *err = own;
  return code;
}
