/* core/store/repo.c - branch, status and differences by libgit2; the only file that knows it. */
#include "core/store/repo.h"

#include <dlfcn.h>
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/store/repo_lines.h"
#include "core/store/repo_native.h"

/* ---- the library ---- */

/* libgit2 brings a dozen libraries of its own, which would cost every start of the program more than most commands
 * need in all: it is loaded where a repository is looked at, and nowhere else. */
/* clang-format off */
#define GIT_CALLS(X) \
  X(attr_get) X(attr_value) X(buf_dispose) X(config_free) X(config_get_bool) X(config_get_string_buf) X(diff_buffers) \
  X(index_entrycount) X(index_free) X(index_get_byindex) X(index_get_bypath) X(index_has_conflicts) \
  X(libgit2_init) X(libgit2_opts) X(libgit2_shutdown) X(libgit2_version) X(reference_free) X(reference_lookup) \
  X(reference_symbolic_target) X(reference_type) X(repository_config_snapshot) X(repository_free) \
  X(repository_index) X(repository_is_bare) X(repository_open_ext) X(repository_workdir) X(status_byindex) \
  X(status_list_entrycount) X(status_list_free) X(status_list_new) X(status_options_init)
/* clang-format on */

struct native {
  struct {
#define GIT_CALL(name) __typeof__(git_##name) *name;
    GIT_CALLS(GIT_CALL)
#undef GIT_CALL
  } call;
  git_repository *repository;
};

/* Once loaded it stays: asking again costs next to nothing. */
static bool load_library(struct native *git) {
  void *library = dlopen("libgit2.so." LIBGIT2_SOVERSION, RTLD_NOW | RTLD_LOCAL);
  void *call;
  bool complete = library != NULL;
#define GIT_CALL(name)                                   \
  call = complete ? dlsym(library, "git_" #name) : NULL; \
  complete = call != NULL;                               \
  memcpy(&git->call.name, &call, sizeof call);
  GIT_CALLS(GIT_CALL)
#undef GIT_CALL
  return complete;
}

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
static bool follow_config_variables(const struct native *git, const struct bt_env *env) {
  const char *global = bt_repo_variable(env, "GIT_CONFIG_GLOBAL");
  const char *no_system = bt_repo_variable(env, "GIT_CONFIG_NOSYSTEM");
  if (global != NULL && strcmp(global, "/dev/null") != 0 && global[0] != '\0')
    return false;
  if (no_system != NULL && strcmp(no_system, "1") != 0)
    return false;
  int status = 0;
  if (global != NULL)
    status |= git->call.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, "") |
              git->call.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_XDG, "");
  if (no_system != NULL)
    status |= git->call.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_SYSTEM, "") |
              git->call.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_PROGRAMDATA, "");
  return status == 0;
}

/* Settings of one working tree lie in a file that this libgit2 does not read (it refuses such a repository only when
 * its format version is 1). */
static bool has_worktree_config(const struct native *git) {
  git_config *config = NULL;
  int value = 0;
  bool has = git->call.repository_config_snapshot(&config, git->repository) != 0 ||
             git->call.config_get_bool(&value, config, "extensions.worktreeconfig") != GIT_ENOTFOUND;
  git->call.config_free(config);
  return has;
}

static bool has_repository(struct native *git, const struct bt_env *env) {
  if (!follow_config_variables(git, env) || git->call.repository_open_ext(&git->repository, env->root, 0, NULL) != 0)
    return false;
  return !git->call.repository_is_bare(git->repository) && !has_worktree_config(git);
}

/* False where libgit2 cannot open what is there, or git would look elsewhere; close in either case. The library stays
 * initialised: that costs milliseconds once and its memory is its own. */
static bool open_repository(struct native *git, const struct bt_env *env) {
  *git = (struct native){0};
  if (environment_redirects(env) || !load_library(git))
    return false;
  int count = git->call.libgit2_init();
  if (count > 1)
    (void)git->call.libgit2_shutdown(); /* it was up already: keep the count at one */
  return count >= 1 && has_repository(git, env);
}

static void close_repository(struct native *git) {
  if (git->repository != NULL)
    git->call.repository_free(git->repository);
}

/* ---- branch ---- */

/* True unless it is certain that there is no such reference. */
static bool may_be_reference(const struct native *git, const char *format, const char *name) {
  struct bt_str full;
  git_reference *found = NULL;
  bt_str_init(&full, 4096);
  bt_str_printf(&full, format, name);
  bool may_be = full.failed;
  if (!may_be) {
    int status = git->call.reference_lookup(&found, git->repository, full.data);
    may_be = status != GIT_ENOTFOUND && status != GIT_EINVALIDSPEC;
  }
  git->call.reference_free(found);
  bt_str_dispose(&full);
  return may_be;
}

/* git shortens a name only as far as no other reference could be meant; where one could, git is asked. */
static bool is_ambiguous(const struct native *git, const char *name, bool as_branch) {
  return may_be_reference(git, "refs/%s", name) || may_be_reference(git, "refs/tags/%s", name) ||
         (as_branch && may_be_reference(git, "refs/heads/%s", name)) ||
         may_be_reference(git, "refs/remotes/%s", name) || may_be_reference(git, "refs/remotes/%s/HEAD", name);
}

static bool file_in_git_folder(const struct native *git, const char *name) {
  git_reference *found = NULL;
  int status = git->call.reference_lookup(&found, git->repository, name); /* a pseudo reference like FETCH_HEAD */
  git->call.reference_free(found);
  return status == 0;
}

static enum bt_native branch_of(const struct native *git, struct bt_str *branch) {
  git_reference *head = NULL, *target = NULL;
  enum bt_native how = BT_NATIVE_CANNOT;
  if (git->call.reference_lookup(&head, git->repository, "HEAD") != 0 || is_ambiguous(git, "HEAD", true))
    goto out;
  if (git->call.reference_type(head) == GIT_REFERENCE_DIRECT) {
    bt_str_puts(branch, "HEAD");
    how = BT_NATIVE_SURE;
    goto out;
  }
  const char *full = git->call.reference_symbolic_target(head);
  static const char heads[] = "refs/heads/";
  if (full == NULL || !bt_starts_with(full, heads))
    goto out;
  const char *name = full + sizeof heads - 1;
  int status = git->call.reference_lookup(&target, git->repository, full);
  if (status == GIT_ENOTFOUND) {
    how = BT_NATIVE_NONE;
  } else if (status == 0 && git->call.reference_type(target) == GIT_REFERENCE_DIRECT &&
             !is_ambiguous(git, name, false) && !file_in_git_folder(git, name)) {
    bt_str_puts(branch, name);
    how = BT_NATIVE_SURE;
  }
out:
  git->call.reference_free(head);
  git->call.reference_free(target);
  return how;
}

enum bt_code bt_native_branch(const struct bt_env *env, struct bt_str *branch, enum bt_native *how,
                              struct bt_error *err) {
  struct native git;
  *how = BT_NATIVE_CANNOT;
  if (open_repository(&git, env))
    *how = branch_of(&git, branch);
  close_repository(&git);
  return branch->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : BT_OK;
}

/* ---- status ---- */

struct status_settings {
  bool quote_high;
  unsigned untracked_flags;
  bool known; /* false: a setting that only git understands */
};

static struct status_settings read_settings(const struct native *git) {
  struct status_settings settings = {.quote_high = true, .untracked_flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED};
  git_config *config = NULL;
  git_buf untracked = {0};
  int value = 0;
  if (git->call.repository_config_snapshot(&config, git->repository) != 0)
    return settings;
  int status = git->call.config_get_bool(&value, config, "core.quotepath");
  if (status == 0)
    settings.quote_high = value != 0;
  settings.known = status == 0 || status == GIT_ENOTFOUND;
  status = git->call.config_get_string_buf(&untracked, config, "status.showuntrackedfiles");
  if (status == 0 && strcmp(untracked.ptr, "no") == 0)
    settings.untracked_flags = 0;
  else if (status == 0 && strcmp(untracked.ptr, "all") == 0)
    settings.untracked_flags |= GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS;
  else if (status != GIT_ENOTFOUND && (status != 0 || strcmp(untracked.ptr, "normal") != 0))
    settings.known = false;
  git->call.buf_dispose(&untracked);
  git->call.config_free(config);
  return settings;
}

/* Entries whose state libgit2 and git do not read alike: sparse and intended ones, conflicts. Submodules too, for which
 * libgit2 1.5 leaks memory as well. */
static bool index_is_plain(const struct native *git, git_index *index) {
  bool plain = !git->call.index_has_conflicts(index);
  for (size_t i = 0; plain && i < git->call.index_entrycount(index); i++) {
    const git_index_entry *entry = git->call.index_get_byindex(index, i);
    plain = entry->mode != GIT_FILEMODE_COMMIT && (entry->flags & GIT_INDEX_ENTRY_VALID) == 0 &&
            (entry->flags_extended & (GIT_INDEX_ENTRY_INTENT_TO_ADD | GIT_INDEX_ENTRY_SKIP_WORKTREE)) == 0;
  }
  return plain;
}

/* git does not list a folder as untracked that stands where a file is tracked. */
static bool is_tracked_name(const struct native *git, git_index *index, const char *path) {
  struct bt_str stem;
  size_t length = strlen(path);
  if (length == 0 || path[length - 1] != '/')
    return false;
  bt_str_init(&stem, length);
  bt_str_append(&stem, path, length - 1);
  bool tracked = !stem.failed && git->call.index_get_bypath(index, stem.data, 0) != NULL;
  bt_str_dispose(&stem);
  return tracked;
}

/* libgit2 passes over a repository without a commit that lies inside this one and calls it ignored; git lists it. */
static bool may_be_nested_repository(const struct native *git, unsigned status, const char *path) {
  struct bt_str inner;
  size_t length = strlen(path);
  if ((status & GIT_STATUS_IGNORED) == 0 || length == 0 || path[length - 1] != '/')
    return false;
  bt_str_init(&inner, 8192);
  bt_str_printf(&inner, "%s%s.git", git->call.repository_workdir(git->repository), path);
  bool may_be = inner.failed || access(inner.data, F_OK) == 0;
  bt_str_dispose(&inner);
  return may_be;
}

/* A program named by an attribute may make the file equal again; only git runs it. */
static bool has_foreign_filter(const struct native *git, const char *path) {
  static const char *const names[] = {"filter", "working-tree-encoding"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = NULL;
    if (git->call.attr_get(&value, git->repository, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, names[i]) != 0 ||
        git->call.attr_value(value) == GIT_ATTR_VALUE_STRING)
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
static bool convert(const struct native *git, git_index *index_file, git_status_list *list,
                    struct bt_status_line *lines, size_t *count) {
  static const unsigned understood = GIT_STATUS_INDEX_NEW | GIT_STATUS_INDEX_MODIFIED | GIT_STATUS_INDEX_DELETED |
                                     GIT_STATUS_WT_NEW | GIT_STATUS_WT_MODIFIED | GIT_STATUS_WT_DELETED |
                                     GIT_STATUS_IGNORED;
  bool sure = true, added = false, deleted = false;
  *count = 0;
  for (size_t i = 0; i < git->call.status_list_entrycount(list); i++) {
    const git_status_entry *entry = git->call.status_byindex(list, i);
    unsigned status = (unsigned)entry->status;
    const char *path = path_of(entry);
    char index = index_letter(status), worktree = worktree_letter(status);
    if (index != ' ' || worktree != ' ')
      lines[(*count)++] = (struct bt_status_line){.index = index, .worktree = worktree, .path = path};
    if ((status & GIT_STATUS_WT_NEW) && !is_tracked_name(git, index_file, path))
      lines[(*count)++] = (struct bt_status_line){.index = '?', .worktree = '?', .path = path};
    added = added || index == 'A';
    deleted = deleted || index == 'D';
    sure = sure && (status & ~understood) == 0 && !may_be_nested_repository(git, status, path) &&
           (worktree != 'M' || !has_foreign_filter(git, path));
  }
  return sure && !(added && deleted); /* one of each may be a rename */
}

static enum bt_native status_of(const struct native *git, struct bt_str *text) {
  git_index *index = NULL;
  git_status_list *list = NULL;
  git_status_options options;
  struct bt_status_line *lines = NULL;
  size_t count = 0;
  enum bt_native how = BT_NATIVE_CANNOT;
  struct status_settings settings = read_settings(git);
  if (git->call.status_options_init(&options, GIT_STATUS_OPTIONS_VERSION) != 0)
    return how;
  options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
  options.flags = settings.untracked_flags | GIT_STATUS_OPT_INCLUDE_IGNORED | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH |
                  GIT_STATUS_OPT_SORT_CASE_SENSITIVELY | GIT_STATUS_OPT_INCLUDE_UNREADABLE;
  if (git->call.repository_index(&index, git->repository) != 0 || !index_is_plain(git, index) ||
      git->call.status_list_new(&list, git->repository, &options) != 0)
    goto out;
  lines = calloc(2 * git->call.status_list_entrycount(list) + 1, sizeof *lines);
  if (lines == NULL) {
    text->failed = true;
    goto out;
  }
  bool sure = convert(git, index, list, lines, &count) && settings.known;
  bt_status_lines_print(text, lines, count, settings.quote_high);
  how = sure ? BT_NATIVE_SURE : BT_NATIVE_DOUBTFUL;
out:
  free(lines);
  git->call.status_list_free(list);
  git->call.index_free(index);
  return how;
}

enum bt_code bt_native_status(const struct bt_env *env, struct bt_str *status, enum bt_native *how,
                              struct bt_error *err) {
  struct native git;
  *how = BT_NATIVE_CANNOT;
  if (open_repository(&git, env))
    *how = status_of(&git, status);
  close_repository(&git);
  return status->failed ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : BT_OK;
}

/* ---- differences ---- */

struct comparing {
  struct bt_str *out;
  struct bt_difference *difference;
};

static int add_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload) {
  struct comparing *comparing = payload;
  (void)delta;
  bt_str_append(comparing->out, hunk->header, hunk->header_len);
  return comparing->out->failed;
}

static int add_line(const git_diff_delta *delta, const git_diff_hunk *hunk, const git_diff_line *line, void *payload) {
  struct comparing *comparing = payload;
  (void)delta;
  (void)hunk;
  comparing->difference->added += line->origin == GIT_DIFF_LINE_ADDITION;
  comparing->difference->removed += line->origin == GIT_DIFF_LINE_DELETION;
  if (line->origin == GIT_DIFF_LINE_ADDITION || line->origin == GIT_DIFF_LINE_DELETION ||
      line->origin == GIT_DIFF_LINE_CONTEXT)
    bt_str_putc(comparing->out, line->origin);
  bt_str_append(comparing->out, line->content, line->content_len); /* of no newline at the end: the note that says so */
  return comparing->out->failed;
}

enum bt_code bt_repo_difference(const struct bt_str *before, const struct bt_str *after, struct bt_str *out,
                                struct bt_difference *difference, struct bt_error *err) {
  struct native git = {0};
  struct comparing comparing = {out, difference};
  const git_diff_options options = {
      .version = GIT_DIFF_OPTIONS_VERSION, .flags = GIT_DIFF_FORCE_TEXT, .context_lines = 3};
  *difference = (struct bt_difference){0, 0};
  if (!load_library(&git))
    return bt_error_set(err, BT_STATE, "libgit2", "libgit2 is not there: the texts cannot be compared");
  int count = git.call.libgit2_init();
  if (count > 1)
    (void)git.call.libgit2_shutdown(); /* as in open_repository */
  if (count < 1 || git.call.diff_buffers(before->data, before->length, "brief", after->data, after->length, "brief",
                                         &options, NULL, NULL, add_hunk, add_line, &comparing) != 0)
    return bt_error_set(err, BT_NOMEM, "brief", "out of memory");
  return BT_OK;
}

void bt_repo_library(char *out, size_t size) {
  struct native git = {0};
  int major = 0, minor = 0, patch = 0;
  if (!load_library(&git)) {
    snprintf(out, size, "libgit2 not found: git is asked");
    return;
  }
  git.call.libgit2_version(&major, &minor, &patch);
  snprintf(out, size, "libgit2 %d.%d.%d", major, minor, patch);
}
