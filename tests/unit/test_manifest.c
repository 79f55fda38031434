/* tests/unit/test_manifest.c - lines of any length and any ending. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/store/manifest.h"
#include "tests/support/chain_box.h"

static struct bt_lines *open_lines(const struct fixture *fixture, const char *text) {
  fixture_write(fixture, ".adlc/manifest.jsonl", text);
  int ledger = open_ledger(fixture);
  int fd = bt_fs_open_file_at(ledger, BT_MANIFEST_ROOT, NULL);
  close(ledger);
  assert_true(fd >= 0);
  struct bt_lines *lines = bt_lines_new(fd);
  assert_non_null(lines);
  return lines;
}

static void expect_line(struct bt_lines *lines, const char *text, uint64_t number, int64_t offset, bool ended) {
  struct bt_line line;
  bool more = false;
  assert_int_equal(bt_lines_next(lines, &line, &more, NULL), BT_OK);
  assert_true(more);
  assert_int_equal(line.length, strlen(text));
  assert_memory_equal(line.bytes, text, line.length);
  assert_int_equal(line.number, number);
  assert_int_equal(line.offset, offset);
  assert_int_equal(line.ended, ended);
  assert_false(line.oversize);
}

static void expect_end(struct bt_lines *lines) {
  struct bt_line line;
  bool more = true;
  assert_int_equal(bt_lines_next(lines, &line, &more, NULL), BT_OK);
  assert_false(more);
}

static void counts_blank_lines_and_keeps_the_cr(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_lines *lines = open_lines(fixture, "{\"a\":1}\r\n\n \t\nlast");
  expect_line(lines, "{\"a\":1}\r", 1, 0, true);
  expect_line(lines, "", 2, 9, true);
  expect_line(lines, " \t", 3, 10, true);
  expect_line(lines, "last", 4, 13, false);
  expect_end(lines);
  bt_lines_free(lines);
  lines = open_lines(fixture, "");
  expect_end(lines);
  bt_lines_free(lines);
  fixture_free(fixture);
}

static char *repeat(char byte, size_t count, const char *tail) {
  char *text = malloc(count + strlen(tail) + 1);
  assert_non_null(text);
  memset(text, byte, count);
  memcpy(text + count, tail, strlen(tail) + 1);
  return text;
}

static void long_lines_cross_every_buffer(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  static const size_t sizes[] = {262143, 262144, 262145, 700000, 3000000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *text = repeat('x', sizes[i], "\nnext\n"), *first = repeat('x', sizes[i], "");
    struct bt_lines *lines = open_lines(fixture, text);
    expect_line(lines, first, 1, 0, true);
    expect_line(lines, "next", 2, (int64_t)sizes[i] + 1, true);
    expect_end(lines);
    bt_lines_free(lines);
    free(first);
    free(text);
  }
  fixture_free(fixture);
}

static void a_line_past_the_ceiling_is_passed_over(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  char *text = repeat('x', BT_MANIFEST_LINE_MAX + 600000, "\nnext");
  struct bt_lines *lines = open_lines(fixture, text);
  struct bt_line line;
  bool more = false;
  assert_int_equal(bt_lines_next(lines, &line, &more, NULL), BT_OK);
  assert_true(more && line.oversize && line.ended);
  expect_line(lines, "next", 2, (int64_t)BT_MANIFEST_LINE_MAX + 600001, false);
  expect_end(lines);
  bt_lines_free(lines);
  free(text);
  fixture_free(fixture);
}

static void hashes_what_decode8_makes_of_a_line(void **state) {
  (void)state;
  static const struct {
    const char *raw, *as_if;
    size_t raw_length, as_if_length;
  } cases[] = {{"a\xff"
                "b",
                "a\xef\xbf\xbd"
                "b",
                3, 5},
               {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3, 9}, /* a surrogate is three bad bytes */
               {"\xe2\x82", "\xef\xbf\xbd", 2, 3},                             /* one cut-off sequence, one mark */
               {"x\0y", "x\0y", 3, 3},
               {"\xef\xbb\xbf{}\r", "\xef\xbb\xbf{}\r", 6, 6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char got[BT_SHA256_HEX], wanted[BT_SHA256_HEX];
    assert_true(bt_line_hash(cases[i].raw, cases[i].raw_length, got));
    bt_sha256_hex(cases[i].as_if, cases[i].as_if_length, wanted);
    assert_string_equal(got, wanted);
  }
}

static void blank_is_w_and_nothing_else(void **state) {
  (void)state;
  assert_true(bt_line_is_blank("", 0));
  assert_true(bt_line_is_blank("\r", 1));
  assert_true(bt_line_is_blank("\xef\xbb\xbf", 3)); /* a BOM alone */
  assert_true(bt_line_is_blank("\xc2\xa0\xe3\x80\x80", 5));
  assert_false(bt_line_is_blank("\xc2\x85", 2)); /* U+0085 is not in W */
  assert_false(bt_line_is_blank("\0", 1));
  assert_false(bt_line_is_blank("\xff", 1));
}

static void expect_last(const struct fixture *fixture, const char *text, const char *wanted) {
  struct bt_str line;
  bool found = false;
  bt_str_init(&line, BT_MANIFEST_LINE_MAX * 8);
  fixture_write(fixture, ".adlc/manifest.jsonl", text);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_manifest_last_line(ledger, BT_MANIFEST_ROOT, &line, &found, NULL), BT_OK);
  close(ledger);
  assert_int_equal(found, wanted != NULL);
  if (wanted != NULL)
    assert_string_equal(line.data, wanted);
  bt_str_dispose(&line);
}

static void finds_the_last_line_from_the_end(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  expect_last(fixture, "", NULL);
  expect_last(fixture, "\n \n\r\n", NULL);
  expect_last(fixture, "one", "one");
  expect_last(fixture, "one\ntwo\n", "two");
  expect_last(fixture, "one\ntwo\r\n \n\n", "two\r");
  char *blank = repeat('\n', 300000, ""), *text = repeat('\n', 70000, "");
  char *long_line = repeat('y', 200000, "");
  text[0] = 'z';
  expect_last(fixture, blank, NULL);
  expect_last(fixture, text, "z");
  expect_last(fixture, long_line, long_line);
  free(blank);
  free(text);
  free(long_line);
  struct bt_str line;
  bool found = true;
  bt_str_init(&line, 100);
  assert_int_equal(bt_manifest_last_line(-1, BT_MANIFEST_ROOT, &line, &found, NULL), BT_OK);
  assert_false(found);
  bt_str_dispose(&line);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_blank_lines_and_keeps_the_cr),
                                     cmocka_unit_test(long_lines_cross_every_buffer),
                                     cmocka_unit_test(a_line_past_the_ceiling_is_passed_over),
                                     cmocka_unit_test(hashes_what_decode8_makes_of_a_line),
                                     cmocka_unit_test(blank_is_w_and_nothing_else),
                                     cmocka_unit_test(finds_the_last_line_from_the_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
