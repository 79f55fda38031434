/* core/store/repo_native.h - what libgit2 says of a repository, and how sure it is that git would say the same.
 *
 * Private to core/store/repo.c (the only user of libgit2) and core/store/repo_ask.c (which asks git where this one is
 * not sure). */
#ifndef BATON_CORE_STORE_REPO_NATIVE_H
#define BATON_CORE_STORE_REPO_NATIVE_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

enum bt_native {
  BT_NATIVE_SURE,     /* the text is what git prints */
  BT_NATIVE_NONE,     /* git would fail: there is no commit yet */
  BT_NATIVE_DOUBTFUL, /* the text is an answer, but git may differ in detail (renames, submodules, filters) */
  BT_NATIVE_CANNOT    /* libgit2 cannot open or read this */
};

/* The text is raw bytes. Fail with BT_NOMEM only. */
enum bt_code bt_native_branch(const struct bt_env *env, struct bt_str *branch, enum bt_native *how,
                              struct bt_error *err) BT_NODISCARD;
enum bt_code bt_native_status(const struct bt_env *env, struct bt_str *status, enum bt_native *how,
                              struct bt_error *err) BT_NODISCARD;

/* The value of an environment variable, as core is allowed to know it; NULL: unset. */
const char *bt_repo_variable(const struct bt_env *env, const char *name);

#endif
