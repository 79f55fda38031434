/* core/model/transcript.c - words and figures of a transcript's facts. */
#include "core/model/transcript.h"

#define TREND_MS INT64_C(600000)

const char *bt_harness_word(enum bt_harness harness) {
  static const char *const words[BT_HARNESS_COUNT] = {"claude", "codex", "opencode", "gemini", "pi"};
  return words[harness];
}

const char *bt_agent_state_word(enum bt_agent_state state) {
  static const char *const words[BT_AGENT_STATE_COUNT] = {"empty", "running", "waiting", "interrupted", "ended"};
  return words[state];
}

const char *bt_host_band_word(enum bt_host_band band) {
  static const char *const words[BT_HOST_BAND_COUNT] = {"clear", "warn", "incomplete", "handoff", "hard"};
  return words[band];
}

bool bt_facts_trend(const struct bt_transcript_facts *facts, double *tokens_a_minute) {
  int last = facts->trail_count - 1, first = last;
  while (first > 0 && facts->trail_ms[last] - facts->trail_ms[first - 1] <= TREND_MS)
    first--;
  if (last < 1 || first == last || facts->trail_ms[last] <= facts->trail_ms[first])
    return false;
  *tokens_a_minute = (double)(facts->trail_used[last] - facts->trail_used[first]) * 60000 /
                     (double)(facts->trail_ms[last] - facts->trail_ms[first]);
  return true;
}
