/* tests/unit/test_session_identity.c - whose call it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hook/session_identity.h"

static void expect(const char *first, const char *second, const char *transcript, const char *id) {
  const char *const candidates[] = {first, second};
  struct bt_str out;
  bt_str_init(&out, 4096);
  bt_session_identify(&out, candidates, 2, transcript);
  assert_string_equal(out.data, id);
  bt_str_dispose(&out);
}

static void candidates_come_first(void **state) {
  (void)state;
  expect("a", "b", "/t/c.jsonl", "a");
  expect(NULL, "b", "/t/c.jsonl", "b");
  expect(" a", "", "/t/c.jsonl", "c");
  expect("a/b", "..", NULL, "");
}

static void stems(void **state) {
  (void)state;
  static const struct {
    const char *path, *id;
  } cases[] = {{"/t/x.y.z", "x.y"}, {"/t/.jsonl", ".jsonl"}, {"/t/x.", "x"},
               {"/t/x", "x"},       {"x.jsonl//", "x"},      {"", ""},
               {"/", ""},           {"/t/..", ""},           {"/t/a..b.c", ""},
               {"/t/ x.jsonl", ""}, {"/t/...", ""},          {"..x", "."},
               {".a.b", ".a"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect(NULL, NULL, cases[i].path, cases[i].id);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(candidates_come_first), cmocka_unit_test(stems)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
