/* tests/faults/scenario.c - ledgers with much to lose. */
#include "tests/faults/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/chain_forest.h"
#include "core/text/capture.h"

#define HASH "1111111111111111111111111111111111111111111111111111111111111111"

const struct scenario scenarios[] = {
    {"write a fresh session", {.verb = BT_VERB_WRITE, .session = "s5", .ticket = "T-5", .terse = true}, false, true},
    {"write over old binds",
     {.verb = BT_VERB_WRITE, .session = "s1", .ticket = "T-9", .content_hash = "new", .terse = true},
     false,
     false},
    {"resume", {.verb = BT_VERB_RESUME, .session = "s3", .deny_session = "s1", .terse = true}, true, false},
    {"bypass", {.verb = BT_VERB_BYPASS, .session = "s9", .unbound_reason = "why", .terse = true}, false, false},
    {"repair",
     {.verb = BT_VERB_REPAIR, .session = "s1", .ticket = "T-9", .content_hash = "new", .terse = true},
     false,
     false},
    {"unlock",
     {.verb = BT_VERB_UNLOCK,
      .session = "s4",
      .pid = "48211",
      .started_at = "2026-10-09T12:20:14.031Z",
      .host = "build-07",
      .nonce = "8e1f0c44a9d2b310",
      .terse = true},
     false,
     false},
    {"continue", {.verb = BT_VERB_CONTINUE, .session = "s2", .deny_session = "s1", .terse = true}, true, false},
    {"continue, planned for a dialog", {.verb = BT_VERB_CONTINUE, .session = "s2", .deny_session = "s1"}, true, false},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

static void write_records(const struct fixture *fixture) {
  fixture_write(fixture, ".adlc/handoffs/denies/s1.json",
                "{\n  \"10\": 1,\n  \"session_id\": \"s1\",\n  \"ticket_id\": \"T-1\",\n  \"content_hash\": \"" HASH
                "\",\n"
                "  \"status\": \"open\",\n  \"since\": \"2026-10-09T10:00:00.000Z\",\n  \"host\": \"hook\",\n"
                "  \"schema\": 1,\n  \"extra\": {\"kept\": [1.5]}\n}\n");
  fixture_write(fixture, ".adlc/handoffs/finals/s1.json",
                "{\"schema\":1,\"session_id\":\"s1\",\"ticket_id\":\"T-1\",\"written_at\":\"2026-10-09T10:00:00.000Z\","
                "\"host\":\"local\",\"content_hash\":\"" HASH "\",\"unknown\":true}\n");
  fixture_write(fixture, ".adlc/handoffs/content/s1.md", "an older brief\n");
  fixture_write(fixture, ".adlc/handoffs/s3.resume-auth.json", "{\"an older\":\"authorization\"}\n");
  fixture_write(fixture, ".adlc/handoffs/s9.bypass-grant.json", "{\"an older\":\"grant\"}\n");
  fixture_write(fixture, ".adlc/handoffs/s4.lock",
                "{\"schema\":1,\"session_id\":\"s4\",\"pid\":48211,\"started_at\":\"2026-10-09T12:20:14.031Z\","
                "\"host\":\"build-07\",\"nonce\":\"8e1f0c44a9d2b310\"}\n");
  fixture_write(fixture, ".adlc/.deny-store", "{\"schema\":1,\"sessions\":[\"s1\"]}\n");
}

static enum bt_code run(struct bt_env *env, const struct bt_request *request, struct bt_error *err) {
  struct bt_plan *plan = NULL;
  struct bt_receipt *receipt = NULL;
  enum bt_code code = bt_op_plan(env, request, &plan, err);
  if (code == BT_OK)
    code = bt_op_execute(env, plan, &receipt, err);
  bt_plan_free(plan);
  bt_receipt_free(receipt);
  return code;
}

/* Two signed entries, from a verb that touches nothing else here. */
static void write_evidence(struct fixture *fixture, bool segmented) {
  if (segmented)
    fixture_write(fixture, ".adlc/manifest.d/.store.json", "{\"format\":\"adlc-manifest-segments\",\"version\":1}");
  for (int i = 0; i < 2; i++) {
    struct bt_request request = {.verb = BT_VERB_BYPASS, .session = i == 0 ? "s7" : "s8", .terse = true};
    struct bt_error err = {0};
    enum bt_code code = run(&fixture->env, &request, &err);
    if (code != BT_OK)
      fail_msg("evidence: %s", err.message);
  }
}

/* Thousands of small trees: in memory where there is such a place. */
static void choose_place(void) {
  if (access("/dev/shm", W_OK) == 0)
    (void)setenv("TMPDIR", "/dev/shm", 1);
}

void stage_open(struct stage *stage, const struct scenario *scenario, bool segmented) {
  choose_place();
  *stage = (struct stage){.fixture = fixture_new(FIXTURE_EMPTY)};
  assert_non_null(stage->fixture);
  stage->fixture->env.key = FAULT_KEY;
  stage->fixture->env.key_length = strlen(FAULT_KEY);
  write_evidence(stage->fixture, segmented);
  write_records(stage->fixture);
  tree_take(&stage->before, stage->fixture->root);
  struct bt_error err = {0};
  enum bt_code code = run(&stage->fixture->env, &scenario->request, &err);
  if (code != BT_OK)
    fail_msg("%s does not run at all: %s", scenario->name, err.message);
  tree_take(&stage->after, stage->fixture->root);
  assert_false(tree_same(&stage->before, &stage->after));
  stage_reset(stage);
}

void stage_close(struct stage *stage) {
  tree_dispose(&stage->before);
  tree_dispose(&stage->after);
  fixture_free(stage->fixture);
}

void stage_reset(struct stage *stage) {
  static const struct tree empty;
  tree_put(&stage->before, stage->fixture->root);
  tree_put(&empty, stage->fixture->home);
}

enum bt_code stage_run(const struct stage *stage, const struct scenario *scenario, struct bt_error *err) {
  return run(&stage->fixture->env, &scenario->request, err);
}

/* Names of segments hold random parts. */
static bool is_segment(const char *path) {
  return strncmp(path, ".adlc/manifest.d/", 17) == 0 && strstr(path, ".jsonl") != NULL && strstr(path, ".lock") == NULL;
}

static bool is_fresh_lock(const struct stage *stage, const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".lock") == 0 && tree_find(&stage->before, path) == NULL;
}

void expect_new_state(const struct stage *stage, const struct tree *now, bool lock_may_stay, const char *what) {
  size_t segments = 0, wanted_segments = 0;
  for (size_t i = 0; i < now->count; i++) {
    const char *path = now->files[i].path;
    segments += is_segment(path);
    if (!is_segment(path) && tree_find(&stage->after, path) == NULL && !(lock_may_stay && is_fresh_lock(stage, path)))
      fail_msg("%s: succeeded, but left %s: %.200s", what, path, now->files[i].bytes);
  }
  for (size_t i = 0; i < stage->after.count; i++) {
    const char *path = stage->after.files[i].path;
    wanted_segments += is_segment(path);
    if (!is_segment(path) && !tree_same_file(now, &stage->after, path))
      fail_msg("%s: succeeded, but %s is not as it should be", what, path);
  }
  assert_int_equal(segments, wanted_segments);
}

static bool may_differ(const struct stage *stage, const struct scenario *scenario, const struct tree *now,
                       const char *path) {
  bool as_new = tree_same_file(now, &stage->after, path);
  if (strcmp(path, ".adlc/.deny-store") == 0 || strcmp(path, ".adlc/manifest.jsonl") == 0)
    return as_new; /* the registration stays; an entry that was recorded stays */
  if (is_segment(path))
    return tree_find(&stage->before, path) == NULL;
  return scenario->new_marker && as_new && strncmp(path, ".adlc/handoffs/denies/", 22) == 0;
}

void expect_old_state(const struct stage *stage, const struct scenario *scenario, const struct tree *now,
                      bool lock_may_stay, const char *what) {
  for (size_t i = 0; i < stage->before.count; i++) {
    const char *path = stage->before.files[i].path;
    if (!tree_same_file(now, &stage->before, path) && !may_differ(stage, scenario, now, path))
      fail_msg("%s: failed, but %s changed", what, path);
  }
  for (size_t i = 0; i < now->count; i++) {
    const char *path = now->files[i].path;
    if (tree_find(&stage->before, path) == NULL && !may_differ(stage, scenario, now, path) &&
        !(lock_may_stay && is_fresh_lock(stage, path)))
      fail_msg("%s: failed, but left %s: %.200s", what, path, now->files[i].bytes);
  }
}

static struct bt_json *document(const struct tree *now, const char *path, const char *what) {
  const struct tree_file *file = tree_find(now, path);
  if (file == NULL)
    return NULL;
  struct bt_json *json = bt_json_parse(file->bytes, file->length, NULL);
  if (json == NULL)
    fail_msg("%s: %s is not whole: %.200s", what, path, file->bytes);
  return json;
}

static void expect_brief(const struct tree *now, const char *what) {
  struct bt_json *deny = document(now, ".adlc/handoffs/denies/s1.json", what);
  struct bt_json *final_ = document(now, ".adlc/handoffs/finals/s1.json", what);
  const struct tree_file *brief = tree_find(now, ".adlc/handoffs/content/s1.md");
  if (bt_json_get(deny, "extra") == NULL)
    fail_msg("%s: the marker lost what it did not understand", what);
  if (bt_text_equals(bt_json_get_string(deny, "content_kind"), "capture")) {
    const char *hash = bt_json_get_string(deny, "content_hash");
    assert_non_null(brief);
    char hex[BT_SHA256_HEX];
    assert_int_equal(bt_capture_hash(brief->bytes, brief->length, hex, NULL), BT_OK);
    assert_string_equal(hex, hash);
    assert_string_equal(bt_json_get_string(final_, "content_hash"), hash);
  }
  bt_json_free(deny);
  bt_json_free(final_);
}

void expect_sound_state(const struct stage *stage, const struct tree *now, const char *what) {
  (void)stage;
  for (size_t i = 0; i < now->count; i++) {
    const char *path = now->files[i].path;
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".json") == 0)
      bt_json_free(document(now, path, what));
  }
  expect_brief(now, what);
}

size_t expect_evidence(const struct stage *stage, const char *what) {
  struct bt_forest_options options = {.key = {FAULT_KEY, strlen(FAULT_KEY)}};
  struct bt_forest forest = {0};
  int ledger = bt_fs_open_root(stage->fixture->env.ledger_dir, NULL);
  assert_true(ledger >= 0);
  assert_int_equal(bt_forest_check(ledger, &options, &forest, NULL), BT_OK);
  if (!forest.ok)
    fail_msg("%s: the evidence is broken: %s", what, forest.reason);
  size_t entries = 0;
  for (size_t i = 0; i < forest.count; i++)
    entries += (size_t)forest.chains[i].result.entries;
  bt_forest_dispose(&forest);
  close(ledger);
  return entries;
}
