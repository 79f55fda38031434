/* core/delivery/work.c - one question, one git. */
#include "core/delivery/work.h"

#include <string.h>

#include "core/base/utf8.h"
#include "core/store/git_run.h"

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "git", "out of memory");
}

static enum bt_code run(const char *directory, const char *const *args, struct bt_str *output, int *exit_status,
                        struct bt_error *err) {
  /* An object that is not here is not fetched. */
  const char *argv[BT_GIT_ARGS_MAX] = {"-c", "protocol.allow=never"};
  struct bt_git_result result;
  size_t count = 2;
  for (size_t i = 0; args[i] != NULL; i++)
    argv[count++] = args[i];
  argv[count] = NULL;
  enum bt_code code = bt_git_run(directory, argv, true, output, &result, err);
  if (code != BT_OK)
    return code;
  *exit_status = result.exit_status;
  switch (result.end) {
  case BT_GIT_EXITED:
    return BT_OK;
  case BT_GIT_ABSENT:
    return bt_error_set(err, BT_STATE, "git", "git cannot be run here: is it installed?");
  case BT_GIT_TIMED_OUT:
    return bt_error_set(err, BT_IO, "git", "git %s took too long", args[0]);
  case BT_GIT_TOO_MUCH:
    return bt_error_set(err, BT_TOO_LARGE, "git", "git %s said too much", args[0]);
  default:
    return bt_error_set(err, BT_IO, "git", "git %s was killed", args[0]);
  }
}

enum bt_code bt_work_ask(const struct bt_work *work, const char *const *args, struct bt_str *output, int *exit_status,
                         struct bt_error *err) {
  return run(work->tree, args, output, exit_status, err);
}

/* ---- finding ---- */

/* One path that `git rev-parse` prints, without the LF behind it; NULL where it refuses. */
static enum bt_code ask_line(struct bt_arena *arena, const char *directory, const char *const *args, const char **line,
                             struct bt_error *err) {
  struct bt_str output;
  int status = 0;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  *line = NULL;
  enum bt_code code = run(directory, args, &output, &status, err);
  bool ended = output.length > 1 && output.data[output.length - 1] == '\n';
  if (code == BT_OK && status == 0 && ended) {
    *line = bt_arena_strndup(arena, output.data, output.length - 1);
    code = *line == NULL ? out_of_memory(err) : BT_OK;
  }
  bt_str_dispose(&output);
  return code;
}

/* Where git says more than that there is none (another owner, a folder that has moved, a broken HEAD), so do we. */
static enum bt_code no_repository(const char *directory, struct bt_error *err) {
  struct bt_str words, shown;
  bt_str_init(&words, BT_GIT_OUTPUT_MAX);
  bt_str_init(&shown, 8 * BT_GIT_OUTPUT_MAX);
  enum bt_code code =
      bt_git_complaint(directory, (const char *const[]){"rev-parse", "--git-dir", NULL}, true, &words, err);
  const char *line = bt_starts_with(words.data, "fatal: ") ? words.data + strlen("fatal: ") : words.data;
  bt_text_visible(&shown, line, strcspn(line, "\n"));
  bool plain = shown.length == 0 || bt_starts_with(shown.data, "not a git repository (or any");
  if (code == BT_OK && plain)
    code = bt_error_set(err, BT_STATE, directory, "%s is in no git repository", directory);
  else if (code == BT_OK)
    code = bt_error_set(err, BT_STATE, directory, "git does not work in %s: %s", directory, shown.data);
  bt_str_dispose(&words);
  bt_str_dispose(&shown);
  return code;
}

static enum bt_code why_no_tree(struct bt_arena *arena, const char *directory, struct bt_error *err) {
  const char *bare = NULL;
  enum bt_code code =
      ask_line(arena, directory, (const char *const[]){"rev-parse", "--is-bare-repository", NULL}, &bare, err);
  if (code != BT_OK)
    return code;
  if (bare == NULL)
    return no_repository(directory, err);
  if (strcmp(bare, "true") == 0)
    return bt_error_set(err, BT_STATE, directory, "%s is a bare repository: there is no working tree", directory);
  return bt_error_set(err, BT_STATE, directory, "%s is in no working tree", directory);
}

enum bt_code bt_work_open(struct bt_arena *arena, const char *directory, struct bt_work *work, struct bt_error *err) {
  const char *format = NULL;
  *work = (struct bt_work){.arena = arena};
  enum bt_code code =
      ask_line(arena, directory, (const char *const[]){"rev-parse", "--show-toplevel", NULL}, &work->tree, err);
  if (code == BT_OK && work->tree == NULL)
    return why_no_tree(arena, directory, err);
  if (code == BT_OK)
    code = ask_line(arena, work->tree, (const char *const[]){"rev-parse", "--absolute-git-dir", NULL}, &work->git_dir,
                    err);
  if (code == BT_OK)
    code = ask_line(arena, work->tree,
                    (const char *const[]){"rev-parse", "--path-format=absolute", "--git-common-dir", NULL},
                    &work->common_dir, err);
  if (code == BT_OK)
    code = ask_line(arena, work->tree, (const char *const[]){"rev-parse", "--show-object-format", NULL}, &format, err);
  if (code == BT_OK && (work->git_dir == NULL || work->common_dir == NULL || format == NULL))
    return bt_error_set(err, BT_STATE, directory, "git does not say where the repository of %s is", directory);
  if (code == BT_OK)
    work->id_length = strcmp(format, "sha256") == 0 ? 64 : 40;
  return code;
}

/* ---- references ---- */

/* `name NUL id NUL target LF`, as the format below prints it. */
static bool take_ref(struct bt_arena *arena, const char *line, const char *const *names, size_t count, const char **ids,
                     const char **targets) {
  const char *id = line + strlen(line) + 1;
  const char *target = id + strlen(id) + 1;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], line) != 0)
      continue;
    ids[i] = bt_arena_strdup(arena, id);
    if (targets != NULL && *target != '\0' && *target != '\n')
      targets[i] = bt_arena_strndup(arena, target, strcspn(target, "\n"));
    if (ids[i] == NULL)
      return false;
  }
  return true;
}

enum bt_code bt_work_refs(const struct bt_work *work, const char *const *names, size_t count, const char **ids,
                          const char **targets, struct bt_error *err) {
  const char *args[BT_GIT_ARGS_MAX] = {"for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)"};
  struct bt_str output;
  int status = 0;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  for (size_t i = 0; i < count; i++) {
    args[2 + i] = names[i];
    ids[i] = NULL;
    if (targets != NULL)
      targets[i] = NULL;
  }
  args[2 + count] = NULL;
  enum bt_code code = bt_work_ask(work, args, &output, &status, err);
  for (size_t at = 0; code == BT_OK && at < output.length;) { /* no reference name holds a LF */
    const char *line = output.data + at;
    const char *end = memchr(line, '\n', output.length - at);
    size_t length = end != NULL ? (size_t)(end - line) : output.length - at;
    if (length > 0 && !take_ref(work->arena, line, names, count, ids, targets))
      code = out_of_memory(err);
    at += length + 1;
  }
  bt_str_dispose(&output);
  return code;
}

enum bt_code bt_work_branch(const struct bt_work *work, const char **branch, struct bt_error *err) {
  const char *full = NULL;
  static const char heads[] = "refs/heads/";
  enum bt_code code =
      ask_line(work->arena, work->tree, (const char *const[]){"symbolic-ref", "-q", "HEAD", NULL}, &full, err);
  *branch = full != NULL && bt_starts_with(full, heads) ? full + sizeof heads - 1 : NULL;
  return code;
}

/* ---- objects ---- */

enum bt_code bt_work_has_commit(const struct bt_work *work, const char *id, bool *has, struct bt_error *err) {
  const char *type = NULL;
  *has = false;
  if (strlen(id) != work->id_length)
    return BT_OK;
  enum bt_code code = ask_line(work->arena, work->tree, (const char *const[]){"cat-file", "-t", id, NULL}, &type, err);
  *has = type != NULL && strcmp(type, "commit") == 0;
  return code;
}

enum bt_code bt_work_is_ancestor(const struct bt_work *work, const char *a, const char *b, bool *is,
                                 struct bt_error *err) {
  const char *const args[] = {"merge-base", "--is-ancestor", a, b, NULL};
  int status = 0;
  *is = false;
  if (strcmp(a, b) == 0)
    return BT_OK;
  enum bt_code code = bt_work_ask(work, args, NULL, &status, err);
  if (code == BT_OK && status > 1)
    return bt_error_set(err, BT_IO, a, "git cannot compare %s and %s", a, b);
  *is = code == BT_OK && status == 0;
  return code;
}

enum bt_code bt_work_parents(const struct bt_work *work, const char *id, struct bt_texts *parents,
                             struct bt_error *err) {
  struct bt_str output;
  struct bt_codes found;
  int status = 0;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  bt_codes_init(&found, work->arena);
  *parents = (struct bt_texts){NULL, 0};
  enum bt_code code = bt_work_ask(work, (const char *const[]){"cat-file", "commit", id, NULL}, &output, &status, err);
  const char *line = code == BT_OK && status == 0 ? output.data : "";
  while (*line != '\0' && *line != '\n') { /* the header ends at an empty line */
    size_t length = strcspn(line, "\n");
    if (bt_starts_with(line, "parent ") && length > 7)
      bt_codes_add(&found, "%.*s", (int)(length - 7), line + 7);
    line += length + (line[length] == '\n');
  }
  bt_str_dispose(&output);
  if (found.failed)
    return out_of_memory(err);
  *parents = (struct bt_texts){found.items, found.count};
  return code;
}
