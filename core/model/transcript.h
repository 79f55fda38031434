/* core/model/transcript.h - everything one transcript says about its session: plain data, no files and no formats.
 *
 * Three kinds of value that are never mixed (spec/transcripts.md): host signals (4), context fill (6), session facts (5, 7).
 * Filled in by core/harness; strings are internal text, NULL where the spec says null. Who owns them is the holder's business. */
#ifndef BATON_CORE_MODEL_TRANSCRIPT_H
#define BATON_CORE_MODEL_TRANSCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum bt_harness {
  BT_HARNESS_CLAUDE,
  BT_HARNESS_CODEX,
  BT_HARNESS_OPENCODE,
  BT_HARNESS_GEMINI,
  BT_HARNESS_PI,
  BT_HARNESS_COUNT
};
const char *bt_harness_word(enum bt_harness harness); /* claude, codex, opencode, gemini, pi */

/* Rules: spec/transcripts.md 7. */
enum bt_agent_state {
  BT_AGENT_EMPTY,
  BT_AGENT_RUNNING,
  BT_AGENT_WAITING,
  BT_AGENT_INTERRUPTED,
  BT_AGENT_ENDED,
  BT_AGENT_STATE_COUNT
};
const char *bt_agent_state_word(enum bt_agent_state state);

enum bt_host_band {
  BT_HOST_CLEAR,
  BT_HOST_WARN,
  BT_HOST_INCOMPLETE,
  BT_HOST_HANDOFF,
  BT_HOST_HARD,
  BT_HOST_BAND_COUNT
};
const char *bt_host_band_word(enum bt_host_band band);

#define BT_COUNT_UNKNOWN INT64_MIN /* null */
#define BT_TRAIL_MAX 8

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
  bool no_session; /* the file is of this format, but holds no session */
  bool archived;   /* the file lies in an archive folder: set by who found it, before the state is settled */
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

  /* how the fill moved since the last compaction: newest last */
  int64_t trail_ms[BT_TRAIL_MAX], trail_used[BT_TRAIL_MAX];
  int trail_count;

  /* reading quality */
  int64_t skipped_lines, bytes;
  bool partial_tail;
};

/* Tokens a minute over the last ten minutes of the trail; false when there is too little of one. */
bool bt_facts_trend(const struct bt_transcript_facts *facts, double *tokens_a_minute);

#endif
