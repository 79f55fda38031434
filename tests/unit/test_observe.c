/* tests/unit/test_observe.c - the depth a host sees: windows, what is no file, what is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/harness/depth.h"
#include "core/hook/observe.h"
#include "tests/support/scratch.h"

/* Of the whole of `bytes`, in one go. */
static int64_t depth_of(const char *bytes, size_t length) {
  struct bt_depth_scan scan = {0};
  return bt_depth_scan_feed(&scan, 0, bytes, length);
}

#define CALL "{\"type\":\"tool_use\"}\n"

static struct scratch scratch;

static int setup(void **state) {
  (void)state;
  scratch_make(&scratch);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  scratch_remove(&scratch);
  return 0;
}

static struct bt_observed look(const char *path, bool missing_is_invalid) {
  struct bt_observed observed;
  assert_int_equal(bt_observe_transcript(scratch.path, path, missing_is_invalid, &observed, NULL), BT_OK);
  return observed;
}

static void a_number_of_calls(void **state) {
  (void)state;
  scratch_text(&scratch, "t", CALL CALL "Writing a.c\n");
  struct bt_observed observed = look("t", false);
  assert_int_equal(observed.signals.depth.kind, BT_SIGNAL_NUMBER);
  assert_true(observed.signals.depth.value == 3);
  assert_false(observed.truncated);
  scratch_link(&scratch, "link", "t");
  assert_true(look("link", false).signals.depth.value == 3);
  scratch_text(&scratch, "empty", "");
  assert_true(look("empty", true).signals.depth.value == 0);
}

static void nothing_there(void **state) {
  (void)state;
  assert_int_equal(look(NULL, true).signals.depth.kind, BT_SIGNAL_ABSENT);
  assert_int_equal(look("", true).signals.depth.kind, BT_SIGNAL_ABSENT);
  assert_int_equal(look("none", false).signals.depth.kind, BT_SIGNAL_ABSENT);
  assert_int_equal(look("none", true).signals.depth.kind, BT_SIGNAL_MALFORMED);
  scratch_link(&scratch, "dangling", "none");
  assert_int_equal(look("dangling", false).signals.depth.kind, BT_SIGNAL_ABSENT);
  assert_int_equal(look("a\xC0\x80", false).signals.depth.kind, BT_SIGNAL_ABSENT);
}

static void what_is_no_file(void **state) {
  (void)state;
  scratch_fifo(&scratch, "fifo");
  assert_int_equal(look("fifo", false).signals.depth.kind, BT_SIGNAL_MALFORMED);
  scratch_folder(&scratch, "folder");
  struct bt_observed folder = look("folder", false);
  assert_true(folder.signals.depth.value == 0);
  assert_true(folder.truncated);
  scratch_link(&scratch, "loop", "loop");
  assert_int_equal(look("loop", false).signals.depth.kind, BT_SIGNAL_MALFORMED);
}

/* Read in blocks, the count is that of one scan over the window. */
static void blocks_and_windows(void **state) {
  (void)state;
  size_t length = BT_DEPTH_WINDOW + 100000, at = 0;
  char *text = malloc(length);
  assert_non_null(text);
  for (unsigned i = 0; at < length; i++) {
    static const char *const pieces[] = {"{\"type\" : \"function_call\"}\n", "Created  x\n",
                                         "\"type\"\n\n:\t\"tool_use\"", "padding of some length \xE2\x80\xA8",
                                         "\"type\":\"tool_use_id\""};
    const char *piece = pieces[(i * 7 + i / 11) % 5];
    size_t size = strlen(piece) < length - at ? strlen(piece) : length - at;
    memcpy(text + at, piece, size);
    at += size;
  }
  scratch_file(&scratch, "big", text, length);
  struct bt_observed observed = look("big", false);
  assert_true(observed.truncated);
  assert_true(observed.signals.depth.value == (double)depth_of(text + 100000, BT_DEPTH_WINDOW));
  scratch_file(&scratch, "whole", text, BT_DEPTH_WINDOW);
  observed = look("whole", false);
  assert_false(observed.truncated);
  assert_true(observed.signals.depth.value == (double)depth_of(text, BT_DEPTH_WINDOW));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_number_of_calls),
      cmocka_unit_test(nothing_there),
      cmocka_unit_test(what_is_no_file),
      cmocka_unit_test(blocks_and_windows),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
