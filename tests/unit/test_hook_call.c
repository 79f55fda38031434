/* tests/unit/test_hook_call.c - documents of both harnesses: which tools are gated, what they touch, what they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/real_path.h"
#include "core/hook/call.h"
#include "core/hook/place.h"
#include "tests/support/scratch.h"

static struct bt_hook_call call;

/* ' stands for ", so that the documents can be read. */
static enum bt_code read_as(const char *text, enum bt_hook_harness harness) {
  char document[4096];
  size_t length = strlen(text);
  assert_true(length < sizeof document);
  for (size_t i = 0; i < length; i++)
    document[i] = text[i] == '\'' ? '"' : text[i];
  bt_hook_call_dispose(&call);
  return bt_hook_call_read(document, length, harness, &call, NULL);
}

static void read_tool(const char *tool, const char *input) {
  char text[3072];
  snprintf(text, sizeof text, "{'session_id':'s','cwd':'/r','tool_name':'%s','tool_input':%s,'future':[1]}", tool,
           input);
  assert_int_equal(read_as(text, BT_HOOK_ANY), BT_OK);
}

/* The targets, joined by `|`. */
static const char *paths(void) {
  static char joined[2048];
  joined[0] = '\0';
  for (size_t i = 0; i < call.path_count; i++)
    snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? "|" : "", call.paths[i]);
  return joined;
}

static int done(void **state) {
  (void)state;
  bt_hook_call_dispose(&call);
  return 0;
}

static void members(void **state) {
  (void)state;
  assert_int_equal(read_as("{'session_id':5,'sessionId':'b','transcript_path':'/t/x.jsonl','cwd':'/r',"
                           "'tool_name':'Edit','tool_input':{}}",
                           BT_HOOK_ANY),
                   BT_OK);
  assert_null(call.session_ids[0]);
  assert_string_equal(call.session_ids[1], "b");
  assert_string_equal(call.transcript_path, "/t/x.jsonl");
  assert_false(call.transcript_malformed);
  assert_string_equal(call.cwd, "/r");
  assert_int_equal(read_as("{'tool_name':'Edit','transcript_path':null}", BT_HOOK_ANY), BT_OK);
  assert_false(call.transcript_malformed);
  assert_int_equal(read_as("{'tool_name':'Edit','transcript_path':7}", BT_HOOK_ANY), BT_OK);
  assert_true(call.transcript_malformed);
}

static void what_is_no_document(void **state) {
  (void)state;
  assert_int_equal(read_as("", BT_HOOK_ANY), BT_CORRUPT);
  assert_int_equal(read_as("[]", BT_HOOK_ANY), BT_CORRUPT);
  assert_int_equal(read_as("{'tool_name':'Edit'", BT_HOOK_ANY), BT_CORRUPT);
  assert_int_equal(read_as("{'cwd':'/r'}", BT_HOOK_ANY), BT_INPUT);
  assert_string_equal(call.cwd, "/r");
  assert_int_equal(read_as("{'tool_name':5}", BT_HOOK_ANY), BT_INPUT);
}

static void which_tools_are_gated(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const edits[] = {"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "write", "edit",
                                      "multi_edit", "functions.apply_patch"};
  /* clang-format on */
  static const char *const shells[] = {"Bash",
                                       "Shell",
                                       "bash",
                                       "shell",
                                       "exec",
                                       "exec_command",
                                       "run_command",
                                       "write_stdin",
                                       "multi_tool_use.parallel",
                                       "functions.exec_command"};
  static const char *const others[] = {"Read",       "Grep", "mcp__x__write", "BASH", "edit2",
                                       "functions.", "",     "update_plan"};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    read_tool(edits[i], "{}");
    assert_true(call.gated && !call.is_shell && !call.may_recover);
  }
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    read_tool(shells[i], "{}");
    assert_true(call.gated && call.is_shell);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    read_tool(others[i], "{'command':'x','path':'.adlc'}");
    assert_false(call.gated || call.is_shell);
    assert_int_equal(call.path_count, 0);
  }
}

static void which_tools_may_recover(void **state) {
  (void)state;
  static const char *const yes[] = {"Bash", "bash", "Shell", "shell", "exec", "exec_command", "functions.exec_command"};
  static const char *const no[] = {"run_command", "write_stdin", "multi_tool_use.parallel", "Edit", "functions.shell"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    read_tool(yes[i], "{'command':'pwd'}");
    assert_true(call.may_recover);
    assert_int_equal(call.command_count, 1);
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    read_tool(no[i], "{'command':'pwd'}");
    assert_false(call.may_recover);
  }
}

static void whose_document(void **state) {
  (void)state;
  read_tool("Bash", "{}");
  assert_int_equal(call.harness, BT_HOOK_CLAUDE);
  read_tool("bash", "{}");
  assert_int_equal(call.harness, BT_HOOK_CODEX);
  assert_int_equal(read_as("{'tool_name':'x','transcript_path':'/h/.codex/sessions/a.jsonl'}", BT_HOOK_ANY), BT_OK);
  assert_int_equal(call.harness, BT_HOOK_CODEX);
  assert_int_equal(read_as("{'tool_name':'x','transcript_path':'/h/rollout-1.jsonl'}", BT_HOOK_ANY), BT_OK);
  assert_int_equal(call.harness, BT_HOOK_CODEX);
  assert_int_equal(read_as("{'tool_name':'x'}", BT_HOOK_ANY), BT_OK);
  assert_int_equal(call.harness, BT_HOOK_CLAUDE);
  /* Said by the wiring; the tool's name still tells how to read it. */
  assert_int_equal(read_as("{'tool_name':'Bash','tool_input':{'command':'ls'}}", BT_HOOK_CODEX), BT_OK);
  assert_int_equal(call.harness, BT_HOOK_CODEX);
  assert_true(call.is_shell);
  assert_string_equal(call.command.data, "ls");
}

static void targets_of_claude(void **state) {
  (void)state;
  read_tool("Edit", "{'file_path':'a','notebook_path':'b','path':'c','target':'no','nested':{'path':'no'}}");
  assert_string_equal(paths(), "a|b|c");
  read_tool("MultiEdit", "{'file_path':'a','edits':[{'path':'b'},5,{'file_path':'c','deep':{'path':'no'}}],"
                         "'files':[{'notebook_path':'d'}]}");
  assert_string_equal(paths(), "a|b|c|d");
  read_tool("Write", "{'file_path':5,'path':'','edits':{'path':'no'}}");
  assert_string_equal(paths(), "");
  read_tool("Bash", "{'command':'ls','path':'no'}");
  assert_string_equal(paths(), "");
  read_tool("Bash", "{'command':['ls']}");
  assert_true(call.is_shell);
  assert_int_equal(call.command_count, 0);
  read_tool("Edit", "null");
  assert_true(call.gated);
}

static void targets_of_codex(void **state) {
  (void)state;
  read_tool("edit", "{'path':'a','x':{'filePath':'b','y':[{'file_path':'c'},{'target':'d','targetPath':'e'}]},"
                    "'target_path':'f','paths':['g','h',{'path':'i'}],'other':'no'}");
  assert_string_equal(paths(), "a|b|c|d|e|f|g|h|i");
  read_tool("apply_patch",
            "{'input':'*** Begin Patch\\n*** Add File: a b\\n+x\\n*** Update File: c\\r\\n*** Move to: d\\n"
            "  *** Delete File: e \\n*** End Patch\\n','n':['*** Add File: f']}");
  assert_string_equal(paths(), "a b|c|d|e|f");
  read_tool("apply_patch", "{'input':'x *** Add File: no\\n*** Add File:no\\n*** Add File: '}");
  assert_string_equal(paths(), "");
  read_tool("shell", "{'command':['apply_patch','*** Update File: .adlc/x'],'path':'p'}");
  assert_string_equal(paths(), ".adlc/x|p");
}

static void commands_of_codex(void **state) {
  (void)state;
  read_tool("exec", "{'cmd':'a','x':[{'command':'b'},{'script':'c'}],'input':'d','chars':'e','name':'f'}");
  assert_string_equal(call.command.data, "a\nb\nc\nd\ne");
  assert_int_equal(call.command_count, 5);
  read_tool("shell", "{'command':['bash','-lc','pwd']}");
  assert_string_equal(call.command.data, "bash -lc pwd");
  assert_false(call.may_recover);
  read_tool("multi_tool_use.parallel",
            "{'tool_uses':[{'recipient_name':'functions.exec_command','parameters':{'cmd':'x'}},"
            "{'recipient_name':'functions.apply_patch','parameters':{'path':'p'}}]}");
  assert_string_equal(call.command.data, "x");
  assert_string_equal(paths(), "p");
  read_tool("apply_patch", "{'command':'not a shell call'}");
  assert_int_equal(call.command_count, 0);
  read_tool("apply_patch", "{'uses':[{'name':'bash','command':'x'}]}");
  assert_true(call.is_shell);
  assert_string_equal(call.command.data, "x");
  assert_int_equal(read_as("{'tool_name':'wrapper','tool_input':{'tool':'shell','cmd':'x'}}", BT_HOOK_CODEX), BT_OK);
  assert_true(call.gated && call.is_shell);
  assert_int_equal(read_as("{'tool_name':'wrapper','tool_input':{'tool':'apply_patch','cmd':'x'}}", BT_HOOK_CODEX),
                   BT_OK);
  assert_false(call.gated);
}

static void too_many_targets(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, 1 << 20);
  bt_str_puts(&text, "{\"tool_name\":\"edit\",\"tool_input\":{\"paths\":[\"0\"");
  for (int i = 1; i <= BT_HOOK_PATHS_MAX; i++)
    bt_str_puts(&text, ",\"x\"");
  bt_str_puts(&text, "]}}");
  assert_int_equal(bt_hook_call_read(text.data, text.length, BT_HOOK_ANY, &call, NULL), BT_TOO_LARGE);
  bt_str_dispose(&text);
}

static const char *seen(const char *root, const char *cwd) {
  static char joined[2048];
  struct bt_arena *arena = bt_arena_new(1 << 20);
  const char *const *list;
  size_t count;
  joined[0] = '\0';
  assert_int_equal(bt_hook_edit_paths(&call, root, cwd, arena, &list, &count, NULL), BT_OK);
  for (size_t i = 0; i < count; i++)
    snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? "|" : "", list[i]);
  bt_arena_free(arena);
  return joined;
}

static void targets_seen_from_the_root(void **state) {
  (void)state;
  read_tool("Edit", "{'file_path':'/r/.adlc/x','path':'/other/y'}");
  assert_string_equal(seen("/r", "/r/sub"), ".adlc/x|/other/y");
  read_tool("Edit", "{'file_path':'../.adlc/x'}");
  assert_string_equal(seen("/r", "/r/sub"), ".adlc/x|../.adlc/x");
  read_tool("Edit", "{'file_path':'.adlc/x'}");
  assert_string_equal(seen("/r", "/r"), ".adlc/x");
  assert_string_equal(seen("/r", "/r/sub"), "sub/.adlc/x|.adlc/x");
  assert_string_equal(seen("/r", "/elsewhere"), ".adlc/x");
  read_tool("Edit", "{'file_path':'/rx/y'}");
  assert_string_equal(seen("/r", "/r"), "/rx/y");
  read_tool("Edit", "{'file_path':'/a/./b/../c'}");
  assert_string_equal(seen("/", "/"), "a/c");
}

static void the_nearest_root(void **state) {
  (void)state;
  struct scratch scratch, aside;
  struct bt_str root;
  char below[256];
  scratch_make(&scratch);
  scratch_folder(&scratch, ".adlc");
  scratch_folder(&scratch, "a");
  scratch_folder(&scratch, "a/b");
  scratch_text(&scratch, "a/.adlc", "a file is no ledger");
  bt_str_init(&root, 4096);
  snprintf(below, sizeof below, "%s/a/b/gone/../x", scratch.path);
  assert_true(bt_hook_find_root(&root, "/", below));
  assert_string_equal(root.data, scratch.path);
  bt_str_clear(&root);
  assert_true(bt_hook_find_root(&root, scratch.path, "a"));
  assert_string_equal(root.data, scratch.path);
  scratch_folder(&scratch, "a/b/.adlc");
  bt_str_clear(&root);
  assert_true(bt_hook_find_root(&root, scratch.path, "a/b"));
  assert_string_equal(root.data + strlen(scratch.path), "/a/b");
  scratch_folder(&scratch, "a/b/c");
  snprintf(below, sizeof below, "%s/a/b/c", scratch.path);
  /* Reached through a link from where no ancestor holds one. */
  scratch_make(&aside);
  scratch_link(&aside, "in", below);
  scratch_link(&aside, "lost", "a/gone");
  bt_str_clear(&root);
  assert_false(bt_hook_find_root(&root, aside.path, "lost"));
  assert_true(bt_hook_find_root(&root, aside.path, "in"));
  char *real = bt_real_path(below);
  assert_string_equal(root.data + root.length - strlen("/a/b"), "/a/b");
  assert_memory_equal(root.data, real, root.length);
  free(real);
  scratch_remove(&aside);
  bt_str_clear(&root);
  assert_false(bt_hook_find_root(&root, "/", "/usr"));
  assert_false(bt_hook_find_root(&root, "/", NULL));
  assert_false(bt_hook_find_root(&root, "/", ""));
  assert_int_equal(root.length, 0);
  bt_str_dispose(&root);
  scratch_remove(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(members, done),
      cmocka_unit_test_teardown(what_is_no_document, done),
      cmocka_unit_test_teardown(which_tools_are_gated, done),
      cmocka_unit_test_teardown(which_tools_may_recover, done),
      cmocka_unit_test_teardown(whose_document, done),
      cmocka_unit_test_teardown(targets_of_claude, done),
      cmocka_unit_test_teardown(targets_of_codex, done),
      cmocka_unit_test_teardown(commands_of_codex, done),
      cmocka_unit_test_teardown(too_many_targets, done),
      cmocka_unit_test_teardown(targets_seen_from_the_root, done),
      cmocka_unit_test(the_nearest_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
