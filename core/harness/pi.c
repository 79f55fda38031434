/* core/harness/pi.c - see pi.h. */
#include "core/harness/pi.h"

#include <string.h>

#include "core/base/hashset.h"
#include "core/harness/blocks.h"
#include "core/harness/take.h"

bool bt_pi_fits(const struct bt_tape *tape) {
  return bt_tape_is(tape, bt_tape_get(tape, 0, "type"), "session") && bt_take_id(tape, bt_tape_get(tape, 0, "id")) != 0;
}

static void add_calls(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t content,
                      struct bt_turn *turn) {
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return;
  for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
       block = bt_tape_next(tape, content, block))
    if (bt_tape_is(tape, bt_tape_get(tape, block, "type"), "toolCall")) {
      uint32_t id = bt_tape_get(tape, block, "id");
      bool can_be_answered = bt_take_id(tape, id) != 0;
      reader->failed |= !bt_blocks_add_call(turn, tape, id, bt_tape_get(tape, block, "name"), can_be_answered);
    }
}

static void on_reply(struct bt_turn_reader *reader, const struct bt_tape *tape, uint32_t message,
                     struct bt_turn *turn) {
  static const char *const parts[] = {"input", "output", "cacheRead", "cacheWrite"};
  uint32_t stop = bt_tape_get(tape, message, "stopReason"), usage = bt_tape_get(tape, message, "usage");
  bool is_aborted = bt_tape_is(tape, stop, "aborted"), is_error = bt_tape_is(tape, stop, "error");
  turn->role = BT_TURN_REPLY;
  turn->counts_as_assistant = true;
  reader->failed |= !bt_take_string(tape, bt_tape_get(tape, message, "model"), &turn->model);
  add_calls(reader, tape, bt_tape_get(tape, message, "content"), turn);
  turn->sets_state = true;
  turn->error = is_error;
  turn->state = bt_tape_is(tape, stop, "toolUse") ? BT_AGENT_RUNNING
                : is_aborted                      ? BT_AGENT_INTERRUPTED
                                                  : BT_AGENT_WAITING;
  if (is_aborted || is_error)
    return;
  int64_t sum = 0, used = bt_take_counter(tape, bt_tape_get(tape, usage, "totalTokens"), NULL);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    sum += bt_take_counter(tape, bt_tape_get(tape, usage, parts[i]), NULL);
  used = used ? used : sum;
  turn->fill = used ? BT_FILL_SET : BT_FILL_UNKNOWN;
  turn->used = used;
}

static void on_message(struct bt_turn_reader *reader, const struct bt_tape *tape, struct bt_turn *turn) {
  uint32_t message = bt_tape_get(tape, 0, "message"), role = bt_tape_get(tape, message, "role");
  bool speaks = bt_tape_is(tape, role, "user") || bt_tape_is(tape, role, "assistant");
  if (speaks) /* a tool's output is not kept */
    reader->failed |= !bt_blocks_text(tape, bt_tape_get(tape, message, "content"), bt_blocks_is_text, &turn->text);
  if (bt_tape_is(tape, role, "user")) {
    turn->role = turn->text ? BT_TURN_PROMPT : BT_TURN_OTHER;
    turn->counts_as_user = turn->sets_state = true;
    turn->state = BT_AGENT_RUNNING;
  } else if (bt_tape_is(tape, role, "assistant")) {
    on_reply(reader, tape, message, turn);
  } else if (bt_tape_is(tape, role, "toolResult")) {
    turn->answers_call = bt_take_id(tape, bt_tape_get(tape, message, "toolCallId"));
    turn->sets_state = true;
    turn->state = BT_AGENT_RUNNING;
  }
}

static void on_compaction(const struct bt_tape *tape, struct bt_turn *turn) {
  bool numeric;
  int64_t tokens = bt_take_counter(tape, bt_tape_get(tape, 0, "tokensBefore"), &numeric);
  turn->role = BT_TURN_COMPACTION;
  turn->pre_tokens = numeric ? tokens : BT_COUNT_UNKNOWN;
  turn->fill = BT_FILL_UNKNOWN;
}

/* Where the entry hangs in the tree; version 1 has no ids, and each entry follows the one before. */
static void place(struct bt_turn_reader *reader, const struct bt_tape *tape, struct bt_turn *turn) {
  turn->id = bt_take_id(tape, bt_tape_get(tape, 0, "id"));
  turn->parent = bt_take_id(tape, bt_tape_get(tape, 0, "parentId"));
  if (turn->id == 0) {
    uint64_t count = reader->turns.count;
    turn->id = bt_id_hash((const char *)&count, sizeof count);
    turn->parent = reader->last_id;
  }
  reader->last_id = turn->id;
}

enum bt_code bt_pi_feed(struct bt_turn_reader *reader, const struct bt_tape *tape) {
  struct bt_transcript_facts *facts = &reader->facts;
  uint32_t type = bt_tape_get(tape, 0, "type");
  reader->headless |= !reader->begun && !bt_pi_fits(tape);
  reader->begun = true;
  int64_t time_ms = bt_facts_note_time(facts, bt_take_time(tape, bt_tape_get(tape, 0, "timestamp")));
  if (bt_tape_is(tape, type, "session")) {
    if (!facts->session_id) {
      reader->failed |= !bt_take_string(tape, bt_tape_get(tape, 0, "id"), &facts->session_id);
      reader->failed |= !bt_take_string(tape, bt_tape_get(tape, 0, "cwd"), &facts->cwd);
      reader->failed |= !bt_take_string(tape, bt_tape_get(tape, 0, "cwd"), &facts->last_cwd);
    }
    return reader->failed ? BT_NOMEM : BT_OK;
  }
  struct bt_turn turn;
  bt_turn_init(&turn);
  turn.time_ms = time_ms;
  place(reader, tape, &turn);
  if (bt_tape_is(tape, type, "message"))
    on_message(reader, tape, &turn);
  else if (bt_tape_is(tape, type, "compaction"))
    on_compaction(tape, &turn);
  else if (bt_tape_is(tape, type, "model_change"))
    reader->failed |= !bt_take_string(tape, bt_tape_get(tape, 0, "modelId"), &turn.model);
  else if (bt_tape_is(tape, type, "session_info"))
    reader->failed |= !bt_take_string(tape, bt_tape_get(tape, 0, "name"), &facts->title);
  reader->failed |= !bt_turns_take(&reader->turns, &turn, false);
  return reader->failed ? BT_NOMEM : BT_OK;
}

enum bt_code bt_pi_facts(const struct bt_turn_reader *reader, struct bt_transcript_facts *facts) {
  enum bt_code code = bt_turn_reader_facts(reader, true, facts);
  if (code)
    return code;
  if (reader->headless) { /* not a session: nothing in it counts */
    char *stem = strdup(reader->stem);
    bt_facts_dispose(facts);
    facts->session_id = stem;
    facts->no_session = true;
    return stem ? BT_OK : BT_NOMEM;
  }
  bt_facts_settle_fill(facts);
  return BT_OK;
}
