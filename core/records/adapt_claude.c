/* core/records/adapt_claude.c - Claude Code (adapt.h; spec/session-records.md 12.2). */
#include "core/records/adapt.h"

static void put_block(struct bt_adapt *adapt, uint32_t block, const char *role) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, block, "type");
  bt_adapt_begin(adapt);
  if (bt_tape_is(tape, type, "text")) {
    bt_adapt_text(adapt, role, "text", bt_tape_get(tape, block, "text"));
  } else if (bt_tape_is(tape, type, "thinking")) {
    bt_adapt_text(adapt, "assistant", "thinking", bt_tape_get(tape, block, "thinking"));
  } else if (bt_tape_is(tape, type, "tool_use")) {
    bt_adapt_call(adapt, "tool_use", BT_TOKEN_NONE, bt_tape_get(tape, block, "name"),
                  bt_tape_get(tape, block, "input"));
  } else if (bt_tape_is(tape, type, "tool_result")) {
    bt_adapt_content(adapt, bt_tape_get(tape, block, "content"));
    bt_adapt_put(adapt, "tool", "tool_result");
  } else if (bt_tape_is(tape, type, "image") || bt_tape_is(tape, type, "document")) {
    bt_adapt_words(adapt, "", bt_tape_is(tape, type, "image") ? "[image]" : "[file]");
    bt_adapt_put(adapt, role, "text");
  } else if (!bt_tape_is(tape, type, "redacted_thinking")) {
    adapt->report->unknown++;
  }
}

static void put_message(struct bt_adapt *adapt, uint32_t root, const char *type) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t message = bt_tape_get(tape, root, "message"), content = bt_tape_get(tape, message, "content");
  const char *role = bt_adapt_role(adapt, bt_tape_get(tape, message, "role"), type);
  bool is_meta = bt_tape_is_true(tape, bt_tape_get(tape, root, "isMeta")) ||
                 bt_tape_is_true(tape, bt_tape_get(tape, root, "isApiErrorMessage"));
  bool is_summary = !is_meta && type[0] == 'u' && bt_tape_is_true(tape, bt_tape_get(tape, root, "isCompactSummary"));
  if (is_meta || is_summary) {
    adapt->as_role = "system";
    adapt->as_kind = is_meta ? "meta" : "summary";
  }
  if (bt_tape_type(tape, content) == BT_JSON_STRING) {
    bt_adapt_text(adapt, role, "text", content);
    return;
  }
  for (uint32_t block = bt_tape_first(tape, content);
       bt_tape_type(tape, content) == BT_JSON_ARRAY && block != BT_TOKEN_NONE;
       block = bt_tape_next(tape, content, block))
    put_block(adapt, block, role);
}

/* Records that carry nothing a successor needs; `progress` repeats what sub-agents said. */
static bool is_silent(const struct bt_tape *tape, uint32_t type) {
  static const char *const words[] = {
      "system",      "progress", "attachment",      "custom-title",          "ai-title",
      "last-prompt", "mode",     "permission-mode", "file-history-snapshot", "queue-operation",
      "pr-link"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (bt_tape_is(tape, type, words[i]))
      return true;
  }
  return false;
}

static void put_record(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, root, "type"), content = bt_tape_get(tape, root, "content");
  uint32_t model = bt_tape_get(tape, bt_tape_get(tape, root, "message"), "model");
  bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, root, "sessionId"));
  bt_adapt_first(adapt, &adapt->cwd, bt_tape_get(tape, root, "cwd"));
  if (!bt_tape_is(tape, model, "<synthetic>"))
    bt_adapt_first(adapt, &adapt->model, model);
  if (bt_tape_is_true(tape, bt_tape_get(tape, root, "isSidechain")))
    return;
  bt_adapt_stamp(adapt, bt_tape_get(tape, root, "timestamp"));
  if (bt_tape_is(tape, type, "user"))
    put_message(adapt, root, "user");
  else if (bt_tape_is(tape, type, "assistant"))
    put_message(adapt, root, "assistant");
  else if (bt_tape_is(tape, type, "system") && bt_tape_type(tape, content) == BT_JSON_STRING)
    bt_adapt_text(adapt, "system", "meta", content);
  else if (bt_tape_is(tape, type, "summary"))
    bt_adapt_text(adapt, "system", "summary", bt_tape_get(tape, root, "summary"));
  else if (!is_silent(tape, type))
    adapt->report->unknown++;
}

const struct bt_adapter bt_adapter_claude = {.label = "claude-code", .record = put_record};
