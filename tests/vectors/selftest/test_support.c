/* tests/vectors/selftest/test_support.c - the driver's own comparisons: what must match does, what must not does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "core/base/clock.h"
#include "tests/vectors/support.h"

static size_t complaints;

enum vec_result vec_fail(const struct vec_case *vec, const char *fmt, ...) {
  (void)vec;
  (void)fmt;
  complaints++;
  return VEC_FAIL;
}

static struct bt_json *json(const char *text) {
  struct bt_json *value = bt_json_parse(text, strlen(text), NULL);
  assert_non_null(value);
  return value;
}

static void encodings_are_resolved(void **state) {
  (void)state;
  struct bt_json *raw =
      json("{\"a\":{\"$undefined\":true},\"b\":{\"$parts\":[\"x\",\"y\"]},\"c\":[{\"$undefined\":true}],"
           "\"d\":{\"segments\":[{\"text\":\"p\"},{\"repeat\":\"q\",\"times\":3}]},"
           "\"e\":{\"$num\":\"-0\"},\"f\":{\"$num\":\"NaN\"},\"g\":{\"segments\":2}}");
  struct bt_json *value = vec_decode(raw);
  double number = 1;
  assert_null(bt_json_get(value, "a"));
  assert_string_equal(bt_json_get_string(value, "b"), "xy");
  assert_int_equal(bt_json_type(bt_json_first(bt_json_get(value, "c"))), BT_JSON_NULL);
  assert_string_equal(bt_json_get_string(value, "d"), "pqqq");
  assert_true(bt_json_number(bt_json_get(value, "e"), &number) && signbit(number));
  assert_true(bt_json_number(bt_json_get(value, "f"), &number) && isnan(number));
  assert_int_equal(bt_json_type(bt_json_get(value, "g")), BT_JSON_OBJECT);
  bt_json_free(raw);
  bt_json_free(value);
}

static void base64_is_decoded(void **state) {
  (void)state;
  struct bt_str bytes;
  bt_str_init(&bytes, 64);
  assert_true(vec_base64(&bytes, "AP+h"));
  assert_true(vec_base64(&bytes, "YQ=="));
  assert_int_equal(bytes.length, 4);
  assert_memory_equal(bytes.data,
                      "\x00\xff\xa1"
                      "a",
                      4);
  assert_false(vec_base64(&bytes, "?"));
  bt_str_dispose(&bytes);
}

static void placeholders_are_filled(void **state) {
  (void)state;
  struct vec_world world;
  vec_world_open(&world);
  char stamp[BT_ISO_MS], expected[512];
  bt_time_iso(stamp, world.now_ms - 60000);
  snprintf(expected, sizeof expected, "%s/a %s %s|%s|%lld|<ts:>|<none>|<", world.root, world.host, world.dead_pid,
           stamp, (long long)(world.now_ms + 5));
  char *filled = vec_fill(&world, "<root>/a <host> <dead-pid>|<ts:-60000>|<ms:5>|<ts:>|<none>|<");
  assert_string_equal(filled, expected);
  free(filled);
  vec_world_close(&world);
}

static void varying_values_match_by_shape(void **state) {
  (void)state;
  assert_true(vec_match_text(NULL, "a <ts> b", "a 2031-01-02T03:04:05.678Z b"));
  assert_false(vec_match_text(NULL, "<ts>", "2031-01-02T03:04:05Z"));
  assert_true(vec_match_text(NULL, "x.<ms>", "x.1900000000000"));
  assert_false(vec_match_text(NULL, "x.<ms>", "x.12"));
  assert_true(vec_match_text(NULL, "<uuid>", "0b2f4c1e-1a2b-4c3d-9e8f-001122334455"));
  assert_false(vec_match_text(NULL, "<uuid>", "0b2f4c1e-1a2b-1c3d-9e8f-001122334455"));
  assert_true(vec_match_text(NULL, "s-<ulid>.jsonl", "s-01ARZ3NDEKTSV4RRFFQ69G5FAV.jsonl"));
  assert_false(vec_match_text(NULL, "<nonce>", "00112233AABBCCDD"));
  assert_true(vec_match_text(NULL, "_none_ (<note>)\nEND", "_none_ (any words (at all))\nEND"));
  assert_false(vec_match_text(NULL, "_none_ (<note>)", "_none_ ()"));
  assert_false(vec_match_text(NULL, "plain", "plain "));
}

static bool same(const struct vec_world *world, const char *expected, const char *actual, unsigned flags) {
  struct bt_json *a = json(expected), *b = json(actual);
  bool ok = vec_match_json(world, a, b, flags, NULL);
  bt_json_free(a);
  bt_json_free(b);
  return ok;
}

static void values_compare_deeply(void **state) {
  (void)state;
  assert_true(same(NULL, "{\"a\":[1,{\"b\":null}],\"c\":\"x\"}", "{\"c\":\"x\",\"a\":[1.0,{\"b\":null}]}", 0));
  assert_false(same(NULL, "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", VEC_MATCH_ORDER));
  assert_false(same(NULL, "{\"a\":1}", "{\"a\":1,\"b\":2}", 0));
  assert_false(same(NULL, "{\"a\":1,\"b\":2}", "{\"a\":1}", 0));
  assert_false(same(NULL, "[1]", "[1,1]", 0));
  assert_false(same(NULL, "1", "true", 0));
  assert_false(same(NULL, "null", "false", 0));
  struct vec_world world = {.live_pid = "42", .dead_pid = "43"};
  assert_true(same(&world, "\"<dead-pid>\"", "43", 0));
  assert_false(same(&world, "\"<live-pid>\"", "43", 0));
}

/* ------------------------------------------------------------------------------------ trees ---- */

#define FILES                                                                                            \
  "{\"a.json\":\"{\\n  \\\"x\\\": 1\\n}\\n\",\"d/log.jsonl\":\"{\\\"n\\\":1}\\n\",\"e\":{\"dir\":true}," \
  "\"run\":{\"exec\":\"#!\"},\"l\":{\"symlink\":\"<root>/a.json\"},\"b\":{\"base64\":\"AP8=\"}}"

/* How often a tree made of FILES differs from `tree_after`, after `path` was rewritten to `bytes`. */
static size_t differences(const char *path, const char *bytes, const char *tree_after) {
  struct vec_world world;
  struct vec_tree before;
  struct bt_json *files = json(FILES), *expected = json(tree_after);
  vec_world_open(&world);
  vec_tree_build(&world, files);
  vec_tree_read(&before, &world);
  if (path)
    vec_tree_put(&world, path, bytes, strlen(bytes));
  complaints = 0;
  const struct vec_case vec = {.area = "selftest", .name = "tree"};
  bool ok = vec_tree_check(&vec, &world, &before, expected);
  assert_int_equal(ok, complaints == 0);
  vec_tree_dispose(&before);
  vec_world_close(&world);
  bt_json_free(files);
  bt_json_free(expected);
  return complaints;
}

#define SAME(path) "\"" path "\":{\"format\":\"unchanged\"}"
#define REST "," SAME("run") ",\"l\":{\"format\":\"symlink\",\"target\":\"<root>/a.json\"}," SAME("b") "}"

static void trees_that_are_as_expected(void **state) {
  (void)state;
  assert_int_equal(
      differences(NULL, NULL, "{" SAME("a.json") "," SAME("d/log.jsonl") ",\"e\":{\"format\":\"dir\"}" REST), 0);
  assert_int_equal(differences(NULL, NULL, "{" SAME("a.json") "," SAME("d/log.jsonl") REST),
                   0); /* empty: no contract */
  assert_int_equal(differences(NULL, NULL,
                               "{\"a.json\":{\"format\":\"pretty2\",\"json\":{\"x\":1}},\"d/log.jsonl\":"
                               "{\"format\":\"jsonl\",\"json\":[{\"n\":1}]}" REST),
                   0);
  assert_int_equal(
      differences("d/log.jsonl", "{\"n\":1}\n{\"n\":2}\n",
                  "{" SAME("a.json") ",\"d/log.jsonl\":{\"format\":\"appended\",\"json\":[{\"n\":2}]}" REST),
      0);
  assert_int_equal(
      differences("q.1900000000000", "hi",
                  "{" SAME("a.json") "," SAME("d/log.jsonl") ",\"q.<ms>\":{\"format\":\"text\",\"text\":\"hi\"}" REST),
      0);
}

static void trees_that_are_not(void **state) {
  (void)state;
  const char *all_same = "{" SAME("a.json") "," SAME("d/log.jsonl") REST;
  assert_int_equal(differences("a.json", "{}\n", all_same), 1);
  assert_int_equal(differences("new", "", all_same), 1);
  assert_int_equal(differences(NULL, NULL, "{" SAME("gone") "," SAME("a.json") "," SAME("d/log.jsonl") REST), 1);
  const char *pretty =
      "{\"a.json\":{\"format\":\"pretty2\",\"json\":{\"x\":1,\"y\":\"<ts>\"}}," SAME("d/log.jsonl") REST;
  assert_int_equal(differences("a.json", "{\n  \"x\": 1,\n  \"y\": \"2031-01-02T03:04:05.678Z\"\n}\n", pretty), 0);
  assert_int_equal(differences("a.json", "{\n  \"y\": \"2031-01-02T03:04:05.678Z\",\n  \"x\": 1\n}\n", pretty), 1);
  assert_int_equal(differences("a.json", "{\"x\":1,\"y\":\"2031-01-02T03:04:05.678Z\"}\n", pretty), 1); /* layout */
  assert_int_equal(differences("a.json", "{\n  \"x\": 1,\n  \"y\": \"2031-01-02T03:04:05.678Z\"\n}", pretty),
                   1); /* LF */
  const char *appended = "{" SAME("a.json") ",\"d/log.jsonl\":{\"format\":\"appended\",\"json\":[{\"n\":2}]}" REST;
  assert_int_equal(differences("d/log.jsonl", "{\"n\":9}\n{\"n\":2}\n", appended), 1);
  assert_int_equal(differences("d/log.jsonl", "{\"n\":1}\n", appended), 1);
  assert_int_equal(differences("d/log.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n", appended), 1);
  assert_int_equal(differences("d/log.jsonl", "{\"n\":1}\n{\"n\":2}", appended), 1);
}

static void a_world_leaves_nothing_behind(void **state) {
  (void)state;
  struct vec_world world;
  struct stat st;
  vec_world_open(&world);
  char *root = strdup(world.root);
  assert_non_null(root);
  vec_tree_put(&world, "a/b/c", "x", 1);
  vec_world_close(&world);
  assert_int_not_equal(stat(root, &st), 0);
  free(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(encodings_are_resolved),  cmocka_unit_test(base64_is_decoded),
      cmocka_unit_test(placeholders_are_filled), cmocka_unit_test(varying_values_match_by_shape),
      cmocka_unit_test(values_compare_deeply),   cmocka_unit_test(trees_that_are_as_expected),
      cmocka_unit_test(trees_that_are_not),      cmocka_unit_test(a_world_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
