/* cli/facts_list.c - all sessions of a snapshot, and what is true of the ledger as a whole. */
#include "cli/facts.h"
#include "cli/supervise_list.h"
#include "core/model/filter.h"

void facts_totals(struct json_out *json, const struct bt_snapshot *snapshot) {
  json_open(json, "totals", '{');
  for (int state = 0; state < BT_STATE_COUNT; state++)
    json_integer(json, bt_state_word((enum bt_state)state), (int64_t)snapshot->state_counts[state]);
  json_close(json, '}');
}

void facts_lock_totals(struct json_out *json, const struct bt_snapshot *snapshot) {
  json_open(json, "totals", '{');
  for (int verdict = 0; verdict < BT_LOCK_VERDICT_COUNT; verdict++)
    json_integer(json, bt_lock_verdict_word((enum bt_lock_verdict)verdict), (int64_t)snapshot->lock_counts[verdict]);
  json_close(json, '}');
}

void facts_rest(struct json_out *json, const struct bt_snapshot *snapshot) {
  json_integer(json, "transcripts_known", (int64_t)snapshot->transcripts_known);
  json_integer(json, "transcripts_pending", (int64_t)snapshot->transcripts_pending);
  supervise_put_json(json, snapshot->supervised, snapshot->supervised_count);
  facts_store(json, snapshot);
  facts_problems(json, snapshot);
}

void facts_list(struct json_out *json, const struct bt_snapshot *snapshot, const char *filter) {
  facts_totals(json, snapshot);
  json_open(json, "sessions", '[');
  for (size_t i = 0; i < snapshot->session_count; i++) {
    if (!bt_filter_session(filter, &snapshot->sessions[i], snapshot->taken_at_ms))
      continue;
    json_open(json, NULL, '{');
    facts_session(json, snapshot, &snapshot->sessions[i]);
    json_close(json, '}');
  }
  json_close(json, ']');
  facts_rest(json, snapshot);
}
