/* core/harness/facts.c - the parts of a transcript's facts that no format decides. */
#include "core/harness/facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/thresholds.h"

void bt_facts_init(struct bt_transcript_facts *facts, enum bt_harness harness) {
  *facts = (struct bt_transcript_facts){
      .harness = harness,
      .depth = BT_COUNT_UNKNOWN,
      .compaction_pre_tokens = BT_COUNT_UNKNOWN,
      .compaction_post_tokens = BT_COUNT_UNKNOWN,
      .last_compaction_ms = BT_TIME_UNKNOWN,
      .started_ms = BT_TIME_UNKNOWN,
      .last_activity_ms = BT_TIME_UNKNOWN,
      .used = BT_COUNT_UNKNOWN,
      .window = BT_COUNT_UNKNOWN,
      .pct_centi = BT_COUNT_UNKNOWN,
  };
}

/* Every owned string, so that copying and freeing cannot forget one. */
void bt_facts_texts(struct bt_transcript_facts *facts, char **slots[BT_FACTS_TEXTS]) {
  char **all[BT_FACTS_TEXTS] = {&facts->session_id,
                                &facts->parent_session_id,
                                &facts->cwd,
                                &facts->last_cwd,
                                &facts->git_branch,
                                &facts->model,
                                &facts->version,
                                &facts->title,
                                &facts->first_prompt,
                                &facts->last_prompt,
                                &facts->last_assistant,
                                &facts->last_tool,
                                &facts->compaction_trigger};
  memcpy(slots, all, sizeof all);
}

void bt_facts_dispose(struct bt_transcript_facts *facts) {
  char **slots[BT_FACTS_TEXTS];
  bt_facts_texts(facts, slots);
  for (size_t i = 0; i < BT_FACTS_TEXTS; i++)
    free(*slots[i]);
  bt_facts_init(facts, facts->harness);
}

enum bt_code bt_facts_copy(struct bt_transcript_facts *to, const struct bt_transcript_facts *from) {
  char **slots[BT_FACTS_TEXTS];
  bool failed = false;
  *to = *from;
  bt_facts_texts(to, slots);
  for (size_t i = 0; i < BT_FACTS_TEXTS; i++) {
    const char *text = *slots[i];
    *slots[i] = text ? strdup(text) : NULL;
    failed |= text && !*slots[i];
  }
  if (failed) {
    bt_facts_dispose(to);
    return BT_NOMEM;
  }
  return BT_OK;
}

static bool shorten(char **text, size_t bytes) {
  static const char ellipsis[] = "\xE2\x80\xA6";
  size_t length = *text ? strlen(*text) : 0;
  if (length <= bytes)
    return true;
  size_t keep = bytes - (sizeof ellipsis - 1);
  while (keep > 0 && ((unsigned char)(*text)[keep] & 0xC0) == 0x80)
    keep--;
  char *cut = malloc(keep + sizeof ellipsis);
  if (!cut)
    return false;
  memcpy(cut, *text, keep);
  memcpy(cut + keep, ellipsis, sizeof ellipsis);
  free(*text);
  *text = cut;
  return true;
}

bool bt_facts_shorten(struct bt_transcript_facts *facts, size_t text_bytes) {
  char **slots[BT_FACTS_TEXTS];
  bool ok = true;
  bt_facts_texts(facts, slots);
  for (size_t i = 0; i < BT_FACTS_TEXTS; i++)
    ok &= shorten(slots[i], slots[i] == &facts->cwd || slots[i] == &facts->last_cwd ? 4096 : text_bytes);
  return ok;
}

#define SAME_SAMPLE_MS 5000 /* the records of one reply come close together */

void bt_facts_note_fill(struct bt_transcript_facts *facts, int64_t used, int64_t time_ms) {
  int last = facts->trail_count - 1;
  facts->used = used;
  if (used == BT_COUNT_UNKNOWN) {
    facts->trail_count = 0;
  } else if (last >= 0 && time_ms != BT_TIME_UNKNOWN && time_ms - facts->trail_ms[last] < SAME_SAMPLE_MS) {
    facts->trail_used[last] = used;
  } else if (time_ms != BT_TIME_UNKNOWN) {
    if (facts->trail_count == BT_TRAIL_MAX) {
      memmove(facts->trail_ms, facts->trail_ms + 1, (size_t)last * sizeof facts->trail_ms[0]);
      memmove(facts->trail_used, facts->trail_used + 1, (size_t)last * sizeof facts->trail_used[0]);
      facts->trail_count--;
    }
    facts->trail_ms[facts->trail_count] = time_ms;
    facts->trail_used[facts->trail_count++] = used;
  }
}

void bt_facts_set_window(struct bt_transcript_facts *facts, int64_t tokens) {
  facts->window = tokens;
  facts->window_source = "config";
  bt_facts_settle_fill(facts);
}

int64_t bt_facts_note_time(struct bt_transcript_facts *facts, int64_t time_ms) {
  if (time_ms == BT_TIME_UNKNOWN)
    return time_ms;
  if (facts->started_ms == BT_TIME_UNKNOWN)
    facts->started_ms = time_ms;
  if (facts->last_activity_ms == BT_TIME_UNKNOWN || time_ms > facts->last_activity_ms)
    facts->last_activity_ms = time_ms;
  return time_ms;
}

void bt_facts_settle_fill(struct bt_transcript_facts *facts) {
  facts->pct_centi = BT_COUNT_UNKNOWN;
  if (facts->used < 0 || facts->window <= 0)
    return;
  /* used is at most 2^53, so the product can pass 64 bits: divide first where it would. */
  unsigned __int128 centi = (unsigned __int128)facts->used * 10000 / (unsigned __int128)facts->window;
  facts->pct_centi = centi > 10000 ? 10000 : (int64_t)centi;
}

#define MINUTE_MS INT64_C(60000)

void bt_facts_settle_state(struct bt_transcript_facts *facts, int64_t now_ms, bool owned_by_live_process) {
  if (facts->archived)
    facts->state = BT_AGENT_ENDED;
  if (now_ms == BT_TIME_UNKNOWN || facts->last_activity_ms == BT_TIME_UNKNOWN || owned_by_live_process ||
      facts->state == BT_AGENT_EMPTY || facts->state == BT_AGENT_ENDED)
    return;
  int64_t idle_ms = now_ms > facts->last_activity_ms ? now_ms - facts->last_activity_ms : 0;
  if (idle_ms > 12 * 60 * MINUTE_MS)
    facts->state = BT_AGENT_ENDED;
  else if (facts->state == BT_AGENT_RUNNING && idle_ms > 30 * MINUTE_MS)
    facts->state = BT_AGENT_INTERRUPTED;
}

void bt_facts_settle_band(struct bt_transcript_facts *facts) {
  int64_t depth = facts->depth;
  if (facts->depth_invalid)
    facts->host_band = BT_HOST_HARD;
  else if (depth == BT_COUNT_UNKNOWN)
    facts->host_band = BT_HOST_CLEAR;
  else if (depth < 0 || depth >= BT_HARD_DEPTH)
    facts->host_band = BT_HOST_HARD;
  else if (depth >= BT_HANDOFF_DEPTH)
    facts->host_band = BT_HOST_HANDOFF;
  else if (facts->truncated)
    facts->host_band = BT_HOST_INCOMPLETE;
  else
    facts->host_band = depth >= BT_WARN_DEPTH ? BT_HOST_WARN : BT_HOST_CLEAR;
}
