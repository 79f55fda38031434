/* core/records/adapt_pi.c - pi (adapt.h; spec/session-records.md 12.6). */
#include "core/records/adapt.h"

static void put_assistant_block(struct bt_adapt *adapt, uint32_t block) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, block, "type");
  if (bt_tape_is(tape, type, "text"))
    bt_adapt_text(adapt, "assistant", "text", bt_tape_get(tape, block, "text"));
  else if (bt_tape_is(tape, type, "thinking"))
    bt_adapt_text(adapt, "assistant", "thinking", bt_tape_get(tape, block, "thinking"));
  else if (bt_tape_is(tape, type, "toolCall"))
    bt_adapt_call(adapt, "tool_use", BT_TOKEN_NONE, bt_tape_get(tape, block, "name"),
                  bt_tape_get(tape, block, "arguments"));
  else
    adapt->report->unknown++;
}

static void put_message(struct bt_adapt *adapt, uint32_t message) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t role = bt_tape_get(tape, message, "role"), content = bt_tape_get(tape, message, "content");
  if (bt_tape_is(tape, role, "assistant") && bt_tape_type(tape, content) == BT_JSON_ARRAY) {
    bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, message, "model"));
    for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
         block = bt_tape_next(tape, content, block))
      put_assistant_block(adapt, block);
    return;
  }
  bt_adapt_begin(adapt);
  bt_adapt_content(adapt, content);
  if (bt_tape_is(tape, role, "user"))
    bt_adapt_put(adapt, "user", "text");
  else if (bt_tape_is(tape, role, "assistant"))
    bt_adapt_put(adapt, "assistant", "text");
  else if (bt_tape_is(tape, role, "toolResult"))
    bt_adapt_put(adapt, "tool", "tool_result");
  else
    bt_adapt_put(adapt, "system", "meta");
}

static void put_record(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, root, "type");
  bt_adapt_stamp(adapt, bt_tape_get(tape, root, "timestamp"));
  if (bt_tape_is(tape, type, "session")) {
    bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, root, "id"));
    bt_adapt_first(adapt, &adapt->cwd, bt_tape_get(tape, root, "cwd"));
  } else if (bt_tape_is(tape, type, "message")) {
    put_message(adapt, bt_tape_get(tape, root, "message"));
  } else if (bt_tape_is(tape, type, "compaction") || bt_tape_is(tape, type, "branch_summary")) {
    bt_adapt_text(adapt, "system", "summary", bt_tape_get(tape, root, "summary"));
  } else if (bt_tape_is(tape, type, "model_change")) {
    bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, root, "modelId"));
  } else {
    adapt->report->unknown++;
  }
}

const struct bt_adapter bt_adapter_pi = {.label = "pi", .record = put_record};
