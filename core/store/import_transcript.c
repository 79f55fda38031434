/* core/store/import_transcript.c - what a transcript said of a session, as an imported document tells it. */
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/store/import_values.h"

/* clang-format off */
BT_IMPORT_WORDS(harness_at, bt_harness, bt_harness_word)
BT_IMPORT_WORDS(agent_at, bt_agent_state, bt_agent_state_word)
BT_IMPORT_WORDS(host_band_at, bt_host_band, bt_host_band_word)
/* clang-format on */

static int64_t count_or_unknown(const struct bt_json *from, const char *key) {
  double number;
  return bt_import_number(from, key, &number) ? bt_import_count(from, key) : BT_COUNT_UNKNOWN;
}

/* Facts own their strings elsewhere; here the arena does, and nobody writes to them. */
static char *owned(struct bt_import *import, const struct bt_json *from, const char *key) {
  const char *text = bt_json_get_string(from, key);
  char *copy = text ? bt_arena_strdup(import->arena, text) : NULL;
  import->failed = import->failed || (text && !copy);
  return copy;
}

static void fill_compactions(struct bt_import *import, const struct bt_json *from, struct bt_transcript_facts *facts) {
  facts->compactions = bt_import_count(from, "count");
  facts->last_compaction_ms = bt_import_time(from, "last");
  facts->compaction_trigger = owned(import, from, "trigger");
  facts->compaction_pre_tokens = count_or_unknown(from, "pre_tokens");
  facts->compaction_post_tokens = count_or_unknown(from, "post_tokens");
  facts->has_last_compaction = facts->compaction_trigger != NULL || facts->compaction_pre_tokens != BT_COUNT_UNKNOWN;
}

static void fill_signals(const struct bt_json *session, struct bt_transcript_facts *facts) {
  const struct bt_json *context = bt_json_get(session, "context");
  facts->harness = (enum bt_harness)bt_import_word(session, "harness", harness_at, BT_HARNESS_COUNT, BT_HARNESS_CLAUDE);
  facts->depth = count_or_unknown(context, "depth");
  facts->truncated = bt_import_flag(context, "truncated");
  facts->host_band =
      (enum bt_host_band)bt_import_word(context, "host_band", host_band_at, BT_HOST_BAND_COUNT, BT_HOST_CLEAR);
  facts->used = count_or_unknown(context, "used_tokens");
  facts->window = count_or_unknown(context, "window_tokens");
  facts->pct_centi = BT_COUNT_UNKNOWN;
}

void bt_import_transcript(struct bt_import *import, const struct bt_json *from, struct bt_session *session) {
  const struct bt_json *said = bt_json_get(from, "transcript");
  if (!bt_import_is_object(said))
    return;
  struct bt_transcript_facts *facts = BT_ARENA_NEW(import->arena, struct bt_transcript_facts);
  import->failed = import->failed || !facts;
  if (!facts)
    return;
  fill_signals(from, facts);
  fill_compactions(import, bt_json_get(from, "compactions"), facts);
  facts->state =
      (enum bt_agent_state)bt_import_word(from, "agent_state", agent_at, BT_AGENT_STATE_COUNT, BT_AGENT_EMPTY);
  facts->started_ms = bt_import_time(said, "started");
  facts->last_activity_ms = bt_import_time(said, "last_activity");
  facts->last_cwd = owned(import, said, "last_cwd");
  facts->version = owned(import, said, "version");
  facts->error = bt_import_flag(said, "error");
  facts->user_messages = bt_import_count(said, "user_messages");
  facts->assistant_messages = bt_import_count(said, "assistant_messages");
  facts->tools = bt_import_count(said, "tools");
  facts->last_tool = owned(import, said, "last_tool");
  facts->last_tool_pending = bt_import_flag(said, "last_tool_pending");
  facts->sidechain_records = bt_import_count(said, "sidechain_records");
  facts->first_prompt = owned(import, said, "first_prompt");
  facts->last_prompt = owned(import, said, "last_prompt");
  facts->last_assistant = owned(import, said, "last_words");
  facts->skipped_lines = bt_import_count(said, "skipped_lines");
  facts->bytes = count_or_unknown(said, "size_bytes");
  facts->partial_tail = bt_import_flag(said, "partial_tail");
  session->subagents = (size_t)bt_import_count(said, "subagents");
  session->transcript_path = bt_import_said(import, said, "path");
  session->transcript_problem = bt_import_text(import, said, "problem");
  session->transcript_pending = bt_import_flag(said, "pending");
  session->transcript_unread = !bt_json_get_string(from, "agent_state");
  session->transcript = facts;
}
