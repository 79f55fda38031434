/* tests/unit/test_chain.c - every rule of the chain table, in its order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/store/chain.h"
#include "core/store/manifest.h"
#include "tests/support/chain_box.h"

static struct bt_key the_key(void) {
  return (struct bt_key){.bytes = CHAIN_KEY, .length = strlen(CHAIN_KEY)};
}

static struct bt_chain_result check(const char *text, struct bt_chain_options options) {
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_chain_result result;
  fixture_write(fixture, ".adlc/manifest.jsonl", text);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_chain_check(ledger, BT_MANIFEST_ROOT, &options, &result, NULL), BT_OK);
  close(ledger);
  fixture_free(fixture);
  return result;
}

static void expect(const char *text, struct bt_chain_options options, const char *reason, uint64_t line) {
  struct bt_chain_result result = check(text, options);
  if (reason == NULL)
    assert_null(result.reason);
  else
    assert_string_equal(result.reason != NULL ? result.reason : "(none)", reason);
  assert_int_equal(result.line, line);
}

/* A root chain of one line made of raw seq, prev and further members. */
static void expect_first(const char *seq, const char *prev, const char *more, const char *reason) {
  struct bt_str text;
  bt_str_init(&text, 65536);
  chain_entry_text(&text, seq, prev, more, NULL);
  expect(text.data, (struct bt_chain_options){.key = the_key()}, reason, reason != NULL ? 1 : 0);
  bt_str_dispose(&text);
}

static void first_line_rules(void **state) {
  (void)state;
  struct bt_chain_options root = {.key = the_key()}, segment = {.key = the_key(), .is_segment = true};
  expect("", root, NULL, 0);
  expect("\n \n", root, NULL, 0);
  expect("", segment, "empty segment file", 0);
  expect("\n\r\n", segment, "empty segment file", 0);
  expect("\n{\"seq\":1,}", root, "malformed JSON", 2);
  expect("\xef\xbb\xbf{\"seq\":1}", root, "malformed JSON", 1);
  expect("[1]", root, "entry must be an object", 1);
  expect("null", root, "entry must be an object", 1);
  expect("\"x\"", root, "entry must be an object", 1);
  expect_first("0", "null", NULL, "invalid seq");
  expect_first("1.5", "null", NULL, "invalid seq");
  expect_first("\"1\"", "null", NULL, "invalid seq");
  expect_first("-1", "null", NULL, "invalid seq");
  expect_first("1e400", "null", NULL, "invalid seq");
  expect_first("1.0", "null", NULL, NULL);
  expect_first("1e0", "null", NULL, NULL);
  expect("{\"seq\":1,\"gate\":\"g\"}", root, "first entry prev must be null", 1); /* absent is not null */
  expect_first("1", "\"x\"", NULL, "first entry prev must be null");
  expect_first("2", "null", NULL, "first entry seq must be 1");
  expect_first("2", "\"x\"", NULL, "first entry prev must be null"); /* rule 4 comes before rule 6 */
  expect_first("1", "null", "\"anchor\":null,", "an entry of the root chain must not have an anchor");
  expect_first("1", "null", "\"sig\":null,", NULL);
  expect_first("1", "null", "\"sig\":\"\",", "signature invalid");
  expect_first("1", "null", "\"sig\":7,", "signature invalid");
  expect_first("1", "null", "\"sig\":false,", "signature invalid");
}

static void anchors_stand_on_the_first_line_of_a_segment(void **state) {
  (void)state;
  struct bt_chain_options segment = {.key = the_key(), .is_segment = true};
  struct chain_box box;
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, segment, "first entry of a segment must have an anchor", 1);
  chain_box_dispose(&box);
  chain_box_init(&box);
  chain_box_add(&box, "\"anchor\":null,\"sigVersion\":2,", CHAIN_KEY);
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, segment, NULL, 0);
  struct bt_chain_result result = check(box.text.data, segment);
  assert_true(result.first_is_v2 && result.first_verified);
  assert_int_equal(result.signed_good, 2);
  chain_box_add(&box, "\"anchor\":null,", CHAIN_KEY);
  expect(box.text.data, segment, "only the first entry of a segment may have an anchor", 3);
  chain_box_dispose(&box);
}

static void later_lines_follow_the_one_before(void **state) {
  (void)state;
  struct bt_chain_options root = {.key = the_key()};
  struct chain_box box;
  struct bt_str line;
  char prev[BT_SHA256_HEX + 2];
  chain_box_init(&box);
  bt_str_init(&line, 65536);
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, root, NULL, 0);
  size_t good = box.text.length;
  chain_entry_text(&line, "3", "null", NULL, CHAIN_KEY);
  bt_str_append(&box.text, line.data, line.length);
  expect(box.text.data, root, "prev hash mismatch", 3);
  bt_str_truncate(&box.text, good);
  (void)snprintf(prev, sizeof prev, "\"%s\"", box.hash);
  bt_str_clear(&line);
  chain_entry_text(&line, "4", prev, NULL, CHAIN_KEY);
  bt_str_append(&box.text, line.data, line.length);
  expect(box.text.data, root, "seq not contiguous", 3);
  bt_str_dispose(&line);
  chain_box_dispose(&box);
}

static void unsigned_history_is_tolerated_until_a_signature(void **state) {
  (void)state;
  struct bt_chain_options root = {.key = the_key()};
  struct chain_box box;
  chain_box_init(&box);
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, "\"sig\":null,", NULL);
  expect(box.text.data, root, NULL, 0);
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, root, NULL, 0);
  struct bt_chain_result result = check(box.text.data, root);
  assert_int_equal(result.unsigned_, 2);
  assert_int_equal(result.signed_good, 1);
  chain_box_add(&box, NULL, NULL);
  expect(box.text.data, root, "unsigned entry", 4);
  /* without a key no signature has been valid, so nothing ends the tolerance */
  expect(box.text.data, (struct bt_chain_options){.is_segment = false}, NULL, 0);
  chain_box_dispose(&box);
}

static void another_key_breaks_the_first_signed_line(void **state) {
  (void)state;
  struct chain_box box;
  chain_box_init(&box);
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, NULL, "another key");
  chain_box_add(&box, NULL, "another key");
  expect(box.text.data, (struct bt_chain_options){.key = the_key()}, "signature invalid", 2);
  struct bt_chain_result all = check(box.text.data, (struct bt_chain_options){.key = the_key(), .keep_going = true});
  assert_int_equal(all.entries, 3);
  assert_int_equal(all.signed_bad, 2);
  assert_int_equal(all.breaks, 2);
  assert_int_equal(all.line, 2);
  struct bt_chain_result none = check(box.text.data, (struct bt_chain_options){.keep_going = true});
  assert_null(none.reason);
  assert_int_equal(none.signed_unchecked, 2);
  chain_box_dispose(&box);
}

static void crlf_belongs_to_the_line(void **state) {
  (void)state;
  struct chain_box box;
  chain_box_init(&box);
  box.eol = "\r\n";
  chain_box_add(&box, NULL, CHAIN_KEY);
  bt_str_puts(&box.text, "\r\n"); /* a blank line between them changes nothing */
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, (struct bt_chain_options){.key = the_key()}, NULL, 0);
  chain_box_dispose(&box);
}

static void an_edited_byte_is_found(void **state) {
  (void)state;
  struct chain_box box;
  chain_box_init(&box);
  for (int i = 0; i < 4; i++)
    chain_box_add(&box, NULL, CHAIN_KEY);
  char *edited = strdup(box.text.data);
  assert_non_null(edited);
  char *second = strchr(edited, '\n') + 1;
  strstr(second, "s1")[1] = '2';
  expect(edited, (struct bt_chain_options){.key = the_key()}, "signature invalid", 2);
  expect(edited, (struct bt_chain_options){.is_segment = false}, "prev hash mismatch", 3);
  free(edited);
  chain_box_dispose(&box);
}

static void two_entries_on_one_line_are_malformed(void **state) {
  (void)state;
  struct chain_box box;
  chain_box_init(&box);
  chain_box_add(&box, NULL, CHAIN_KEY);
  box.eol = "";
  chain_box_add(&box, NULL, CHAIN_KEY);
  chain_box_add(&box, NULL, CHAIN_KEY);
  expect(box.text.data, (struct bt_chain_options){.key = the_key()}, "malformed JSON", 2);
  chain_box_dispose(&box);
}

static void places_are_found(void **state) {
  (void)state;
  struct chain_box box;
  struct bt_chain_place places[] = {{.seq = 2}, {.seq = 2}, {.seq = 3}, {.seq = 9}};
  char second[BT_SHA256_HEX];
  chain_box_init(&box);
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, NULL, NULL);
  memcpy(second, box.hash, sizeof second);
  chain_box_add(&box, NULL, NULL);
  struct bt_chain_options options = {.places = places, .place_count = 4};
  struct bt_chain_result result = check(box.text.data, options);
  assert_string_equal(result.last_hash, box.hash);
  assert_true(result.last_seq == 3);
  assert_true(places[0].found && places[1].found && places[2].found);
  assert_false(places[3].found);
  assert_string_equal(places[0].hash, second);
  assert_string_equal(places[1].hash, second);
  assert_string_equal(places[2].hash, box.hash);
  chain_box_dispose(&box);
}

static void what_is_no_plain_file_is_refused(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_chain_result result;
  struct bt_chain_options options = {.key = the_key()};
  struct bt_error err = {0};
  char link[700];
  (void)snprintf(link, sizeof link, "%s/manifest.jsonl", fixture->env.ledger_dir);
  assert_int_equal(symlink("nowhere", link), 0);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_chain_check(ledger, BT_MANIFEST_ROOT, &options, &result, &err), BT_UNSAFE);
  close(ledger);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_line_rules),
                                     cmocka_unit_test(anchors_stand_on_the_first_line_of_a_segment),
                                     cmocka_unit_test(later_lines_follow_the_one_before),
                                     cmocka_unit_test(unsigned_history_is_tolerated_until_a_signature),
                                     cmocka_unit_test(another_key_breaks_the_first_signed_line),
                                     cmocka_unit_test(crlf_belongs_to_the_line),
                                     cmocka_unit_test(an_edited_byte_is_found),
                                     cmocka_unit_test(two_entries_on_one_line_are_malformed),
                                     cmocka_unit_test(places_are_found),
                                     cmocka_unit_test(what_is_no_plain_file_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
