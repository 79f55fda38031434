/* tests/faults/test_neighbour.c - another writer changes what this run has just written, and the run then fails: its
 * undo leaves the other's text alone and names it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/faults/inject.h"
#include "tests/faults/scenario.h"

#define OTHER "{\"written\":\"by a neighbour\"}\n"

struct artifact {
  const char *scenario;
  const char *path; /* below the root */
  const char *word; /* in the error */
};

static const struct artifact artifacts[] = {
    {"write over old binds", ".adlc/handoffs/finals/s1.json", "final"},
    {"write over old binds", ".adlc/handoffs/denies/s1.json", "deny marker"},
    {"resume", ".adlc/handoffs/s3.resume-auth.json", "resume-auth"},
    {"bypass", ".adlc/handoffs/s9.bypass-grant.json", "bypass grant"},
    {"repair", ".adlc/handoffs/finals/s1.json", "final"},
    {"repair", ".adlc/handoffs/denies/s1.json", "deny marker"},
    {"continue", ".adlc/handoffs/finals/s1.json", "final"},
    {"continue", ".adlc/handoffs/denies/s1.json", "deny marker"},
    {"continue", ".adlc/handoffs/content/s1.md", "capture"},
    {"continue", ".adlc/handoffs/s2.resume-auth.json", "resume-auth"},
};

struct neighbour {
  const struct stage *stage;
  const struct artifact *artifact;
  bool acted;
};

/* Only once the file is this run's, and before its evidence is recorded: from then on the manifest is broken, so that
 * the run must fail. */
static void act(void *context) {
  struct neighbour *neighbour = context;
  const struct stage *stage = neighbour->stage;
  const char *path = neighbour->artifact->path;
  struct tree now;
  tree_take(&now, stage->fixture->root);
  bool ours = !tree_same_file(&now, &stage->before, path);
  bool recorded = !tree_same_file(&now, &stage->before, ".adlc/manifest.jsonl");
  tree_dispose(&now);
  if (!ours || recorded)
    return;
  neighbour->acted = true;
  fixture_write(stage->fixture, path, OTHER);
  fixture_append(stage->fixture, ".adlc/manifest.jsonl", "{broken\n");
}

/* Everything but what the neighbour wrote is as before. */
static void expect_rest_old(const struct stage *stage, const struct scenario *scenario, struct tree *now,
                            const char *path, const char *what) {
  for (size_t i = 0; i < now->count; i++) {
    const char *at = now->files[i].path;
    bool theirs = strcmp(at, path) == 0 || strcmp(at, ".adlc/manifest.jsonl") == 0;
    bool registration = strcmp(at, ".adlc/.deny-store") == 0;
    if (!theirs && !registration && !tree_same_file(now, &stage->before, at))
      fail_msg("%s: %s (%s) is not as before", what, at, scenario->name);
  }
}

static const struct scenario *scenario_called(const char *name) {
  for (size_t i = 0; i < scenario_count; i++) {
    if (strcmp(scenarios[i].name, name) == 0)
      return &scenarios[i];
  }
  fail_msg("no scenario %s", name);
  return NULL;
}

static bool meet(struct stage *stage, const struct scenario *scenario, const struct artifact *artifact, size_t nth) {
  struct neighbour neighbour = {stage, artifact, false};
  struct bt_error err = {0};
  struct tree now;
  char what[160];
  snprintf(what, sizeof what, "%s, %s changed after change %zu", scenario->name, artifact->word, nth);
  stage_reset(stage);
  inject_neighbour(act, &neighbour);
  inject_begin(INJECT_CALL_AFTER, INJECT_WRITE, nth);
  enum bt_code code = stage_run(stage, scenario, &err);
  inject_end();
  if (!neighbour.acted)
    return false;
  if (code == BT_OK)
    fail_msg("%s: succeeded on a broken manifest", what);
  tree_take(&now, stage->fixture->root);
  const struct tree_file *file = tree_find(&now, artifact->path);
  if (file == NULL || strcmp(file->bytes, OTHER) != 0)
    fail_msg("%s: the neighbour's text is gone", what);
  if (strstr(err.message, artifact->word) == NULL)
    fail_msg("%s: not named in: %s", what, err.message);
  expect_rest_old(stage, scenario, &now, artifact->path, what);
  tree_dispose(&now);
  return true;
}

static void test_artifact(void **state) {
  const struct artifact *artifact = *state;
  const struct scenario *scenario = scenario_called(artifact->scenario);
  struct stage stage;
  struct bt_error err = {0};
  size_t met = 0;
  stage_open(&stage, scenario, false);
  inject_begin(INJECT_COUNT, INJECT_WRITE, 0);
  assert_int_equal(stage_run(&stage, scenario, &err), BT_OK);
  inject_end();
  size_t changes = inject_changes();
  for (size_t nth = 1; nth <= changes; nth++)
    met += meet(&stage, scenario, artifact, nth);
  assert_true(met > 0);
  stage_close(&stage);
}

int main(void) {
  struct CMUnitTest tests[32];
  size_t count = 0;
  for (size_t i = 0; i < sizeof artifacts / sizeof *artifacts; i++)
    tests[count++] =
        (struct CMUnitTest){artifacts[i].word, test_artifact, NULL, NULL, (void *)(uintptr_t)&artifacts[i]};
  return _cmocka_run_group_tests("neighbour", tests, count, NULL, NULL);
}
