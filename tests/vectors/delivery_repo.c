/* tests/vectors/delivery_repo.c - commits, references and remotes from a few words. */
#include "tests/vectors/delivery_repo.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 40 };

/* ---- git ---- */

int delivery_git(const struct delivery_repo *repo, const char *where, struct bt_str *out, const char *const *words) {
  const char *argv[WORDS_MAX] = {
      "/usr/bin/env", "git", "-c", "user.name=v", "-c", "user.email=v@example.org", "-c", "commit.gpgsign=false"};
  char path[4096], home[4096];
  const char *search = getenv("PATH");
  size_t count = 8;
  for (size_t i = 0; words[i] != NULL && count + 1 < WORDS_MAX; i++)
    argv[count++] = words[i];
  snprintf(path, sizeof path, "PATH=%s", search != NULL ? search : "/usr/bin:/bin");
  snprintf(home, sizeof home, "HOME=%s", repo->world.root);
  char no_global[] = "GIT_CONFIG_GLOBAL=/dev/null", no_system[] = "GIT_CONFIG_NOSYSTEM=1";
  char author[] = "GIT_AUTHOR_DATE=1772000000 +0000", committer[] = "GIT_COMMITTER_DATE=1772000000 +0000";
  char *const environ_[] = {path, home, no_global, no_system, author, committer, NULL};
  struct vec_child child;
  vec_child_run(&child, where, argv, environ_);
  int status = child.exit;
  if (out != NULL)
    bt_str_append(out, child.out.data, child.out.length);
  vec_child_dispose(&child);
  return status;
}

static const char *id_of(const struct delivery_repo *repo, const char *label) {
  for (size_t i = 0; i < repo->label_count; i++) {
    if (strcmp(repo->labels[i].name, label) == 0)
      return repo->labels[i].id;
  }
  vec_give_up("a label without a commit");
}

/* A commit without files; the message makes its id its own. `second` may be NULL. */
static void commit(struct delivery_repo *repo, const char *label, const char *parent, const char *second,
                   const char *message) {
  /* The empty tree has the same id everywhere. */
  const char *words[WORDS_MAX] = {"commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", message};
  size_t count = 4;
  struct bt_str out;
  if (parent != NULL) {
    words[count++] = "-p";
    words[count++] = parent;
  }
  if (second != NULL) {
    words[count++] = "-p";
    words[count++] = second;
  }
  bt_str_init(&out, VEC_TEXT_MAX);
  vec_require(delivery_git(repo, repo->main, &out, words) == 0 && out.length >= 40, "commit");
  vec_require(repo->label_count < REPO_LABELS_MAX, "too many commits");
  snprintf(repo->labels[repo->label_count].name, sizeof repo->labels->name, "%s", label);
  snprintf(repo->labels[repo->label_count].id, sizeof repo->labels->id, "%.*s", (int)strcspn(out.data, "\n"), out.data);
  repo->label_count++;
  bt_str_dispose(&out);
}

/* FAMILY1..FAMILYn, each on the one before; the first on `from`. */
static void chain(struct delivery_repo *repo, const char *family, int64_t count, const char *from) {
  for (int64_t i = 1; i <= count; i++) {
    char label[16], message[64], before[16];
    snprintf(label, sizeof label, "%s%d", family, (int)i);
    snprintf(before, sizeof before, "%s%d", family, (int)i - 1);
    snprintf(message, sizeof message, "commit %s", label);
    commit(repo, label, i > 1 ? id_of(repo, before) : from, NULL, message);
  }
}

static void set_ref(struct delivery_repo *repo, const char *space, const char *branch, const char *id) {
  char name[512];
  snprintf(name, sizeof name, "%s/%s", space, branch);
  delivery_git_ok(repo, repo->main, "update-ref", name, id);
}

/* ---- what the case says ---- */

/* The merge result and what came after it on main; answers main's tip. */
static const char *make_main(struct delivery_repo *repo, const struct bt_json *git, const char *tip) {
  const struct bt_json *merge = bt_json_get(git, "merge");
  const char *kind = bt_json_get_string(merge, "kind"), *of = bt_json_get_string(merge, "of");
  if (kind != NULL && of != NULL) {
    if (strcmp(kind, "ff") == 0) {
      memcpy(&repo->labels[repo->label_count], id_of(repo, of) - offsetof(struct delivery_label, id),
             sizeof *repo->labels);
      memcpy(repo->labels[repo->label_count].name, "M", 2);
      repo->label_count++;
    } else {
      commit(repo, "M", tip, strcmp(kind, "merge") == 0 ? id_of(repo, of) : NULL, "the change (#42)");
    }
    tip = id_of(repo, "M");
  }
  const struct bt_json *reverts = bt_json_get(git, "reverts");
  int number = 0;
  for (const struct bt_json *revert = bt_json_first(reverts); revert != NULL; revert = bt_json_next(revert)) {
    char label[16], message[256];
    int64_t digits = 64;
    (void)vec_get_int(revert, "abbrev", &digits);
    snprintf(label, sizeof label, "V%d", ++number);
    snprintf(message, sizeof message, "Revert %d\n\nThis reverts commit %.*s.", number, (int)digits,
             id_of(repo, bt_json_get_string(revert, "of")));
    commit(repo, label, tip, NULL, message);
    tip = id_of(repo, label);
  }
  return tip;
}

static void set_config(struct delivery_repo *repo, const char *section, const char *name, const char *key,
                       const char *value) {
  char full[2048];
  snprintf(full, sizeof full, "%s.%s.%s", section, name, key);
  delivery_git_ok(repo, repo->main, "config", "--add", full, value);
}

static void make_remotes(struct delivery_repo *repo, const struct bt_json *git, const char *branch) {
  const struct bt_json *remotes = bt_json_get(git, "remotes"), *rewrites = bt_json_get(git, "instead_of");
  const char *remote = bt_json_get_string(git, "remote"), *of_branch = bt_json_get_string(git, "branch_remote");
  if (bt_json_type(remotes) == BT_JSON_OBJECT) {
    for (const struct bt_json *item = bt_json_first(remotes); item != NULL; item = bt_json_next(item))
      set_config(repo, "remote", bt_json_key(item), "url", bt_json_string(item));
  } else if (remote != NULL) {
    set_config(repo, "remote", "origin", "url", remote);
  }
  if (of_branch != NULL)
    set_config(repo, "branch", branch, "remote", of_branch);
  for (const struct bt_json *item = bt_json_first(rewrites); item != NULL; item = bt_json_next(item))
    set_config(repo, "url", bt_json_string(item), "insteadOf", bt_json_key(item));
}

static char *below(const struct delivery_repo *repo, const char *name) {
  size_t size = strlen(repo->world.root) + strlen(name) + 2;
  char *path = malloc(size);
  vec_require(path != NULL, "memory");
  snprintf(path, size, "%s/%s", repo->world.root, name);
  return path;
}

void delivery_repo_open(struct delivery_repo *repo, const struct bt_json *git, bool linked) {
  int64_t base = 1, commits = 0, rewritten = 0;
  const char *branch = bt_json_get_string(git, "branch");
  memset(repo, 0, sizeof *repo);
  vec_world_open(&repo->world);
  repo->main = below(repo, "main");
  vec_require(mkdir(repo->main, 0777) == 0, "folder");
  delivery_git_ok(repo, repo->main, "init", "-q", "-b", "main");
  delivery_git_ok(repo, repo->main, "hash-object", "-t", "tree", "-w", "/dev/null");
  (void)vec_get_int(git, "base_commits", &base);
  (void)vec_get_int(git, "commits", &commits);
  (void)vec_get_int(git, "rewritten", &rewritten);
  chain(repo, "B", base, NULL);
  chain(repo, "C", commits, id_of(repo, "B1"));
  chain(repo, "R", rewritten, id_of(repo, "B1"));
  char last[16];
  snprintf(last, sizeof last, "B%d", (int)base);
  set_ref(repo, "refs/heads", "main", make_main(repo, git, id_of(repo, last)));
  const char *live = bt_json_get_string(git, "live"), *tracking = bt_json_get_string(git, "remote_tracking");
  if (branch != NULL && live != NULL)
    set_ref(repo, "refs/heads", branch, id_of(repo, live));
  if (branch != NULL && tracking != NULL)
    set_ref(repo, "refs/remotes/origin", branch, id_of(repo, tracking));
  make_remotes(repo, git, branch != NULL ? branch : "main");
  if (linked) {
    repo->linked = below(repo, "linked");
    delivery_git_ok(repo, repo->main, "worktree", "add", "-q", "--detach", repo->linked, "main");
  }
}

void delivery_repo_close(struct delivery_repo *repo) {
  free(repo->main);
  free(repo->linked);
  vec_world_close(&repo->world);
}

const char *delivery_repo_tree(const struct delivery_repo *repo) {
  return repo->linked != NULL ? repo->linked : repo->main;
}

/* ---- texts ---- */

/* One placeholder, without its braces. */
static void put_label(const struct delivery_repo *repo, struct bt_str *out, const char *inner, size_t length) {
  char label[32], *form;
  snprintf(label, sizeof label, "%.*s", (int)length, inner);
  form = strchr(label, ':');
  if (form != NULL)
    *form++ = '\0';
  const char *id = id_of(repo, label);
  size_t digits = form != NULL && isdigit((unsigned char)form[0]) ? (size_t)strtoul(form, NULL, 10) : strlen(id);
  bool upper = form != NULL && strcmp(form, "upper") == 0;
  for (size_t i = 0; i < digits && id[i] != '\0'; i++)
    bt_str_putc(out, (char)(upper ? toupper((unsigned char)id[i]) : id[i]));
}

char *delivery_fill(const struct delivery_repo *repo, const char *text, size_t length, size_t *filled) {
  struct bt_str out;
  bt_str_init(&out, VEC_TEXT_MAX);
  for (size_t at = 0; at < length;) {
    const char *end = length - at > 4 && memcmp(text + at, "{{", 2) == 0 ? strstr(text + at, "}}") : NULL;
    bool label = end != NULL && end - (text + at) < 20 && isupper((unsigned char)text[at + 2]);
    if (label) {
      put_label(repo, &out, text + at + 2, (size_t)(end - text) - at - 2);
      at = (size_t)(end - text) + 2;
    } else {
      bt_str_putc(&out, text[at++]);
    }
  }
  char *copy = bt_str_take(&out, filled);
  vec_require(copy != NULL, "memory");
  return copy;
}

void delivery_put(const struct delivery_repo *repo, const char *path, const void *bytes, size_t length) {
  vec_tree_put(&repo->world, path, bytes, length);
}
