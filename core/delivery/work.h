/* core/delivery/work.h - what git says of one working tree: where it is, what its references and objects are.
 *
 * Owns: the questions, one child process each. git itself is asked and not libgit2: it reads every format of
 * repository, and each answer is by definition the one that git gives (spec/delivery-handoff.md 11.3, 16). Nothing here
 * writes, and nothing reaches the network: a missing object of a partial clone stays missing. Answers live in the
 * arena. */
#ifndef BATON_CORE_DELIVERY_WORK_H
#define BATON_CORE_DELIVERY_WORK_H

#include <stdbool.h>

#include "core/base/str.h"
#include "core/delivery/codes.h"

#define BT_RECORD_FOLDER ".verified-delivery"
#define BT_RECORD_PATH BT_RECORD_FOLDER "/handoff.json"

struct bt_work {
  struct bt_arena *arena;
  const char *tree;       /* root of this working tree */
  const char *git_dir;    /* its own git folder */
  const char *common_dir; /* the one that all working trees of the repository share */
  size_t id_length;       /* digits of an object id: 40 or 64 */
};

/* Finds the working tree that `directory` lies in. BT_STATE: no repository, a bare one, no working tree there, or no
 * git to ask. BT_IO, BT_NOMEM. */
enum bt_code bt_work_open(struct bt_arena *arena, const char *directory, struct bt_work *work,
                          struct bt_error *err) BT_NODISCARD;

/* Runs `git ARGS...` (ends in NULL) and gives its exit status and output (NULL: discarded). BT_IO when git did not come
 * to an end of its own. */
enum bt_code bt_work_ask(const struct bt_work *work, const char *const *args, struct bt_str *output, int *exit_status,
                         struct bt_error *err) BT_NODISCARD;

/* Object ids (lower case) of `count` full reference names; NULL for one that is not there. With `targets` (may be NULL)
 * also what a symbolic one points to. */
enum bt_code bt_work_refs(const struct bt_work *work, const char *const *names, size_t count, const char **ids,
                          const char **targets, struct bt_error *err) BT_NODISCARD;

/* The branch that is checked out; NULL when detached. */
enum bt_code bt_work_branch(const struct bt_work *work, const char **branch, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_work_has_commit(const struct bt_work *work, const char *id, bool *has,
                                struct bt_error *err) BT_NODISCARD;
/* `a` is reachable from `b` and not the same. Both must be local commits. */
enum bt_code bt_work_is_ancestor(const struct bt_work *work, const char *a, const char *b, bool *is,
                                 struct bt_error *err) BT_NODISCARD;
/* Parents as the commit itself names them, also where a shallow clone ends. */
enum bt_code bt_work_parents(const struct bt_work *work, const char *id, struct bt_texts *parents,
                             struct bt_error *err) BT_NODISCARD;

#endif
