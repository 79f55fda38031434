/* core/store/log_view_build.h - inside core/store/log_view*.c only: the rows of the log while they are made. */
#ifndef BATON_CORE_STORE_LOG_VIEW_BUILD_H
#define BATON_CORE_STORE_LOG_VIEW_BUILD_H

#include "core/base/arena.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/log_view.h"
#include "core/model/snapshot.h"
#include "core/store/evidence_log.h"
#include "core/store/evidence_outcome.h"

struct bt_log_build {
  const struct bt_env *env;
  int ledger;
  struct bt_arena *arena;
  struct bt_log *log; /* the source's */
  struct bt_outcome_judge judge;
  struct bt_str line;
  struct bt_log_row *rows; /* room for all that fill_rows adds */
  size_t count;
  bool failed;
};

/* Both note a failure in the build. The second takes what an arena made. */
const char *bt_log_keep(struct bt_log_build *build, const char *text);
const char *bt_log_keep_made(struct bt_log_build *build, const char *made);

/* How many rows bt_log_derived adds at most. */
size_t bt_log_derived_max(const struct bt_snapshot *snapshot, size_t entries);
/* What files beside the manifest say, behind the `entries` rows of the manifest, newest first. BT_NOMEM. */
enum bt_code bt_log_derived(struct bt_log_build *build, const struct bt_snapshot *snapshot, size_t entries,
                            struct bt_error *err) BT_NODISCARD;

#endif
