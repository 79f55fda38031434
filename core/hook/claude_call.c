/* core/hook/claude_call.c - the tools of Claude Code and what they touch (spec/context-handoff.md A.4). */
#include <string.h>

#include "core/base/json.h"
#include "core/hook/call.h"

static const struct bt_tool tools[] = {
    {"Edit", BT_TOOL_EDIT, false},         {"Write", BT_TOOL_EDIT, false}, {"MultiEdit", BT_TOOL_EDIT, false},
    {"NotebookEdit", BT_TOOL_EDIT, false}, {"Bash", BT_TOOL_SHELL, true},  {"Shell", BT_TOOL_SHELL, true},
};

const struct bt_tool *bt_claude_tool(const char *name) {
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
    if (strcmp(tools[i].name, name) == 0)
      return &tools[i];
  }
  return NULL;
}

static enum bt_code add_keys(struct bt_hook_call *call, const struct bt_json *object, struct bt_error *err) {
  static const char *const keys[] = {"file_path", "notebook_path", "path"};
  enum bt_code code = BT_OK;
  for (size_t i = 0; i < sizeof keys / sizeof *keys && code == BT_OK; i++) {
    const char *path = bt_json_get_string(object, keys[i]);
    if (path != NULL && path[0] != '\0')
      code = bt_hook_call_add_path(call, bt_slice_of(path), err);
  }
  return code;
}

static enum bt_code add_items(struct bt_hook_call *call, const struct bt_json *list, struct bt_error *err) {
  enum bt_code code = BT_OK;
  if (bt_json_type(list) != BT_JSON_ARRAY)
    return BT_OK;
  for (const struct bt_json *item = bt_json_first(list); item != NULL && code == BT_OK; item = bt_json_next(item))
    code = add_keys(call, item, err);
  return code;
}

enum bt_code bt_claude_read_input(struct bt_hook_call *call, const struct bt_json *input, struct bt_error *err) {
  if (!call->gated)
    return BT_OK;
  if (call->is_shell) {
    const char *command = bt_json_get_string(input, "command");
    return command != NULL ? bt_hook_call_add_command(call, command, err) : BT_OK;
  }
  enum bt_code code = add_keys(call, input, err);
  if (code == BT_OK)
    code = add_items(call, bt_json_get(input, "edits"), err);
  return code == BT_OK ? add_items(call, bt_json_get(input, "files"), err) : code;
}
