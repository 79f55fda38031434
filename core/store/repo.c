/* core/store/repo.c - branch and status by libgit2; the only file that knows it. */
#include "core/store/repo.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/store/repo_lines.h"
#include "core/store/repo_native.h"

/* ---- opening ---- */

static bool is_set(const struct bt_env *env, const char *name) {
  return bt_repo_variable(env, name) != NULL;
}

/* libgit2 reads none of these; git does. */
static bool environment_redirects(const struct bt_env *env) {
  static const char *const names[] = {"GIT_DIR",
                                      "GIT_WORK_TREE",
                                      "GIT_INDEX_FILE",
                                      "GIT_COMMON_DIR",
                                      "GIT_NAMESPACE",
                                      "GIT_OBJECT_DIRECTORY",
                                      "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                      "GIT_CEILING_DIRECTORIES",
                                      "GIT_DISCOVERY_ACROSS_FILESYSTEM",
                                      "GIT_CONFIG",
                                      "GIT_CONFIG_SYSTEM",
                                      "GIT_CONFIG_COUNT",
                                      "GIT_CONFIG_PARAMETERS",
                                      "GIT_SHALLOW_FILE",
                                      "GIT_GRAFT_FILE",
                                      "GIT_REPLACE_REF_BASE",
                                      "GIT_NO_REPLACE_OBJECTS",
                                      "GIT_ATTR_NOSYSTEM",
                                      "GIT_ATTR_SOURCE",
                                      "GIT_LITERAL_PATHSPECS",
                                      "GIT_ICASE_PATHSPECS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (is_set(env, names[i]))
      return true;
  }
  return false;
}

/* The two settings that take configuration away are passed on; any other value of them is git's to follow. */
static bool follow_config_variables(const struct bt_env *env) {
  const char *global = bt_repo_variable(env, "GIT_CONFIG_GLOBAL");
  const char *no_system = bt_repo_variable(env, "GIT_CONFIG_NOSYSTEM");
  if (global != NULL && strcmp(global, "/dev/null") != 0 && global[0] != '\0')
    return false;
  if (no_system != NULL && strcmp(no_system, "1") != 0)
    return false;
  int status = 0;
  if (global != NULL)
    status |= git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, "") |
              git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_XDG, "");
  if (no_system != NULL)
    status |= git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_SYSTEM, "") |
              git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_PROGRAMDATA, "");
  return status == 0;
}

/* Settings of one working tree lie in a file that this libgit2 does not read (it refuses such a repository only when
 * its format version is 1). */
static bool has_worktree_config(git_repository *repository) {
  git_config *config = NULL;
  int value = 0;
  bool has = git_repository_config_snapshot(&config, repository) != 0 ||
             git_config_get_bool(&value, config, "extensions.worktreeconfig") != GIT_ENOTFOUND;
  git_config_free(config);
  return has;
}

/* NULL where libgit2 cannot open what is there, or git would look elsewhere. The library stays initialised: that
 * costs milliseconds once and its memory is its own. */
static git_repository *open_repository(const struct bt_env *env) {
  git_repository *repository = NULL;
  if (environment_redirects(env))
    return NULL;
  int count = git_libgit2_init();
  if (count < 1)
    return NULL;
  if (count > 1)
    (void)git_libgit2_shutdown(); /* it was up already: keep the count at one */
  if (!follow_config_variables(env) || git_repository_open_ext(&repository, env->root, 0, NULL) != 0)
    return NULL;
  if (git_repository_is_bare(repository) || has_worktree_config(repository)) {
    git_repository_free(repository);
    return NULL;
  }
  return repository;
}

/* ---- branch ---- */

/* True unless it is certain that there is no such reference. */
static bool may_be_reference(git_repository *repository, const char *format, const char *name) {
  struct bt_str full;
  git_reference *found = NULL;
  bt_str_init(&full, 4096);
  bt_str_printf(&full, format, name);
  bool may_be = full.failed;
  if (!may_be) {
    int status = git_reference_lookup(&found, repository, full.data);
    may_be = status != GIT_ENOTFOUND && status != GIT_EINVALIDSPEC;
  }
  git_reference_free(found);
  bt_str_dispose(&full);
  return may_be;
}

/* git shortens a name only as far as no other reference could be meant; where one could, git is asked. */
static bool is_ambiguous(git_repository *repository, const char *name, bool as_branch) {
  return may_be_reference(repository, "refs/%s", name) || may_be_reference(repository, "refs/tags/%s", name) ||
         (as_branch && may_be_reference(repository, "refs/heads/%s", name)) ||
         may_be_reference(repository, "refs/remotes/%s", name) ||
         may_be_reference(repository, "refs/remotes/%s/HEAD", name);
}

static bool file_in_git_folder(git_repository *repository, const char *name) {
  git_reference *found = NULL;
  int status = git_reference_lookup(&found, repository, name); /* a pseudo reference like FETCH_HEAD */
  git_reference_free(found);
  return status == 0;
}

static enum bt_native branch_of(git_repository *repository, struct bt_str *branch) {
  git_reference *head = NULL, *target = NULL;
  enum bt_native how = BT_NATIVE_CANNOT;
  if (git_reference_lookup(&head, repository, "HEAD") != 0 || is_ambiguous(repository, "HEAD", true))
    goto out;
  if (git_reference_type(head) == GIT_REFERENCE_DIRECT) {
    bt_str_puts(branch, "HEAD");
    how = BT_NATIVE_SURE;
    goto out;
  }
  const char *full = git_reference_symbolic_target(head);
  static const char heads[] = "refs/heads/";
  if (full == NULL || !bt_starts_with(full, heads))
    goto out;
  const char *name = full + sizeof heads - 1;
  int status = git_reference_lookup(&target, repository, full);
  if (status == GIT_ENOTFOUND) {
    how = BT_NATIVE_NONE;
  } else if (status == 0 && git_reference_type(target) == GIT_REFERENCE_DIRECT &&
             !is_ambiguous(repository, name, false) && !file_in_git_folder(repository, name)) {
    bt_str_puts(branch, name);
    how = BT_NATIVE_SURE;
  }
out:
  git_reference_free(head);
  git_reference_free(target);
  return how;
}

enum bt_code bt_native_branch(const struct bt_env *env, struct bt_str *branch, enum bt_native *how,
                              struct bt_error *err) {
  git_repository *repository = open_repository(env);
  *how = BT_NATIVE_CANNOT;
  if (repository != NULL)
    *how = branch_of(repository, branch);
  git_repository_free(repository);
  return branch->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : BT_OK;
}

/* ---- status ---- */

struct status_settings {
  bool quote_high;
  unsigned untracked_flags;
  bool known; /* false: a setting that only git understands */
};

static struct status_settings read_settings(git_repository *repository) {
  struct status_settings settings = {.quote_high = true, .untracked_flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED};
  git_config *config = NULL;
  git_buf untracked = {0};
  int value = 0;
  if (git_repository_config_snapshot(&config, repository) != 0)
    return settings;
  int status = git_config_get_bool(&value, config, "core.quotepath");
  if (status == 0)
    settings.quote_high = value != 0;
  settings.known = status == 0 || status == GIT_ENOTFOUND;
  status = git_config_get_string_buf(&untracked, config, "status.showuntrackedfiles");
  if (status == 0 && strcmp(untracked.ptr, "no") == 0)
    settings.untracked_flags = 0;
  else if (status == 0 && strcmp(untracked.ptr, "all") == 0)
    settings.untracked_flags |= GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS;
  else if (status != GIT_ENOTFOUND && (status != 0 || strcmp(untracked.ptr, "normal") != 0))
    settings.known = false;
  git_buf_dispose(&untracked);
  git_config_free(config);
  return settings;
}

/* Entries whose state libgit2 and git do not read alike: sparse and intended ones, conflicts. Submodules too, for which
 * libgit2 1.5 leaks memory as well. */
static bool index_is_plain(git_index *index) {
  bool plain = !git_index_has_conflicts(index);
  for (size_t i = 0; plain && i < git_index_entrycount(index); i++) {
    const git_index_entry *entry = git_index_get_byindex(index, i);
    plain = entry->mode != GIT_FILEMODE_COMMIT && (entry->flags & GIT_INDEX_ENTRY_VALID) == 0 &&
            (entry->flags_extended & (GIT_INDEX_ENTRY_INTENT_TO_ADD | GIT_INDEX_ENTRY_SKIP_WORKTREE)) == 0;
  }
  return plain;
}

/* git does not list a folder as untracked that stands where a file is tracked. */
static bool is_tracked_name(git_index *index, const char *path) {
  struct bt_str stem;
  size_t length = strlen(path);
  if (length == 0 || path[length - 1] != '/')
    return false;
  bt_str_init(&stem, length);
  bt_str_append(&stem, path, length - 1);
  bool tracked = !stem.failed && git_index_get_bypath(index, stem.data, 0) != NULL;
  bt_str_dispose(&stem);
  return tracked;
}

/* libgit2 passes over a repository without a commit that lies inside this one and calls it ignored; git lists it. */
static bool may_be_nested_repository(git_repository *repository, unsigned status, const char *path) {
  struct bt_str inner;
  size_t length = strlen(path);
  if ((status & GIT_STATUS_IGNORED) == 0 || length == 0 || path[length - 1] != '/')
    return false;
  bt_str_init(&inner, 8192);
  bt_str_printf(&inner, "%s%s.git", git_repository_workdir(repository), path);
  bool may_be = inner.failed || access(inner.data, F_OK) == 0;
  bt_str_dispose(&inner);
  return may_be;
}

/* A program named by an attribute may make the file equal again; only git runs it. */
static bool has_foreign_filter(git_repository *repository, const char *path) {
  static const char *const names[] = {"filter", "working-tree-encoding"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = NULL;
    if (git_attr_get(&value, repository, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, names[i]) != 0 ||
        git_attr_value(value) == GIT_ATTR_VALUE_STRING)
      return true;
  }
  return false;
}

static char index_letter(unsigned status) {
  return (char)(status & GIT_STATUS_INDEX_NEW          ? 'A'
                : status & GIT_STATUS_INDEX_DELETED    ? 'D'
                : status & GIT_STATUS_INDEX_TYPECHANGE ? 'T'
                : status & GIT_STATUS_INDEX_MODIFIED   ? 'M'
                                                       : ' ');
}

static char worktree_letter(unsigned status) {
  return (char)(status & GIT_STATUS_WT_DELETED      ? 'D'
                : status & GIT_STATUS_WT_TYPECHANGE ? 'T'
                : status & GIT_STATUS_WT_MODIFIED   ? 'M'
                                                    : ' ');
}

static const char *path_of(const git_status_entry *entry) {
  const git_diff_delta *delta = entry->index_to_workdir != NULL ? entry->index_to_workdir : entry->head_to_index;
  return delta->new_file.path != NULL ? delta->new_file.path : delta->old_file.path;
}

/* Fills `lines` (room for two of each entry); false where git might say it otherwise. */
static bool convert(git_repository *repository, git_index *index_file, git_status_list *list,
                    struct bt_status_line *lines, size_t *count) {
  static const unsigned understood = GIT_STATUS_INDEX_NEW | GIT_STATUS_INDEX_MODIFIED | GIT_STATUS_INDEX_DELETED |
                                     GIT_STATUS_WT_NEW | GIT_STATUS_WT_MODIFIED | GIT_STATUS_WT_DELETED |
                                     GIT_STATUS_IGNORED;
  bool sure = true, added = false, deleted = false;
  *count = 0;
  for (size_t i = 0; i < git_status_list_entrycount(list); i++) {
    const git_status_entry *entry = git_status_byindex(list, i);
    unsigned status = (unsigned)entry->status;
    const char *path = path_of(entry);
    char index = index_letter(status), worktree = worktree_letter(status);
    if (index != ' ' || worktree != ' ')
      lines[(*count)++] = (struct bt_status_line){.index = index, .worktree = worktree, .path = path};
    if ((status & GIT_STATUS_WT_NEW) && !is_tracked_name(index_file, path))
      lines[(*count)++] = (struct bt_status_line){.index = '?', .worktree = '?', .path = path};
    added = added || index == 'A';
    deleted = deleted || index == 'D';
    sure = sure && (status & ~understood) == 0 && !may_be_nested_repository(repository, status, path) &&
           (worktree != 'M' || !has_foreign_filter(repository, path));
  }
  return sure && !(added && deleted); /* one of each may be a rename */
}

static enum bt_native status_of(git_repository *repository, struct bt_str *text) {
  git_index *index = NULL;
  git_status_list *list = NULL;
  git_status_options options;
  struct bt_status_line *lines = NULL;
  size_t count = 0;
  enum bt_native how = BT_NATIVE_CANNOT;
  struct status_settings settings = read_settings(repository);
  if (git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION) != 0)
    return how;
  options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
  options.flags = settings.untracked_flags | GIT_STATUS_OPT_INCLUDE_IGNORED | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH |
                  GIT_STATUS_OPT_SORT_CASE_SENSITIVELY | GIT_STATUS_OPT_INCLUDE_UNREADABLE;
  if (git_repository_index(&index, repository) != 0 || !index_is_plain(index) ||
      git_status_list_new(&list, repository, &options) != 0)
    goto out;
  lines = calloc(2 * git_status_list_entrycount(list) + 1, sizeof *lines);
  if (lines == NULL) {
    text->failed = true;
    goto out;
  }
  bool sure = convert(repository, index, list, lines, &count) && settings.known;
  bt_status_lines_print(text, lines, count, settings.quote_high);
  how = sure ? BT_NATIVE_SURE : BT_NATIVE_DOUBTFUL;
out:
  free(lines);
  git_status_list_free(list);
  git_index_free(index);
  return how;
}

enum bt_code bt_native_status(const struct bt_env *env, struct bt_str *status, enum bt_native *how,
                              struct bt_error *err) {
  git_repository *repository = open_repository(env);
  *how = BT_NATIVE_CANNOT;
  if (repository != NULL)
    *how = status_of(repository, status);
  git_repository_free(repository);
  return status->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : BT_OK;
}
