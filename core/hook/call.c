/* core/hook/call.c - the members that both harnesses send, and which of the two it is. */
#include "core/hook/call.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/json.h"

#define COMMAND_MAX (3 * BT_HOOK_DOCUMENT_MAX)

enum bt_code bt_hook_call_add_path(struct bt_hook_call *call, struct bt_slice path, struct bt_error *err) {
  if (call->path_count == BT_HOOK_PATHS_MAX)
    return bt_error_set(err, BT_TOO_LARGE, "tool_input", "more than %d paths", BT_HOOK_PATHS_MAX);
  if (call->path_count == call->path_capacity) {
    size_t capacity = call->path_capacity > 0 ? 2 * call->path_capacity : 8;
    char **grown = realloc(call->paths, capacity * sizeof *grown);
    if (grown == NULL)
      return bt_error_set(err, BT_NOMEM, "tool_input", "out of memory");
    call->paths = grown;
    call->path_capacity = capacity;
  }
  char *copy = malloc(path.length + 1);
  if (copy == NULL)
    return bt_error_set(err, BT_NOMEM, "tool_input", "out of memory");
  memcpy(copy, path.data, path.length);
  copy[path.length] = '\0';
  call->paths[call->path_count++] = copy;
  return BT_OK;
}

enum bt_code bt_hook_call_add_command(struct bt_hook_call *call, const char *command, struct bt_error *err) {
  if (call->command_count++ > 0)
    bt_str_putc(&call->command, '\n');
  bt_str_puts(&call->command, command);
  return call->command.failed ? bt_error_set(err, BT_NOMEM, "tool_input", "out of memory") : BT_OK;
}

/* A rollout file or a place below .codex: how Codex names its transcripts. */
static bool looks_like_codex(const char *transcript_path) {
  return transcript_path != NULL &&
         (strstr(transcript_path, "/.codex/") != NULL || bt_starts_with(bt_path_basename(transcript_path), "rollout-"));
}

static enum bt_hook_harness tell_harness(const struct bt_hook_call *call) {
  if (call->tool != NULL && bt_claude_tool(call->tool) != NULL)
    return BT_HOOK_CLAUDE;
  if (call->tool != NULL && bt_codex_tool(call->tool) != NULL)
    return BT_HOOK_CODEX;
  return looks_like_codex(call->transcript_path) ? BT_HOOK_CODEX : BT_HOOK_CLAUDE;
}

static void read_members(struct bt_hook_call *call) {
  const struct bt_json *transcript = bt_json_get(call->json, "transcript_path");
  call->session_ids[0] = bt_json_get_string(call->json, "session_id");
  call->session_ids[1] = bt_json_get_string(call->json, "sessionId");
  call->transcript_path = bt_json_string(transcript);
  call->transcript_malformed = !bt_json_is_nullish(transcript) && call->transcript_path == NULL;
  call->cwd = bt_json_get_string(call->json, "cwd");
  call->tool = bt_json_get_string(call->json, "tool_name");
}

/* Of the names with a namespace, A.4 gives the recovery exception to one. */
static bool is_named_plainly(const char *tool) {
  return strchr(tool, '.') == NULL || strcmp(tool, "functions.exec_command") == 0;
}

/* A harness that takes on the other's tool names (Codex runs a `Bash` too) must not slip past the gate: the name
 * decides how the call is read, the harness only how its transcript is. */
static enum bt_code read_tool(struct bt_hook_call *call, struct bt_error *err) {
  const struct bt_json *input = bt_json_get(call->json, "tool_input");
  const struct bt_tool *tool = bt_claude_tool(call->tool);
  bool claude = tool != NULL || call->harness == BT_HOOK_CLAUDE;
  if (tool == NULL)
    tool = bt_codex_tool(call->tool);
  if (tool != NULL) {
    call->gated = true;
    call->is_shell = tool->kind == BT_TOOL_SHELL;
    call->may_recover = tool->may_recover && is_named_plainly(call->tool);
    claude = tool == bt_claude_tool(call->tool);
  }
  return claude ? bt_claude_read_input(call, input, err) : bt_codex_read_input(call, input, err);
}

enum bt_code bt_hook_call_read(const char *bytes, size_t length, enum bt_hook_harness harness,
                               struct bt_hook_call *call, struct bt_error *err) {
  *call = (struct bt_hook_call){.harness = harness};
  bt_str_init(&call->command, COMMAND_MAX);
  struct bt_error broken = {0};
  call->json = bt_json_parse(bytes, length, &broken);
  if (call->json == NULL)
    return bt_error_set(err, broken.code, "hook document", "the hook document cannot be read: %s", broken.message);
  if (bt_json_type(call->json) != BT_JSON_OBJECT)
    return bt_error_set(err, BT_CORRUPT, "hook document", "the hook document is no JSON object");
  read_members(call);
  if (harness == BT_HOOK_ANY)
    call->harness = tell_harness(call);
  if (call->tool == NULL)
    return bt_error_set(err, BT_INPUT, "hook document", "the hook document names no tool");
  return read_tool(call, err);
}

void bt_hook_call_dispose(struct bt_hook_call *call) {
  for (size_t i = 0; i < call->path_count; i++)
    free(call->paths[i]);
  free(call->paths);
  bt_str_dispose(&call->command);
  bt_json_free(call->json);
  *call = (struct bt_hook_call){0};
}
