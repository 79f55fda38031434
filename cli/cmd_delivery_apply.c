/* cli/cmd_delivery_apply.c - a changed record goes to its store, or is said to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd_delivery.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/delivery/gh.h"
#include "core/delivery/identity.h"
#include "core/delivery/write.h"

#define CORRUPT_MAX ((size_t)64 * 1024 * 1024)

struct apply {
  const struct cli_env *cli;
  const struct delivery_flags *flags;
  const struct bt_delivery_request *request;
  struct bt_evaluation *evaluation;
  struct delivery_result *result;
  struct bt_str printed;
  bool write;
};

enum bt_code delivery_target(const struct delivery_flags *flags, const struct bt_evaluation *evaluation,
                             enum bt_source *target, struct bt_error *err) {
  *target = evaluation->delivery != NULL ? evaluation->source : BT_SOURCE_FILE;
  if (flags->store == NULL)
    return BT_OK;
  for (enum bt_source source = BT_SOURCE_FILE; source <= BT_SOURCE_HOST; source++) {
    if (strcmp(flags->store, bt_source_word(source)) == 0) {
      *target = source;
      return BT_OK;
    }
  }
  return bt_error_set(err, BT_USAGE, "--store", "--store is file, pr or host");
}

const char *delivery_store_word(const struct bt_delivery_request *request, const struct bt_evaluation *evaluation,
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

static void refuse(struct apply *apply, const char *refusal) {
  apply->result->code = refusal;
  apply->result->exit_status = BT_DELIVERY_EXIT_REFUSED;
  apply->result->after = NULL;
}

static void done(struct apply *apply) {
  if (!apply->write)
    return;
  apply->result->code = "written";
  apply->result->written = true;
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

/* The unreadable record that --replace-corrupt writes over. */
static enum bt_code keep_corrupt(struct apply *apply, struct bt_error *err) {
  const struct bt_work *work = &apply->evaluation->work;
  struct bt_str bytes;
  const char *path = NULL, *name = stamped(apply, "corrupt-handoff", "", ".json");
  bt_str_init(&bytes, CORRUPT_MAX);
  int tree = bt_fs_open_root(work->tree, err);
  enum bt_code code = tree < 0 ? BT_IO : bt_fs_read_at(tree, BT_RECORD_PATH, &bytes, err);
  if (code == BT_OK && name == NULL)
    code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
  if (code == BT_OK)
    code = bt_delivery_write_backup(work, name, bytes.data, bytes.length, &path, err);
  if (code == BT_OK)
    out_say("the unreadable record was copied to %s", path);
  if (tree >= 0)
    close(tree);
  bt_str_dispose(&bytes);
  return code;
}

/* ---- the three stores ---- */

static enum bt_code to_file(struct apply *apply, struct bt_error *err) {
  struct bt_evaluation *evaluation = apply->evaluation;
  const struct bt_store_copy *old = &evaluation->file;
  bool corrupt = old->present && old->reading.kind == BT_DELIVERY_CORRUPT;
  struct bt_delivery_outcome outcome;
  enum bt_code code = bt_delivery_write_record(&evaluation->work, old, apply->printed.data, apply->printed.length,
                                               apply->write && !corrupt, &outcome, err);
  if (code == BT_OK && outcome.refusal == NULL && apply->write && corrupt) {
    code = keep_corrupt(apply, err);
    if (code == BT_OK)
      code = bt_delivery_write_record(&evaluation->work, old, apply->printed.data, apply->printed.length, true,
                                      &outcome, err);
  }
  apply->result->target = BT_RECORD_PATH;
  apply->result->exclusion_needed = outcome.exclusion_needed;
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
  apply->result->target = path;
  enum bt_code code = BT_OK;
  if (apply->write)
    code = bt_delivery_write_file(&apply->evaluation->work, path, &apply->evaluation->host, apply->printed.data,
                                  apply->printed.length, &outcome, err);
  if (code == BT_OK && outcome.refusal != NULL)
    refuse(apply, outcome.refusal);
  else if (code == BT_OK)
    done(apply);
  return code;
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
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  enum bt_code code = bt_delivery_write_backup(work, name, old, strlen(old), &backup, err);
  if (code == BT_OK) {
    out_say("the description as it was: %s", backup);
    out_say("to put it back: gh pr edit %s --repo %s --body-file '%s'", number, identity, backup);
  }
  if (code == BT_OK && apply->flags->body_out != NULL) {
    struct bt_str path;
    bt_str_init(&path, 65536);
    code = bt_path_resolve(&path, apply->cli->env.cwd, apply->flags->body_out);
    if (code == BT_OK)
      code = bt_delivery_write_file(work, path.data, NULL, body->data, body->length, &outcome, err);
    bt_str_dispose(&path);
  } else if (code == BT_OK) {
    code = bt_delivery_write_backup(work, draft_name, body->data, body->length, &draft, err);
    if (code == BT_OK)
      code = bt_gh_edit(&apply->cli->env, number, identity, draft, err);
  }
  return code;
}

static enum bt_code to_pr(struct apply *apply, const struct bt_node *after, struct bt_error *err) {
  struct bt_evaluation *evaluation = apply->evaluation;
  const struct bt_pr *pr = &evaluation->pr;
  struct bt_delivery_reading reading;
  struct bt_node *copy = bt_node_clone(evaluation->arena, after);
  bool no_memory = copy == NULL;
  if (no_memory)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
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
  apply->result->target = delivery_store_word(apply->request, evaluation, BT_SOURCE_PR, number);
  if (!apply->flags->confirm_publish) {
    fprintf(stderr, "directive and watchers would be shown to every reader of pull request %s: --confirm-publish\n",
            number);
    refuse(apply, "refused:publish-unconfirmed");
    return BT_OK;
  }
  if (apply->write && apply->flags->body_out == NULL && !apply->flags->gh)
    return bt_error_set(err, BT_USAGE, "--store", "--store pr writes with --gh, or to --body-out FILE");
  struct bt_str body;
  const char *old = pr->body != NULL ? pr->body : "";
  bt_str_truncate(&apply->printed, apply->printed.length - 1); /* the block brings its own line end */
  bt_str_init(&body, 2 * BT_BODY_MAX);
  bt_block_put(&body, old, strlen(old), &pr->blocks, &apply->printed);
  if (body.failed || identity == NULL || apply->result->target == NULL)
    code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
  else if (apply->write)
    code = publish(apply, number, identity, &body, err);
  bt_str_dispose(&body);
  if (code == BT_OK)
    done(apply);
  return code;
}

enum bt_code delivery_apply(const struct cli_env *cli, const struct delivery_flags *flags,
                            const struct bt_delivery_request *request, struct bt_evaluation *evaluation,
                            const struct bt_change *change, struct delivery_result *result, struct bt_error *err) {
  struct apply apply = {cli, flags, request, evaluation, result, {0}, flags->write};
  enum bt_source target;
  result->code = change->code;
  result->exit_status = change->exit_status;
  result->before = evaluation->delivery != NULL ? evaluation->delivery->node : NULL;
  result->after = change->after;
  result->notes = &change->notes;
  if (change->after == NULL)
    return BT_OK;
  if (flags->write && cli->env.readonly)
    return bt_error_set(err, BT_READONLY, "delivery", "read-only: nothing is written");
  enum bt_code code = delivery_target(flags, evaluation, &target, err);
  if (code != BT_OK)
    return code;
  bt_str_init(&apply.printed, BT_DELIVERY_BYTES_MAX);
  bt_doc_print(&apply.printed, change->after, 0, 0);
  bt_str_putc(&apply.printed, '\n');
  if (apply.printed.failed)
    code = bt_error_set(err, BT_NOMEM, "record", "out of memory");
  else if (target == BT_SOURCE_PR)
    code = to_pr(&apply, change->after, err);
  else
    code = target == BT_SOURCE_HOST ? to_host(&apply, err) : to_file(&apply, err);
  bt_str_dispose(&apply.printed);
  return code;
}
