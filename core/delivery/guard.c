/* core/delivery/guard.c - the questions before a write. */
#include "core/delivery/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/real_path.h"
#include "core/delivery/exclude.h"
#include "core/store/git_run.h"

enum bt_code bt_guard_path(const struct bt_work *work, const char **refusal, struct bt_error *err) {
  struct bt_fs_stat folder, file;
  int tree = bt_fs_open_root(work->tree, err);
  if (tree < 0)
    return BT_IO;
  bt_fs_stat_at(tree, BT_RECORD_FOLDER, &folder);
  bt_fs_stat_at(tree, BT_RECORD_PATH, &file);
  close(tree);
  bool folder_sound = folder.kind == BT_FS_ABSENT || folder.kind == BT_FS_FOLDER;
  bool file_sound = file.kind == BT_FS_ABSENT || file.kind == BT_FS_FILE;
  *refusal = folder_sound && file_sound ? NULL : "refused:unsafe-path";
  return BT_OK;
}

/* Whether git prints anything; a status past `most` is a failure. */
static enum bt_code says_anything(const struct bt_work *work, const char *const *args, int most, bool *says,
                                  struct bt_error *err) {
  struct bt_str output;
  int status = 0;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  enum bt_code code = bt_work_ask(work, args, &output, &status, err);
  *says = output.length > 0;
  bt_str_dispose(&output);
  if (code == BT_OK && status > most)
    return bt_error_set(err, BT_IO, "git", "git %s cannot answer here", args[0]);
  return code;
}

/* Tracked under another case where git takes that for the same path: on a file system that does so too, it is one
 * file. */
static enum bt_code tracked_in_any_case(const struct bt_work *work, bool *tracked, struct bt_error *err) {
  static const char *const question[] = {"config", "--type=bool", "--get", "core.ignoreCase", NULL};
  struct bt_str answer;
  int status = 0;
  *tracked = false;
  bt_str_init(&answer, BT_GIT_OUTPUT_MAX);
  enum bt_code code = bt_work_ask(work, question, &answer, &status, err);
  bool folds = status == 0 && bt_starts_with(answer.data, "true");
  bt_str_dispose(&answer);
  if (code != BT_OK || !folds)
    return code;
  return says_anything(work, (const char *const[]){"ls-files", "-z", "--", ":(icase)" BT_RECORD_PATH, NULL}, 0, tracked,
                       err);
}

enum bt_code bt_guard_index(const struct bt_work *work, const char **refusal, struct bt_error *err) {
  bool has_head = false, in_index = false, in_head = false;
  *refusal = NULL;
  /* Each question reads the index and HEAD from disk anew. */
  enum bt_code code = says_anything(
      work, (const char *const[]){"ls-files", "-z", "--stage", "--", BT_RECORD_PATH, NULL}, 0, &in_index, err);
  if (code == BT_OK)
    code = says_anything(work, (const char *const[]){"rev-parse", "-q", "--verify", "HEAD", NULL}, 1, &has_head, err);
  if (code == BT_OK && has_head)
    code = says_anything(work, (const char *const[]){"ls-tree", "-z", "HEAD", "--", BT_RECORD_PATH, NULL}, 0, &in_head,
                         err);
  bool in_any_case = false;
  if (code == BT_OK && !in_index && !in_head)
    code = tracked_in_any_case(work, &in_any_case, err);
  if (code == BT_OK && (in_index || in_head || in_any_case))
    *refusal = in_any_case || (in_index && in_head) ? "refused:tracked" : "refused:staged";
  return code;
}

/* A repository of its own in the folder's place lists the record, whatever the one around it ignores. */
static enum bt_code folder_is_repository(const struct bt_work *work, bool *is, struct bt_error *err) {
  struct bt_fs_stat stat;
  int tree = bt_fs_open_root(work->tree, err);
  if (tree < 0)
    return BT_IO;
  bt_fs_stat_at(tree, BT_RECORD_FOLDER "/.git", &stat);
  close(tree);
  *is = stat.kind != BT_FS_ABSENT;
  return BT_OK;
}

enum bt_code bt_guard_ignored(const struct bt_work *work, const char **refusal, struct bt_error *err) {
  int status = 0;
  bool nested = false;
  enum bt_code code =
      bt_work_ask(work, (const char *const[]){"check-ignore", "-q", "--", BT_RECORD_PATH, NULL}, NULL, &status, err);
  if (code == BT_OK)
    code = folder_is_repository(work, &nested, err);
  *refusal = code == BT_OK && (status != 0 || nested) ? "refused:not-excluded" : NULL;
  return code;
}

/* `SOURCE:LINE:PATTERN TAB PATH`, where the source is an ignore file inside the working tree and the pattern a `!`
 * rule. */
static bool brings_back(const char *line) {
  static const char *const sources[] = {".gitignore:", BT_RECORD_FOLDER "/.gitignore:"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    if (bt_starts_with(line, sources[i])) {
      line += strlen(sources[i]);
      line += strspn(line, "0123456789");
      return bt_starts_with(line, ":!");
    }
  }
  return false;
}

/* With the line in place, only a `!` rule of an ignore file inside the working tree can still win: those come first. */
enum bt_code bt_guard_would_be_ignored(const struct bt_work *work, const char **refusal, struct bt_error *err) {
  const char *const args[] = {"check-ignore", "-v", "--no-index", "--", BT_RECORD_PATH, NULL};
  struct bt_str output;
  int status = 0;
  bool nested = false;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  enum bt_code code = bt_work_ask(work, args, &output, &status, err);
  if (code == BT_OK)
    code = folder_is_repository(work, &nested, err);
  bool refused =
      nested || status > 1 || (status == 0 && brings_back(output.data)); /* past 1 git will not speak of this path */
  *refusal = code == BT_OK && refused ? "refused:not-excluded" : NULL;
  bt_str_dispose(&output);
  return code;
}

enum bt_code bt_guard_exclusions(const struct bt_work *work, struct bt_str *text, bool *is_link, struct bt_error *err) {
  struct bt_error own = {0};
  struct bt_fs_stat stat;
  *is_link = false;
  char *path = bt_arena_printf(work->arena, "%s/info", work->common_dir);
  if (path == NULL)
    return bt_error_set(err, BT_NOMEM, "info/exclude", "out of memory");
  int folder = bt_fs_open_root(path, &own);
  if (folder < 0)
    return own.sys_errno == ENOENT ? BT_OK : bt_error_set_errno(err, own.sys_errno, path, "cannot be opened");
  bt_fs_stat_at(folder, "exclude", &stat);
  enum bt_code code = BT_OK;
  if (stat.kind == BT_FS_LINK) {
    *is_link = true;
    path = bt_arena_printf(work->arena, "%s/info/exclude", work->common_dir);
    char *real = path != NULL ? bt_real_path(path) : NULL;
    close(folder);
    folder = bt_fs_open_root("/", &own);
    code = real == NULL || folder < 0 ? BT_MISSING : bt_fs_read_at(folder, real + 1, text, err);
    free(real);
  } else {
    code = bt_fs_read_at(folder, "exclude", text, err);
  }
  if (folder >= 0)
    close(folder);
  return code == BT_MISSING ? BT_OK : code;
}
