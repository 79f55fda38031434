/* core/delivery/view.c - from evaluations to rows. */
#include "core/delivery/view.h"

#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/delivery/evaluate.h"
#include "core/store/git_run.h"

#define VIEW_MAX ((size_t)256 * 1024 * 1024)

void bt_delivery_view_free(struct bt_delivery_view *view) {
  if (view != NULL)
    bt_arena_free(view->arena);
}

struct maker {
  const struct bt_env *env;
  struct bt_arena *arena; /* of the view; each evaluation has one of its own */
  bool ask_forge, no_memory;
};

/* ---- copies, without what nobody is to read ---- */

static const char *keep(struct maker *maker, const char *text) {
  struct bt_str plain;
  if (text == NULL)
    return NULL;
  bt_str_init(&plain, VIEW_MAX);
  bt_text_without_secrets(&plain, text, strlen(text));
  const char *copy = plain.failed ? NULL : bt_arena_strndup(maker->arena, plain.data, plain.length);
  bt_str_dispose(&plain);
  maker->no_memory = maker->no_memory || copy == NULL;
  return copy;
}

static struct bt_delivery_words keep_words(struct maker *maker, const char *const *items, size_t count) {
  const char **copies = BT_ARENA_ARRAY(maker->arena, const char *, count + 1);
  maker->no_memory = maker->no_memory || copies == NULL;
  for (size_t i = 0; copies != NULL && i < count; i++)
    copies[i] = keep(maker, items[i]);
  return (struct bt_delivery_words){copies, copies != NULL ? count : 0};
}

/* `plain`: kept already, NULL for none. */
static struct bt_delivery_words keep_lines(struct maker *maker, const char *plain) {
  size_t count = plain != NULL;
  for (const char *at = plain; at != NULL && (at = strchr(at, '\n')) != NULL; at++)
    count++;
  const char **lines = BT_ARENA_ARRAY(maker->arena, const char *, count + 1);
  maker->no_memory = maker->no_memory || lines == NULL;
  for (size_t i = 0; lines != NULL && i < count; i++) {
    size_t length = strcspn(plain, "\n");
    lines[i] = bt_arena_strndup(maker->arena, plain, length);
    maker->no_memory = maker->no_memory || lines[i] == NULL;
    plain += length + (plain[length] == '\n');
  }
  return (struct bt_delivery_words){lines, lines != NULL ? count : 0};
}

/* ---- one row ---- */

static bool is_invalid(const struct bt_evaluation *evaluation, size_t index) {
  for (size_t i = 0; i < evaluation->invalidated_count; i++) {
    if (evaluation->invalidated[i] == index)
      return true;
  }
  return false;
}

static void keep_steps(struct maker *maker, const struct bt_evaluation *evaluation, struct bt_delivery_row *row) {
  const struct bt_delivery *delivery = evaluation->delivery;
  struct bt_delivery_mark *marks = BT_ARENA_ARRAY(maker->arena, struct bt_delivery_mark, delivery->completed_count + 1);
  maker->no_memory = maker->no_memory || marks == NULL;
  for (size_t i = 0; marks != NULL && i < delivery->completed_count; i++) {
    const struct bt_delivery_step *step = &delivery->completed[i];
    marks[i] = (struct bt_delivery_mark){keep(maker, step->gate), keep(maker, step->verdict),
                                         keep(maker, step->evidence), is_invalid(evaluation, i)};
    row->invalid_count += marks[i].invalid;
  }
  row->done = marks;
  row->done_count = marks != NULL ? delivery->completed_count : 0;
}

static void keep_watchers(struct maker *maker, const struct bt_evaluation *evaluation, struct bt_delivery_row *row) {
  const struct bt_texts *ids = &evaluation->delivery->watchers;
  const struct bt_liveness_facts facts = {.env = maker->env};
  struct bt_delivery_watcher *watchers = BT_ARENA_ARRAY(maker->arena, struct bt_delivery_watcher, ids->count + 1);
  maker->no_memory = maker->no_memory || watchers == NULL;
  for (size_t i = 0; watchers != NULL && i < ids->count; i++) {
    enum bt_liveness liveness = bt_watcher_liveness(ids->items[i], &facts);
    watchers[i] = (struct bt_delivery_watcher){keep(maker, ids->items[i]), bt_liveness_word(liveness),
                                               liveness == BT_WATCHER_DEAD};
    row->dead_count += liveness == BT_WATCHER_DEAD;
  }
  row->watchers = watchers;
  row->watcher_count = watchers != NULL ? ids->count : 0;
}

static void keep_forge(struct maker *maker, const struct bt_evaluation *evaluation, struct bt_delivery_row *row) {
  const struct bt_pr *pr = &evaluation->pr;
  row->forge_note = keep(maker, evaluation->forge_note);
  if (!pr->given || pr->fault != NULL || !bt_pr_speaks_of(pr, row->pr_number))
    return;
  row->pr_state = bt_pr_state_word(pr->state);
  row->pr_taken_ms = bt_env_now(maker->env);
  if (pr->text != NULL) { /* with all that it says: it is read again, never shown */
    row->forge_text = bt_arena_strdup(maker->arena, pr->text);
    maker->no_memory = maker->no_memory || row->forge_text == NULL;
  }
}

static void fill(struct maker *maker, const struct bt_delivery_request *request, const struct bt_evaluation *evaluation,
                 struct bt_delivery_row *row) {
  const struct bt_delivery *delivery = evaluation->delivery;
  row->source = bt_source_word(evaluation->source);
  row->path = evaluation->source == BT_SOURCE_FILE   ? BT_RECORD_PATH
              : evaluation->source == BT_SOURCE_HOST ? keep(maker, request->host_path)
                                                     : NULL;
  row->verdict = bt_verdict_word(evaluation->verdict);
  row->exit_status = bt_verdict_exit(evaluation->verdict);
  row->reasons = keep_words(maker, evaluation->reasons.items, evaluation->reasons.count);
  row->warnings = keep_words(maker, evaluation->warnings.items, evaluation->warnings.count);
  row->governed = delivery != NULL;
  if (delivery == NULL)
    return;
  row->directive = keep(maker, delivery->directive);
  row->directive_lines = keep_lines(maker, row->directive);
  row->repository = keep(maker, bt_repository_without_user(delivery->repository));
  row->branch = keep(maker, delivery->branch);
  row->head = keep(maker, delivery->head);
  row->stop_reason = keep(maker, delivery->stop_reason);
  row->stop_detail = keep(maker, delivery->stop_detail);
  row->next_step = keep(maker, evaluation->next_step);
  row->live_head = keep(maker, evaluation->live.head);
  row->pr_number = keep(maker, delivery->pr_number);
  row->updated_ms = delivery->updated_ms;
  row->pending = keep_words(maker, delivery->pending.items, delivery->pending.count);
  row->authorized = keep_words(maker, delivery->authorized.items, delivery->authorized.count);
  row->withheld = keep_words(maker, delivery->out_of_scope.items, delivery->out_of_scope.count);
  keep_steps(maker, evaluation, row);
  keep_watchers(maker, evaluation, row);
  if (row->pr_number != NULL)
    keep_forge(maker, evaluation, row);
}

static enum bt_code look(struct maker *maker, const char *tree, struct bt_delivery_row *row, struct bt_error *err) {
  struct bt_error why = {0};
  struct bt_evaluation evaluation;
  struct bt_delivery_request request;
  struct bt_arena *own = bt_arena_new(VIEW_MAX);
  *row = (struct bt_delivery_row){
      .updated_ms = BT_TIME_UNKNOWN, .pr_taken_ms = BT_TIME_UNKNOWN, .tree = bt_arena_strdup(maker->arena, tree)};
  if (own == NULL || row->tree == NULL) {
    bt_arena_free(own);
    return bt_error_set(err, BT_NOMEM, "deliveries", "out of memory");
  }
  row->name = bt_path_basename(row->tree);
  bt_delivery_request_usual(&request, maker->env, row->tree);
  request.use_gh = maker->ask_forge;
  enum bt_code code = bt_delivery_evaluate(own, &request, &evaluation, &why);
  if (code == BT_OK)
    fill(maker, &request, &evaluation, row);
  else if (code != BT_NOMEM)
    row->error = keep(maker, why.message[0] != '\0' ? why.message : bt_code_words(code));
  bt_arena_free(own);
  return code == BT_NOMEM || maker->no_memory ? bt_error_set(err, BT_NOMEM, "deliveries", "out of memory") : BT_OK;
}

/* ---- all of them ---- */

/* `worktree PATH NUL ... NUL NUL` for each; a bare one has no tree. *own: the one that baton runs in. */
static enum bt_code find_trees(struct maker *maker, struct bt_codes *trees, const char **own, struct bt_error *err) {
  static const char *const args[] = {"worktree", "list", "--porcelain", "-z", NULL};
  struct bt_work work;
  struct bt_str output;
  int status = 0;
  enum bt_code code = bt_work_open(maker->arena, maker->env->root, &work, err);
  if (code != BT_OK)
    return code;
  *own = work.tree;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  code = bt_work_ask(&work, args, &output, &status, err);
  const char *tree = NULL;
  for (size_t at = 0; code == BT_OK && status == 0 && at < output.length; at += strlen(output.data + at) + 1) {
    const char *line = output.data + at;
    if (bt_starts_with(line, "worktree "))
      tree = line + strlen("worktree ");
    else if (strcmp(line, "bare") == 0)
      tree = NULL;
    else if (line[0] == '\0' && tree != NULL)
      bt_codes_add(trees, "%s", tree);
  }
  bt_str_dispose(&output);
  if (code == BT_OK && trees->count == 0) /* a git that has no -z here still has the one tree */
    bt_codes_add(trees, "%s", work.tree);
  return code == BT_OK && trees->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

/* 2: the tree that baton runs in, 1: something lies where a record would, 0: neither. */
static int rank_of(const char *tree, const char *own) {
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  int folder = bt_fs_open_root(tree, NULL);
  if (folder >= 0) {
    bt_fs_stat_at(folder, BT_RECORD_PATH, &stat);
    close(folder);
  }
  return strcmp(tree, own) == 0 ? 2 : stat.kind != BT_FS_ABSENT;
}

/* More trees than are looked at: those that matter are, in the order that git lists them in. */
static enum bt_code take_first_what_matters(struct maker *maker, const struct bt_codes *trees, const char *own,
                                            const char **chosen, struct bt_error *err) {
  int *ranks = BT_ARENA_ARRAY(maker->arena, int, trees->count + 1);
  size_t left = BT_DELIVERY_TREES_MAX, taken = 0;
  if (ranks == NULL)
    return bt_error_set(err, BT_NOMEM, "deliveries", "out of memory");
  for (size_t i = 0; i < trees->count; i++)
    ranks[i] = rank_of(trees->items[i], own);
  for (int rank = 2; rank >= 0; rank--) {
    for (size_t i = 0; i < trees->count && left > 0; i++) {
      if (ranks[i] == rank) {
        ranks[i] = -1;
        left--;
      }
    }
  }
  for (size_t i = 0; i < trees->count; i++) {
    if (ranks[i] < 0)
      chosen[taken++] = trees->items[i];
  }
  return BT_OK;
}

static enum bt_code fill_view(struct maker *maker, struct bt_delivery_view *view, struct bt_error *err) {
  struct bt_codes trees;
  const char *own = NULL, *chosen[BT_DELIVERY_TREES_MAX];
  bt_codes_init(&trees, maker->arena);
  enum bt_code code = find_trees(maker, &trees, &own, err);
  size_t count = trees.count < BT_DELIVERY_TREES_MAX ? trees.count : BT_DELIVERY_TREES_MAX;
  if (code == BT_OK)
    code = take_first_what_matters(maker, &trees, own, chosen, err);
  struct bt_delivery_row *rows = code == BT_OK ? BT_ARENA_ARRAY(maker->arena, struct bt_delivery_row, count + 1) : NULL;
  if (code == BT_OK && rows == NULL)
    return bt_error_set(err, BT_NOMEM, "deliveries", "out of memory");
  for (size_t i = 0; code == BT_OK && i < count; i++) {
    code = look(maker, chosen[i], &rows[i], err);
    view->open_count += rows[i].governed;
  }
  view->rows = rows;
  view->count = count;
  view->cut = trees.count - count;
  return code;
}

enum bt_code bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                   struct bt_error *err) {
  struct maker maker = {.env = env, .arena = bt_arena_new(VIEW_MAX), .ask_forge = ask_forge};
  struct bt_delivery_view *made = maker.arena != NULL ? BT_ARENA_NEW(maker.arena, struct bt_delivery_view) : NULL;
  *view = NULL;
  if (made == NULL) {
    bt_arena_free(maker.arena);
    return bt_error_set(err, BT_NOMEM, "deliveries", "out of memory");
  }
  made->arena = maker.arena;
  made->taken_at_ms = bt_env_now(env);
  made->forge_asked = ask_forge;
  enum bt_code code = fill_view(&maker, made, err);
  if (code == BT_OK)
    *view = made;
  else
    bt_arena_free(maker.arena);
  return code;
}
