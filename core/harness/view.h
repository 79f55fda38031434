/* core/harness/view.h - the sessions that transcripts know of, at one instant: what a ledger load joins to its own.
 *
 * Immutable, in one arena of its own; made from a catalog under its lock, then used without it. Sub-agents are counted
 * on their parents, never rows of their own. Here the facts are settled: the user's windows, names from indexes, the
 * staleness overlay and what the registry of living processes says. Rules: spec/transcripts.md 1, 5, 6, 7. */
#ifndef BATON_CORE_HARNESS_VIEW_H
#define BATON_CORE_HARNESS_VIEW_H

#include <stdatomic.h>

#include "core/harness/catalog.h"
#include "core/harness/registry.h"

struct bt_harness_row {
  const struct bt_transcript_facts *facts;
  const char *session_id;
  const char *path;    /* internal text */
  const char *problem; /* why it cannot be read; NULL */
  bool is_pending;     /* changed since, or never read: facts are those of before, or what the name tells */
  bool is_unread;      /* nothing of the file is known: facts are what its name tells */
  bool is_compressed;
  int64_t mtime_ms; /* BT_TIME_UNKNOWN: it cannot even be looked at */
  size_t subagents;
  size_t living, stale; /* processes that say they have it open, and those that said so and are gone */
  double pid;           /* of the last of these */
};

struct bt_harness_note {
  const char *path, *text;
};

struct bt_harness_view {
  struct bt_arena *arena;
  const struct bt_harness_row *rows; /* newest file first */
  size_t row_count;
  const struct bt_harness_note *notes; /* stores and settings that cannot be used */
  size_t note_count;
  struct bt_packed **texts; /* held, one a row at most */
  size_t text_count;
  atomic_uint holders;
  size_t known, pending; /* files of wanted sessions; files that may be such and are still to be read */
};

/* NULL with err: out of memory. `registry` may be NULL. `now_ms`: the clock of the overlay. */
struct bt_harness_view *bt_harness_view_new(const struct bt_catalog *catalog, const struct bt_registry *registry,
                                            int64_t now_ms, struct bt_error *err) BT_NODISCARD;
/* Views are shared: whoever keeps something of one holds it, the last holder frees it; from any thread. NULL is allowed
 * for freeing. */
struct bt_harness_view *bt_harness_view_hold(struct bt_harness_view *view);
void bt_harness_view_free(struct bt_harness_view *view);

/* Lists, reads and proves everything that is wanted, with the index (core/harness/index.h) before and after; for
 * commands that answer once. */
struct bt_harness_view *bt_harness_view_load(const struct bt_env *env, bool all, int threads,
                                             struct bt_error *err) BT_NODISCARD;

#endif
