/* tests/unit/test_chain_forest.c - root, segments and anchors together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/store/chain_forest.h"
#include "tests/support/chain_box.h"

#define ROOT ".adlc/manifest.jsonl"
#define SEGMENT(slug) slug "-01KF0000000000000000000000.jsonl"
#define IN_FOLDER(slug) ".adlc/manifest.d/" SEGMENT(slug)

static void expect(const struct fixture *fixture, const char *file, uint64_t line, const char *reason) {
  struct bt_forest forest;
  struct bt_forest_options options = {.key = {.bytes = CHAIN_KEY, .length = strlen(CHAIN_KEY)}};
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_forest_check(ledger, &options, &forest, NULL), BT_OK);
  assert_int_equal(forest.ok, reason == NULL);
  if (reason != NULL) {
    assert_string_equal(forest.reason, reason);
    assert_string_equal(forest.file, file);
    assert_int_equal(forest.line, line);
  }
  bt_forest_dispose(&forest);
  close(ledger);
}

/* A segment of one signed entry with the given anchor (JSON). */
static void write_segment(const struct fixture *fixture, const char *path, const char *anchor) {
  struct chain_box box;
  char more[600];
  chain_box_init(&box);
  (void)snprintf(more, sizeof more, "\"anchor\":%s,\"sigVersion\":2,", anchor);
  chain_box_add(&box, more, CHAIN_KEY);
  chain_box_write(&box, fixture, path);
  chain_box_dispose(&box);
}

static void write_root(const struct fixture *fixture, int entries, char hash[BT_SHA256_HEX]) {
  struct chain_box box;
  chain_box_init(&box);
  for (int i = 0; i < entries; i++)
    chain_box_add(&box, NULL, CHAIN_KEY);
  memcpy(hash, box.hash, BT_SHA256_HEX);
  chain_box_write(&box, fixture, ROOT);
  chain_box_dispose(&box);
}

static void nothing_is_in_order(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_forest forest;
  struct bt_forest_options options = {.keep_going = true};
  expect(fixture, NULL, 0, NULL);
  assert_int_equal(bt_forest_check(-1, &options, &forest, NULL), BT_OK);
  assert_true(forest.ok);
  bt_forest_dispose(&forest);
  fixture_free(fixture);
}

static void anchors_to_the_root(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  char hash[BT_SHA256_HEX], anchor[300];
  write_segment(fixture, IN_FOLDER("a"), "null");
  expect(fixture, NULL, 0, NULL); /* allowed while the root has no entry */
  write_root(fixture, 3, hash);
  expect(fixture, "manifest.d/" SEGMENT("a"), 1, "anchor is null although the root chain has entries");
  (void)snprintf(anchor, sizeof anchor, "{\"segment\":\"root\",\"seq\":3,\"lineHash\":\"%s\"}", hash);
  write_segment(fixture, IN_FOLDER("a"), anchor);
  expect(fixture, NULL, 0, NULL);
  (void)snprintf(anchor, sizeof anchor, "{\"segment\":\"root\",\"seq\":2,\"lineHash\":\"%s\"}", hash);
  write_segment(fixture, IN_FOLDER("a"), anchor);
  expect(fixture, "manifest.d/" SEGMENT("a"), 1, "anchor hash mismatch");
  (void)snprintf(anchor, sizeof anchor, "{\"segment\":\"root\",\"seq\":4,\"lineHash\":\"%s\"}", hash);
  write_segment(fixture, IN_FOLDER("a"), anchor);
  expect(fixture, "manifest.d/" SEGMENT("a"), 1, "anchor names an entry that is not there");
  static const char *const bad[] = {"{\"segment\":\"root\",\"seq\":1}",
                                    "{\"segment\":\"root\",\"seq\":0,\"lineHash\":\"x\"}",
                                    "{\"segment\":\"root\",\"seq\":\"1\",\"lineHash\":\"x\"}",
                                    "{\"segment\":\"root\",\"seq\":1,\"lineHash\":\"\"}",
                                    "{\"segment\":\"\",\"seq\":1,\"lineHash\":\"x\"}",
                                    "{\"segment\":\"b\",\"seq\":1,\"lineHash\":\"x\"}",
                                    "[]",
                                    "\"root\"",
                                    "false"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    write_segment(fixture, IN_FOLDER("a"), bad[i]);
    expect(fixture, "manifest.d/" SEGMENT("a"), 1, "anchor names no place in a chain");
  }
  write_segment(fixture, IN_FOLDER("a"), "{\"segment\":\"root\",\"seq\":1,\"lineHash\":\"x\"}");
  expect(fixture, "manifest.d/" SEGMENT("a"), 1, "anchor hash mismatch");
  fixture_free(fixture);
}

static void anchors_to_another_segment(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct chain_box box;
  char anchor[300];
  chain_box_init(&box);
  chain_box_add(&box, "\"anchor\":null,\"sigVersion\":2,", CHAIN_KEY);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_write(&box, fixture, IN_FOLDER("b"));
  for (int i = 0; i < 2; i++) { /* one before it in name order, one behind it */
    (void)snprintf(anchor, sizeof anchor, "{\"segment\":\"%s\",\"seq\":2,\"lineHash\":\"%s\"}", SEGMENT("b"), box.hash);
    write_segment(fixture, i == 0 ? IN_FOLDER("a") : IN_FOLDER("c"), anchor);
  }
  expect(fixture, NULL, 0, NULL);
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void circles(void **state) {
  (void)state;
  size_t member = 99;
  static const size_t none[] = {SIZE_MAX, SIZE_MAX, 1, 2, 1}, self[] = {SIZE_MAX, 1}, two[] = {SIZE_MAX, 3, 1, 2},
                      tail[] = {SIZE_MAX, 2, 3, 2};
  assert_false(bt_anchors_have_cycle(none, 5, &member));
  assert_true(bt_anchors_have_cycle(self, 2, &member));
  assert_int_equal(member, 1);
  assert_true(bt_anchors_have_cycle(two, 4, &member));
  assert_true(bt_anchors_have_cycle(tail, 4, &member));
  assert_int_equal(member, 2); /* 1 leads into the circle, it is not on it */
}

static void the_first_failure_is_told(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  fixture_write(fixture, IN_FOLDER("b"), "");
  fixture_write(fixture, IN_FOLDER("c"), "{");
  expect(fixture, "manifest.d/" SEGMENT("b"), 0, "empty segment file");
  fixture_write(fixture, ROOT, "\n[]\n");
  expect(fixture, "manifest.jsonl", 2, "entry must be an object");
  fixture_write(fixture, ".adlc/manifest.d/stray", "");
  expect(fixture, "manifest.d/stray", 0, "not the name of a segment");
  fixture_free(fixture);
}

struct tally {
  int entries, broken;
};

static bool count_entry(void *context, const struct bt_forest_chain *chain, const struct bt_chain_entry *entry) {
  struct tally *tally = context;
  assert_non_null(chain->name);
  tally->entries++;
  tally->broken += entry->reason != NULL;
  return true;
}

static void goes_on_when_asked(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_forest forest;
  struct tally tally = {0};
  struct bt_forest_options options = {.keep_going = true, .context = &tally, .each = count_entry};
  char hash[BT_SHA256_HEX];
  write_root(fixture, 2, hash);
  fixture_append(fixture, ROOT, "{}\n");
  fixture_write(fixture, ".adlc/manifest.d/stray", "");
  write_segment(fixture, IN_FOLDER("a"), "null");
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_forest_check(ledger, &options, &forest, NULL), BT_OK);
  assert_false(forest.ok);
  assert_string_equal(forest.file, "manifest.d/stray");
  assert_int_equal(tally.entries, 4);
  assert_int_equal(tally.broken, 1);
  assert_int_equal(forest.chains[0].result.breaks, 1);
  bt_forest_dispose(&forest);
  close(ledger);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_in_order),        cmocka_unit_test(anchors_to_the_root),
      cmocka_unit_test(anchors_to_another_segment), cmocka_unit_test(circles),
      cmocka_unit_test(the_first_failure_is_told),  cmocka_unit_test(goes_on_when_asked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
