/* core/harness/scope.c - worktrees from .git, commondir and worktrees/<name>/gitdir. */
#include "core/harness/scope.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/base/real_path.h"
#include "core/base/str.h"
#include "core/base/utf8.h"

#define PATH_BYTES_MAX 65536
#define GIT_FILE_MAX 65536
#define WORKTREES_MAX 1024
#define ANSWERS_MAX 65536

struct bt_scope {
  char *roots[WORKTREES_MAX]; /* as named and, where that differs, as resolved */
  size_t count;
  struct bt_hashset inside, outside; /* folders asked before */
};

static bool inside(const char *path, const char *root) {
  size_t length = strlen(root);
  while (length > 1 && root[length - 1] == '/')
    length--;
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0 || length == 1);
}

static void add_one(struct bt_scope *scope, const char *path) {
  for (size_t i = 0; i < scope->count; i++)
    if (strcmp(scope->roots[i], path) == 0)
      return;
  char *copy = scope->count < WORKTREES_MAX ? strdup(path) : NULL;
  if (copy)
    scope->roots[scope->count++] = copy;
}

static void add_root(struct bt_scope *scope, const char *path) {
  char *real = bt_real_path(path);
  add_one(scope, path);
  if (real)
    add_one(scope, real);
  free(real);
}

/* The first line of a small file of git's, without `prefix`; false when it is not there. */
static bool read_line(struct bt_str *out, const char *folder, const char *name, const char *prefix) {
  int dir = bt_fs_open_root(folder, NULL);
  if (dir < 0)
    return false;
  bt_str_clear(out);
  bool ok = bt_fs_read_at(dir, name, out, NULL) == BT_OK && strncmp(out->data, prefix, strlen(prefix)) == 0;
  close(dir);
  if (!ok)
    return false;
  bt_str_truncate(out, strcspn(out->data, "\r\n"));
  size_t skip = strlen(prefix);
  memmove(out->data, out->data + skip, out->length - skip);
  bt_str_truncate(out, out->length - skip);
  return out->length > 0;
}

static bool holds(const char *folder, const char *name, bool is_folder) {
  struct bt_str path;
  struct stat st;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_printf(&path, "%s/%s", folder, name);
  bool there = !path.failed && stat(path.data, &st) == 0 && (is_folder ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
  bt_str_dispose(&path);
  return there;
}

/* A repository without a worktree of its own, as git tells one. */
static bool is_bare(const char *folder) {
  return holds(folder, "HEAD", false) && holds(folder, "objects", true) && holds(folder, "refs", true);
}

/* The nearest folder at or above `path` that holds a .git or, where `bare` is given, is a bare repository itself;
 * `path` is cut to it. */
static bool find_worktree(struct bt_str *path, bool *bare) {
  struct bt_str git;
  struct stat st;
  bool found = false;
  bt_str_init(&git, PATH_BYTES_MAX);
  for (;;) {
    bt_str_clear(&git);
    bt_str_printf(&git, "%s/.git", path->length > 1 ? path->data : "");
    if (!git.failed && stat(git.data, &st) == 0) {
      found = true;
      break;
    }
    if (bare && is_bare(path->data)) {
      found = *bare = true;
      break;
    }
    if (path->length <= 1)
      break;
    const char *slash = strrchr(path->data, '/');
    bt_str_truncate(path, slash == path->data ? 1 : (size_t)(slash - path->data));
  }
  bt_str_dispose(&git);
  return found;
}

/* The folder that all worktrees share: `<worktree>/.git`, or what its file and that folder's `commondir` lead to. */
static bool find_common(struct bt_str *common, const char *worktree) {
  struct bt_str line, git;
  struct stat st;
  bt_str_init(&line, GIT_FILE_MAX);
  bt_str_init(&git, PATH_BYTES_MAX);
  bt_str_printf(&git, "%s/.git", worktree);
  bool ok = stat(git.data, &st) == 0;
  if (ok && !S_ISDIR(st.st_mode)) {
    ok = read_line(&line, worktree, ".git", "gitdir: ");
    bt_str_clear(&git);
    ok = ok && bt_path_resolve(&git, worktree, line.data) == BT_OK;
  }
  bt_str_clear(common);
  if (ok && read_line(&line, git.data, "commondir", ""))
    ok = bt_path_resolve(common, git.data, line.data) == BT_OK;
  else if (ok)
    bt_str_puts(common, git.data);
  bt_str_dispose(&line);
  bt_str_dispose(&git);
  return ok && !common->failed;
}

static void cut_last(struct bt_str *path) {
  const char *slash = strrchr(path->data, '/');
  if (slash && slash != path->data)
    bt_str_truncate(path, (size_t)(slash - path->data));
}

static void add_linked(struct bt_scope *scope, const char *common) {
  struct bt_fs_listing listing;
  struct bt_str folder, line;
  bt_str_init(&folder, PATH_BYTES_MAX);
  bt_str_init(&line, GIT_FILE_MAX);
  int dir = bt_fs_open_root(common, NULL);
  if (dir >= 0 && bt_fs_list_at(dir, "worktrees", &listing, NULL) == BT_OK) {
    for (size_t i = 0; i < listing.count; i++) {
      bt_str_clear(&folder);
      bt_str_printf(&folder, "%s/worktrees/%s", common, listing.names[i]);
      if (!read_line(&line, folder.data, "gitdir", ""))
        continue;
      struct bt_str path;
      bt_str_init(&path, PATH_BYTES_MAX);
      if (bt_path_resolve(&path, folder.data, line.data) == BT_OK && bt_ends_with(path.data, "/.git")) {
        cut_last(&path);
        add_root(scope, path.data);
      }
      bt_str_dispose(&path);
    }
    bt_fs_listing_dispose(&listing);
  }
  if (dir >= 0)
    close(dir);
  bt_str_dispose(&folder);
  bt_str_dispose(&line);
}

/* The folder around a shared folder that is not called .git, where it sends its visitors there: `<folder>/.git` is a
 * file that leads to `<folder>/.bare`, and the worktrees lie beside it. */
static void add_around(struct bt_scope *scope, const char *common) {
  struct bt_str around, line, led;
  bt_str_init(&around, PATH_BYTES_MAX);
  bt_str_init(&line, GIT_FILE_MAX);
  bt_str_init(&led, PATH_BYTES_MAX);
  bt_str_puts(&around, common);
  cut_last(&around);
  char *real = bt_real_path(common), *real_led = NULL;
  if (read_line(&line, around.data, ".git", "gitdir: ") && bt_path_resolve(&led, around.data, line.data) == BT_OK)
    real_led = bt_real_path(led.data);
  if (real && real_led && strcmp(real, real_led) == 0)
    add_root(scope, around.data);
  free(real);
  free(real_led);
  bt_str_dispose(&around);
  bt_str_dispose(&line);
  bt_str_dispose(&led);
}

struct bt_scope *bt_scope_new(const char *root) {
  struct bt_scope *scope = calloc(1, sizeof *scope);
  struct bt_str path, common;
  bool bare = false;
  if (!scope)
    return NULL;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&common, PATH_BYTES_MAX);
  bt_str_puts(&path, root);
  if (find_worktree(&path, &bare)) {
    add_root(scope, path.data);
    if (bare)
      bt_str_puts(&common, path.data);
    if (bare || find_common(&common, path.data)) {
      add_linked(scope, common.data);
      if (bt_ends_with(common.data, "/.git")) {
        cut_last(&common);
        add_root(scope, common.data);
      } else if (is_bare(common.data)) {
        add_root(scope, common.data);
        add_around(scope, common.data);
      }
    }
  } else {
    add_root(scope, root);
  }
  bt_str_dispose(&path);
  bt_str_dispose(&common);
  return scope;
}

void bt_scope_free(struct bt_scope *scope) {
  if (!scope)
    return;
  for (size_t i = 0; i < scope->count; i++)
    free(scope->roots[i]);
  bt_hashset_dispose(&scope->inside);
  bt_hashset_dispose(&scope->outside);
  free(scope);
}

size_t bt_scope_root_count(const struct bt_scope *scope) {
  return scope->count;
}

const char *bt_scope_root(const struct bt_scope *scope, size_t at) {
  return scope->roots[at];
}

static bool is_root(const struct bt_scope *scope, const char *path) {
  for (size_t i = 0; i < scope->count; i++)
    if (strcmp(scope->roots[i], path) == 0)
      return true;
  return false;
}

static bool is_inside_any(const struct bt_scope *scope, const char *path) {
  for (size_t i = 0; i < scope->count; i++)
    if (inside(path, scope->roots[i]))
      return true;
  return false;
}

/* A path whose end is gone, with what is left of it resolved: the way there may have led through a link. */
static bool is_inside_by_what_is_left(const struct bt_scope *scope, const char *path) {
  struct bt_str left;
  bool in = false;
  bt_str_init(&left, PATH_BYTES_MAX);
  bt_str_puts(&left, path);
  for (const char *slash; (slash = strrchr(left.data, '/')) != NULL && slash != left.data;) {
    bt_str_truncate(&left, (size_t)(slash - left.data));
    char *real = bt_real_path(left.data);
    if (!real)
      continue;
    size_t rest = left.length;
    bt_str_clear(&left);
    bt_str_printf(&left, "%s%s", real, path + rest);
    in = !left.failed && is_inside_any(scope, left.data);
    free(real);
    break;
  }
  bt_str_dispose(&left);
  return in;
}

static bool judge(const struct bt_scope *scope, const char *cwd) {
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES_MAX);
  bt_utf8_encode8(&bytes, cwd, strlen(cwd));
  char *real = !bytes.failed && bytes.data[0] == '/' ? bt_real_path(bytes.data) : NULL;
  bool in = is_inside_any(scope, real ? real : bytes.data);
  if (!in && !real && bytes.data[0] == '/')
    in = is_inside_by_what_is_left(scope, bytes.data);
  if (in && real) { /* not so in a repository of its own */
    bt_str_clear(&bytes);
    bt_str_puts(&bytes, real);
    in = !find_worktree(&bytes, NULL) || is_root(scope, bytes.data) || !is_inside_any(scope, bytes.data);
  }
  free(real);
  bt_str_dispose(&bytes);
  return in;
}

bool bt_scope_has(struct bt_scope *scope, const char *cwd) {
  uint64_t id = bt_id_hash(cwd, strlen(cwd));
  bool failed = false;
  if (bt_hashset_has(&scope->inside, id) || bt_hashset_has(&scope->outside, id))
    return bt_hashset_has(&scope->inside, id);
  bool in = judge(scope, cwd);
  struct bt_hashset *answers = in ? &scope->inside : &scope->outside;
  if (answers->count < ANSWERS_MAX)
    (void)bt_hashset_add(answers, id, &failed);
  return in;
}
