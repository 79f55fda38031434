/* core/store/repo.h - branch and working tree as git itself would print them, and how two texts differ.
 *
 * Owns: the only use of libgit2, initialised at the first question that needs it (it costs over 4 ms).
 * Where libgit2 cannot be trusted to answer as git does, `git` is run by argv (core/store/git_run.h).
 * Rules: spec/context-handoff.md 9.3, 15.1 item 8. Looking never writes the index. */
#ifndef BATON_CORE_STORE_REPO_H
#define BATON_CORE_STORE_REPO_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/record.h"

struct bt_arena;

/* How a question about the repository ended. "None" is only what git itself says. */
enum bt_repo_answer {
  BT_REPO_KNOWN,  /* the text is git's */
  BT_REPO_NONE,   /* git says: no repository, no commit yet, no working tree */
  BT_REPO_UNKNOWN /* nobody could say: no git, time out, output past 1 MiB */
};

/* Appends what `git rev-parse --abbrev-ref HEAD` prints in env->root, trimmed ("HEAD" when detached).
 * Nothing is appended unless *answer is BT_REPO_KNOWN. Fails with BT_NOMEM only. */
enum bt_code bt_repo_branch(const struct bt_env *env, struct bt_str *branch, enum bt_repo_answer *answer,
                            struct bt_error *err) BT_NODISCARD;

/* Appends what `git status --porcelain` prints in env->root (decode8 text, each line ended by LF).
 * Fails with BT_NOMEM only. */
enum bt_code bt_repo_status(const struct bt_env *env, struct bt_str *status, enum bt_repo_answer *answer,
                            struct bt_error *err) BT_NODISCARD;

#define BT_REPO_STATUS_LINES 40
/* The status as the brief lists it: non-blank lines, the first 40 and, if there are more, a line that counts the rest
 * (spec 9.3). Every line in `lines` ends in LF; empty when there is nothing to say. Fails with BT_NOMEM only. */
enum bt_code bt_repo_status_brief(const struct bt_env *env, struct bt_str *lines, struct bt_error *err) BT_NODISCARD;

/* Both questions at once, for a snapshot; strings live in `arena`. Fails with BT_NOMEM only. */
enum bt_code bt_repo_load(const struct bt_env *env, struct bt_arena *arena, struct bt_repo *repo,
                          struct bt_error *err) BT_NODISCARD;

/* What differs between two texts, as the hunks of a unified diff: no head lines, three lines of context. */
struct bt_difference {
  size_t added, removed; /* lines */
};
/* Appends the hunks (bytes) to `out`; nothing where the texts are the same. BT_STATE where libgit2 cannot be loaded,
 * BT_NOMEM. Asks no repository and runs nothing. */
enum bt_code bt_repo_difference(const struct bt_str *before, const struct bt_str *after, struct bt_str *out,
                                struct bt_difference *difference, struct bt_error *err) BT_NODISCARD;

/* Name and version of the library behind this file. */
void bt_repo_library(char *out, size_t size);

#endif
