/* tests/unit/test_evidence_memory.c - every allocation of the evidence code fails once: short memory is never a
 * verdict.
 *
 * malloc and its kin of our own code are replaced (test_evidence_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/ops/append.h"
#include "core/store/evidence.h"
#include "core/store/evidence_log.h"
#include "core/store/evidence_outcome.h"
#include "core/store/repo.h"
#include "tests/support/chain_box.h"
#include "tests/support/failing_memory.h"

struct world {
  struct fixture *fixture;
  int ledger;
};

/* One step under test; true when its answer is the right one. */
typedef bool (*step_fn)(const struct world *world, enum bt_code *code);

/* Fails the first, second, ... allocation until none does: each time the step says BT_NOMEM, or it is right all the
 * same. */
static void fail_each(const struct world *world, step_fn step) {
  long rounds = 0;
  bool failed;
  do {
    enum bt_code code = BT_OK;
    failing_memory_after(rounds++);
    bool right = step(world, &code);
    failed = failing_memory_end();
    if (failed && code != BT_OK)
      assert_int_equal(code, BT_NOMEM);
    else if (code != BT_OK || !right)
      fail_msg("allocation %ld: code %d, right %d, failed %d", rounds - 1, (int)code, right, failed);
  } while (failed && rounds < 50000);
  assert_true(rounds > 3 && rounds < 50000);
}

static struct bt_key the_key(void) {
  return (struct bt_key){.bytes = CHAIN_KEY, .length = strlen(CHAIN_KEY)};
}

/* A root of three entries, one of them not plain, and a segment that is anchored in it. */
static struct world open_world(void) {
  struct world world = {.fixture = fixture_new(FIXTURE_EMPTY)};
  struct chain_box box;
  char more[300];
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_add(&box, "\"note\":\"\\ud800\",", CHAIN_KEY);
  chain_box_add(&box, "\"ticket\":\"T-1\",", CHAIN_KEY);
  chain_box_write(&box, world.fixture, ".adlc/manifest.jsonl");
  (void)snprintf(more, sizeof more, "\"anchor\":{\"segment\":\"root\",\"seq\":3,\"lineHash\":\"%s\"},\"sigVersion\":2,",
                 box.hash);
  chain_box_dispose(&box);
  chain_box_init(&box);
  chain_box_add(&box, more, CHAIN_KEY);
  chain_box_write(&box, world.fixture, ".adlc/manifest.d/a-01KF0000000000000000000000.jsonl");
  chain_box_dispose(&box);
  world.fixture->env.key = CHAIN_KEY;
  world.fixture->env.key_length = strlen(CHAIN_KEY);
  world.ledger = open_ledger(world.fixture);
  return world;
}

static void close_world(struct world *world) {
  close(world->ledger);
  fixture_free(world->fixture);
}

static bool check_forest(const struct world *world, enum bt_code *code) {
  struct bt_forest forest;
  struct bt_forest_options options = {.key = the_key()};
  *code = bt_forest_check(world->ledger, &options, &forest, NULL);
  bool right = forest.ok && forest.count == 2;
  bt_forest_dispose(&forest);
  return right;
}

static bool count_entry(void *context, const struct bt_chain_entry *entry) {
  size_t *count = context;
  ++*count;
  return entry->reason == NULL;
}

/* A reading that ran out of memory halfway is taken up by the next one: each entry once, and none of them broken. */
static bool read_on(const struct world *world, enum bt_code *code) {
  struct bt_chain_cursor cursor = {0};
  struct bt_chain_result result;
  size_t count = 0;
  struct bt_chain_options options = {
      .key = the_key(), .keep_going = true, .cursor = &cursor, .context = &count, .each = count_entry};
  *code = bt_chain_check(world->ledger, "manifest.jsonl", &options, &result, NULL);
  if (*code != BT_OK) {
    (void)failing_memory_end();
    enum bt_code again = bt_chain_check(world->ledger, "manifest.jsonl", &options, &result, NULL);
    assert_int_equal(again, BT_OK);
    failing_memory_after(0);
    char *volatile none = malloc(1); /* the one that fails, so that the rounds go on */
    free(none);
  }
  assert_null(result.reason);
  assert_int_equal(count, 3);
  assert_int_equal(cursor.entries, 3);
  return true;
}

static bool load_log(const struct world *world, enum bt_code *code) {
  struct bt_log log;
  *code = bt_log_load(world->ledger, the_key(), &log, NULL);
  bool right = log.forest.ok && log.count == 4;
  for (size_t i = 0; *code == BT_OK && i < log.count; i++)
    right = right && log.entries[i].chain_ok && log.entries[i].signed_ == BT_ENTRY_SIG_HOLDS;
  bt_log_dispose(&log);
  return right;
}

static bool summarise(const struct world *world, enum bt_code *code) {
  struct bt_evidence_summary summary = {0};
  struct bt_arena *arena = bt_arena_new(1 << 20);
  *code = arena == NULL ? BT_NOMEM : bt_evidence_summarise(&world->fixture->env, world->ledger, arena, &summary, NULL);
  bool right = summary.present && summary.problem == NULL && summary.tail_count > 0 &&
               summary.tail[summary.tail_count - 1].signature == BT_SIG_VERIFIED;
  bt_arena_free(arena);
  return right;
}

static bool brief(const struct world *world, enum bt_code *code) {
  struct bt_str lines;
  bt_str_init(&lines, 65536);
  *code = bt_evidence_brief(world->ledger, &lines, NULL);
  bool right = bt_text_equals(lines.data, "seq=1 gate=test-gate ts=2026-11-30T13:33:05.029Z\n");
  bt_str_dispose(&lines);
  return right;
}

static bool judge(const struct world *world, enum bt_code *code) {
  static const char text[] = "{\"gate\":\"context-handoff-resume\",\"data\":{\"deny_session_id\":\"s1\","
                             "\"consumer_session_id\":\"s2\"}}";
  struct bt_outcome_judge judge;
  enum bt_outcome outcome = BT_OUTCOME_NONE;
  const char *word;
  struct bt_json *entry = bt_json_parse(text, sizeof text - 1, NULL);
  bt_outcome_judge_init(&judge, &world->fixture->env, world->ledger);
  *code = entry == NULL ? BT_NOMEM : bt_outcome_of(&judge, entry, &outcome, &word, NULL);
  bt_outcome_judge_dispose(&judge);
  bt_json_free(entry);
  return outcome == BT_OUTCOME_ABORTED;
}

static bool ask_repository(const struct world *world, enum bt_code *code) {
  struct bt_repo repo = {0};
  struct bt_arena *arena = bt_arena_new(1 << 20);
  *code = arena == NULL ? BT_NOMEM : bt_repo_load(&world->fixture->env, arena, &repo, NULL);
  bool right = repo.known && repo.is_repository && bt_text_equals(repo.branch, "main") && repo.dirty_count == 1;
  bt_arena_free(arena);
  return right;
}

static void reading(void **state) {
  (void)state;
  struct world world = open_world();
  fixture_write(world.fixture, ".adlc/handoffs/denies/s1.json",
                "{\"session_id\":\"s1\",\"status\":\"open\",\"ticket_id\":null,\"content_hash\":null}");
  fail_each(&world, check_forest);
  fail_each(&world, read_on);
  fail_each(&world, load_log);
  fail_each(&world, summarise);
  fail_each(&world, brief);
  fail_each(&world, judge);
  git_box(world.fixture->root, "init", "-q", "-b", "main", NULL);
  git_box(world.fixture->root, "commit", "-q", "--allow-empty", "-m", "x", NULL);
  fail_each(&world, ask_repository);
  close_world(&world);
}

/* Takes away the segments that appends without a branch have opened, so that the rounds come to an end. */
static void remove_new_segments(const struct world *world) {
  struct bt_segments segments;
  enum bt_code code = bt_segments_discover(world->ledger, &segments, NULL);
  assert_int_equal(code, BT_OK);
  for (size_t i = 0; i < segments.count; i++) {
    char path[300];
    (void)snprintf(path, sizeof path, ".adlc/manifest.d/%s", segments.names[i]);
    if (bt_starts_with(segments.names[i], "segment-"))
      fixture_remove(world->fixture, path);
  }
  bt_segments_dispose(&segments);
}

/* An append that failed has changed nothing; one that did not is whole. */
static void appending(void **state) {
  (void)state;
  struct world world = open_world();
  struct bt_json *data = bt_json_parse("{\"session_id\":\"s1\"}", 19, NULL);
  assert_non_null(data);
  for (int segmented = 0; segmented < 2; segmented++) {
    long rounds = 0;
    if (segmented)
      fixture_write(world.fixture, ".adlc/manifest.d/.store.json",
                    "{\"format\":\"adlc-manifest-segments\",\"version\":1}");
    bool failed;
    do {
      char before[65], after[65];
      int64_t seq = 0;
      enum bt_code sound;
      fixture_tree_hash(world.fixture, before);
      failing_memory_after(rounds++);
      enum bt_code code = bt_evidence_append(&world.fixture->env, "g", NULL, data, &seq, NULL);
      failed = failing_memory_end();
      if (code != BT_OK) {
        assert_true(failed);
        fixture_tree_hash(world.fixture, after);
        assert_string_equal(before, after);
      }
      struct bt_forest forest;
      struct bt_forest_options options = {.key = the_key()};
      sound = bt_forest_check(world.ledger, &options, &forest, NULL);
      assert_int_equal(sound, BT_OK);
      assert_true(forest.ok);
      bt_forest_dispose(&forest);
      remove_new_segments(&world);
    } while (failed && rounds < 50000);
    assert_true(rounds > 10 && rounds < 50000);
  }
  bt_json_free(data);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(appending)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
