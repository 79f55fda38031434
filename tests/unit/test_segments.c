/* tests/unit/test_segments.c - what lies in manifest.d. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/store/segments.h"
#include "tests/support/chain_box.h"

#define SEGMENT "main-01KF0000000000000000000000.jsonl"

static void names_of_segments(void **state) {
  (void)state;
  static const char *const good[] = {SEGMENT, "a-01KF0000000000000000000000.jsonl",
                                     "--7ZZZZZZZZZZZZZZZZZZZZZZZZZ.jsonl",
                                     "a23456789-123456789-123456789-123456789--01KF0000000000000000000000.jsonl"};
  static const char *const bad[] = {"-01KF0000000000000000000000.jsonl",
                                    "main_01KF0000000000000000000000.jsonl",
                                    "Main-01KF0000000000000000000000.jsonl",
                                    "main-01kf0000000000000000000000.jsonl",
                                    "main-01KI0000000000000000000000.jsonl",
                                    "main-01KF000000000000000000000.jsonl",
                                    "main-01KF0000000000000000000000.json",
                                    "main-01KF0000000000000000000000.jsonl.bak",
                                    "a23456789-123456789-123456789-123456789-1-01KF0000000000000000000000.jsonl",
                                    ".jsonl",
                                    ""};
  const char *ulid = NULL;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(bt_segment_name_parse(good[i], &ulid));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(bt_segment_name_parse(bad[i], &ulid));
  assert_true(bt_segment_name_parse(SEGMENT, &ulid));
  assert_string_equal(ulid, "01KF0000000000000000000000.jsonl");
}

static void expect_slug(const char *branch, const char *wanted) {
  char slug[BT_SEGMENT_SLUG_MAX + 1];
  assert_int_equal(bt_segment_slug(slug, branch, NULL), BT_OK);
  assert_string_equal(slug, wanted);
}

static void slugs(void **state) {
  (void)state;
  expect_slug(NULL, "segment");
  expect_slug("", "segment");
  expect_slug("main", "main");
  expect_slug("feat/Tidy_Up", "feat-tidy-up");
  expect_slug("--a//b__c--", "a-b-c");
  expect_slug("\xe2\x84\xaa"
              "elvin",
              "kelvin");                 /* U+212A lower-cases to k */
  expect_slug("\xc4\xb0zmir", "i-zmir"); /* U+0130 to i and a dot */
  expect_slug("\xc3\xa9\xc3\xa9", "segment");
  expect_slug("1234567890123456789012345678901234567890xyz", "1234567890123456789012345678901234567890");
  expect_slug("123456789012345678901234567890123456789/xyz", "123456789012345678901234567890123456789");
}

static void ulids(void **state) {
  (void)state;
  static const unsigned char zero[10], ones[10] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  static const unsigned char mixed[10] = {0x08, 0x64, 0x29, 0x8e, 0x84, 0xa9, 0x6d, 0x1c, 0x00, 0x1f};
  char ulid[BT_ULID_LENGTH + 1];
  bt_segment_ulid(ulid, 0, zero);
  assert_string_equal(ulid, "00000000000000000000000000");
  bt_segment_ulid(ulid, INT64_C(281474976710655), ones);
  assert_string_equal(ulid, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  bt_segment_ulid(ulid, INT64_C(1469922850259), mixed);
  assert_string_equal(ulid, "01ARZ3NDEK11J2K3M4N5PHR00Z");
}

struct found {
  size_t segments, invalid;
};

static struct found discover(const struct fixture *fixture) {
  struct bt_segments segments;
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_segments_discover(ledger, &segments, NULL), BT_OK);
  struct found found = {segments.count, segments.invalid_count};
  assert_int_equal(segments.invalid_name != NULL, segments.invalid_count > 0);
  bt_segments_dispose(&segments);
  close(ledger);
  return found;
}

static void expect_object(const char *name, const char *text, size_t segments, size_t invalid) {
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  char path[300];
  (void)snprintf(path, sizeof path, ".adlc/manifest.d/%s", name);
  fixture_write(fixture, path, text);
  struct found found = discover(fixture);
  if (found.segments != segments || found.invalid != invalid)
    fail_msg("%s: %zu segments, %zu invalid", name, found.segments, found.invalid);
  fixture_free(fixture);
}

static void one_object(void **state) {
  (void)state;
  static const char lock[] = "{\"version\":1,\"token\":\"t\",\"pid\":1,\"hostname\":\"h\",\"startedAt\":\"s\"}\n";
  char padded[700];
  expect_object(SEGMENT, "", 1, 0);
  expect_object(".store.json", "anything", 0, 0);
  expect_object(".lineage", "anything", 0, 0);
  expect_object(".other", "", 0, 1);
  expect_object("notes.txt", "", 0, 1);
  expect_object("x.lock", "", 0, 0);
  expect_object(".lineage.lock", lock, 0, 0);
  expect_object("x.lock", "{\"token\":\"t\",\"pid\":\"1\",\"hostname\":\"h\",\"startedAt\":\"s\"}", 0, 1);
  expect_object("x.lock", "[]", 0, 1);
  expect_object("x.lock", "held", 0, 1);
  memset(padded, ' ', sizeof padded);
  memcpy(padded, lock, sizeof lock - 1);
  padded[511] = '\0';
  expect_object("x.lock", padded, 0, 0);
  memcpy(padded, lock, sizeof lock - 1);
  padded[511] = ' ';
  padded[512] = '\0';
  expect_object("x.lock", padded, 0, 1);
}

static void odd_objects(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  char path[700];
  assert_int_equal(discover(fixture).invalid, 0); /* no manifest.d at all */
  fixture_write(fixture, ".adlc/manifest.d/" SEGMENT, "");
  fixture_write(fixture, ".adlc/manifest.d/MAIN-01KF0000000000000000000000.jsonl", "");
  struct found found = discover(fixture);
  assert_int_equal(found.segments, 0); /* one is no segment's name, the other equals it but for case */
  assert_int_equal(found.invalid, 2);
  fixture_remove(fixture, ".adlc/manifest.d/MAIN-01KF0000000000000000000000.jsonl");
  (void)snprintf(path, sizeof path, "%s/manifest.d/b-01KF0000000000000000000000.jsonl", fixture->env.ledger_dir);
  assert_int_equal(symlink(SEGMENT, path), 0);
  assert_int_equal(discover(fixture).invalid, 1);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(discover(fixture).invalid, 1);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(mkfifo(path, 0666), 0);
  assert_int_equal(discover(fixture).invalid, 1);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(discover(fixture).segments, 1);
  fixture_free(fixture);
}

static void the_folder_itself(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  char path[700];
  fixture_write(fixture, ".adlc/manifest.d", "a file");
  assert_int_equal(discover(fixture).invalid, 1);
  fixture_remove(fixture, ".adlc/manifest.d");
  (void)snprintf(path, sizeof path, "%s/manifest.d", fixture->env.ledger_dir);
  assert_int_equal(symlink("nowhere", path), 0);
  assert_int_equal(discover(fixture).invalid, 1);
  int ledger = open_ledger(fixture);
  bool segmented;
  assert_int_equal(bt_segments_in_use(ledger, &segmented, NULL), BT_UNSAFE);
  close(ledger);
  fixture_free(fixture);
}

static void expect_in_use(const char *marker, const char *root, bool wanted) {
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  bool segmented = !wanted;
  if (marker != NULL)
    fixture_write(fixture, ".adlc/manifest.d/.store.json", marker);
  if (root != NULL)
    fixture_write(fixture, ".adlc/manifest.jsonl", root);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_segments_in_use(ledger, &segmented, NULL), BT_OK);
  assert_int_equal(segmented, wanted);
  close(ledger);
  fixture_free(fixture);
}

static void is_it_segmented(void **state) {
  (void)state;
  char big[5000];
  expect_in_use(NULL, NULL, false);
  expect_in_use("{\"format\":\"adlc-manifest-segments\",\"version\":1}", NULL, true);
  expect_in_use(" {\"auth\":\"keyed\",\"version\":1.0,\"format\":\"adlc-manifest-segments\"}\n", NULL, true);
  expect_in_use("{\"format\":\"adlc-manifest-segments\",\"version\":\"1\"}", NULL, false);
  expect_in_use("{\"format\":\"adlc-manifest-segments\",\"version\":2}", NULL, false);
  expect_in_use("[{\"format\":\"adlc-manifest-segments\",\"version\":1}]", NULL, false);
  expect_in_use("{\"format\":\"adlc-manifest-segments\"", NULL, false);
  memset(big, ' ', sizeof big);
  memcpy(big, "{\"format\":\"adlc-manifest-segments\",\"version\":1}", 47);
  big[4095] = '\0';
  expect_in_use(big, NULL, true);
  big[4095] = ' ';
  big[4096] = '\0';
  expect_in_use(big, NULL, false);
  expect_in_use(NULL, "{\"gate\":\"x\"}\n{\"gate\":\"manifest-cutover\"}\r\n \n", true);
  expect_in_use(NULL, "{\"gate\":\"manifest-cutover\"}\n{\"gate\":\"x\"}\n", false);
  expect_in_use(NULL, "{\"gate\":\"manifest-cutover\"", false);
  expect_in_use(NULL, "[\"manifest-cutover\"]", false);
}

static void expect_token(const char *text, bool usable) {
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_segment_token token;
  fixture_write(fixture, ".adlc/manifest.d/.lineage", text);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_segment_token_read(ledger, &token, NULL), BT_OK);
  assert_int_equal(token.usable, usable);
  if (usable)
    assert_string_equal(token.segment.data, SEGMENT);
  bt_segment_token_dispose(&token);
  close(ledger);
  fixture_free(fixture);
}

static void tokens(void **state) {
  (void)state;
  expect_token("{\"segment\":\"" SEGMENT "\",\"ulid\":\"01KF0000000000000000000000\",\"branch\":\"main\"}", true);
  expect_token("{\"segment\":\"" SEGMENT "\",\"ulid\":\"01KF0000000000000000000001\",\"branch\":\"main\"}", false);
  expect_token("{\"segment\":\"" SEGMENT "\",\"branch\":\"main\"}", false);
  expect_token("{\"segment\":\"" SEGMENT "\",\"ulid\":\"01KF0000000000000000000000\",\"branch\":null}", false);
  expect_token("{\"segment\":\"../x\",\"ulid\":\"01KF0000000000000000000000\",\"branch\":\"main\"}", false);
  expect_token("", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_segments), cmocka_unit_test(slugs),       cmocka_unit_test(ulids),
      cmocka_unit_test(one_object),        cmocka_unit_test(odd_objects), cmocka_unit_test(the_folder_itself),
      cmocka_unit_test(is_it_segmented),   cmocka_unit_test(tokens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
