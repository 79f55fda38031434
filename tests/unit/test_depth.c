/* tests/unit/test_depth.c - the depth scan against hand-counted windows, whole and in pieces cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/harness/depth.h"

static const struct {
  const char *text;
  int64_t depth;
} cases[] = {
    {"", 0},
    {"{\"type\":\"tool_use\"}", 1},
    {"{\"type\" \t\n:\xc2\xa0\"function_call\"}", 1},
    {"\"type\":\"tool_use\"\"type\":\"tool_use\"", 2},
    {"\"type\":\"tool_use_id\" \"type\":\"server_tool_use\" \"type\":\"function_call_output\"", 0},
    {"\"type\":\"local_shell_call\"", 0},
    {"\\\"type\\\":\\\"tool_use\\\"", 0},
    {"\"Type\":\"tool_use\"", 0},
    {"\"type\":\xe2\x80\xa8\"web_search_call\"", 1},
    {"\"type\"\xc2\x85:\"tool_use\"", 0},
    {"Writing a.c", 1},
    {"writing\ta.c\nEDITING b.c\rCreated c\xe2\x80\xa9"
     "created d",
     4},
    {" Writing a.c", 0},
    {"x\x0bWriting a.c", 0},
    {"Writing\nEditing b.c", 1},
    {"Writing\n\n  \n", 0},
    {"Writinga.c\nCreated", 0},
    {"Writing \xff", 1},
    {"Writing a.c{\"type\":\"tool_use\"}", 2},
    {"Writing\n{\"type\":\"tool_use\"}\nEditing x\n", 3},
    {"\n\nEditing \xe3\x80\x80y", 1},
    {"x y\xe2\x80\xa9"
     "created d",
     1},
};

/* Of the whole of `bytes`, in one go. */
static int64_t depth_of(const char *bytes, size_t length) {
  struct bt_depth_scan scan = {0};
  return bt_depth_scan_feed(&scan, 0, bytes, length);
}

static void test_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(depth_of(cases[i].text, strlen(cases[i].text)), cases[i].depth);
}

/* Wherever the bytes are cut, carrying on gives what one scan gives, at every end on the way. */
static void test_pieces(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text = cases[i].text;
    size_t length = strlen(text);
    for (size_t first = 0; first <= length; first++)
      for (size_t second = first; second <= length; second++) {
        struct bt_depth_scan scan = {0};
        size_t ends[] = {first, second, length};
        for (size_t n = 0; n < 3; n++) {
          uint64_t from = bt_depth_scan_needs(&scan);
          int64_t depth = bt_depth_scan_feed(&scan, from, text + from, ends[n] > from ? ends[n] - (size_t)from : 0);
          assert_int_equal(depth, depth_of(text, ends[n]));
        }
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
