/* tests/vectors/delivery_repo.h - the repository that a case of delivery.json describes, made with git.
 *
 * The notation is that file's own `format` member. Test code: whatever goes wrong ends the program. */
#ifndef BATON_TESTS_VECTORS_DELIVERY_REPO_H
#define BATON_TESTS_VECTORS_DELIVERY_REPO_H

#include "tests/vectors/cli_child.h"

enum { REPO_LABELS_MAX = 64 };

struct delivery_repo {
  struct vec_world world; /* its root holds main/, linked/ and the files that flags name */
  char *main, *linked;    /* absolute; linked is NULL unless there is one */
  struct delivery_label {
    char name[16];
    char id[72];
  } labels[REPO_LABELS_MAX];
  size_t label_count;
};

/* `git` may be NULL: one commit on main and nothing else. */
void delivery_repo_open(struct delivery_repo *repo, const struct bt_json *git, bool linked);
void delivery_repo_close(struct delivery_repo *repo);

/* The working tree under test. */
const char *delivery_repo_tree(const struct delivery_repo *repo);

/* Runs git in `where`; its exit status. What it prints goes to `out` (NULL: nowhere). */
int delivery_git(const struct delivery_repo *repo, const char *where, struct bt_str *out, const char *const *words);
/* The same, and it has to succeed. */
#define delivery_git_ok(repo, where, ...) \
  vec_require(delivery_git(repo, where, NULL, (const char *const[]){__VA_ARGS__, NULL}) == 0, "git")

/* `text` with {{LABEL}}, {{LABEL:upper}} and {{LABEL:12}} filled in. */
char *delivery_fill(const struct delivery_repo *repo, const char *text, size_t length, size_t *filled);

/* Writes a file below the world's root, folders included. */
void delivery_put(const struct delivery_repo *repo, const char *path, const void *bytes, size_t length);

#endif
