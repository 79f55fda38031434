/* tests/unit/test_hook_settings.c - wiring: every byte that is not baton's stays, and taking out undoes putting in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/hook/settings.h"
#include "core/hook/settings_write.h"
#include "tests/support/scratch.h"

static struct bt_wiring_entry entries[BT_WIRING_ENTRIES];
static struct bt_str text, changed;
static bool differs;

static int setup(void **state) {
  (void)state;
  bt_wiring_entries(entries, BT_HOOK_CLAUDE, "/opt/baton");
  bt_str_init(&text, 1 << 20);
  bt_str_init(&changed, 1 << 20);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  bt_wiring_entries_dispose(entries);
  bt_str_dispose(&text);
  bt_str_dispose(&changed);
  return 0;
}

static enum bt_wiring_state judge(const char *document) {
  struct bt_tape tape;
  bt_tape_init(&tape);
  assert_int_equal(bt_tape_parse(&tape, document, strlen(document)), BT_OK);
  enum bt_wiring_state state = bt_wiring_judge(&tape, entries, NULL);
  bt_tape_dispose(&tape);
  return state;
}

static const char *install(const char *document) {
  bt_str_clear(&text);
  bt_str_clear(&changed);
  if (document != NULL)
    bt_str_puts(&text, document);
  assert_int_equal(bt_settings_install(document != NULL ? &text : NULL, entries, &changed, &differs, NULL), BT_OK);
  return changed.data;
}

static const char *removed(const char *document) {
  bt_str_clear(&text);
  bt_str_puts(&text, document);
  bt_str_clear(&changed);
  assert_int_equal(bt_settings_remove(&text, entries, &changed, &differs, NULL), BT_OK);
  return changed.data;
}

static void there_and_back(void **state) {
  (void)state;
  static const char *const documents[] = {
      "{}",
      "{}\n",
      "{\"a\":1}",
      "{ \"a\" : 1.50, \"b\":[1 ,2]}\n\n",
      "{\n\t\"a\": 1e5,\n\t\"z\": {\"k\": \"\\u0041\"}\n}\n",
      "{\r\n    \"a\": 1\r\n}\r\n",
      "{\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\":[]} ]\n  },\n  \"last\": null\n}",
      ("{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n"
       "          { \"type\": \"command\", \"command\": \"check\" }\n        ]\n      }\n    ]\n  }\n}\n"),
      "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"x\",\"hooks\":[{\"command\":\"y\"}]}],\"SessionStart\":[{}]}}",
      "{\n \"hooks\": {\"PreToolUse\": [{\"matcher\": 1}, 5, null, {\"hooks\": 7}, {\"hooks\": [3, {}]}]}\n}",
  };
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    char wired[8192];
    snprintf(wired, sizeof wired, "%s", install(documents[i]));
    assert_true(differs);
    assert_int_equal(judge(wired), BT_WIRING_WIRED);
    assert_string_equal(install(wired), wired);
    assert_false(differs);
    assert_string_equal(removed(wired), documents[i]);
    assert_true(differs);
    bool others = strstr(documents[i], "\"check\"") != NULL || strstr(documents[i], "\"y\"") != NULL;
    assert_int_equal(judge(documents[i]), others ? BT_WIRING_FOREIGN : BT_WIRING_UNWIRED);
    assert_string_equal(removed(documents[i]), documents[i]);
    assert_false(differs);
  }
}

static void a_new_file(void **state) {
  (void)state;
  const char *wired = install(NULL);
  assert_int_equal(judge(wired), BT_WIRING_WIRED);
  assert_non_null(strstr(wired, "\n            \"command\": \"/opt/baton hook pre-tool --harness claude-code\",\n"));
  assert_int_equal(wired[strlen(wired) - 1], '\n');
}

/* What is put in is what the harness wants, and the rest of the document is the same value. */
static void it_means_the_right_thing(void **state) {
  (void)state;
  const char *wired = install("{\n  \"x\": [1, {\"y\": 2}],\n  \"hooks\": {\"PreToolUse\": []}\n}\n");
  struct bt_json *json = bt_json_parse(wired, strlen(wired), NULL);
  assert_non_null(json);
  assert_int_equal(bt_json_count(json), 2);
  const struct bt_json *group = bt_json_first(bt_json_get(bt_json_get(json, "hooks"), "PreToolUse"));
  assert_string_equal(bt_json_get_string(group, "matcher"), "Edit|Write|MultiEdit|NotebookEdit|Bash|Shell");
  const struct bt_json *handler = bt_json_first(bt_json_get(group, "hooks"));
  assert_string_equal(bt_json_get_string(handler, "type"), "command");
  double timeout = 0;
  assert_true(bt_json_number(bt_json_get(handler, "timeout"), &timeout) && timeout == 5);
  bt_json_free(json);
}

static void outdated_ones_are_replaced(void **state) {
  (void)state;
  static const char old[] =
      "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Edit\",\n        \"hooks\": [\n"
      "          { \"command\": \"mine\" },\n"
      "          { \"command\": \"'/old place/baton' hook pre-tool\" }\n        ]\n      }\n    ]\n  }\n}\n";
  assert_int_equal(judge(old), BT_WIRING_OUTDATED);
  char wired[8192];
  snprintf(wired, sizeof wired, "%s", install(old));
  assert_int_equal(judge(wired), BT_WIRING_WIRED);
  assert_null(strstr(wired, "old place"));
  assert_non_null(strstr(wired, "          { \"command\": \"mine\" }\n        ]"));
  const char *gone = removed(wired);
  assert_null(strstr(gone, "baton"));
  assert_non_null(strstr(gone, "mine"));
}

static void whose_is_it(void **state) {
  (void)state;
#define ONE(command) "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"*\",\"hooks\":[{\"command\":\"" command "\"}]}]}}"
  assert_int_equal(judge(ONE("baton hook pre-tool")), BT_WIRING_OUTDATED);
  assert_int_equal(judge(ONE("\\\"/a b/baton\\\" hook pre-tool --harness x")), BT_WIRING_OUTDATED);
  assert_int_equal(judge(ONE("/a\\\\ b/baton hook pre-tool")), BT_WIRING_OUTDATED);
  assert_int_equal(judge(ONE("/opt/baton hook pre-tool --harness claude-code")), BT_WIRING_OUTDATED); /* the matcher */
  assert_int_equal(judge(ONE("node /x/handoff-hook.mjs")), BT_WIRING_FOREIGN);
  assert_int_equal(judge(ONE("my-baton hook pre-tool")), BT_WIRING_FOREIGN);
  assert_int_equal(judge(ONE("baton hook pre-toolx")), BT_WIRING_FOREIGN);
  assert_int_equal(judge(ONE("echo baton hook pre-tool")), BT_WIRING_FOREIGN);
  assert_int_equal(judge(ONE("'baton hook pre-tool")), BT_WIRING_FOREIGN);
  assert_int_equal(judge(ONE("")), BT_WIRING_UNWIRED);
  assert_int_equal(judge("[]"), BT_WIRING_UNREADABLE);
  assert_int_equal(judge("{\"hooks\":[]}"), BT_WIRING_UNWIRED);
}

static void refused(const char *document, enum bt_code wanted) {
  bt_str_clear(&text);
  bt_str_puts(&text, document);
  bt_str_clear(&changed);
  assert_int_equal(bt_settings_install(&text, entries, &changed, &differs, NULL), wanted);
  assert_int_equal(changed.length, 0);
}

static void what_is_left_alone(void **state) {
  (void)state;
  refused("", BT_CORRUPT);
  refused("[]", BT_CORRUPT);
  refused("{\"a\":1,}", BT_CORRUPT);
  refused("// comment\n{}", BT_CORRUPT);
  refused("\xEF\xBB\xBF{}", BT_CORRUPT);
  refused("{\"hooks\":[]}", BT_STATE);
  refused("{\"hooks\":{\"PreToolUse\":{}}}", BT_STATE);
  refused("{\"hooks\":{},\"hooks\":{}}", BT_STATE);
  refused("{\"hooks\":{\"PreToolUse\":[],\"PreToolUse\":[]}}", BT_STATE);
}

static void a_path_that_needs_quotes(void **state) {
  (void)state;
  struct bt_wiring_entry odd[BT_WIRING_ENTRIES];
  bt_wiring_entries(odd, BT_HOOK_CODEX, "/it's here/baton");
  assert_string_equal(odd[0].command.data, "'/it'\\''s here/baton' hook pre-tool --harness codex");
  assert_string_equal(odd[0].matcher, "*");
  bt_wiring_entries_dispose(odd);
}

/* ---- the file ---- */

static void write_it(const char *path, bool follow, const char *content) {
  struct bt_settings_file file;
  struct bt_str backup, wanted;
  bt_str_init(&backup, 4096);
  bt_str_init(&wanted, 4096);
  bt_str_puts(&wanted, content);
  assert_int_equal(bt_settings_open(path, follow, &file, NULL), BT_OK);
  assert_int_equal(bt_settings_replace(&file, &wanted, &backup, NULL), BT_OK);
  assert_int_equal(backup.length > 0, file.present);
  bt_settings_dispose(&file);
  bt_str_dispose(&backup);
  bt_str_dispose(&wanted);
}

static void files(void **state) {
  (void)state;
  struct scratch scratch;
  struct stat st;
  char path[256];
  scratch_make(&scratch);
  snprintf(path, sizeof path, "%s/.claude/settings.json", scratch.path);
  write_it(path, true, "one"); /* folder and file are made, for nobody else to read */
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
  assert_int_equal(chmod(path, 0640), 0);
  write_it(path, true, "two");
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
  scratch_expect_text(&scratch, ".claude/settings.json", "two");
  scratch_expect_text(&scratch, ".claude/settings.json" BT_SETTINGS_BACKUP, "one");

  scratch_folder(&scratch, "dotfiles");
  scratch_text(&scratch, "dotfiles/mine.json", "three");
  scratch_link(&scratch, "link.json", "dotfiles/mine.json");
  snprintf(path, sizeof path, "%s/link.json", scratch.path);
  write_it(path, true, "four");
  scratch_expect_text(&scratch, "dotfiles/mine.json", "four");
  assert_int_equal(lstat(path, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  struct bt_settings_file file;
  assert_int_equal(bt_settings_open(path, false, &file, NULL), BT_UNSAFE);
  bt_settings_dispose(&file);
  scratch_remove(&scratch);
}

static void somebody_else_writes(void **state) {
  (void)state;
  struct scratch scratch;
  struct bt_settings_file file;
  struct bt_str backup, wanted;
  char path[256];
  scratch_make(&scratch);
  scratch_text(&scratch, "s.json", "{}");
  snprintf(path, sizeof path, "%s/s.json", scratch.path);
  bt_str_init(&backup, 4096);
  bt_str_init(&wanted, 4096);
  bt_str_puts(&wanted, "ours");
  assert_int_equal(bt_settings_open(path, true, &file, NULL), BT_OK);
  scratch_text(&scratch, "s.json", "theirs");
  assert_int_equal(bt_settings_replace(&file, &wanted, &backup, NULL), BT_STALE);
  scratch_expect_text(&scratch, "s.json", "theirs");
  assert_int_equal(scratch_count(&scratch, "."), 1);
  bt_settings_dispose(&file);
  bt_str_dispose(&backup);
  bt_str_dispose(&wanted);
  scratch_remove(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(a_new_file),
      cmocka_unit_test(it_means_the_right_thing),
      cmocka_unit_test(outdated_ones_are_replaced),
      cmocka_unit_test(whose_is_it),
      cmocka_unit_test(what_is_left_alone),
      cmocka_unit_test(a_path_that_needs_quotes),
      cmocka_unit_test(files),
      cmocka_unit_test(somebody_else_writes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
