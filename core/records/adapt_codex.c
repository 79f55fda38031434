/* core/records/adapt_codex.c - Codex CLI (adapt.h; spec/session-records.md 12.3). */
#include <stdlib.h>
#include <string.h>

#include "core/records/adapt.h"

struct state {
  bool has_meta; /* a session_meta was seen: a second one is a fork's copy of its parent's */
  bool has_line; /* the first line is over */
};

static void begin(struct bt_adapt *adapt) {
  adapt->state = calloc(1, sizeof(struct state));
  if (adapt->state == NULL)
    adapt->code = bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

static void end(struct bt_adapt *adapt) {
  free(adapt->state);
}

static bool ends_with(const struct bt_tape *tape, uint32_t token, const char *ending) {
  struct bt_slice raw = bt_tape_raw(tape, token);
  size_t length = strlen(ending);
  return bt_tape_type(tape, token) == BT_JSON_STRING && raw.length >= length &&
         memcmp(raw.data + raw.length - length, ending, length) == 0;
}

/* The texts of a list of parts, with an empty line between; their number. */
static size_t put_texts(struct bt_adapt *adapt, uint32_t list) {
  size_t count = 0;
  if (bt_tape_type(adapt->tape, list) != BT_JSON_ARRAY)
    return 0;
  for (uint32_t part = bt_tape_first(adapt->tape, list); part != BT_TOKEN_NONE;
       part = bt_tape_next(adapt->tape, list, part)) {
    uint32_t text = bt_tape_get(adapt->tape, part, "text");
    count += bt_tape_type(adapt->tape, text) == BT_JSON_STRING;
    bt_adapt_part(adapt, "\n\n", text);
  }
  return count;
}

static void put_output(struct bt_adapt *adapt, uint32_t output) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t content = bt_tape_get(tape, output, "content");
  bt_adapt_begin(adapt);
  if (bt_tape_type(tape, output) != BT_JSON_OBJECT)
    bt_adapt_content(adapt, output);
  else if (bt_tape_type(tape, content) == BT_JSON_STRING)
    bt_adapt_part(adapt, "", content);
  else
    bt_adapt_value(adapt, "", output);
  bt_adapt_put(adapt, "tool", "tool_result");
}

static uint32_t first_of(const struct bt_tape *tape, uint32_t item, const char *const *keys) {
  uint32_t found = BT_TOKEN_NONE;
  for (; *keys != NULL && (found == BT_TOKEN_NONE || bt_tape_type(tape, found) == BT_JSON_NULL); keys++)
    found = bt_tape_get(tape, item, *keys);
  return found;
}

static void put_item(struct bt_adapt *adapt, uint32_t item) {
  static const char *const argument_keys[] = {"arguments", "input", "action", NULL};
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, item, "type");
  if (bt_tape_is(tape, type, "message")) {
    bt_adapt_begin(adapt);
    bt_adapt_content(adapt, bt_tape_get(tape, item, "content"));
    bt_adapt_put(adapt, bt_adapt_role(adapt, bt_tape_get(tape, item, "role"), "assistant"), "text");
  } else if (bt_tape_is(tape, type, "reasoning")) {
    bt_adapt_begin(adapt);
    if (put_texts(adapt, bt_tape_get(tape, item, "summary")) == 0)
      (void)put_texts(adapt, bt_tape_get(tape, item, "content"));
    bt_adapt_put(adapt, "assistant", "reasoning");
  } else if (ends_with(tape, type, "_call")) {
    bt_adapt_call(adapt, NULL, type, bt_tape_get(tape, item, "name"), first_of(tape, item, argument_keys));
  } else if (ends_with(tape, type, "_output")) {
    put_output(adapt, bt_tape_get(tape, item, "output"));
  } else {
    adapt->report->unknown++;
  }
}

static void put_record(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  struct state *state = adapt->state;
  uint32_t type = bt_tape_get(tape, root, "type"), payload = bt_tape_get(tape, root, "payload");
  bool is_first = !state->has_line;
  state->has_line = true;
  bt_adapt_stamp(adapt, bt_tape_get(tape, root, "timestamp"));
  if (bt_tape_type(tape, payload) != BT_JSON_OBJECT) { /* the oldest files */
    uint32_t id = bt_tape_get(tape, root, "id");
    if (is_first && type == BT_TOKEN_NONE && id != BT_TOKEN_NONE)
      bt_adapt_first(adapt, &adapt->session, id);
    else if (bt_tape_type(tape, type) == BT_JSON_STRING)
      put_item(adapt, root);
    else if (bt_tape_get(tape, root, "record_type") == BT_TOKEN_NONE) /* which means nothing, by itself */
      adapt->report->unknown++;
    return;
  }
  if (bt_tape_is(tape, type, "session_meta")) {
    if (!state->has_meta) {
      bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, payload, "id"));
      bt_adapt_first(adapt, &adapt->cwd, bt_tape_get(tape, payload, "cwd"));
    }
    state->has_meta = true;
  } else if (bt_tape_is(tape, type, "turn_context")) {
    bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, payload, "model"));
  } else if (bt_tape_is(tape, type, "response_item")) {
    put_item(adapt, payload);
  } else if (bt_tape_is(tape, type, "compacted")) {
    bt_adapt_text(adapt, "system", "summary", bt_tape_get(tape, payload, "message"));
  } else if (!bt_tape_is(tape, type, "event_msg")) {
    adapt->report->unknown++;
  }
}

const struct bt_adapter bt_adapter_codex = {.label = "codex", .record = put_record, .begin = begin, .end = end};
