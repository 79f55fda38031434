/* core/records/adapt_copilot.c - Copilot CLI (adapt.h; spec/session-records.md 12.7). */
#include <stdlib.h>

#include "core/records/adapt.h"

/* The first model that a message names is kept in `state`: one that was chosen goes before it, wherever it stands. */
static void keep_spoken(struct bt_adapt *adapt, uint32_t token) {
  char *model = adapt->state;
  bt_adapt_first(adapt, &model, token);
  adapt->state = model;
}

static void end(struct bt_adapt *adapt) {
  if (adapt->model == NULL)
    adapt->model = adapt->state;
  else
    free(adapt->state);
}

static void put_result(struct bt_adapt *adapt, uint32_t data) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t result = bt_tape_get(tape, data, "result"), content = bt_tape_get(tape, result, "content");
  uint32_t error = bt_tape_get(tape, data, "error");
  if (bt_tape_type(tape, result) == BT_JSON_STRING)
    bt_adapt_text(adapt, "tool", "tool_result", result);
  else if (bt_tape_type(tape, content) == BT_JSON_STRING)
    bt_adapt_text(adapt, "tool", "tool_result", content);
  else
    bt_adapt_text(adapt, "tool", "tool_result",
                  bt_tape_type(tape, error) == BT_JSON_STRING ? error : bt_tape_get(tape, error, "message"));
}

static void put_record(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, root, "type"), data = bt_tape_get(tape, root, "data");
  struct bt_slice agent = bt_tape_raw(tape, bt_tape_get(tape, root, "agentId"));
  if (bt_tape_type(tape, bt_tape_get(tape, root, "agentId")) == BT_JSON_STRING && agent.length > 0)
    return; /* a sub-agent's */
  bt_adapt_stamp(adapt, bt_tape_get(tape, root, "timestamp"));
  if (bt_tape_is(tape, type, "session.start")) {
    bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, data, "sessionId"));
    bt_adapt_first(adapt, &adapt->cwd, bt_tape_get(tape, bt_tape_get(tape, data, "context"), "cwd"));
  } else if (bt_tape_is(tape, type, "session.model_change")) {
    bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, data, "newModel"));
  } else if (bt_tape_is(tape, type, "user.message")) {
    bt_adapt_text(adapt, "user", "text", bt_tape_get(tape, data, "content"));
  } else if (bt_tape_is(tape, type, "assistant.message")) {
    keep_spoken(adapt, bt_tape_get(tape, data, "model"));
    bt_adapt_text(adapt, "assistant", "thinking", bt_tape_get(tape, data, "reasoningText"));
    bt_adapt_text(adapt, "assistant", "text", bt_tape_get(tape, data, "content"));
  } else if (bt_tape_is(tape, type, "tool.execution_start")) {
    bt_adapt_call(adapt, "tool_use", BT_TOKEN_NONE, bt_tape_get(tape, data, "toolName"),
                  bt_tape_get(tape, data, "arguments"));
  } else if (bt_tape_is(tape, type, "tool.execution_complete")) {
    put_result(adapt, data);
  } else if (bt_tape_is(tape, type, "system.message")) {
    bt_adapt_text(adapt, "system", "meta", bt_tape_get(tape, data, "content"));
  } else {
    adapt->report->unknown++;
  }
}

const struct bt_adapter bt_adapter_copilot = {.label = "copilot-cli", .record = put_record, .end = end};
