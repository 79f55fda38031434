/* cli/facts_transcript.c - what a transcript says of a session, as JSON. */
#include "cli/facts.h"

static void put_count(struct json_out *json, const char *key, int64_t count) {
  if (count == BT_COUNT_UNKNOWN)
    json_null(json, key);
  else
    json_integer(json, key, count);
}

/* A count of what was read; nothing was read of a file that cannot be, or that waits. */
static void put_read(struct json_out *json, const struct bt_session *session, const char *key, int64_t count) {
  put_count(json, key, session->transcript_unread ? BT_COUNT_UNKNOWN : count);
}

static void put_compactions(struct json_out *json, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  if (!facts || session->transcript_unread) {
    json_null(json, "compactions");
    return;
  }
  json_open(json, "compactions", '{');
  json_integer(json, "count", facts->compactions);
  json_time(json, "last", facts->last_compaction_ms);
  json_text(json, "trigger", facts->compaction_trigger);
  put_count(json, "pre_tokens", facts->compaction_pre_tokens);
  put_count(json, "post_tokens", facts->compaction_post_tokens);
  json_close(json, '}');
}

static void put_file(struct json_out *json, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  json_text(json, "path", session->transcript_path);
  json_text(json, "problem", session->transcript_problem);
  json_bool(json, "pending", session->transcript_pending);
  put_count(json, "size_bytes", facts->bytes);
  put_read(json, session, "skipped_lines", facts->skipped_lines);
  json_bool(json, "partial_tail", facts->partial_tail);
}

void facts_transcript(struct json_out *json, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  json_text(json, "agent_state", facts && !session->transcript_unread ? bt_agent_state_word(facts->state) : NULL);
  put_compactions(json, session);
  json_open(json, "flags", '[');
  for (size_t i = 0; i < session->flag_count; i++)
    json_text(json, NULL, session->flags[i]);
  json_close(json, ']');
  if (!facts) {
    json_null(json, "transcript");
    return;
  }
  json_open(json, "transcript", '{');
  put_file(json, session);
  json_time(json, "started", facts->started_ms);
  json_time(json, "last_activity", facts->last_activity_ms);
  json_text(json, "last_cwd", facts->last_cwd);
  json_text(json, "version", facts->version);
  json_bool(json, "error", facts->error);
  put_read(json, session, "user_messages", facts->user_messages);
  put_read(json, session, "assistant_messages", facts->assistant_messages);
  put_read(json, session, "tools", facts->tools);
  json_text(json, "last_tool", facts->last_tool);
  json_bool(json, "last_tool_pending", facts->last_tool_pending);
  put_read(json, session, "sidechain_records", facts->sidechain_records);
  json_integer(json, "subagents", (int64_t)session->subagents);
  json_text(json, "first_prompt", facts->first_prompt);
  json_text(json, "last_prompt", facts->last_prompt);
  json_text(json, "last_words", facts->last_assistant);
  json_close(json, '}');
}
