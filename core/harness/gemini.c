/* core/harness/gemini.c - see gemini.h. */
#include "core/harness/gemini.h"

#include "core/base/clock.h"
#include "core/harness/blocks.h"
#include "core/harness/take.h"

bool bt_gemini_fits(const struct bt_tape *tape) {
  return bt_tape_type(tape, bt_tape_get(tape, 0, "sessionId")) == BT_JSON_STRING &&
         bt_tape_type(tape, bt_tape_get(tape, 0, "projectHash")) == BT_JSON_STRING &&
         bt_tape_get(tape, 0, "type") == BT_TOKEN_NONE;
}

/* Lines that the user typed to the program, or that a hook put there. */
static bool is_prompt(const char *text) {
  static const char *const starts[] = {"/", "?", "<session_context>", "<hook_context>"};
  for (size_t i = 0; text && i < sizeof starts / sizeof *starts; i++)
    if (bt_starts_with(text, starts[i]))
      return false;
  return text != NULL;
}

static void add_calls(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t calls, struct bt_turn *turn) {
  size_t cancelled = 0;
  if (bt_tape_type(tape, calls) != BT_JSON_ARRAY)
    return;
  for (uint32_t call = bt_tape_first(tape, calls); call != BT_TOKEN_NONE; call = bt_tape_next(tape, calls, call)) {
    uint32_t status = bt_tape_get(tape, call, "status");
    if (bt_tape_type(tape, call) != BT_JSON_OBJECT)
      continue;
    bool is_cancelled = bt_tape_is(tape, status, "cancelled");
    bool is_pending = !is_cancelled && !bt_tape_is(tape, status, "success") && !bt_tape_is(tape, status, "error");
    reader->failed |=
        !bt_blocks_add_call(turn, tape, bt_tape_get(tape, call, "id"), bt_tape_get(tape, call, "name"), is_pending);
    cancelled += is_cancelled;
  }
  if (turn->call_count)
    turn->state = cancelled == turn->call_count ? BT_AGENT_INTERRUPTED : BT_AGENT_RUNNING;
}

static void on_reply(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t message,
                     struct bt_turn *turn) {
  static const char *const parts[] = {"input", "output", "thoughts", "tool"};
  uint32_t tokens = bt_tape_get(tape, message, "tokens");
  turn->role = BT_TURN_REPLY;
  turn->counts_as_assistant = true;
  turn->sets_state = true;
  turn->state = BT_AGENT_WAITING;
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, message, "model"), &turn->model);
  add_calls(reader, tape, bt_tape_get(tape, message, "toolCalls"), turn);
  if (bt_tape_type(tape, tokens) != BT_JSON_OBJECT)
    return;
  bool numeric;
  turn->used = bt_take_counter(tape, bt_tape_get(tape, tokens, "total"), &numeric);
  for (size_t i = 0; !numeric && i < sizeof parts / sizeof *parts; i++)
    turn->used += bt_take_counter(tape, bt_tape_get(tape, tokens, parts[i]), NULL);
  turn->fill = BT_FILL_SET;
}

static void on_message(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t message) {
  struct bt_turn turn;
  uint32_t type = bt_tape_get(tape, message, "type");
  bt_turn_init(&turn);
  turn.time_ms = bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, message, "timestamp")));
  turn.id = bt_take_id(tape, bt_tape_get(tape, message, "id"));
  reader->failed |= !bt_blocks_text(tape, bt_tape_get(tape, message, "content"), NULL, &turn.text);
  if (bt_tape_is(tape, type, "user")) {
    if (is_prompt(turn.text)) {
      turn.role = BT_TURN_PROMPT;
      turn.counts_as_user = turn.sets_state = true;
      turn.state = BT_AGENT_RUNNING;
    }
  } else if (bt_tape_is(tape, type, "gemini")) {
    on_reply(reader, tape, message, &turn);
  } else if (bt_tape_is(tape, type, "error")) {
    turn.sets_state = turn.error = true;
    turn.state = BT_AGENT_WAITING;
  } else if (bt_tape_is(tape, type, "info") && turn.text && bt_slice_has(bt_slice_of(turn.text), "cancelled", NULL)) {
    turn.sets_state = true;
    turn.state = BT_AGENT_INTERRUPTED;
  }
  reader->failed |= !bt_turns_take(&reader->turns, &turn, true);
}

/* The metadata of the first line, of a `$set`, or of a whole document. */
static void on_metadata(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t metadata) {
  struct bt_transcript_facts *facts = &reader->facts;
  uint32_t messages = bt_tape_get(tape, metadata, "messages");
  int64_t start_ms = bt_take_time(tape, bt_tape_get(tape, metadata, "startTime"));
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, metadata, "sessionId"), &facts->session_id);
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, metadata, "summary"), &facts->title);
  facts->is_subagent |= bt_tape_is(tape, bt_tape_get(tape, metadata, "kind"), "subagent");
  if (start_ms != BT_TIME_UNKNOWN) {
    reader->start_time_ms = start_ms;
    bt_facts_note_time(facts, start_ms);
  }
  bt_facts_note_time(facts, bt_take_time(tape, bt_tape_get(tape, metadata, "lastUpdated")));
  if (bt_tape_type(tape, messages) != BT_JSON_ARRAY)
    return;
  reader->failed |= !bt_turns_rewind(&reader->turns, 0);
  for (uint32_t message = bt_tape_first(tape, messages); message != BT_TOKEN_NONE;
       message = bt_tape_next(tape, messages, message))
    on_message(reader, tape, message);
}

enum bt_code bt_gemini_feed(struct bt_turn_reader *reader, const struct bt_tape *tape) {
  bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, 0, "timestamp"))); /* of any record */
  uint32_t rewind = bt_tape_get(tape, 0, "$rewindTo"), set = bt_tape_get(tape, 0, "$set");
  if (rewind != BT_TOKEN_NONE)
    reader->failed |= !bt_turns_rewind(&reader->turns, bt_take_id(tape, rewind));
  else if (set != BT_TOKEN_NONE)
    on_metadata(reader, tape, set);
  else if (bt_tape_type(tape, bt_tape_get(tape, 0, "type")) == BT_JSON_STRING)
    on_message(reader, tape, 0);
  else if (bt_tape_get(tape, 0, "sessionId") != BT_TOKEN_NONE)
    on_metadata(reader, tape, 0);
  return reader->failed ? BT_NOMEM : BT_OK;
}

enum bt_code bt_gemini_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) {
  enum bt_code code = bt_turn_reader_facts(reader, false, facts);
  if (code)
    return code;
  if (reader->start_time_ms != BT_TIME_UNKNOWN)
    facts->started_ms = reader->start_time_ms;
  if (facts->model || facts->used != BT_COUNT_UNKNOWN) {
    facts->window = facts->model && bt_starts_with(facts->model, "gemma-4") ? 256000 : 1048576;
    facts->window_source = "default";
  }
  bt_facts_settle_fill(facts);
  return BT_OK;
}
