/* tests/faults/test_kill.c - the process dies after every change it makes: each file is whole, old or new, nothing is
 * allowed that both states refuse, a consumed deny has its evidence, and a second run completes or says what it found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/auth.h"
#include "core/store/deny.h"
#include "tests/faults/inject.h"
#include "tests/faults/scenario.h"

static const char *const asked[] = {"s1", "s2", "s3", "s4", "s5", "s9", "stranger"};
#define ASKED (sizeof asked / sizeof *asked)

/* Whether each of the sessions may change files, by the gate alone. */
static void ask_gate(const struct stage *stage, bool allowed[ASKED]) {
  int ledger = bt_fs_open_root(stage->fixture->env.ledger_dir, NULL);
  for (size_t i = 0; i < ASKED; i++) {
    struct bt_arena *arena = bt_arena_new(1u << 20);
    struct bt_deny_load_options options = {.mode = BT_DENY_AS_HEALED};
    struct bt_deny_set set;
    struct bt_auth_doc auth = {0};
    struct bt_gate_input input = {.current_session_id = asked[i], .records_are_list = true};
    struct bt_reasons reasons = {.arena = arena};
    assert_int_equal(bt_deny_load(ledger, &options, &set, NULL), BT_OK);
    assert_int_equal(bt_deny_gate_input(&set, arena, &input, NULL), BT_OK);
    assert_int_equal(bt_auth_read(ledger, asked[i], bt_env_key(&stage->fixture->env), &auth, NULL), BT_OK);
    input.auth = auth.present ? &auth.gate : NULL;
    allowed[i] = !bt_gate_evaluate(&input, &reasons);
    bt_auth_dispose(&auth);
    bt_deny_set_dispose(&set);
    bt_arena_free(arena);
  }
  close(ledger);
}

static bool is_temporary(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".tmp") == 0;
}

static bool is_lock(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".lock") == 0;
}

/* Old or new; a marker may be in between (bound, not yet consumed), a segment is checked by its chain. */
static void expect_whole_files(const struct stage *stage, const struct tree *now, const char *what) {
  for (size_t i = 0; i < now->count; i++) {
    const char *path = now->files[i].path;
    bool chain = strncmp(path, ".adlc/manifest.d/", 17) == 0 && !is_lock(path);
    bool marker = strncmp(path, ".adlc/handoffs/denies/", 22) == 0;
    if (is_temporary(path) || chain || marker)
      continue;
    if (is_lock(path) && tree_find(&stage->before, path) == NULL) {
      if (now->files[i].length == 0)
        fail_msg("%s: %s is empty", what, path);
      continue;
    }
    if (!tree_same_file(now, &stage->before, path) && !tree_same_file(now, &stage->after, path))
      fail_msg("%s: %s is neither old nor new: %.200s", what, path, now->files[i].bytes);
  }
}

static bool is_consumed(const struct tree *now) {
  const struct tree_file *file = tree_find(now, ".adlc/handoffs/denies/s1.json");
  struct bt_json *json = file != NULL ? bt_json_parse(file->bytes, file->length, NULL) : NULL;
  bool consumed = bt_text_equals(bt_json_get_string(json, "status"), "consumed");
  bt_json_free(json);
  return consumed;
}

/* The manifest's lock of the dead has no recovery but this. */
static void unlock_ledger(const struct stage *stage, const struct tree *now, const char *what) {
  for (size_t i = 0; i < now->count; i++) {
    const char *path = now->files[i].path;
    if (!is_lock(path) || strncmp(path, ".adlc/manifest", 14) != 0)
      continue;
    struct bt_json *json = bt_json_parse(now->files[i].bytes, now->files[i].length, NULL);
    assert_non_null(json);
    char pid[32];
    double number = 0;
    (void)bt_json_number(bt_json_get(json, "pid"), &number);
    snprintf(pid, sizeof pid, "%.0f", number);
    struct scenario unlock = {.name = "unlock"};
    unlock.request = (struct bt_request){.verb = BT_VERB_UNLOCK,
                                         .ledger_lock = path + strlen(".adlc/"),
                                         .pid = pid,
                                         .started_at = bt_json_get_string(json, "startedAt"),
                                         .host = bt_json_get_string(json, "hostname"),
                                         .nonce = bt_json_get_string(json, "token")};
    struct bt_error err = {0};
    if (stage_run(stage, &unlock, &err) != BT_OK)
      fail_msg("%s: %s cannot be unlocked: %s", what, path, err.message);
    bt_json_free(json);
  }
}

static void run_again(const struct stage *stage, const struct scenario *scenario, const struct tree *now,
                      const char *what) {
  struct bt_error err = {0};
  unlock_ledger(stage, now, what);
  enum bt_code code = stage_run(stage, scenario, &err);
  if (code != BT_OK && err.message[0] == '\0')
    fail_msg("%s: a second run refuses without a word", what);
  struct tree later;
  tree_take(&later, stage->fixture->root);
  expect_sound_state(stage, &later, what);
  tree_dispose(&later);
}

static void run_killed(const struct stage *stage, const struct scenario *scenario, size_t nth) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    struct bt_error err = {0};
    inject_begin(INJECT_KILL_AFTER, INJECT_WRITE, nth);
    _exit(stage_run(stage, scenario, &err) == BT_OK ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == 9);
}

static void kill_one(struct stage *stage, const struct scenario *scenario, size_t nth, const bool old[ASKED],
                     const bool new_[ASKED], size_t entries) {
  char what[160];
  bool allowed[ASKED];
  struct tree now;
  snprintf(what, sizeof what, "%s, killed after change %zu", scenario->name, nth);
  stage_reset(stage);
  run_killed(stage, scenario, nth);
  tree_take(&now, stage->fixture->root);
  expect_whole_files(stage, &now, what);
  expect_sound_state(stage, &now, what);
  size_t recorded = expect_evidence(stage, what);
  if (is_consumed(&now) && recorded <= entries)
    fail_msg("%s: the deny is consumed without its evidence", what);
  ask_gate(stage, allowed);
  for (size_t i = 0; i < ASKED; i++) {
    if (allowed[i] && !old[i] && !new_[i])
      fail_msg("%s: %s is allowed, which neither state does", what, asked[i]);
  }
  run_again(stage, scenario, &now, what);
  tree_dispose(&now);
}

static void run_scenario(const struct scenario *scenario, bool segmented) {
  struct stage stage;
  bool old[ASKED], new_[ASKED];
  struct bt_error err = {0};
  stage_open(&stage, scenario, segmented);
  ask_gate(&stage, old);
  size_t entries = expect_evidence(&stage, "before");
  inject_begin(INJECT_COUNT, INJECT_WRITE, 0);
  assert_int_equal(stage_run(&stage, scenario, &err), BT_OK);
  inject_end();
  size_t changes = inject_changes();
  ask_gate(&stage, new_);
  assert_true(changes > 2);
  for (size_t nth = 1; nth <= changes; nth++)
    kill_one(&stage, scenario, nth, old, new_, entries);
  stage_close(&stage);
}

static void test_plain(void **state) {
  run_scenario(*state, false);
}

static void test_segmented(void **state) {
  run_scenario(*state, true);
}

/* An argument picks scenarios by a pattern of their names. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[64];
  size_t count = 0;
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  for (size_t i = 0; i < scenario_count; i++) {
    void *scenario = (void *)(uintptr_t)&scenarios[i];
    tests[count++] = (struct CMUnitTest){scenarios[i].name, test_plain, NULL, NULL, scenario};
    tests[count++] = (struct CMUnitTest){scenarios[i].name, test_segmented, NULL, NULL, scenario};
  }
  return _cmocka_run_group_tests("kill", tests, count, NULL, NULL);
}
