/* tests/unit/test_record_printed.c - printed text, open loops, and the streaming JSON check, each against the plain
 * way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/records/json_check.h"
#include "core/records/loops.h"
#include "core/records/printed.h"

static struct bt_slice slice(const char *text) {
  return bt_slice_of(text);
}

static void what_is_printed(void **state) {
  (void)state;
  static const char *const good[] = {"", "plain", "\\\"\\\\\\b\\f\\n\\r\\t", "\\u0000\\u0007\\u000b\\u000e\\u001f",
                                     "caf\xC3\xA9 \xF0\x9F\x98\x80 / \x7F"};
  static const char *const bad[] = {"\\/",
                                    "\\u0041",
                                    "\\u000A",
                                    "\\u000a",
                                    "\\u0008",
                                    "\\u001F",
                                    "\\ud83d\\ude00",
                                    "a\xFF",
                                    "\xED\xA0\x80",
                                    "\xC0\x80",
                                    "0123456789abcdef0123456789abcdef\\/"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(bt_printed_is(slice(good[i])));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(bt_printed_is(slice(bad[i])));
}

/* Whatever a JSON string holds: its printed form is what the printer makes of it, and comes apart again into it. */
static void printed_and_back(void **state) {
  (void)state;
  static const char *const raws[] = {
      "\\u0041\\/b",        "\\ud83d", "\\ud83d\\ude00", "\\ude00\\ud83d", "x\xE2\x82y\xED\xA0\x80",
      "\\u0000\\n\\u001F|", "plain",   "\\\\n\\\\u0041"};
  for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
    struct bt_str json, text, again, scratch, wanted;
    struct bt_tape tape;
    bt_str_init(&json, 4096), bt_str_init(&text, 4096), bt_str_init(&again, 4096), bt_str_init(&scratch, 4096),
        bt_str_init(&wanted, 4096);
    bt_tape_init(&tape);
    bt_str_printf(&json, "\"%s\"", raws[i]);
    assert_int_equal(bt_tape_parse(&tape, json.data, json.length), BT_OK);
    bt_tape_text(&tape, 0, &text);
    bt_json_print_string(&wanted, text.data, text.length);
    struct bt_slice printed = bt_printed_of(&tape, 0, &scratch);
    assert_int_equal(printed.length + 2, wanted.length);
    assert_memory_equal(printed.data, wanted.data + 1, printed.length);
    bt_printed_text(&again, printed);
    assert_string_equal(again.data, text.data);
    bt_str_clear(&again), bt_str_clear(&wanted);
    bt_printed_bytes(&again, printed);
    bt_utf8_encode8(&wanted, text.data, text.length);
    assert_int_equal(again.length, wanted.length);
    assert_memory_equal(again.data, wanted.data, wanted.length);
    bt_tape_dispose(&tape);
    bt_str_dispose(&json), bt_str_dispose(&text), bt_str_dispose(&again), bt_str_dispose(&scratch),
        bt_str_dispose(&wanted);
  }
  assert_true(bt_printed_is_blank(slice(" \\n\\t\\u00a0\xE2\x80\x83\\ufeff")));
  assert_false(bt_printed_is_blank(slice(" \\u200b")));
  assert_true(bt_printed_is_blank(slice("")));
}

static void expect_loops(const char *printed, const char *wanted) {
  struct bt_loops loops;
  struct bt_str got;
  bt_loops_init(&loops);
  bt_str_init(&got, 65536);
  assert_true(bt_loops_add(&loops, slice(printed)));
  for (size_t i = 0; i < loops.count; i++)
    bt_str_printf(&got, "%s%s", i > 0 ? "|" : "", loops.lines[i]);
  assert_string_equal(got.data, wanted);
  bt_loops_dispose(&loops);
  bt_str_dispose(&got);
}

static void open_loops(void **state) {
  (void)state;
  expect_loops("nothing here", "");
  expect_loops("  a TODO item  \\nplain\\nNext Step: go\\r\\nunblocked words",
               "a TODO item|Next Step: go|unblocked words");
  expect_loops("todo\\ntodo\\n todo ", "todo"); /* each once */
  expect_loops("\\todo", "");                   /* a tab, and odo */
  expect_loops("\\next step", "");              /* a line end, and ext step */
  expect_loops("\\blocked \\remaining work", "");
  expect_loops("\\u000blocked", "");
  expect_loops("\\\\todo", "\\todo"); /* a backslash, and todo */
  expect_loops("x\\\\next step", "x\\next step");
  expect_loops("ToDo", "ToDo");
  expect_loops("a long line that goes on for a while before it says remaining work at its end",
               "a long line that goes on for a while before it says remaining work at its end");
  expect_loops("to do, block ed, open  loop, nextstep", "");
  struct bt_loops loops;
  bt_loops_init(&loops);
  for (int i = 0; i < 30; i++) {
    char line[32];
    snprintf(line, sizeof line, "todo %d", i);
    assert_true(bt_loops_add(&loops, slice(line)));
  }
  assert_int_equal(loops.count, BT_LOOPS_MAX);
  assert_string_equal(loops.lines[19], "todo 19");
  bt_loops_dispose(&loops);
}

/* The check says of every text what the parser says, however the bytes are cut. */
static void json_in_pieces(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      " ",
                                      "{}",
                                      "[]",
                                      "[1,2,{\"a\":[]}]",
                                      "{\"a\":1,\"b\":[true,false,null],\"a\":\"x\"}",
                                      "\"a\\u00e9\\n\"",
                                      "-0.5e+10",
                                      "01",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "-",
                                      "tru",
                                      "true false",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\"}",
                                      "[1 2]",
                                      "]",
                                      "}",
                                      "[}",
                                      "\"\t\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"open",
                                      "\xEF\xBB\xBF{}",
                                      "nul",
                                      "null ",
                                      "[0,-1,1.5,2E-3]",
                                      "{\"a\":{\"b\":{\"c\":[[[1]]]}}}\n",
                                      "[\"\xFF\"]",
                                      "[\xFF]",
                                      "0",
                                      "12 ",
                                      "1 2",
                                      "{\"k\":-}"};
  struct bt_json_check *check = malloc(sizeof *check);
  assert_non_null(check);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    size_t length = strlen(texts[i]);
    struct bt_json *tree = bt_json_parse(texts[i], length, NULL);
    for (size_t piece = 1; piece <= length + 1; piece++) {
      bt_json_check_init(check);
      for (size_t at = 0; at < length; at += piece)
        (void)bt_json_check_feed(check, texts[i] + at, length - at < piece ? length - at : piece);
      assert_int_equal(bt_json_check_end(check), tree != NULL);
    }
    bt_json_free(tree);
  }
  bt_json_check_init(check);
  const char *text = "{ \"session\" : {\"id\":1} ,\"n\":12,\"generated_at\":\"t\", \"list\":[1,{\"n\":0}]}";
  assert_true(bt_json_check_feed(check, text, strlen(text)) && bt_json_check_end(check));
  static const char *const wanted[][2] = {
      {"session", "{\"id\":1}"}, {"n", "12"}, {"generated_at", "\"t\""}, {"list", "[1,{\"n\":0}]"}};
  for (size_t i = 0; i < 4; i++) {
    const struct bt_json_member_span *span = bt_json_check_member(check, wanted[i][0]);
    assert_non_null(span);
    assert_int_equal(span->end - span->start, strlen(wanted[i][1]));
    assert_memory_equal(text + span->start, wanted[i][1], strlen(wanted[i][1]));
  }
  assert_null(bt_json_check_member(check, "id"));
  free(check);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_printed),
      cmocka_unit_test(printed_and_back),
      cmocka_unit_test(open_loops),
      cmocka_unit_test(json_in_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
