/* core/store/repo_ask.c - asks libgit2, and git itself where libgit2 is not sure. */
#include <string.h>

#include "core/base/arena.h"
#include "core/base/utf8.h"
#include "core/store/git_run.h"
#include "core/store/repo.h"
#include "core/store/repo_find.h"
#include "core/store/repo_lines.h"
#include "core/store/repo_native.h"

#define TEXT_MAX (64 * BT_GIT_OUTPUT_MAX) /* what libgit2 may say before it is measured against git's limit */

const char *bt_repo_variable(const struct bt_env *env, const char *name) {
  return env->getenv_fn == NULL ? NULL : env->getenv_fn(env->getenv_context, name);
}

/* A question in both ways: to libgit2, and the words for git where that cannot answer. */
struct question {
  enum bt_code (*native)(const struct bt_env *env, struct bt_str *text, enum bt_native *how, struct bt_error *err);
  const char *const *args;
};

/* Raw bytes of the answer. Where git cannot be started, a doubtful answer is better than none. */
static enum bt_code ask(const struct bt_env *env, const struct question *question, struct bt_str *raw,
                        enum bt_repo_answer *answer, struct bt_error *err) {
  enum bt_native how = BT_NATIVE_CANNOT;
  struct bt_git_result result;
  struct bt_str printed;
  enum bt_code code = BT_OK;
  enum bt_repo_find found = bt_repo_variable(env, "GIT_DIR") != NULL ? BT_FIND_ASK_GIT : bt_repo_find(env->root);
  *answer = BT_REPO_NONE;
  if (found == BT_FIND_NONE)
    return BT_OK;
  if (found == BT_FIND_PLAIN)
    code = question->native(env, raw, &how, err);
  if (code != BT_OK || how == BT_NATIVE_NONE)
    return code;
  *answer = BT_REPO_KNOWN;
  if (how == BT_NATIVE_SURE)
    return BT_OK;
  bt_str_init(&printed, BT_GIT_OUTPUT_MAX);
  struct bt_error why = {0};
  code = bt_git_run(env->root, question->args, false, &printed, &result, &why);
  bool could_start = code == BT_OK && result.end != BT_GIT_ABSENT;
  if (could_start || how != BT_NATIVE_DOUBTFUL)
    bt_str_clear(raw);
  if (could_start && result.end == BT_GIT_EXITED && result.exit_status == 0)
    bt_str_append(raw, printed.data, printed.length);
  else if (could_start)
    *answer = result.end == BT_GIT_EXITED ? BT_REPO_NONE : BT_REPO_UNKNOWN;
  else if (how != BT_NATIVE_DOUBTFUL)
    *answer = BT_REPO_UNKNOWN;
  bt_str_dispose(&printed);
  return code == BT_NOMEM || raw->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : BT_OK;
}

/* The answer as text, with git's limit on how much it may be. */
static enum bt_code ask_text(const struct bt_env *env, const struct question *question, struct bt_str *text,
                             enum bt_repo_answer *answer, struct bt_error *err) {
  struct bt_str raw;
  bt_str_init(&raw, TEXT_MAX);
  bt_str_init(text, 4 * BT_GIT_OUTPUT_MAX);
  enum bt_code code = ask(env, question, &raw, answer, err);
  if (code == BT_OK && raw.length > BT_GIT_OUTPUT_MAX)
    *answer = BT_REPO_UNKNOWN;
  if (code == BT_OK && *answer == BT_REPO_KNOWN)
    bt_utf8_decode8(text, raw.data, raw.length);
  bt_str_dispose(&raw);
  return text->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

enum bt_code bt_repo_branch(const struct bt_env *env, struct bt_str *branch, enum bt_repo_answer *answer,
                            struct bt_error *err) {
  static const char *const args[] = {"rev-parse", "--abbrev-ref", "HEAD", NULL};
  const struct question question = {bt_native_branch, args};
  struct bt_str text;
  enum bt_code code = ask_text(env, &question, &text, answer, err);
  struct bt_slice name = bt_trim_w(text.data, text.length);
  if (code == BT_OK && *answer == BT_REPO_KNOWN && name.length == 0)
    *answer = BT_REPO_NONE;
  if (code == BT_OK && *answer == BT_REPO_KNOWN)
    bt_str_append(branch, name.data, name.length);
  bt_str_dispose(&text);
  return code == BT_OK && branch->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

enum bt_code bt_repo_status(const struct bt_env *env, struct bt_str *status, enum bt_repo_answer *answer,
                            struct bt_error *err) {
  static const char *const args[] = {"status", "--porcelain", NULL};
  const struct question question = {bt_native_status, args};
  struct bt_str text;
  enum bt_code code = ask_text(env, &question, &text, answer, err);
  if (code == BT_OK)
    bt_str_append(status, text.data, text.length);
  bt_str_dispose(&text);
  return code == BT_OK && status->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

enum bt_code bt_repo_status_brief(const struct bt_env *env, struct bt_str *lines, struct bt_error *err) {
  struct bt_str status;
  enum bt_repo_answer answer;
  bt_str_init(&status, 4 * BT_GIT_OUTPUT_MAX);
  enum bt_code code = bt_repo_status(env, &status, &answer, err);
  if (code == BT_OK)
    bt_status_brief(lines, status.data, status.length, BT_REPO_STATUS_LINES);
  bt_str_dispose(&status);
  return code == BT_OK && lines->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

static size_t count_lines(const struct bt_str *text) {
  size_t count = 0;
  for (size_t i = 0; i < text->length; i++)
    count += text->data[i] == '\n';
  return count;
}

enum bt_code bt_repo_load(const struct bt_env *env, struct bt_arena *arena, struct bt_repo *repo,
                          struct bt_error *err) {
  struct bt_str branch, status;
  enum bt_repo_answer has_branch = BT_REPO_NONE, has_status = BT_REPO_NONE;
  memset(repo, 0, sizeof *repo);
  bt_str_init(&branch, 4 * BT_GIT_OUTPUT_MAX);
  bt_str_init(&status, 4 * BT_GIT_OUTPUT_MAX);
  enum bt_code code = bt_repo_branch(env, &branch, &has_branch, err);
  if (code == BT_OK)
    code = bt_repo_status(env, &status, &has_status, err);
  if (code == BT_OK) {
    repo->known = has_branch != BT_REPO_UNKNOWN && has_status != BT_REPO_UNKNOWN;
    repo->is_repository = has_branch == BT_REPO_KNOWN || has_status == BT_REPO_KNOWN;
    repo->dirty_count = count_lines(&status);
    if (!repo->known)
      repo->problem = "neither libgit2 nor git could say";
    if (has_branch == BT_REPO_KNOWN) {
      repo->branch = bt_arena_strndup(arena, branch.data, branch.length);
      if (repo->branch == NULL)
        code = bt_error_set(err, BT_NOMEM, "git", "out of memory");
    }
  }
  bt_str_dispose(&branch);
  bt_str_dispose(&status);
  return code;
}
