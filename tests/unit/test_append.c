/* tests/unit/test_append.c - entries added to plain and segmented evidence, and every refusal. */
#define _XOPEN_SOURCE 700
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
#include "core/base/json.h"
#include "core/ops/append.h"
#include "core/store/chain_forest.h"
#include "tests/support/chain_box.h"

#define ROOT ".adlc/manifest.jsonl"
#define FOLDER ".adlc/manifest.d/"
#define MARKER FOLDER ".store.json"
#define MARKER_TEXT "{\"format\":\"adlc-manifest-segments\",\"version\":1}"

static struct fixture *fixture_with_key(enum fixture_kind kind, const char *key) {
  struct fixture *fixture = fixture_new(kind);
  assert_non_null(fixture);
  fixture->env.key = key;
  fixture->env.key_length = key != NULL ? strlen(key) : 0;
  return fixture;
}

static enum bt_code append(const struct fixture *fixture, const char *ticket, int64_t *seq, struct bt_error *err) {
  static const char text[] =
      "{\"session_id\":\"s1\",\"content_hash\":\"abc\",\"deny_reason\":\"ok\",\"rebound\":false}";
  struct bt_json *data = bt_json_parse(text, sizeof text - 1, NULL);
  assert_non_null(data);
  enum bt_code code = bt_evidence_append(&fixture->env, "context-handoff-write", ticket, data, seq, err);
  bt_json_free(data);
  return code;
}

static void append_ok(const struct fixture *fixture, int64_t wanted) {
  int64_t seq = 0;
  struct bt_error err = {0};
  if (append(fixture, "T-1", &seq, &err) != BT_OK)
    fail_msg("%s: %s", err.subject, err.message);
  assert_int_equal(seq, wanted);
}

static void expect_refusal(const struct fixture *fixture, const char *subject) {
  char before[65], after[65];
  int64_t seq;
  struct bt_error err = {0};
  fixture_tree_hash(fixture, before);
  assert_int_equal(append(fixture, NULL, &seq, &err), BT_EVIDENCE);
  assert_int_equal(err.code, BT_EVIDENCE);
  if (strstr(err.subject, subject) == NULL)
    fail_msg("subject %s, message %s", err.subject, err.message);
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
}

static void read_file(const struct fixture *fixture, const char *path, struct bt_str *out) {
  int root = bt_fs_open_root(fixture->root, NULL);
  assert_true(root >= 0);
  bt_str_clear(out);
  assert_int_equal(bt_fs_read_at(root, path, out, NULL), BT_OK);
  close(root);
}

static void expect_sound(const struct fixture *fixture, size_t chains, uint64_t entries) {
  struct bt_forest forest;
  struct bt_forest_options options = {.key = {.bytes = fixture->env.key, .length = fixture->env.key_length}};
  uint64_t total = 0;
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_forest_check(ledger, &options, &forest, NULL), BT_OK);
  if (!forest.ok)
    fail_msg("%s: %s", forest.file, forest.reason);
  assert_int_equal(forest.count, chains);
  for (size_t i = 0; i < forest.count; i++)
    total += forest.chains[i].result.entries;
  assert_int_equal(total, entries);
  bt_forest_dispose(&forest);
  close(ledger);
}

/* ---- plain ---- */

static void the_golden_line(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_NONE, "test-key");
  struct bt_str text;
  bt_str_init(&text, 65536);
  fixture->now_ms = INT64_C(1767323045678); /* 2026-01-02T03:04:05.678Z */
  append_ok(fixture, 1);
  read_file(fixture, ROOT, &text);
  assert_string_equal(
      text.data, "{\"seq\":1,\"gate\":\"context-handoff-write\",\"ts\":\"2026-01-02T03:04:05.678Z\",\"ticket\":\"T-1\","
                 "\"data\":{\"session_id\":\"s1\",\"content_hash\":\"abc\",\"deny_reason\":\"ok\",\"rebound\":false},"
                 "\"files\":{},\"prev\":null,"
                 "\"sig\":\"679e3b2db2a2e482a76e72f730bfc3b8d8bc8b99a3a01f3923458e1758680326\"}\n");
  append_ok(fixture, 2);
  read_file(fixture, ROOT, &text);
  assert_non_null(strstr(text.data, "\"prev\":\"dadcbeb1145571ce3f75ebcba6f75a1dcbeaa982e8c760241cccfe5efdf583c9\""));
  expect_sound(fixture, 1, 2);
  bt_str_dispose(&text);
  fixture_free(fixture);
}

static void a_ticket_is_recorded_as_given(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, "test-key");
  struct bt_str text;
  int64_t seq;
  bt_str_init(&text, 65536);
  assert_int_equal(append(fixture, "", &seq, NULL), BT_OK);
  read_file(fixture, ROOT, &text);
  assert_non_null(strstr(text.data, "\"ticket\":\"\""));
  fixture_remove(fixture, ROOT);
  assert_int_equal(append(fixture, NULL, &seq, NULL), BT_OK);
  read_file(fixture, ROOT, &text);
  assert_null(strstr(text.data, "ticket"));
  bt_str_dispose(&text);
  fixture_free(fixture);
}

static void without_a_key_nothing_happens(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_NONE, NULL);
  int64_t seq;
  struct bt_error err = {0};
  assert_int_equal(append(fixture, NULL, &seq, &err), BT_KEY);
  assert_int_not_equal(access(fixture->env.ledger_dir, F_OK), 0);
  fixture->env.key = "k";
  fixture->env.key_length = 1;
  fixture->env.readonly = true;
  assert_int_equal(append(fixture, NULL, &seq, &err), BT_READONLY);
  fixture_free(fixture);
}

static void unsigned_history_goes_on_signed(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  struct chain_box box;
  chain_box_init(&box);
  box.eol = "\r\n";
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, NULL, NULL);
  chain_box_write(&box, fixture, ROOT);
  append_ok(fixture, 3);
  append_ok(fixture, 4);
  expect_sound(fixture, 1, 4);
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void refusals_of_a_plain_repository(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  struct chain_box box;
  fixture_write(fixture, ROOT, "{not json\n");
  expect_refusal(fixture, "manifest.jsonl");
  chain_box_init(&box);
  chain_box_add(&box, NULL, "another key");
  chain_box_write(&box, fixture, ROOT);
  expect_refusal(fixture, "manifest.jsonl");
  chain_box_dispose(&box);
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_add(&box, NULL, NULL);
  chain_box_write(&box, fixture, ROOT);
  expect_refusal(fixture, "manifest.jsonl");
  chain_box_dispose(&box);
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_write(&box, fixture, ROOT);
  fixture_write(fixture, FOLDER "stray", "");
  expect_refusal(fixture, "manifest.d/stray");
  fixture_remove(fixture, FOLDER "stray");
  append_ok(fixture, 2);
  chain_box_dispose(&box);
  fixture_free(fixture);
}

/* An invalid object is looked at only when the root chain has lines; a valid segment always counts. */
static void an_empty_root_beside_segments(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  fixture_write(fixture, FOLDER "stray", "");
  fixture_write(fixture, ROOT, " \n");
  append_ok(fixture, 1);
  fixture_remove(fixture, FOLDER "stray");
  fixture_remove(fixture, ROOT);
  fixture_write(fixture, FOLDER "main-01KF0000000000000000000000.jsonl", "");
  expect_refusal(fixture, "manifest.d");
  fixture_free(fixture);
  fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  fixture_write(fixture, ".adlc/manifest.d", "a file where the folder would be");
  append_ok(fixture, 1); /* nothing to look at yet */
  expect_refusal(fixture, "manifest.d");
  fixture_free(fixture);
}

static void a_missing_newline_is_upstreams_quirk(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  struct chain_box box;
  chain_box_init(&box);
  box.eol = "";
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_write(&box, fixture, ROOT);
  append_ok(fixture, 2);
  expect_refusal(fixture, "manifest.jsonl");
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void a_held_lock_is_waited_for_and_then_named(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  fixture_write(fixture, ".adlc/manifest.jsonl.lock", "{}");
  expect_refusal(fixture, "manifest.jsonl.lock");
  fixture_remove(fixture, ".adlc/manifest.jsonl.lock");
  append_ok(fixture, 1);
  char lock[700];
  (void)snprintf(lock, sizeof lock, "%s/manifest.jsonl.lock", fixture->env.ledger_dir);
  assert_int_not_equal(access(lock, F_OK), 0); /* released */
  fixture_free(fixture);
}

static void what_is_no_plain_file_is_refused(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  char path[700], folder[700];
  (void)snprintf(path, sizeof path, "%s/manifest.jsonl", fixture->env.ledger_dir);
  (void)snprintf(folder, sizeof folder, "%s/manifest.d", fixture->env.ledger_dir);
  assert_int_equal(symlink("elsewhere", path), 0);
  expect_refusal(fixture, "manifest.jsonl");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0666), 0);
  expect_refusal(fixture, "manifest.jsonl");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0777), 0);
  expect_refusal(fixture, "manifest.jsonl");
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(symlink(".", folder), 0);
  expect_refusal(fixture, "manifest.d");
  fixture_free(fixture);
}

/* ---- segmented ---- */

/* The names of the segments that are there, joined by blanks. */
static void segment_names(const struct fixture *fixture, struct bt_str *out) {
  struct bt_segments segments;
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_segments_discover(ledger, &segments, NULL), BT_OK);
  bt_str_clear(out);
  for (size_t i = 0; i < segments.count; i++)
    bt_str_printf(out, "%s%s", i > 0 ? " " : "", segments.names[i]);
  bt_segments_dispose(&segments);
  close(ledger);
}

static struct fixture *segmented(bool with_git, const char *branch) {
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  fixture_write(fixture, MARKER, MARKER_TEXT);
  if (with_git) {
    git_box(fixture->root, "init", "-q", "-b", branch, NULL);
    git_box(fixture->root, "commit", "-q", "--allow-empty", "-m", "x", NULL);
  }
  return fixture;
}

static void without_a_branch_every_entry_opens_a_segment(void **state) {
  (void)state;
  struct fixture *fixture = segmented(false, NULL);
  struct bt_str names;
  bt_str_init(&names, 65536);
  append_ok(fixture, 1);
  fixture->now_ms++;
  append_ok(fixture, 1);
  segment_names(fixture, &names);
  assert_int_equal(names.length, 2 * strlen("segment-01KF0000000000000000000000.jsonl") + 1);
  assert_memory_equal(names.data, "segment-", 8);
  expect_sound(fixture, 3, 2);
  bt_str_dispose(&names);
  fixture_free(fixture);
}

static void a_branch_keeps_its_segment(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "feat/Tidy_Up");
  struct bt_str names, token, text;
  struct chain_box box;
  char path[300];
  bt_str_init(&names, 65536);
  bt_str_init(&token, 65536);
  bt_str_init(&text, 65536);
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_write(&box, fixture, ROOT);
  append_ok(fixture, 1);
  segment_names(fixture, &names);
  assert_memory_equal(names.data, "feat-tidy-up-", 13);
  read_file(fixture, FOLDER ".lineage", &token);
  bt_str_printf(&text, "{\"segment\":\"%s\",\"ulid\":\"%.26s\",\"branch\":\"feat/Tidy_Up\"}", names.data,
                names.data + 13);
  assert_string_equal(token.data, text.data);
  (void)snprintf(path, sizeof path, FOLDER "%s", names.data);
  read_file(fixture, path, &text);
  char *anchor = strstr(text.data, "\"files\":{},\"anchor\":{\"segment\":\"root\",\"seq\":1,\"lineHash\":\"");
  assert_non_null(anchor);
  assert_non_null(strstr(anchor, box.hash));
  assert_non_null(strstr(anchor, "},\"branch\":\"feat/Tidy_Up\",\"prev\":null,\"sigVersion\":2,\"sig\":\""));
  append_ok(fixture, 2);
  fixture_remove(fixture, FOLDER ".lineage"); /* found again by its first entry, and no token is written */
  append_ok(fixture, 3);
  int root = bt_fs_open_root(fixture->root, NULL);
  struct bt_fs_stat stat;
  bt_fs_stat_at(root, FOLDER ".lineage", &stat);
  assert_int_equal(stat.kind, BT_FS_ABSENT);
  close(root);
  expect_sound(fixture, 2, 4);
  chain_box_dispose(&box);
  bt_str_dispose(&names);
  bt_str_dispose(&token);
  bt_str_dispose(&text);
  fixture_free(fixture);
}

static void another_branch_opens_another_segment(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "one");
  append_ok(fixture, 1);
  git_box(fixture->root, "checkout", "-q", "-b", "two", NULL);
  append_ok(fixture, 1);
  git_box(fixture->root, "checkout", "-q", "one", NULL);
  append_ok(fixture, 2); /* the token names the other branch: recovered */
  git_box(fixture->root, "checkout", "-q", "--detach", NULL);
  append_ok(fixture, 1);
  expect_sound(fixture, 4, 4);
  fixture_free(fixture);
}

static void write_first(const struct fixture *fixture, const char *name, const char *more, const char *key) {
  struct chain_box box;
  char path[300];
  chain_box_init(&box);
  chain_box_add(&box, more, key);
  (void)snprintf(path, sizeof path, FOLDER "%s", name);
  chain_box_write(&box, fixture, path);
  chain_box_dispose(&box);
}

static void refusals_of_recovery(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "main");
  static const char first[] = "main-01KF0000000000000000000000.jsonl",
                    second[] = "main-01KF0000000000000000000001.jsonl";
  static const char v2[] = "\"anchor\":null,\"branch\":\"main\",\"sigVersion\":2,";
  write_first(fixture, first, "\"anchor\":null,\"branch\":\"main\",",
              CHAIN_KEY); /* version 1 does not cover the branch */
  expect_refusal(fixture, first);
  write_first(fixture, first, v2, NULL);
  expect_refusal(fixture, first);
  write_first(fixture, first, v2, CHAIN_KEY);
  write_first(fixture, second, v2, CHAIN_KEY);
  expect_refusal(fixture, second);
  fixture_remove(fixture, FOLDER "main-01KF0000000000000000000001.jsonl");
  append_ok(fixture, 2);
  write_first(fixture, second, "\"anchor\":null,\"sigVersion\":2,", "another key");
  expect_refusal(fixture, second);
  fixture_write(fixture, FOLDER "main-01KF0000000000000000000001.jsonl", "");
  expect_refusal(fixture, second);
  fixture_free(fixture);
}

static void a_very_long_first_line_is_not_recovered(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "main");
  char *more = malloc(80000);
  assert_non_null(more);
  int used = snprintf(more, 200, "\"anchor\":null,\"branch\":\"other\",\"sigVersion\":2,\"pad\":\"");
  memset(more + used, 'x', 70000);
  memcpy(more + used + 70000, "\",", 3);
  write_first(fixture, "other-01KF0000000000000000000000.jsonl", more, CHAIN_KEY);
  expect_refusal(fixture, "other-01KF0000000000000000000000.jsonl");
  free(more);
  fixture_free(fixture);
}

static void a_segment_that_git_ignores_is_refused(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "main");
  fixture_write(fixture, ".gitignore", "*.jsonl\n");
  expect_refusal(fixture, "manifest.d/main-");
  fixture_write(fixture, ".gitignore", "*.log\n");
  append_ok(fixture, 1);
  fixture_free(fixture);
}

static void the_token_replaces_what_is_no_file(void **state) {
  (void)state;
  struct fixture *fixture = segmented(true, "main");
  char path[700];
  (void)snprintf(path, sizeof path, "%s/manifest.d/.lineage", fixture->env.ledger_dir);
  assert_int_equal(symlink("elsewhere", path), 0);
  append_ok(fixture, 1);
  append_ok(fixture, 2);
  struct stat stat;
  assert_int_equal(lstat(path, &stat), 0);
  assert_true(S_ISREG(stat.st_mode));
  fixture_free(fixture);
}

static void the_cutover_opens_segments(void **state) {
  (void)state;
  struct fixture *fixture = fixture_with_key(FIXTURE_EMPTY, CHAIN_KEY);
  struct chain_box box;
  chain_box_init(&box);
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, "\"gate\":\"manifest-cutover\",", NULL);
  chain_box_write(&box, fixture, ROOT);
  append_ok(fixture, 1);
  expect_sound(fixture, 2, 3);
  chain_box_dispose(&box);
  fixture_free(fixture);
}

static void a_held_lineage_lock_is_named(void **state) {
  (void)state;
  struct fixture *fixture = segmented(false, NULL);
  fixture_write(fixture, FOLDER ".lineage.lock", "");
  expect_refusal(fixture, "manifest.d/.lineage.lock");
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_golden_line),
                                     cmocka_unit_test(a_ticket_is_recorded_as_given),
                                     cmocka_unit_test(without_a_key_nothing_happens),
                                     cmocka_unit_test(unsigned_history_goes_on_signed),
                                     cmocka_unit_test(refusals_of_a_plain_repository),
                                     cmocka_unit_test(an_empty_root_beside_segments),
                                     cmocka_unit_test(a_missing_newline_is_upstreams_quirk),
                                     cmocka_unit_test(a_held_lock_is_waited_for_and_then_named),
                                     cmocka_unit_test(what_is_no_plain_file_is_refused),
                                     cmocka_unit_test(without_a_branch_every_entry_opens_a_segment),
                                     cmocka_unit_test(a_branch_keeps_its_segment),
                                     cmocka_unit_test(another_branch_opens_another_segment),
                                     cmocka_unit_test(refusals_of_recovery),
                                     cmocka_unit_test(a_very_long_first_line_is_not_recovered),
                                     cmocka_unit_test(a_segment_that_git_ignores_is_refused),
                                     cmocka_unit_test(the_token_replaces_what_is_no_file),
                                     cmocka_unit_test(the_cutover_opens_segments),
                                     cmocka_unit_test(a_held_lineage_lock_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
