/* core/store/brief_diff.h - holds the brief on disk against the copy of it that is kept (dashboard.md row 37).
 *
 * The copy is one that baton kept (core/store/reviewed.h) or, where the ledger lies in a repository, what is committed.
 * Looks only. Both texts are taken in the form that is hashed, so what does not count for the hash is no difference. */
#ifndef BATON_CORE_STORE_BRIEF_DIFF_H
#define BATON_CORE_STORE_BRIEF_DIFF_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/brief_diff.h"

/* `expected` is the hash that the records say, NULL: none does. On BT_OK *diff is the caller's (bt_brief_diff_free).
 * BT_MISSING where no copy is kept, BT_STATE where the brief cannot be read or nothing can compare, BT_UNSAFE,
 * BT_NOMEM. */
enum bt_code bt_brief_diff_load(const struct bt_env *env, int ledger, const char *session, const char *expected,
                                struct bt_brief_diff **diff, struct bt_error *err) BT_NODISCARD;

#endif
