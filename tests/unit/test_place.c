/* What the place of a session file tells of its working folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/digest.h"
#include "core/harness/place.h"

#define ROOT "/nowhere/at all/my_app"

static int begin(void **state) {
  *state = bt_scope_new(ROOT);
  return *state ? 0 : -1;
}

static int end(void **state) {
  bt_scope_free(*state);
  return 0;
}

static enum bt_place place(void **state, enum bt_harness harness, const char *path) {
  char copy[512];
  snprintf(copy, sizeof copy, "%s", path);
  return bt_place_of(&(struct bt_source){.harness = harness, .path = copy}, *state);
}

static void a_worktrees_own_name_is_believed(void **state) {
  static const struct {
    enum bt_harness harness;
    const char *path;
    enum bt_place place;
  } cases[] = {
      {BT_HARNESS_CLAUDE, "/h/.claude/projects/-nowhere-at-all-my-app/s.jsonl", BT_PLACE_HERE},
      {BT_HARNESS_CLAUDE, "/h/.claude/projects/-nowhere-at all-my_app/s.jsonl", BT_PLACE_HERE}, /* the narrow name */
      {BT_HARNESS_CLAUDE, "/h/.claude/projects/-nowhere-at-all-my-app-sub/s.jsonl", BT_PLACE_NEAR},
      {BT_HARNESS_CLAUDE, "/h/.claude/projects/-nowhere-at-all-my-application/s.jsonl", BT_PLACE_ELSEWHERE},
      {BT_HARNESS_CLAUDE, "/h/.claude/projects/-nowhere/s.jsonl", BT_PLACE_ELSEWHERE},
      {BT_HARNESS_CLAUDE, "/projects/x/.claude/projects/-nowhere-at-all-my-app/s/subagents/agent-a.jsonl",
       BT_PLACE_HERE},
      {BT_HARNESS_PI, "/h/.pi/agent/sessions/--nowhere-at all-my_app--/t_p.jsonl", BT_PLACE_HERE},
      {BT_HARNESS_PI, "/h/.pi/agent/sessions/--nowhere-at all-my_app-sub--/t_p.jsonl", BT_PLACE_NEAR},
      {BT_HARNESS_PI, "/h/.pi/agent/sessions/--nowhere-at all-my_apple--/t_p.jsonl", BT_PLACE_ELSEWHERE},
      {BT_HARNESS_PI, "/h/.pi/agent/sessions/t_p.jsonl", BT_PLACE_SILENT},
      {BT_HARNESS_CODEX, "/h/.codex/sessions/2026/01/01/rollout-x.jsonl", BT_PLACE_SILENT},
      {BT_HARNESS_OPENCODE, "/h/storage/session/p/ses.json", BT_PLACE_SILENT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (place(state, cases[i].harness, cases[i].path) != cases[i].place)
      fail_msg("%s", cases[i].path);
}

static void a_gemini_project_may_be_named_by_a_digest(void **state) {
  char hex[BT_SHA256_HEX], path[512];
  bt_sha256_hex(ROOT, strlen(ROOT), hex);
  snprintf(path, sizeof path, "/h/.gemini/tmp/%s/chats/session-1.json", hex);
  assert_string_equal(bt_place_gemini_cwd(&(struct bt_source){.path = path}, *state), ROOT);
  path[15] = path[15] == 'a' ? 'b' : 'a';
  assert_null(bt_place_gemini_cwd(&(struct bt_source){.path = path}, *state));
  snprintf(path, sizeof path, "/h/.gemini/tmp/short/chats/session-1.json");
  assert_null(bt_place_gemini_cwd(&(struct bt_source){.path = path}, *state));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_worktrees_own_name_is_believed, begin, end),
      cmocka_unit_test_setup_teardown(a_gemini_project_may_be_named_by_a_digest, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
