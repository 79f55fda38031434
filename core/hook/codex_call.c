/* core/hook/codex_call.c - the tools of Codex and what they touch, at any depth (spec/context-handoff.md A.4). */
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/hook/call.h"

static const struct bt_tool tools[] = {
    {"apply_patch", BT_TOOL_EDIT, false},
    {"write", BT_TOOL_EDIT, false},
    {"edit", BT_TOOL_EDIT, false},
    {"multi_edit", BT_TOOL_EDIT, false},
    {"bash", BT_TOOL_SHELL, true},
    {"shell", BT_TOOL_SHELL, true},
    {"exec", BT_TOOL_SHELL, true},
    {"exec_command", BT_TOOL_SHELL, true},
    {"run_command", BT_TOOL_SHELL, false},
    {"write_stdin", BT_TOOL_SHELL, false},
    {"multi_tool_use.parallel", BT_TOOL_SHELL, false},
};

/* A tool may be named with its namespace: `functions.exec_command`. */
const struct bt_tool *bt_codex_tool(const char *name) {
  static const char space[] = "functions.";
  const char *bare = bt_starts_with(name, space) ? name + strlen(space) : name;
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
    if (strcmp(tools[i].name, bare) == 0)
      return &tools[i];
  }
  return NULL;
}

static bool is_one_of(const char *key, const char *const *names, size_t count) {
  for (size_t i = 0; key != NULL && i < count; i++) {
    if (strcmp(key, names[i]) == 0)
      return true;
  }
  return false;
}
#define IS_ONE_OF(key, names) is_one_of((key), (names), sizeof(names) / sizeof *(names))

static const char *const path_keys[] = {"path", "filePath", "file_path", "target", "targetPath", "target_path"};
static const char *const command_keys[] = {"command", "cmd", "input", "script", "chars"};
static const char *const tool_keys[] = {"tool_name", "toolName", "tool", "name", "recipient_name", "recipient"};
static const char *const patch_heads[] = {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};

/* What one walk is looking for. */
struct walk {
  struct bt_hook_call *call;
  struct bt_error *err;
  bool look_for_tools; /* the first walk: is a shell tool among the nested ones? */
};

/* Codex takes blanks around a patch's marker lines. */
static enum bt_code add_patch_line(struct walk *walk, struct bt_slice line) {
  struct bt_slice trimmed = bt_trim_w(line.data, line.length);
  for (size_t i = 0; i < sizeof patch_heads / sizeof *patch_heads; i++) {
    size_t length = strlen(patch_heads[i]);
    if (trimmed.length > length && memcmp(trimmed.data, patch_heads[i], length) == 0)
      return bt_hook_call_add_path(walk->call, bt_trim_w(trimmed.data + length, trimmed.length - length), walk->err);
  }
  return BT_OK;
}

static enum bt_code add_patch_lines(struct walk *walk, const char *text) {
  enum bt_code code = BT_OK;
  if (strstr(text, "*** ") == NULL)
    return BT_OK;
  while (code == BT_OK && *text != '\0') {
    size_t length = strcspn(text, "\n");
    code = add_patch_line(walk, (struct bt_slice){.data = text, .length = length});
    text += length + (text[length] == '\n');
  }
  return code;
}

/* An argument vector is one command for a reader, but none that the recovery exception could take for a line. */
static enum bt_code add_vector(struct walk *walk, const struct bt_json *list) {
  struct bt_str line;
  bt_str_init(&line, walk->call->command.ceiling);
  bool any = false;
  for (const struct bt_json *item = bt_json_first(list); item != NULL; item = bt_json_next(item)) {
    const char *word = bt_json_string(item);
    if (word == NULL)
      continue;
    if (any)
      bt_str_putc(&line, ' ');
    bt_str_puts(&line, word);
    any = true;
  }
  enum bt_code code = line.failed ? bt_error_set(walk->err, BT_NOMEM, "tool_input", "out of memory") : BT_OK;
  if (code == BT_OK && any) {
    code = bt_hook_call_add_command(walk->call, line.data, walk->err);
    walk->call->may_recover = false;
  }
  bt_str_dispose(&line);
  return code;
}

static enum bt_code take(struct walk *walk, const char *key, const char *list_key, const struct bt_json *value) {
  const char *text = bt_json_string(value);
  enum bt_code code = BT_OK;
  if (walk->look_for_tools) {
    const struct bt_tool *tool = text != NULL && IS_ONE_OF(key, tool_keys) ? bt_codex_tool(text) : NULL;
    walk->call->is_shell |= tool != NULL && tool->kind == BT_TOOL_SHELL;
    return BT_OK;
  }
  if (walk->call->is_shell && IS_ONE_OF(key, command_keys)) {
    if (text != NULL)
      code = bt_hook_call_add_command(walk->call, text, walk->err);
    else if (bt_json_type(value) == BT_JSON_ARRAY)
      code = add_vector(walk, value);
  }
  if (code == BT_OK && text != NULL && text[0] != '\0' &&
      (IS_ONE_OF(key, path_keys) || bt_text_equals(list_key, "paths")))
    code = bt_hook_call_add_path(walk->call, bt_slice_of(text), walk->err);
  return code == BT_OK && text != NULL ? add_patch_lines(walk, text) : code;
}

/* `key` is that of the value, NULL for an element of a list, whose own key is then `list_key`. JSON's own depth limit
 * bounds the recursion. */
static enum bt_code visit(struct walk *walk, const char *key, const char *list_key, const struct bt_json *value) {
  enum bt_code code = take(walk, key, list_key, value);
  enum bt_json_type type = bt_json_type(value);
  if (type != BT_JSON_OBJECT && type != BT_JSON_ARRAY)
    return code;
  for (const struct bt_json *item = bt_json_first(value); item != NULL && code == BT_OK; item = bt_json_next(item)) {
    const char *item_key = type == BT_JSON_OBJECT ? bt_json_key(item) : NULL;
    code = visit(walk, item_key, type == BT_JSON_ARRAY ? key : NULL, item);
  }
  return code;
}

enum bt_code bt_codex_read_input(struct bt_hook_call *call, const struct bt_json *input, struct bt_error *err) {
  struct walk walk = {.call = call, .err = err, .look_for_tools = true};
  enum bt_code code = visit(&walk, NULL, NULL, input);
  call->gated |= call->is_shell;
  walk.look_for_tools = false;
  return code == BT_OK && call->gated ? visit(&walk, NULL, NULL, input) : code;
}
