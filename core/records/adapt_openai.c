/* core/records/adapt_openai.c - exports of the {"messages": […]} kind, or such a list (adapt.h;
 * spec/session-records.md 12.8). */
#include "core/records/adapt.h"

static void put_message(struct bt_adapt *adapt, uint32_t message) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t calls = bt_tape_get(tape, message, "tool_calls"), stamp = bt_tape_get(tape, message, "timestamp");
  const char *role = bt_adapt_role(adapt, bt_tape_get(tape, message, "role"), NULL);
  if (role == NULL) {
    adapt->report->unknown++;
    return;
  }
  bool is_result = role[0] == 't';
  bt_adapt_stamp(adapt, stamp != BT_TOKEN_NONE ? stamp : bt_tape_get(tape, message, "created_at"));
  bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, message, "model"));
  bt_adapt_begin(adapt);
  bt_adapt_content(adapt, bt_tape_get(tape, message, "content"));
  bt_adapt_put(adapt, role, is_result ? "tool_result" : "text");
  if (bt_tape_type(tape, calls) != BT_JSON_ARRAY)
    return;
  for (uint32_t call = bt_tape_first(tape, calls); call != BT_TOKEN_NONE; call = bt_tape_next(tape, calls, call)) {
    uint32_t function = bt_tape_get(tape, call, "function");
    bt_adapt_call(adapt, NULL, bt_tape_get(tape, call, "type"), bt_tape_get(tape, function, "name"),
                  bt_tape_get(tape, function, "arguments"));
  }
}

static void put_document(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t list = bt_tape_type(tape, root) == BT_JSON_ARRAY ? root : bt_tape_get(tape, root, "messages");
  bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, root, "id"));
  bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, root, "model"));
  if (bt_tape_type(tape, list) != BT_JSON_ARRAY) {
    adapt->code =
        bt_error_set(adapt->err, BT_CORRUPT, adapt->request->name, "%s has no list of messages", adapt->request->name);
    return;
  }
  for (uint32_t message = bt_tape_first(tape, list); message != BT_TOKEN_NONE;
       message = bt_tape_next(tape, list, message))
    put_message(adapt, message);
}

const struct bt_adapter bt_adapter_openai = {.label = "openai", .document = put_document};
