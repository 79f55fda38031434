/* core/harness/facts.h - everything one transcript says about its session.
 *
 * Three kinds of value that are never mixed (spec/transcripts.md): host signals (4), context fill (6), session facts (5, 7).
 * Owns its strings (heap; internal text, NULL where the spec says null). Knows nothing of files or formats. */
#ifndef BATON_CORE_HARNESS_FACTS_H
#define BATON_CORE_HARNESS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum bt_harness {
  BT_HARNESS_CLAUDE,
  BT_HARNESS_CODEX,
  BT_HARNESS_OPENCODE,
  BT_HARNESS_GEMINI,
  BT_HARNESS_PI,
  BT_HARNESS_COUNT
};
const char *bt_harness_word(enum bt_harness harness); /* claude, codex, opencode, gemini, pi */

enum bt_agent_state { /* spec/transcripts.md 7 */
  BT_AGENT_EMPTY,
  BT_AGENT_RUNNING,
  BT_AGENT_WAITING,
  BT_AGENT_INTERRUPTED,
  BT_AGENT_ENDED,
  BT_AGENT_STATE_COUNT
};
const char *bt_agent_state_word(enum bt_agent_state state);

enum bt_host_band { BT_HOST_CLEAR, BT_HOST_WARN, BT_HOST_INCOMPLETE, BT_HOST_HANDOFF, BT_HOST_HARD, BT_HOST_BAND_COUNT };
const char *bt_host_band_word(enum bt_host_band band);

#define BT_COUNT_UNKNOWN INT64_MIN /* null */

struct bt_transcript_facts {
  enum bt_harness harness;

  /* host signals */
  int64_t depth; /* BT_COUNT_UNKNOWN: absent */
  bool depth_invalid;
  bool truncated;
  enum bt_host_band host_band;

  /* session facts */
  char *session_id, *parent_session_id;
  bool is_subagent;
  bool archived; /* the file lies in an archive folder: set by who found it, before the state is settled */
  char *cwd, *last_cwd, *git_branch, *model, *version;
  char *title, *first_prompt, *last_prompt, *last_assistant, *last_tool;
  int64_t user_messages, assistant_messages, tools;
  bool last_tool_pending;
  enum bt_agent_state state;
  bool error;
  int64_t compactions;
  bool has_last_compaction;
  char *compaction_trigger;
  int64_t compaction_pre_tokens, compaction_post_tokens; /* BT_COUNT_UNKNOWN: null */
  int64_t last_compaction_ms;                            /* BT_TIME_UNKNOWN */
  int64_t sidechain_records;
  int64_t started_ms, last_activity_ms; /* BT_TIME_UNKNOWN: null */

  /* context fill */
  int64_t used, window, pct_centi; /* BT_COUNT_UNKNOWN: null */
  const char *window_source;       /* config, transcript, model, evidence, default; NULL. Static. */

  /* reading quality */
  int64_t skipped_lines, bytes;
  bool partial_tail;
};

void bt_facts_init(struct bt_transcript_facts *facts, enum bt_harness harness);
void bt_facts_dispose(struct bt_transcript_facts *facts);
enum bt_code bt_facts_copy(struct bt_transcript_facts *to, const struct bt_transcript_facts *from) BT_NODISCARD;

/* Lets `time_ms` (BT_TIME_UNKNOWN: nothing) count for started and last activity; returns it. */
int64_t bt_facts_note_time(struct bt_transcript_facts *facts, int64_t time_ms);

/* pct_centi from used and window; the window's rule 3 for Claude is applied by its reader before. */
void bt_facts_settle_fill(struct bt_transcript_facts *facts);

/* What the file itself cannot say of the state: an archive has ended; then the staleness overlay of section 7. `now_ms` BT_TIME_UNKNOWN skips it; so does a live process that owns the session. */
void bt_facts_settle_state(struct bt_transcript_facts *facts, int64_t now_ms, bool owned_by_live_process);

/* host_band from depth, depth_invalid and truncated (4.3). `pct` BT_COUNT_UNKNOWN is absent. */
void bt_facts_settle_band(struct bt_transcript_facts *facts);

#endif
