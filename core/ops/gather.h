/* core/ops/gather.h - collects what a brief is made of and composes it.
 *
 * Inside core/ops. Every reader is best effort: what cannot be read is left out of the brief; only memory fails.
 * Rules: spec/context-handoff.md 9.3-9.6. */
#ifndef BATON_CORE_OPS_GATHER_H
#define BATON_CORE_OPS_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/digest.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/harness/narrative.h"

struct bt_brief {
  struct bt_str body; /* internal text, capped */
  char hash[BT_SHA256_HEX];
  bool was_cut;
  bool title_known;
  size_t dirty_lines; /* of the working tree, at most 41 */
};

/* `narrative` NULL: none was asked for. Dispose in every case. */
enum bt_code bt_brief_gather(const struct bt_env *env, int ledger, const char *ticket,
                             const struct bt_narrative *narrative, struct bt_brief *brief,
                             struct bt_error *err) BT_NODISCARD;
void bt_brief_dispose(struct bt_brief *brief);

#endif
