/* tests/unit/test_narrative.c - the final message of a transcript, in memory and on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/str.h"
#include "core/harness/narrative.h"
#include "core/text/capture.h"

#define SAY(text) "{\"type\":\"assistant\",\"message\":{\"content\":\"" text "\"}}\n"
#define SAY_ID(id, text) "{\"type\":\"assistant\",\"requestId\":" id ",\"message\":{\"content\":\"" text "\"}}\n"
#define HOUR ((int64_t)3600000)

static void expect(const char *jsonl, const char *final, size_t entries, size_t skipped) {
  struct bt_narrative found;
  assert_int_equal(bt_narrative_parse(&found, jsonl, strlen(jsonl), NULL), BT_OK);
  if (final) {
    assert_non_null(found.text);
    assert_string_equal(found.text, final);
  } else {
    assert_null(found.text);
  }
  assert_int_equal(found.entries, entries);
  assert_int_equal(found.skipped, skipped);
  bt_narrative_dispose(&found);
}

static void runs_by_request_id(void **state) {
  (void)state;
  expect(SAY_ID("\"r\"", "a") SAY_ID("\"r\"", "b"), "a\nb", 2, 0);
  expect(SAY_ID("\"r\"", "a") "{half\n\n" SAY_ID("\"r\"", "b"), "a\nb", 2, 1); /* what is no entry ends no run */
  expect(SAY_ID("\"r\"", "a") "{\"type\":\"user\"}\n" SAY_ID("\"r\"", "b"), "b", 3, 0);
  expect(SAY_ID("\"r\"", "a") SAY_ID("\"q\"", "b") SAY_ID("\"r\"", "c"), "c", 3, 0);
  expect(SAY_ID("\"\"", "a") SAY_ID("\"\"", "b"), "b", 2, 0);
  expect(SAY_ID("7", "a") SAY_ID("7", "b"), "b", 2, 0);
  expect(SAY_ID("\"r\"", "a") "{\"type\":\"user\"}\n", "a", 2, 0);
  expect(SAY_ID("\"r\"", "a") "{\"type\":\"user\"}\n" SAY_ID("\"r\"", " "), NULL, 3, 0);
}

static void only_text_counts(void **state) {
  (void)state;
#define LIST(items) "{\"type\":\"assistant\",\"message\":{\"content\":[" items "]}}\n"
  expect(LIST("{\"type\":\"text\",\"text\":\"a\"},7,null,\"s\",{\"type\":\"text\",\"text\":3},"
              "{\"type\":\"Text\",\"text\":\"no\"},{\"type\":\"text\",\"text\":\" b \"}"),
         "a\n b", 1, 0);
  expect(LIST(""), NULL, 1, 0);
  expect("{\"type\":\"assistant\",\"message\":[{\"content\":\"x\"}]}", NULL, 1, 0);
  expect("{\"type\":[\"assistant\"],\"message\":{\"content\":\"x\"}}", NULL, 1, 0);
  expect(SAY("\xc2\xa0 x \\u0000\\ud800\xef\xbb\xbf"), "x \xc0\x80\xed\xa0\x80", 1, 0);
}

static void lines(void **state) {
  (void)state;
  expect("\xef\xbb\xbf\n \t\r\n\xc2\xa0", NULL, 0, 0); /* blank lines, a BOM alone too */
  expect("\xef\xbb\xbf" SAY("x"), NULL, 0, 1);         /* a BOM before JSON is not JSON */
  expect(SAY("x") "[]\n3\n\"s\"\nnull\n{} {}\n", "x", 1, 5);
  expect("{\"type\":\"assistant\",\"message\":{\"content\":\"no LF\"}}", "no LF", 1, 0);
  expect("{\"type\":\"assistant\",\"type\":\"user\",\"message\":{\"content\":\"x\"}}", NULL, 1,
         0); /* the last one counts */
}

static void expect_time(const char *jsonl, int64_t expected) {
  struct bt_narrative found;
  assert_int_equal(bt_narrative_parse(&found, jsonl, strlen(jsonl), NULL), BT_OK);
  assert_true(found.timestamp_ms == expected);
  bt_narrative_dispose(&found);
}

static void newest_time_of_all_entries(void **state) {
  (void)state;
  expect_time("{\"timestamp\":\"2026-01-01T00:00:01Z\"}\n{\"timestamp\":5}\n{\"timestamp\":\"x\"}", 1767225601000);
  expect_time("{\"timestamp\":-1.9}\n{\"timestamp\":-2}", -1);
  expect_time("{\"timestamp\":8640000000000000}", 8640000000000000);
  expect_time("{\"timestamp\":8640000000000001}\n{\"timestamp\":1e999}\n{\"timestamp\":true}", BT_TIME_UNKNOWN);
  expect_time("{\"message\":{\"timestamp\":5}}", BT_TIME_UNKNOWN);
  expect_time("[{\"timestamp\":5}]", BT_TIME_UNKNOWN);
}

static void long_words_are_cut(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, 1 << 20);
  bt_str_puts(&text, "{\"type\":\"assistant\",\"message\":{\"content\":\"");
  while (text.length < 40000)
    bt_str_puts(&text, "\xe2\x82\xac");
  bt_str_puts(&text, "\"}}");
  struct bt_narrative found;
  assert_int_equal(bt_narrative_parse(&found, text.data, text.length, NULL), BT_OK);
  assert_true(found.was_cut);
  assert_true(strlen(found.text) <= BT_NARRATIVE_MAX_BYTES && strlen(found.text) > BT_NARRATIVE_MAX_BYTES - 3);
  assert_true(bt_ends_with(found.text, "\xe2\x82\xac" BT_NARRATIVE_CUT_MARK));
  bt_narrative_dispose(&found);
  bt_str_dispose(&text);
}

/* ----------------------------------------------------------------------------------- files ----- */

struct place {
  char dir[64], path[96];
};

static void place_open(struct place *place) {
  snprintf(place->dir, sizeof place->dir, "/tmp/baton-narrative.XXXXXX");
  assert_non_null(mkdtemp(place->dir));
  snprintf(place->path, sizeof place->path, "%s/t.jsonl", place->dir);
}

static void place_close(struct place *place) {
  unlink(place->path);
  assert_int_equal(rmdir(place->dir), 0);
}

/* Writes `head`, then `filler` bytes of x, then `tail`. */
static void put(const struct place *place, const char *head, size_t filler, const char *tail) {
  FILE *out = fopen(place->path, "wb");
  assert_non_null(out);
  fputs(head, out);
  char block[4096];
  memset(block, 'x', sizeof block);
  while (filler) {
    size_t piece = filler < sizeof block ? filler : sizeof block;
    assert_int_equal(fwrite(block, 1, piece, out), piece);
    filler -= piece;
  }
  fputs(tail, out);
  assert_int_equal(fclose(out), 0);
}

static enum bt_code load(struct bt_narrative *out, const struct place *place, int64_t now_ms, struct bt_error *err) {
  return bt_narrative_load(out, place->dir, "t.jsonl", now_ms, err);
}

static void expect_loaded(const struct place *place, const char *final, size_t entries) {
  struct bt_narrative found;
  struct bt_error err;
  assert_int_equal(load(&found, place, 0, &err), BT_OK);
  if (final)
    assert_string_equal(found.text, final);
  else
    assert_null(found.text);
  assert_int_equal(found.entries, entries);
  bt_narrative_dispose(&found);
}

static void only_the_tail_is_read(void **state) {
  (void)state;
  struct place place;
  place_open(&place);
  put(&place, SAY("early") "{\"pad\":\"", BT_NARRATIVE_WINDOW, "\"}\n" SAY("late"));
  expect_loaded(&place, "late", 1);
  /* a line that is cut at the front is dropped even where it would parse */
  put(&place, "", 10, "\n" SAY("whole"));
  expect_loaded(&place, "whole", 1);
  place_close(&place);
}

/* The last whole line is longer than the tail; `behind` is what follows its text. */
static void expect_long_line(const struct place *place, const char *behind) {
  put(place, SAY("early") "{\"type\":\"assistant\",\"message\":{\"content\":\"", BT_NARRATIVE_WINDOW, behind);
  struct bt_narrative found;
  assert_int_equal(load(&found, place, 0, NULL), BT_OK);
  assert_true(found.was_cut);
  assert_true(bt_starts_with(found.text, "xxxx"));
  bt_narrative_dispose(&found);
}

static void a_long_last_line_widens_the_tail(void **state) {
  (void)state;
  struct place place;
  place_open(&place);
  expect_long_line(&place, "\"}}\n");
  expect_long_line(&place, "\"}}");
  expect_long_line(&place, "\"}}\n\n{\"ty"); /* half flushed behind it */
  place_close(&place);
}

static void widening_ends_at_the_budget(void **state) {
  (void)state;
  struct place place;
  struct bt_narrative found;
  struct bt_error err;
  place_open(&place);
  put(&place, SAY("early"), BT_NARRATIVE_WINDOW_MAX, "\n");
  assert_int_equal(load(&found, &place, 0, &err), BT_CORRUPT);
  /* whole lines in the tail that are no JSON do not widen it */
  put(&place, SAY("early"), BT_NARRATIVE_WINDOW, "\nnot JSON\n");
  assert_int_equal(load(&found, &place, 0, &err), BT_CORRUPT);
  place_close(&place);
}

static void staleness(void **state) {
  (void)state;
  struct place place;
  struct bt_narrative found;
  place_open(&place);
  put(&place, "{\"timestamp\":1000}\n" SAY("words"), 0, "");
  assert_int_equal(load(&found, &place, 1000 + 72 * HOUR, NULL), BT_OK); /* exactly the limit is fresh */
  assert_string_equal(found.text, "words");
  assert_null(found.note);
  bt_narrative_dispose(&found);
  assert_int_equal(load(&found, &place, 1000 + 100 * HOUR - 1, NULL), BT_OK);
  assert_null(found.text);
  assert_non_null(strstr(found.note, "stale"));
  assert_non_null(strstr(found.note, " 99 hours"));
  assert_non_null(strstr(found.note, "72 hours"));
  bt_narrative_dispose(&found);
  assert_int_equal(load(&found, &place, -5000 * HOUR, NULL), BT_OK); /* from the future */
  assert_string_equal(found.text, "words");
  bt_narrative_dispose(&found);
  place_close(&place);
}

static void mtime_stands_in_for_a_time_stamp(void **state) {
  (void)state;
  struct place place;
  struct bt_narrative found;
  place_open(&place);
  put(&place, SAY("words"), 0, "");
  const struct timespec times[2] = {{2000, 0}, {2000, 500000000}};
  assert_int_equal(utimensat(AT_FDCWD, place.path, times, 0), 0);
  assert_int_equal(load(&found, &place, 0, NULL), BT_OK);
  assert_true(found.timestamp_ms == 2000500);
  bt_narrative_dispose(&found);
  place_close(&place);
}

static void what_is_no_file_is_refused(void **state) {
  (void)state;
  struct place place;
  struct bt_narrative found;
  struct bt_error err;
  place_open(&place);
  assert_int_equal(load(&found, &place, 0, &err), BT_MISSING);
  assert_int_equal(err.sys_errno, ENOENT);
  assert_int_equal(bt_narrative_load(&found, "/", place.dir, 0, &err), BT_UNSAFE);
  assert_string_equal(err.message, "not_a_file");
  assert_int_equal(mkfifo(place.path, 0600), 0); /* must not block */
  assert_int_equal(load(&found, &place, 0, &err), BT_UNSAFE);
  assert_string_equal(err.message, "not_a_file");
  unlink(place.path);
  put(&place, "", 0, "");
  assert_int_equal(load(&found, &place, 0, &err), BT_CORRUPT);
  place_close(&place);
}

static void bad_bytes_become_replacements(void **state) {
  (void)state;
  struct place place;
  place_open(&place);
  put(&place,
      SAY("a\xff"
          "b\xe2\x82"),
      0, "");
  expect_loaded(&place,
                "a\xef\xbf\xbd"
                "b\xef\xbf\xbd",
                1);
  place_close(&place);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_by_request_id),
      cmocka_unit_test(only_text_counts),
      cmocka_unit_test(lines),
      cmocka_unit_test(newest_time_of_all_entries),
      cmocka_unit_test(long_words_are_cut),
      cmocka_unit_test(only_the_tail_is_read),
      cmocka_unit_test(a_long_last_line_widens_the_tail),
      cmocka_unit_test(widening_ends_at_the_budget),
      cmocka_unit_test(staleness),
      cmocka_unit_test(mtime_stands_in_for_a_time_stamp),
      cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(bad_bytes_become_replacements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
