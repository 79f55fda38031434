/* core/store/git_run.c - git as a child process. */
#include "core/store/git_run.h"

#include <assert.h>
#include <string.h>

#include "core/base/child.h"

/* What points git at another repository than the one it finds, or has it read paths in another way than it was told:
 * what git itself hands to a hook. */
#define ELSEWHERE                                                                                                      \
  "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY",             \
      "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", \
      "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", \
      "GIT_ICASE_PATHSPECS"

static void fill_argv(const char *argv[BT_GIT_ARGS_MAX], const char *root, const char *const *args) {
  /* A repository's own fsmonitor setting names a program; looking at it must not run that. */
  const char *head[] = {"git", "-C", root, "-c", "core.fsmonitor=false"};
  size_t count = sizeof head / sizeof *head, more = 0;
  while (args[more] != NULL)
    more++;
  assert(count + more < BT_GIT_ARGS_MAX);
  memcpy(argv, head, sizeof head);
  memcpy(argv + count, args, (more + 1) * sizeof *args);
}

static enum bt_git_end end_of(enum bt_child_end end) {
  switch (end) {
  case BT_CHILD_EXITED:
    return BT_GIT_EXITED;
  case BT_CHILD_ABSENT:
    return BT_GIT_ABSENT;
  case BT_CHILD_TIMED_OUT:
    return BT_GIT_TIMED_OUT;
  case BT_CHILD_TOO_MUCH:
    return BT_GIT_TOO_MUCH;
  default:
    return BT_GIT_BROKEN;
  }
}

static enum bt_code run(const char *root, const char *const *args, bool own_repository, struct bt_str *output,
                        struct bt_str *complaint, struct bt_git_result *result, struct bt_error *err) {
  static const char *const elsewhere[] = {ELSEWHERE, NULL};
  static const char *const added[] = {"GIT_OPTIONAL_LOCKS=0",
                                      NULL}; /* `git status` must not refresh the index on disk */
  const char *argv[BT_GIT_ARGS_MAX];
  struct bt_child_result ended;
  fill_argv(argv, root, args);
  const struct bt_child child = {.argv = argv,
                                 .withheld = own_repository ? elsewhere : NULL,
                                 .added = added,
                                 .timeout_ms = BT_GIT_TIMEOUT_MS,
                                 .output_max = BT_GIT_OUTPUT_MAX,
                                 .out = output,
                                 .err = complaint};
  enum bt_code code = bt_child_run(&child, &ended, err);
  *result = (struct bt_git_result){end_of(ended.end), ended.exit_status};
  return code;
}

enum bt_code bt_git_run(const char *root, const char *const *args, bool own_repository, struct bt_str *output,
                        struct bt_git_result *result, struct bt_error *err) {
  return run(root, args, own_repository, output, NULL, result, err);
}

enum bt_code bt_git_complaint(const char *root, const char *const *args, bool own_repository, struct bt_str *complaint,
                              struct bt_error *err) {
  struct bt_git_result result;
  return run(root, args, own_repository, NULL, complaint, &result, err);
}
