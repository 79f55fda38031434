/* tests/unit/test_canon.c - canonical and pretty JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base/json.h"

static void expect(void (*print)(struct bt_str *, const struct bt_json *), const char *text, const char *expected) {
  struct bt_json *value = bt_json_parse(text, strlen(text), NULL);
  assert_non_null(value);
  struct bt_str out;
  bt_str_init(&out, 1 << 20);
  print(&out, value);
  assert_string_equal(out.data, expected);
  bt_str_dispose(&out);
  bt_json_free(value);
}

static void keys_are_ordered_by_utf16_units(void **state) {
  (void)state;
  expect(bt_json_print_canonical, "{\"10\":1,\"9\":2,\"a\":3,\"2\":4,\"01\":5,\"-1\":6,\"1.5\":7}",
         "{\"2\":4,\"9\":2,\"10\":1,\"-1\":6,\"01\":5,\"1.5\":7,\"a\":3}");
  expect(bt_json_print_canonical, "{\"\xf0\x9f\x98\x80\":1,\"\xef\xbf\xbf\":2,\"\xee\x80\x80\":3,\"a\":4}",
         "{\"a\":4,\"\xf0\x9f\x98\x80\":1,\"\xee\x80\x80\":3,\"\xef\xbf\xbf\":2}");
  expect(bt_json_print_canonical, "{\"\\udc00\":1,\"\\ud800\":2,\"\\ud800\\udc00\":3,\"\\u0000\":4,\"\":5}",
         "{\"\":5,\"\\u0000\":4,\"\\ud800\":2,\"\xf0\x90\x80\x80\":3,\"\\udc00\":1}");
  expect(bt_json_print_canonical, "{\"b\":{\"y\":1,\"x\":[{\"d\":4,\"c\":3}]},\"a\":null}",
         "{\"a\":null,\"b\":{\"x\":[{\"c\":3,\"d\":4}],\"y\":1}}");
  expect(bt_json_print_canonical, "{\"_\":5,\"a\":1,\"B\":2,\"b\":3,\"A\":4}",
         "{\"A\":4,\"B\":2,\"_\":5,\"a\":1,\"b\":3}");
  expect(bt_json_print_canonical, "{\" \":1,\"!\":2,\"2\":3,\"-\":4}", "{\"2\":3,\" \":1,\"!\":2,\"-\":4}");
}

static void scalars_and_lists_stay(void **state) {
  (void)state;
  expect(bt_json_print_canonical, " null ", "null");
  expect(bt_json_print_canonical, "[3,1,2,[2,1]]", "[3,1,2,[2,1]]");
  expect(bt_json_print_canonical, "[ ]", "[]");
  expect(bt_json_print_canonical, "{}", "{}");
  struct bt_str out;
  bt_str_init(&out, 10);
  bt_json_print_canonical(&out, NULL);
  assert_string_equal(out.data, "");
  bt_json_print_compact(&out, NULL);
  assert_string_equal(out.data, "null");
  bt_str_dispose(&out);
}

static void the_tree_itself_keeps_its_order(void **state) {
  (void)state;
  struct bt_json *value = bt_json_parse("{\"b\":1,\"a\":2}", 13, NULL);
  struct bt_str out;
  bt_str_init(&out, 1000);
  bt_json_print_canonical(&out, value);
  bt_str_clear(&out);
  bt_json_print_compact(&out, value);
  assert_string_equal(out.data, "{\"b\":1,\"a\":2}");
  bt_str_dispose(&out);
  bt_json_free(value);
}

static void pretty_has_two_spaces_a_level(void **state) {
  (void)state;
  expect(
      bt_json_print_pretty, "{\"a\":{},\"b\":[],\"c\":[1,{\"d\":\"e\"}],\"f\":{\"g\":null}}",
      "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": \"e\"\n    }\n  ],\n  \"f\": {\n    \"g\": null\n  }\n}");
  expect(bt_json_print_pretty, "7", "7");
}

static void a_full_buffer_fails_quietly(void **state) {
  (void)state;
  struct bt_json *value = bt_json_parse("{\"b\":[1,2,3,4,5,6,7,8],\"a\":2}", 29, NULL);
  assert_non_null(value);
  for (size_t ceiling = 0; ceiling < 29; ceiling++) {
    struct bt_str out;
    bt_str_init(&out, ceiling);
    bt_json_print_canonical(&out, value);
    assert_true(out.failed);
    assert_true(out.length <= ceiling);
    bt_str_dispose(&out);
  }
  bt_json_free(value);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_ordered_by_utf16_units), cmocka_unit_test(scalars_and_lists_stay),
      cmocka_unit_test(the_tree_itself_keeps_its_order), cmocka_unit_test(pretty_has_two_spaces_a_level),
      cmocka_unit_test(a_full_buffer_fails_quietly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
