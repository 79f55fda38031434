/* tests/unit/test_handover_memory.c - every allocation of asking for a handover fails once.
 *
 * malloc and its kin are replaced, and the disk is left out (test_handover_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/handover/op.h"
#include "core/handover/sessions.h"
#include "core/handover/settings.h"
#include "core/handover/table.h"
#include "core/handover/write.h"
#include "tests/support/fixture.h"
#include "tests/support/memory_sweep.h"

int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  (void)fd;
  return 0;
}

static const struct bt_request request = {.verb = BT_VERB_ACK, .session = "s1"};

static char projects[900];

static void put_transcript(const struct fixture *fixture, const char *name) {
  char path[1000];
  snprintf(path, sizeof path, "%s/p/%s.jsonl", projects, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(
      file,
      "{\"type\":\"assistant\",\"cwd\":\"%s\",\"timestamp\":\"2026-03-01T10:00:00.000Z\",\"message\":{\"model\":\"m\","
      "\"usage\":{\"input_tokens\":150000},\"content\":[{\"type\":\"tool_use\",\"name\":\"Bash\",\"input\":{\"command\":"
      "\"ls\"}}]}}\n",
      fixture->root);
  fclose(file);
}

static int setup(void **state) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  char path[1000];
  snprintf(projects, sizeof projects, "%s/projects", fixture->env.claude_dir);
  (void)mkdir(fixture->env.claude_dir, 0700);
  (void)mkdir(projects, 0700);
  snprintf(path, sizeof path, "%s/p", projects);
  (void)mkdir(path, 0700);
  put_transcript(fixture, "s1");
  put_transcript(fixture, "s2");
  fixture_write(fixture, ".ai/manifest.yaml", "x");
  fixture_write(fixture, BT_POLICY_PATH, "handover:\n  ask: true\n");
  *state = fixture;
  return 0;
}

static int teardown(void **state) {
  fixture_free(*state);
  return 0;
}

/* ---- an acknowledgement ---- */

static enum bt_code plan(void *context, uint64_t *seen, struct bt_error *err) {
  const struct fixture *fixture = context;
  struct bt_plan *plan = NULL;
  enum bt_code code = bt_ask_op_plan(&fixture->env, &request, &plan, err);
  assert_true((code == BT_OK) == (plan != NULL));
  if (plan) {
    memory_see_text(seen, plan->command);
    memory_see_text(seen, plan->summary);
    memory_see_text(seen, plan->disabled);
    memory_see(seen, &plan->row_count, sizeof plan->row_count);
  }
  bt_plan_free(plan);
  return code;
}

static void a_plan(void **state) {
  memory_sweep(&(struct memory_sweep){.run = plan, .context = *state, .least = 20});
}

struct acking {
  struct fixture *fixture;
  struct bt_plan *plan;
};

static void forget(void *context) {
  const struct acking *acking = context;
  char path[900];
  snprintf(path, sizeof path, "%s/" BT_ASK_KEEP_FOLDER "/s1.json", acking->fixture->env.state_dir);
  (void)unlink(path);
}

static enum bt_code acknowledge(void *context, uint64_t *seen, struct bt_error *err) {
  const struct acking *acking = context;
  struct bt_receipt *receipt = NULL;
  enum bt_code code = bt_ask_op_execute(&acking->fixture->env, acking->plan, &receipt, err);
  assert_true((code == BT_OK) == (receipt != NULL));
  (void)seen;
  bt_receipt_free(receipt);
  return code;
}

/* What is kept can be read, and nothing lies beside it. */
static void is_whole(void *context) {
  const struct acking *acking = context;
  struct bt_fs_listing names = {0};
  struct bt_ask_keep keep;
  int state = bt_fs_open_root(acking->fixture->env.state_dir, NULL);
  if (state >= 0 && bt_fs_list_at(state, BT_ASK_KEEP_FOLDER, &names, NULL) == BT_OK && names.count > 0) {
    assert_int_equal(names.count, 1);
    bt_ask_keep_read(acking->fixture->env.state_dir, "s1", &keep);
    assert_int_equal(keep.acked_count, 1);
  }
  bt_fs_listing_dispose(&names);
  if (state >= 0)
    close(state);
}

static void an_acknowledgement(void **state) {
  struct acking acking = {.fixture = *state};
  assert_int_equal(bt_ask_op_plan(&acking.fixture->env, &request, &acking.plan, NULL), BT_OK);
  memory_sweep(
      &(struct memory_sweep){.before = forget, .run = acknowledge, .after = is_whole, .context = &acking, .least = 20});
  bt_plan_free(acking.plan);
}

/* ---- all sessions ---- */

static enum bt_code watch(void *context, uint64_t *seen, struct bt_error *err) {
  const struct fixture *fixture = context;
  struct bt_ask_settings settings = {0};
  struct bt_handover_table *table = NULL;
  struct bt_ask_sessions sessions = {.projects = projects, .state_dir = fixture->env.state_dir, .settings = &settings};
  enum bt_code code = bt_ask_settings_load(&settings, fixture->env.config_dir, err);
  if (code == BT_OK)
    code = bt_ask_sessions_update(&sessions, err);
  for (size_t i = 0; code == BT_OK && i < sessions.count; i++) {
    enum bt_ask_state state = bt_ask_state_of(&sessions.items[i]->replay.machine);
    memory_see_text(seen, sessions.items[i]->id);
    memory_see(seen, &state, sizeof state);
  }
  if (code == BT_OK)
    code = bt_handover_table_new(&fixture->env, &sessions, &table, err);
  bt_handover_table_free(table);
  bt_ask_sessions_dispose(&sessions);
  bt_ask_settings_dispose(&settings);
  return code;
}

static void what_all_sessions_are_asked(void **state) {
  const struct fixture *fixture = *state;
  char path[900];
  snprintf(path, sizeof path, "%s/.config", fixture->home);
  (void)mkdir(path, 0700);
  (void)mkdir(fixture->env.config_dir, 0700);
  snprintf(path, sizeof path, "%s/ask.json", fixture->env.config_dir);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("{\"headroom_tokens\": 30000, \"writers\": [\"tool note\"]}\n", file);
  fclose(file);
  memory_sweep(&(struct memory_sweep){.run = watch, .context = *state, .least = 20});
}

static enum bt_code request_seen(void *context, uint64_t *seen, struct bt_error *err) {
  const struct fixture *fixture = context;
  bool found = false;
  enum bt_code code = bt_ask_request_seen(projects, fixture->root, 0, &found, err);
  memory_see(seen, &found, sizeof found);
  return code;
}

static void whether_a_request_was_seen(void **state) {
  memory_sweep(&(struct memory_sweep){.run = request_seen, .context = *state, .least = 5});
}

/* ---- the mod ---- */

struct laying {
  int root;
  const struct bt_mod_row *row;
};

static void take_away(void *context) {
  const struct laying *laying = context;
  if (bt_mod_remove(laying->root, laying->row, NULL) != BT_OK)
    return; /* it was not there */
}

static enum bt_code lay_down(void *context, uint64_t *seen, struct bt_error *err) {
  const struct laying *laying = context;
  struct bt_mod_found found = {.condition = BT_MOD_UNSAFE};
  enum bt_code code = bt_mod_write(laying->root, laying->row, err);
  if (code == BT_OK)
    code = bt_mod_look(laying->root, laying->row, &found, err);
  if (code == BT_OK) {
    memory_see(seen, &found.condition, sizeof found.condition);
    code = bt_mod_remove(laying->root, laying->row, err);
  }
  if (code == BT_OK)
    code = bt_mod_look(laying->root, laying->row, &found, err);
  if (code == BT_OK)
    memory_see(seen, &found.condition, sizeof found.condition);
  return code;
}

/* Whatever is left of it can be written over or removed: it is ours. */
static void is_ours(void *context) {
  const struct laying *laying = context;
  struct bt_mod_found found;
  assert_int_equal(bt_mod_look(laying->root, laying->row, &found, NULL), BT_OK);
  assert_true(found.condition <= BT_MOD_DIFFERS);
}

static void the_mod_comes_and_goes(void **state) {
  const struct fixture *fixture = *state;
  struct laying laying = {.root = bt_fs_open_root(fixture->root, NULL), .row = bt_mod_row("claude-code")};
  if (!laying.row)
    laying.row = bt_mod_row("claude");
  assert_non_null(laying.row);
  memory_sweep(
      &(struct memory_sweep){.before = take_away, .run = lay_down, .after = is_ours, .context = &laying, .least = 10});
  close(laying.root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan), cmocka_unit_test(an_acknowledgement), cmocka_unit_test(what_all_sessions_are_asked),
      cmocka_unit_test(whether_a_request_was_seen), cmocka_unit_test(the_mod_comes_and_goes)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
