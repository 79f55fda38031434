/* core/harness/opencode.c - see opencode.h. */
#include "core/harness/opencode.h"

#include "core/base/clock.h"
#include "core/harness/blocks.h"
#include "core/harness/take.h"

bool bt_opencode_fits(const struct bt_tape *tape) {
  return bt_tape_type(tape, bt_tape_get(tape, 0, "info")) == BT_JSON_OBJECT &&
         bt_tape_type(tape, bt_tape_get(tape, 0, "messages")) == BT_JSON_ARRAY;
}

static bool is_own_text(const struct bt_tape *tape, uint32_t part) {
  return bt_blocks_is_text(tape, part) && !bt_tape_is_true(tape, bt_tape_get(tape, part, "synthetic")) &&
         !bt_tape_is_true(tape, bt_tape_get(tape, part, "ignored"));
}

static bool has_file(const struct bt_tape *tape, uint32_t parts) {
  if (bt_tape_type(tape, parts) != BT_JSON_ARRAY)
    return false;
  for (uint32_t part = bt_tape_first(tape, parts); part != BT_TOKEN_NONE; part = bt_tape_next(tape, parts, part))
    if (bt_tape_is(tape, bt_tape_get(tape, part, "type"), "file"))
      return true;
  return false;
}

static void add_calls(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t parts, struct bt_turn *turn) {
  if (bt_tape_type(tape, parts) != BT_JSON_ARRAY)
    return;
  for (uint32_t part = bt_tape_first(tape, parts); part != BT_TOKEN_NONE; part = bt_tape_next(tape, parts, part)) {
    if (!bt_tape_is(tape, bt_tape_get(tape, part, "type"), "tool"))
      continue;
    uint32_t status = bt_tape_get(tape, bt_tape_get(tape, part, "state"), "status");
    bool is_pending = !bt_tape_is(tape, status, "completed") && !bt_tape_is(tape, status, "error");
    uint32_t id = bt_tape_get(tape, part, "callID");
    if (bt_take_id(tape, id) == 0)
      id = bt_tape_get(tape, part, "id");
    reader->failed |= !bt_blocks_add_call(turn, tape, id, bt_tape_get(tape, part, "tool"), is_pending);
  }
}

static void on_prompt(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t parts, struct bt_turn *turn) {
  reader->failed |= !bt_blocks_text(tape, parts, is_own_text, &turn->text);
  if (!turn->text && has_file(tape, parts))
    reader->failed |= !bt_take_slice(bt_slice_of("[File]"), &turn->text);
  if (!turn->text)
    return;
  turn->role = BT_TURN_PROMPT;
  turn->counts_as_user = turn->sets_state = true;
  turn->state = BT_AGENT_RUNNING;
}

static void take_fill(const struct bt_tape *tape, uint32_t tokens, struct bt_turn *turn) {
  uint32_t cache = bt_tape_get(tape, tokens, "cache");
  int64_t output = bt_take_counter(tape, bt_tape_get(tape, tokens, "output"), NULL);
  if (output == 0)
    return;
  turn->fill = BT_FILL_SET;
  turn->used = output + bt_take_counter(tape, bt_tape_get(tape, tokens, "input"), NULL) +
               bt_take_counter(tape, bt_tape_get(tape, tokens, "reasoning"), NULL) +
               bt_take_counter(tape, bt_tape_get(tape, cache, "read"), NULL) +
               bt_take_counter(tape, bt_tape_get(tape, cache, "write"), NULL);
}

static void on_reply(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t info, uint32_t parts,
                     struct bt_turn *turn) {
  uint32_t error = bt_tape_get(tape, info, "error");
  bool has_error = bt_tape_type(tape, error) == BT_JSON_OBJECT;
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "modelID"), &turn->model);
  add_calls(reader, tape, parts, turn);
  turn->counts_as_assistant = true;
  if (bt_tape_is_true(tape, bt_tape_get(tape, info, "summary"))) {
    turn->role = BT_TURN_COMPACTION;
    turn->fill = BT_FILL_UNKNOWN;
  } else {
    turn->role = BT_TURN_REPLY;
    reader->failed |= !bt_blocks_text(tape, parts, bt_blocks_is_text, &turn->text);
    take_fill(tape, bt_tape_get(tape, info, "tokens"), turn);
  }
  turn->sets_state = true;
  if (has_error && bt_tape_is(tape, bt_tape_get(tape, error, "name"), "MessageAbortedError"))
    turn->state = BT_AGENT_INTERRUPTED;
  else if (has_error)
    turn->state = BT_AGENT_WAITING, turn->error = true;
  else if (bt_take_time(tape, bt_tape_get(tape, bt_tape_get(tape, info, "time"), "completed")) == BT_TIME_UNKNOWN ||
           bt_tape_is(tape, bt_tape_get(tape, info, "finish"), "tool-calls"))
    turn->state = BT_AGENT_RUNNING;
  else
    turn->state = BT_AGENT_WAITING;
}

static void on_message(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t message) {
  struct bt_turn turn;
  uint32_t info = bt_tape_get(tape, message, "info"), parts = bt_tape_get(tape, message, "parts"),
           role = bt_tape_get(tape, info, "role");
  uint32_t time = bt_tape_get(tape, info, "time");
  if (bt_tape_type(tape, parts) != BT_JSON_ARRAY)
    parts = BT_TOKEN_NONE;
  bt_turn_init(&turn);
  turn.time_ms = bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, time, "created")));
  bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, time, "completed")));
  turn.id = bt_take_id(tape, bt_tape_get(tape, info, "id"));
  if (bt_tape_is(tape, role, "user"))
    on_prompt(reader, tape, parts, &turn);
  else if (bt_tape_is(tape, role, "assistant"))
    on_reply(reader, tape, info, parts, &turn);
  reader->failed |= !bt_turns_take(&reader->turns, &turn, false);
}

enum bt_code bt_opencode_feed(struct bt_turn_reader *reader, const struct bt_tape *tape) {
  struct bt_transcript_facts *facts = &reader->facts;
  uint32_t info = bt_tape_get(tape, 0, "info"), messages = bt_tape_get(tape, 0, "messages"),
           time = bt_tape_get(tape, info, "time");
  if (bt_tape_type(tape, bt_tape_get(tape, 0, "parts")) == BT_JSON_ARRAY)
    on_message(reader, tape, 0); /* one message by itself */
  if (!bt_opencode_fits(tape))
    return reader->failed ? BT_NOMEM : BT_OK;
  bt_facts_note_time(facts, bt_take_time(tape, bt_tape_get(tape, time, "created")));
  bt_facts_note_time(facts, bt_take_time(tape, bt_tape_get(tape, time, "updated")));
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "id"), &facts->session_id);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "parentID"), &facts->parent_session_id);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "directory"), &facts->cwd);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "directory"), &facts->last_cwd);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "title"), &facts->title);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, info, "version"), &facts->version);
  facts->is_subagent = facts->parent_session_id != NULL;
  for (uint32_t message = bt_tape_first(tape, messages); message != BT_TOKEN_NONE;
       message = bt_tape_next(tape, messages, message))
    on_message(reader, tape, message);
  return reader->failed ? BT_NOMEM : BT_OK;
}

enum bt_code bt_opencode_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) {
  enum bt_code code = bt_turn_reader_facts(reader, false, facts);
  if (code)
    return code;
  facts->depth = facts->tools; /* the host's own counter is not in any file: an estimate (4.1) */
  bt_facts_settle_fill(facts);
  return BT_OK;
}
