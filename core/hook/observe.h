/* core/hook/observe.h - the signals that a hook host supplies: the depth of its transcript, and whether it saw all of it.
 *
 * Reads one file outside the ledger, links followed, without ever waiting for a writer. Must not know: bands, sessions,
 * formats. Rules: spec/context-handoff.md A.2 item 5, spec/transcripts.md 4.2. */
#ifndef BATON_CORE_HOOK_OBSERVE_H
#define BATON_CORE_HOOK_OBSERVE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/model/band.h"

struct bt_observed {
  struct bt_signals signals; /* depth, or nothing */
  bool truncated;            /* the depth is a lower bound */
};

/* `path` is internal text, relative to `base` (absolute) where it is not absolute; NULL or empty: there is no
 * transcript. `missing_is_invalid`: a path that leads to nothing counts as malformed (Codex) and not as absent (Claude
 * Code). BT_NOMEM only: whatever else is wrong is in *out. */
enum bt_code bt_observe_transcript(const char *base, const char *path, bool missing_is_invalid, struct bt_observed *out,
                                   struct bt_error *err) BT_NODISCARD;

#endif
