/* tests/unit/test_json.c - the strict grammar, the tree and its order, getters, building. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"

#define HIGH "\xed\xa0\xbd"
#define LOW "\xed\xb8\x80"
#define GRIN "\xf0\x9f\x98\x80"

static struct bt_json *parse(const char *text) {
  return bt_json_parse(text, strlen(text), NULL);
}

/* Compact print of what was parsed, or "error". */
static void expect_compact(const char *bytes, size_t length, const char *expected) {
  struct bt_str out;
  bt_str_init(&out, 1 << 20);
  struct bt_json *value = bt_json_parse(bytes, length, NULL);
  if (value != NULL) {
    bt_json_print_compact(&out, value);
  } else {
    bt_str_puts(&out, "error");
  }
  assert_string_equal(out.data, expected);
  bt_json_free(value);
  bt_str_dispose(&out);
}

static void the_grammar_is_strict(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const wrong[] = {
      "", " ", "\n", "{", "}", "[", "]", "{\"a\":1,}", "[1,]", "[,1]", "{,}", "{'a':1}", "{a:1}", "{\"a\" 1}", "{\"a\":}",
      "{1:2}", "{\"a\":1 \"b\":2}", "[1 2]", "1 2", "+1", "01", "-01", "-", ".5", "5.", "1.e3", "1e", "1e+", "0x1", "1_0",
      "NaN", "Infinity", "-Infinity", "True", "nul", "nulll", "truefalse", "undefined", "/**/1", "//\n1", "\"abc", "\"a\nb\"",
      "\"a\tb\"", "\"\x1f\"", "\"\\x41\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u", "\"\\", "\"\\'\"", "\"\\U0041\"", "\\u0022a\"",
      "\xef\xbb\xbf{}", ("\xc2\xa0" "1"), "1\xc2\xa0", "\f1", "\v1", "{}\xff", "[1]]", "{\"a\":1}}", "\x80", "[\"a\",\xff]", "-\"a\"",
      "--1", "1-1", "1e5.5", "[1,,2]", "\"\\u00 1\"",
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct bt_error err;
    struct bt_json *value = bt_json_parse(wrong[i], strlen(wrong[i]), &err);
    if (value != NULL) {
      fail_msg("accepted: %s", wrong[i]);
    }
    assert_int_equal(err.code, BT_CORRUPT);
  }
  static const char nul_bytes[][4] = {"1\0", "\0001", "[\0]"};
  for (size_t i = 0; i < 3; i++) {
    assert_null(bt_json_parse(nul_bytes[i], i == 2 ? 3 : 2, NULL));
  }
  assert_null(bt_json_parse("\"a\0b\"", 5, NULL));
  expect_compact(" \t\r\n{ \"a\" : [ 1 ,\r\n2 ] } ", 24, "{\"a\":[1,2]}");
}

static void an_error_names_the_byte(void **state) {
  (void)state;
  struct bt_error err;
  assert_null(bt_json_parse("[1,2,x]", 7, &err));
  assert_non_null(strstr(err.message, "byte 5"));
}

static void strings_keep_every_unit(void **state) {
  (void)state;
  const struct {
    const char *text, *inside, *printed;
  } rows[] = {
      {"\"\\b\\f\\n\\r\\t\\\"\\\\\\/\"", "\b\f\n\r\t\"\\/", "\"\\b\\f\\n\\r\\t\\\"\\\\/\""},
      {"\"\\u0000x\"", "\xc0\x80x", "\"\\u0000x\""},
      {"\"\\u0001\\u001f\\u007f\"", "\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\""},
      {"\"\\ud83d\\ude00\"", GRIN, "\"" GRIN "\""},
      {"\"\\uD83D\\uDE00\"", GRIN, "\"" GRIN "\""},
      {"\"x\\ud83dy\"", "x" HIGH "y", "\"x\\ud83dy\""},
      {"\"\\uDE00\\uD83D\"", LOW HIGH, "\"\\ude00\\ud83d\""},
      {"\"\\ud83d\\ud83d\\ude00\"", HIGH GRIN, "\"\\ud83d" GRIN "\""},
      {"\"\\ud83d\\u0041\"", HIGH "A", "\"\\ud83dA\""},
      {"\"\\u2028\xe2\x80\xa9\"", "\xe2\x80\xa8\xe2\x80\xa9", "\"\xe2\x80\xa8\xe2\x80\xa9\""},
      {"\"\xff\xe2\x82\"", "\xef\xbf\xbd\xef\xbf\xbd", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\"\xc0\x80\"", "\xef\xbf\xbd\xef\xbf\xbd", "\"\xef\xbf\xbd\xef\xbf\xbd\""}, /* as a file's bytes */
      {"\"" HIGH "\"", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\"\"", "", "\"\""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_json *value = parse(rows[i].text);
    assert_non_null(value);
    assert_string_equal(bt_json_string(value), rows[i].inside);
    bt_json_free(value);
    expect_compact(rows[i].text, strlen(rows[i].text), rows[i].printed);
  }
}

static void internal_text_is_another_entrance(void **state) {
  (void)state;
  assert_null(bt_json_parse_text("\"\xc0\x80\"", 4, NULL)); /* a raw NUL is a control character */
  struct bt_json *value = bt_json_parse_text("\"" HIGH "x\"", 6, NULL);
  assert_string_equal(bt_json_string(value), HIGH "x");
  bt_json_free(value);
  value = bt_json_parse_text("\"" HIGH "\\ude00\"", 11, NULL);
  assert_string_equal(bt_json_string(value), GRIN);
  bt_json_free(value);
  value = bt_json_parse_text("\"\\ud83d" LOW "\"", 11, NULL);
  assert_string_equal(bt_json_string(value), GRIN);
  bt_json_free(value);
}

static void objects_order_their_keys(void **state) {
  (void)state;
  const struct {
    const char *text, *printed;
  } rows[] = {
      {"{\"k\":1,\"j\":0,\"k\":2}", "{\"k\":2,\"j\":0}"},
      {"{\"k\":{\"a\":1},\"j\":0,\"k\":[1],\"k\":\"z\"}", "{\"k\":\"z\",\"j\":0}"},
      {"{\"b\":1,\"10\":2,\"9\":3,\"a\":4,\"0\":5}", "{\"0\":5,\"9\":3,\"10\":2,\"b\":1,\"a\":4}"},
      {"{\"x\":0,\"007\":1,\"-0\":2,\"-1\":3,\"1.5\":4,\"1e3\":5,\"4294967295\":6,\" 1\":7,\"4294967294\":8,\"\":9}",
       "{\"4294967294\":8,\"x\":0,\"007\":1,\"-0\":2,\"-1\":3,\"1.5\":4,\"1e3\":5,\"4294967295\":6,\" 1\":7,\"\":9}"},
      {"{\"2\":1,\"1\":1,\"2\":3}", "{\"1\":1,\"2\":3}"},
      {"{\"Key\":1,\"key\":2}", "{\"Key\":1,\"key\":2}"},
      {"{\"__proto__\":1,\"a\":2}", "{\"__proto__\":1,\"a\":2}"},
      {"{\"a\\u0000b\":1,\"a\":2}", "{\"a\\u0000b\":1,\"a\":2}"},
      {"{\"\\u0061\":1,\"a\":2}", "{\"a\":2}"},
      {"{\"99999999999\":1,\"1\":2}", "{\"1\":2,\"99999999999\":1}"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_compact(rows[i].text, strlen(rows[i].text), rows[i].printed);
  }
}

static void large_objects_keep_the_same_rules(void **state) {
  (void)state;
  enum { KEYS = 60000 };
  struct bt_str text;
  bt_str_init(&text, 16 << 20);
  bt_str_putc(&text, '{');
  for (int i = 0; i < KEYS; i++) { /* every key twice, the second round backwards */
    bt_str_printf(&text, "\"k%d\":%d,", i, i);
  }
  for (int i = KEYS - 1; i >= 0; i--) {
    bt_str_printf(&text, "\"k%d\":-%d,\"%d\":0,", i, i, i);
  }
  bt_str_puts(&text, "\"end\":0}");
  struct bt_json *value = bt_json_parse(text.data, text.length, NULL);
  assert_non_null(value);
  assert_int_equal(bt_json_count(value), 2 * KEYS + 1);
  const struct bt_json *item = bt_json_first(value);
  for (int i = 0; i < KEYS; i++, item = bt_json_next(item)) {
    assert_int_equal(atoi(bt_json_key(item)), i);
  }
  for (int i = 0; i < KEYS; i++, item = bt_json_next(item)) {
    double number = 1;
    assert_true(bt_json_number(item, &number));
    assert_int_equal((int)number, -i);
  }
  assert_string_equal(bt_json_key(item), "end");
  assert_null(bt_json_next(item));
  bt_json_free(value);
  bt_str_dispose(&text);
}

static void depth_has_a_ceiling(void **state) {
  (void)state;
  for (int extra = 0; extra < 2; extra++) {
    size_t depth = BT_JSON_DEPTH_MAX + (size_t)extra;
    char *text = malloc(2 * depth);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    struct bt_error err = {.code = BT_OK};
    struct bt_json *value = bt_json_parse(text, 2 * depth, &err);
    assert_int_equal(value != NULL, extra == 0);
    assert_int_equal(err.code, extra == 0 ? BT_OK : BT_CORRUPT);
    struct bt_json *copy = value != NULL ? bt_json_clone(value) : NULL;
    assert_int_equal(bt_json_equals(copy, value), true);
    bt_json_free(copy);
    bt_json_free(value);
    free(text);
  }
  size_t many = 1 << 20; /* no closing bracket at all: an error, no crash */
  char *open = malloc(many);
  memset(open, '[', many);
  assert_null(bt_json_parse(open, many, NULL));
  free(open);
}

static void getters_are_exact(void **state) {
  (void)state;
  struct bt_json *root = parse(
      "{\"Status\":\"no\",\"status\":\"open\",\"n\":1.0,\"f\":1.5,\"t\":true,\"z\":null,\"a\":[1,2],\"i\":1e400}");
  double number = 0;
  bool flag = false;
  assert_string_equal(bt_json_get_string(root, "status"), "open");
  assert_null(bt_json_get_string(root, "STATUS"));
  assert_null(bt_json_get_string(root, "n"));
  assert_null(bt_json_get(bt_json_get(root, "a"), "0"));
  assert_null(bt_json_get(NULL, "x"));
  assert_true(bt_json_is_integer(bt_json_get(root, "n"), &number));
  assert_true(number == 1);
  assert_false(bt_json_is_integer(bt_json_get(root, "f"), &number));
  assert_false(bt_json_is_integer(bt_json_get(root, "i"), &number));
  assert_false(bt_json_is_integer(bt_json_get(root, "status"), &number));
  assert_true(bt_json_get_bool(root, "t", &flag));
  assert_true(flag);
  assert_false(bt_json_get_bool(root, "n", &flag));
  assert_true(bt_json_is_nullish(bt_json_get(root, "z")));
  assert_true(bt_json_is_nullish(bt_json_get(root, "none")));
  assert_false(bt_json_is_nullish(bt_json_get(root, "f")));
  assert_int_equal(bt_json_type(bt_json_get(root, "none")), BT_JSON_ABSENT);
  assert_int_equal(bt_json_type(bt_json_get(root, "z")), BT_JSON_NULL);
  assert_int_equal(bt_json_count(bt_json_get(root, "a")), 2);
  assert_null(bt_json_key(bt_json_first(bt_json_get(root, "a"))));
  assert_null(bt_json_next(NULL));
  assert_int_equal(bt_json_count(NULL), 0);
  bt_json_free(root);
  bt_json_free(NULL);
}

static void building_keeps_places(void **state) {
  (void)state;
  struct bt_json *root = bt_json_new_object();
  assert_int_equal(bt_json_set_string(root, "b", "1"), BT_OK);
  assert_int_equal(bt_json_set_number(root, "a", 2), BT_OK);
  assert_int_equal(bt_json_set_bool(root, "10", true), BT_OK);
  assert_int_equal(bt_json_set_null(root, "2"), BT_OK);
  assert_int_equal(bt_json_set_null(root, "7"), BT_OK);
  assert_int_equal(bt_json_set_string(root, "b", "changed"), BT_OK);
  assert_int_equal(bt_json_set_string(root, "gone", NULL), BT_OK);
  bt_json_remove(root, "gone");
  bt_json_remove(root, "never there");
  assert_int_equal(bt_json_set(root, "x", NULL), BT_NOMEM);
  struct bt_json *list = bt_json_new_array();
  assert_int_equal(bt_json_push(list, bt_json_new_number(-0.0)), BT_OK);
  assert_int_equal(bt_json_push(list, bt_json_new_string(NULL)), BT_OK);
  assert_int_equal(bt_json_push(list, NULL), BT_NOMEM);
  assert_int_equal(bt_json_set(root, "list", list), BT_OK);
  struct bt_json *copy = bt_json_clone(root);
  struct bt_str out;
  bt_str_init(&out, 1000);
  bt_json_print_compact(&out, copy);
  assert_string_equal(out.data, "{\"2\":null,\"7\":null,\"10\":true,\"b\":\"changed\",\"a\":2,\"list\":[0,null]}");
  assert_true(bt_json_equals(root, copy));
  bt_json_remove(copy, "2"); /* first, middle and last member */
  bt_json_remove(copy, "b");
  bt_json_remove(copy, "list");
  assert_int_equal(bt_json_set_number(copy, "end", 1), BT_OK);
  bt_str_clear(&out);
  bt_json_print_compact(&out, copy);
  assert_string_equal(out.data, "{\"7\":null,\"10\":true,\"a\":2,\"end\":1}");
  assert_false(bt_json_equals(root, copy));
  bt_json_free(copy);
  bt_json_free(root);
  bt_str_dispose(&out);
}

static void equality_is_deep_and_ignores_key_order(void **state) {
  (void)state;
  const struct {
    const char *a, *b;
    bool same;
  } rows[] = {
      {"{\"a\":1,\"b\":[1,{\"c\":null}]}", "{\"b\":[1,{\"c\":null}],\"a\":1.0}", true},
      {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
      {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
      {"[1,2]", "[2,1]", false},
      {"[]", "{}", false},
      {"\"1\"", "1", false},
      {"null", "false", false},
      {"-0", "0", true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bt_json *a = parse(rows[i].a), *b = parse(rows[i].b);
    assert_int_equal(bt_json_equals(a, b), rows[i].same);
    assert_int_equal(bt_json_equals(b, a), rows[i].same);
    bt_json_free(a);
    bt_json_free(b);
  }
  assert_true(bt_json_equals(NULL, NULL));
}

static void truth_is_javascripts(void **state) {
  (void)state;
  static const char *const truthy[] = {"true", "1", "-1", "\"0\"", "\"\\u0000\"", "[]", "{}", "1e400"};
  static const char *const falsy[] = {"false", "0", "-0", "null", "\"\"", "1e-400"};
  for (size_t i = 0; i < sizeof truthy / sizeof *truthy; i++) {
    struct bt_json *value = parse(truthy[i]);
    assert_true(bt_json_truthy(value));
    bt_json_free(value);
  }
  for (size_t i = 0; i < sizeof falsy / sizeof *falsy; i++) {
    struct bt_json *value = parse(falsy[i]);
    assert_false(bt_json_truthy(value));
    bt_json_free(value);
  }
  assert_false(bt_json_truthy(NULL));
  struct bt_json *nan_value = bt_json_new_number(NAN);
  assert_false(bt_json_truthy(nan_value));
  bt_json_free(nan_value);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_grammar_is_strict),    cmocka_unit_test(an_error_names_the_byte),
      cmocka_unit_test(strings_keep_every_unit),  cmocka_unit_test(internal_text_is_another_entrance),
      cmocka_unit_test(objects_order_their_keys), cmocka_unit_test(large_objects_keep_the_same_rules),
      cmocka_unit_test(depth_has_a_ceiling),      cmocka_unit_test(getters_are_exact),
      cmocka_unit_test(building_keeps_places),    cmocka_unit_test(equality_is_deep_and_ignores_key_order),
      cmocka_unit_test(truth_is_javascripts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
