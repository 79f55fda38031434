/* core/ops/append_segment.h - which segment the next entry goes to.
 *
 * Inside core/ops only. Owns: spec/context-handoff.md 12.5 step 2: token, recovery, mint, the git-ignore probe. */
#ifndef BATON_CORE_OPS_APPEND_SEGMENT_H
#define BATON_CORE_OPS_APPEND_SEGMENT_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/ops/txn.h"
#include "core/store/chain_forest.h"
#include "core/store/segments.h"

struct bt_segment_choice {
  char name[BT_SEGMENT_SLUG_MAX + 1 + BT_ULID_LENGTH + sizeof ".jsonl"];
  bool minted; /* the file is new: its first entry carries anchor, branch and a v2 signature */
  bool has_branch;
  struct bt_str branch; /* internal text; empty without one */
};

/* `forest` has been found in order under the lineage lock. A minted choice has written the token (with a branch).
 * BT_EVIDENCE for every refusal, BT_IO, BT_NOMEM. Dispose in every case. */
enum bt_code bt_segment_choose(const struct bt_env *env, struct bt_txn *txn, const struct bt_forest *forest,
                               struct bt_segment_choice *choice, struct bt_error *err) BT_NODISCARD;
void bt_segment_choice_dispose(struct bt_segment_choice *choice);

#endif
