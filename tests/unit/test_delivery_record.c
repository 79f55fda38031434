/* tests/unit/test_delivery_record.c - every field of a record by type, value, length and encoding; limits of the text;
 * what is written back byte for byte; blocks and snapshots around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/delivery/pr.h"

#define ID "0123456789abcdef0123456789abcdef01234567"

/* The members of a sound open record, in the order of the table. */
static const char *const members[][2] = {
    {"schema", "\"verified-delivery/handoff-v1\""},
    {"status", "\"open\""},
    {"store", "\".verified-delivery/handoff.json\""},
    {"directive", "\"Ship it\""},
    {"authorization_boundary", "{\"authorized\": [\"merge\"], \"out_of_scope\": []}"},
    {"repository", "\"github.com/acme/pager\""},
    {"pull_request", "null"},
    {"branch", "\"fix/pager\""},
    {"head_sha", "\"" ID "\""},
    {"completed_steps", "[{\"gate\": \"g\", \"verdict\": \"pass\", \"evidence\": \"e\"}]"},
    {"pending_steps", "[\"merge\"]"},
    {"watchers", "[]"},
    {"stop_reason", "\"tool-limit\""},
    {"updated_at", "\"2026-03-01T10:15:00Z\""},
};
enum { MEMBERS = sizeof members / sizeof *members };

/* The record with one member replaced (NULL: left out) and more text behind the last one. */
static void make(struct bt_str *out, const char *key, const char *value, const char *more) {
  bool first = true;
  bt_str_init(out, 1 << 24);
  bt_str_putc(out, '{');
  for (size_t i = 0; i < MEMBERS; i++) {
    bool other = key != NULL && strcmp(members[i][0], key) == 0;
    if (other && value == NULL)
      continue;
    bt_str_printf(out, "%s\"%s\": %s", first ? "" : ", ", members[i][0], other ? value : members[i][1]);
    first = false;
  }
  bt_str_printf(out, "%s}", more != NULL ? more : "");
}

static struct bt_arena *arena;

static struct bt_delivery_reading read_text(const char *text, size_t length) {
  struct bt_delivery_reading reading;
  bt_arena_free(arena);
  arena = bt_arena_new((size_t)256 << 20);
  assert_int_equal(bt_delivery_read(arena, text, length, &reading, NULL), BT_OK);
  return reading;
}

/* The faults in one line. */
static void expect(const char *what, const struct bt_delivery_reading *reading, const char *faults) {
  struct bt_str found;
  bt_str_init(&found, 1 << 20);
  for (size_t i = 0; i < reading->faults.count; i++)
    bt_str_printf(&found, "%s%s", i > 0 ? " " : "", reading->faults.items[i]);
  if (strcmp(found.data, faults) != 0)
    print_message("%s: wanted [%s], got [%s]\n", what, faults, found.data);
  assert_string_equal(found.data, faults);
  assert_int_equal(reading->kind, faults[0] == '\0' ? BT_DELIVERY_OPEN : BT_DELIVERY_CORRUPT);
  bt_str_dispose(&found);
}

static void expect_member(const char *key, const char *value, const char *faults) {
  struct bt_str text;
  make(&text, key, value, NULL);
  struct bt_delivery_reading reading = read_text(text.data, text.length);
  expect(text.data, &reading, faults);
  bt_str_dispose(&text);
}

/* ---- fields ---- */

static void every_member_missing_and_of_every_type(void **state) {
  (void)state;
  static const struct {
    const char *value, *type;
  } values[] = {{"null", "null"},  {"true", "bool"}, {"7", "number"}, {"\" \\t\\r\\n\\u000b\\f\"", "blank"},
                {"\"\"", "blank"}, {"{}", "object"}, {"[]", "array"}};
  for (size_t i = 0; i < MEMBERS; i++) {
    const char *key = members[i][0];
    char wanted[128];
    bool is_schema = i == 0, object = members[i][1][0] == '{', array = members[i][1][0] == '[';
    (void)snprintf(wanted, sizeof wanted, "missing:%s", key);
    expect_member(key, NULL, wanted);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      const char *type = values[k].type;
      bool blank = strcmp(type, "blank") == 0;
      (void)snprintf(wanted, sizeof wanted, "%s:%s", blank && !object && !array ? "value" : "type", key);
      if (is_schema && blank)
        (void)snprintf(wanted, sizeof wanted, "schema:unsupported");
      if (strcmp(key, "pull_request") == 0 && strcmp(type, "null") == 0)
        wanted[0] = '\0';
      if (object && strcmp(type, "object") == 0)
        (void)snprintf(wanted, sizeof wanted, "missing:%s.authorized missing:%s.out_of_scope", key, key);
      if (array && strcmp(type, "array") == 0)
        (void)snprintf(wanted, sizeof wanted, "%s",
                       strcmp(key, "pending_steps") == 0 ? "inconsistent:open-without-pending" : "");
      expect_member(key, values[k].value, wanted);
    }
  }
}

static void elements(void **state) {
  (void)state;
  expect_member("authorization_boundary", "{\"out_of_scope\": [3, \"\"], \"authorized\": [\"a\", null]}",
                "type:authorization_boundary.authorized[1] type:authorization_boundary.out_of_scope[0] "
                "value:authorization_boundary.out_of_scope[1]");
  expect_member(
      "completed_steps", "[{}, 4, {\"gate\": \" \", \"verdict\": 1, \"evidence\": \"e\"}, null]",
      "missing:completed_steps[0].gate missing:completed_steps[0].verdict missing:completed_steps[0].evidence "
      "type:completed_steps[1] value:completed_steps[2].gate type:completed_steps[2].verdict "
      "type:completed_steps[3]");
  expect_member("pending_steps", "[\"a\", [], \"\\n\"]", "type:pending_steps[1] value:pending_steps[2]");
  expect_member("watchers", "[\"\", {}]", "value:watchers[0] type:watchers[1]");
  expect_member("pending_steps", "[\"\"]", "value:pending_steps[0]"); /* not judged as empty */
}

static void values(void **state) {
  (void)state;
  expect_member("status", "\"Open\"", "value:status");
  expect_member("status", "\"open \"", "value:status");
  expect_member("schema", "\"verified-delivery/handoff-v1 \"", "schema:unsupported");
  expect_member("repository", "\"acme/pager\"", "value:repository");
  expect_member("pull_request", "\"<pr-number>\"", "value:pull_request");
  expect_member("branch", "\"refs/heads/x\"", "value:branch");
  expect_member("head_sha", "\"0000000000000000000000000000000000000000\"", "value:head_sha");
  expect_member("stop_reason", "\"boundary-stop\"", "missing:stop_detail");
  expect_member("stop_reason", "\"Tool-limit\"", "value:stop_reason");
  expect_member("completed_steps", "[{\"gate\": \"pr-open\", \"verdict\": \"PASS\", \"evidence\": \"e\"}]",
                "inconsistent:pr-open-without-pr");
  expect_member("completed_steps", "[{\"gate\": \"pr-open\", \"verdict\": \"failed\", \"evidence\": \"e\"}]", "");
  struct bt_str text;
  static const char *const details[][2] = {
      {"null", "missing:stop_detail"}, {"\" \"", "value:stop_detail"}, {"4", "type:stop_detail"}, {"\"x\"", ""}};
  for (size_t i = 0; i < 4; i++) {
    char more[64];
    (void)snprintf(more, sizeof more, ", \"stop_detail\": %s", details[i][0]);
    make(&text, "stop_reason", "\"boundary-stop\"", more);
    struct bt_delivery_reading reading = read_text(text.data, text.length);
    expect(more, &reading, details[i][1]);
    bt_str_dispose(&text);
    make(&text, NULL, NULL, more);
    reading = read_text(text.data, text.length);
    expect(more, &reading, strcmp(details[i][0], "4") == 0 ? "type:stop_detail" : "");
    bt_str_dispose(&text);
  }
}

static void a_closed_one_is_closed(void **state) {
  (void)state;
  static const char text[] = "{\"schema\": \"verified-delivery/handoff-v1\", \"status\": \"closed\", \"branch\": 4}";
  struct bt_delivery_reading reading = read_text(text, strlen(text));
  assert_int_equal(reading.kind, BT_DELIVERY_CLOSED);
  assert_true(reading.faults.count > 3);
  static const char other[] = "{\"schema\": \"verified-delivery/handoff-v2\", \"status\": \"closed\"}";
  reading = read_text(other, strlen(other));
  expect("other schema", &reading, "schema:unsupported");
}

/* ---- texts ---- */

static void expect_text(const char *text, size_t length, const char *faults) {
  struct bt_delivery_reading reading = read_text(text, length);
  expect(text, &reading, faults);
  assert_true(reading.foreign);
}

static void texts_that_are_no_json(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      " \n",
                                      "{",
                                      "{}}",
                                      "{\"a\":1,}",
                                      "[1,]",
                                      "{a:1}",
                                      "// x\n{}",
                                      "{\"a\":01}",
                                      "{\"a\":1.}",
                                      "{\"a\":.5}",
                                      "{\"a\":+1}",
                                      "{\"a\":NaN}",
                                      "{\"a\":1e}",
                                      "'a'",
                                      "\"\t\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\\ud800\\u0041\"",
                                      "\xef\xbb\xbf{}",
                                      "\"\xff\"",
                                      "\"\xc0\x80\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xc3\"",
                                      "nul",
                                      "tru",
                                      "{\"a\" 1}",
                                      "[1 2]",
                                      "\xc3\xa9"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    expect_text(texts[i], strlen(texts[i]), "parse");
  expect_text("{}\0", 3, "parse");
}

static void limits_and_their_order(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, 1 << 20);
  for (int i = 0; i < 64; i++)
    bt_str_putc(&text, '[');
  expect_text(text.data, text.length, "parse"); /* as deep as allowed, and not ended */
  bt_str_putc(&text, '[');
  expect_text(text.data, text.length, "limit:depth");
  bt_str_clear(&text);
  bt_str_puts(&text, "[\"\xff\",");
  for (int i = 0; i < 80; i++)
    bt_str_putc(&text, '[');
  expect_text(text.data, text.length, "parse"); /* met first */
  bt_str_dispose(&text);
  expect_text("[\"\\u0000\", {\"a\":1, \"a\":2}]", strlen("[\"\\u0000\", {\"a\":1, \"a\":2}]"), "nul");
  expect_text("{\"a\\u0000\":1}", strlen("{\"a\\u0000\":1}"), "nul");
  static const char nested[] = "{\"x\":{\"b\":1,\"\\u0062\":2},\"x\":3}";
  expect_text(nested, strlen(nested), "duplicate-key:b");
  static const char outer[] = "{\"x\":1,\"x\":{\"b\":1,\"b\":2}}";
  expect_text(outer, strlen(outer), "duplicate-key:x");
  expect_text("[]", 2, "type:$");
  expect_text("null", 4, "type:$");
  expect_text("{}", 2, "missing:schema");
  make(&text, NULL, NULL, NULL);
  while (text.length < BT_DELIVERY_BYTES_MAX)
    bt_str_putc(&text, ' ');
  struct bt_delivery_reading reading = read_text(text.data, text.length);
  expect("as long as allowed", &reading, "");
  bt_str_putc(&text, ' ');
  expect_text(text.data, text.length, "limit:size");
  bt_str_dispose(&text);
}

/* Cut anywhere, and any byte replaced: an answer, and no sound record that was not meant. */
static void cut_and_flipped(void **state) {
  (void)state;
  struct bt_str text;
  make(&text, NULL, NULL, ", \"x\": [1, {\"y\": \"\\u00e9\"}]");
  for (size_t i = 0; i < text.length; i++) {
    struct bt_delivery_reading reading = read_text(text.data, i);
    assert_int_equal(reading.kind, BT_DELIVERY_CORRUPT);
  }
  unsigned random = 1;
  for (size_t i = 0; i < text.length; i++) {
    char kept = text.data[i];
    random = random * 1103515245u + 12345u;
    text.data[i] = (char)(random >> 16);
    struct bt_delivery_reading reading = read_text(text.data, text.length);
    assert_true(reading.kind == BT_DELIVERY_OPEN || reading.kind == BT_DELIVERY_CLOSED || reading.faults.count > 0);
    text.data[i] = kept;
  }
  bt_str_dispose(&text);
}

static void long_and_many(void **state) {
  (void)state;
  struct bt_str value;
  bt_str_init(&value, 1 << 20);
  bt_str_putc(&value, '[');
  for (int i = 0; i < 20000; i++)
    bt_str_puts(&value, i > 0 ? ",7" : "7");
  bt_str_putc(&value, ']');
  struct bt_str text;
  make(&text, "watchers", value.data, NULL);
  struct bt_delivery_reading reading = read_text(text.data, text.length);
  assert_int_equal(reading.faults.count, 20000);
  assert_string_equal(reading.faults.items[19999], "type:watchers[19999]");
  bt_str_dispose(&text);
  bt_str_clear(&value);
  bt_str_putc(&value, '"');
  for (int i = 0; i < 200000; i++)
    bt_str_putc(&value, 'x');
  bt_str_putc(&value, '"');
  make(&text, "branch", value.data, NULL);
  reading = read_text(text.data, text.length);
  assert_int_equal(reading.kind, BT_DELIVERY_OPEN);
  bt_str_dispose(&text);
  bt_str_dispose(&value);
}

static void written_back_byte_for_byte(void **state) {
  (void)state;
  static const char text[] =
      "{\n  \"9\": 1.50e+03,\n  \"1\": -0,\n  \"b\": {\n    \"x\": \"\xc3\xa9 \\\" \\\\ \\u0001\",\n"
      "    \"y\": [],\n    \"z\": {}\n  },\n  \"a\": [\n    true,\n    null,\n    12345678901234567890\n  ]\n}";
  struct bt_node *root = NULL;
  const char *reason = NULL;
  struct bt_str out;
  bt_arena_free(arena);
  arena = bt_arena_new(1 << 24);
  assert_int_equal(bt_doc_parse(arena, text, strlen(text), &root, &reason, NULL), BT_OK);
  bt_str_init(&out, 1 << 20);
  bt_doc_print(&out, root, 0, 0);
  assert_string_equal(out.data, text);
  assert_true(bt_node_set_string(arena, root, "1", "changed")); /* in its place */
  assert_true(bt_node_set_string(arena, root, "new", "x"));     /* behind the others */
  assert_string_equal(root->first->next->text, "changed");
  assert_string_equal(root->last->key, "new");
  bt_str_dispose(&out);
}

static void secrets_are_left_out(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"https://user:word@h/x", "https://h/x"},
                                         {"see https://t@h and ssh://a:b@c@d/e", "see https://h and ssh://d/e"},
                                         {"a@b", "a@b"},
                                         {"https://h/@x", "https://h/@x"},
                                         {"://x:y@", "://"},
                                         {"", ""}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct bt_str out;
    bt_str_init(&out, 1000);
    bt_text_without_secrets(&out, pairs[i][0], strlen(pairs[i][0]));
    assert_string_equal(out.data, pairs[i][1]);
    bt_str_dispose(&out);
  }
}

/* ---- blocks ---- */

static struct bt_blocks find(const char *body) {
  struct bt_blocks blocks;
  assert_int_equal(bt_blocks_find(arena, body, strlen(body), &blocks, NULL), BT_OK);
  return blocks;
}

static void which_fences_count(void **state) {
  (void)state;
  struct bt_str record, body;
  make(&record, NULL, NULL, NULL);
  static const struct {
    const char *before, *after;
    size_t count;
  } cases[] = {{"```json verified-delivery-handoff\n", "\n```\n", 1},
               {"   ~~~~ JSON\tverified-delivery-handoff more\n", "\n~~~~~  \n", 1},
               {"```json\n", "\n```", 1},
               {"```json\n", "", 1},                   /* ends with the body */
               {"    ```json\n", "\n```\n", 0},        /* indented code */
               {"> ```json\n", "\n```\n", 0},          /* quoted */
               {"```jsonc\n", "\n```\n", 0},           /* another language */
               {"```\n```json\n", "\n```\n```\n", 0},  /* inside another fence */
               {"~~~\n```json\n", "\n```\n~~~\n", 0},  /* the same with the other character */
               {"<!--\n```json\n", "\n```\n-->\n", 1}, /* comments are not interpreted */
               {"```json `x`\n", "\n```\n", 0},        /* a backtick in the info string */
               {"``json\n", "\n``\n", 0},
               {"```json\r\n", "\r\n```\r\n", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_arena_free(arena);
    arena = bt_arena_new(1 << 24);
    bt_str_init(&body, 1 << 20);
    bt_str_printf(&body, "%s%s%s", cases[i].before, record.data, cases[i].after);
    struct bt_blocks blocks = find(body.data);
    if (blocks.count != cases[i].count)
      print_message("%s: %zu\n", cases[i].before, blocks.count);
    assert_int_equal(blocks.count, cases[i].count);
    bt_str_dispose(&body);
  }
  assert_int_equal(find("```json\n{not json\n```\n").count, 0);
  assert_int_equal(find("```json verified-delivery-handoff\n\n```\n").count, 1);
  assert_int_equal(find("```json\n{\"schema\": \"verified-delivery/handoff-v1\"}\n```\n").count,
                   1); /* ours, and corrupt */
  bt_str_dispose(&record);
}

/* Whatever the body, what is put in is found again, and all else is still there. */
static void put_in_and_found_again(void **state) {
  (void)state;
  static const char *const bodies[] = {"",
                                       "Text",
                                       "Text\n",
                                       "Text\n\n",
                                       "Text\r\n\r\nMore\r\n",
                                       "```\nnot closed",
                                       "~~~~ x\nnot closed\n",
                                       "a\n```json verified-delivery-handoff\nbroken\n```\nb\n",
                                       "```json\n{\"a\": 1}\n```\n"};
  struct bt_str record;
  make(&record, "directive", "\"see ```` and ~~~\"", NULL);
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct bt_str body;
    bt_arena_free(arena);
    arena = bt_arena_new(1 << 24);
    struct bt_blocks blocks = find(bodies[i]);
    bt_str_init(&body, 1 << 20);
    bt_block_put(&body, bodies[i], strlen(bodies[i]), &blocks, &record);
    blocks = find(body.data);
    assert_int_equal(blocks.count, 1);
    assert_int_equal(blocks.items[0].reading.kind, BT_DELIVERY_OPEN);
    struct bt_str again;
    bt_str_init(&again, 1 << 20);
    bt_block_put(&again, body.data, body.length, &blocks, &record);
    assert_string_equal(again.data, body.data); /* in its own place */
    bt_str_dispose(&again);
    bt_str_dispose(&body);
  }
  bt_str_dispose(&record);
}

/* ---- snapshots of pull requests ---- */

static struct bt_pr snapshot(const char *text, int64_t age_s) {
  struct bt_pr pr;
  int64_t now = 1000000000;
  bt_arena_free(arena);
  arena = bt_arena_new(1 << 24);
  assert_int_equal(bt_pr_read(arena, text, strlen(text), now - age_s * 1000, now, BT_PR_MAX_AGE_S, &pr, NULL), BT_OK);
  return pr;
}

static void snapshots(void **state) {
  (void)state;
  static const struct {
    const char *text, *fault;
    enum bt_pr_state state;
  } cases[] = {{"{\"state\": \"open\"}", NULL, BT_PR_OPEN},
               {"{\"state\": \"CLOSED\", \"mergedAt\": \"2026-03-01T10:00:00Z\"}", NULL, BT_PR_MERGED},
               {"{\"state\": \"CLOSED\", \"mergedAt\": \"\"}", NULL, BT_PR_CLOSED},
               {"{\"state\": \"OPEN\", \"mergedAt\": \"2026-03-01T10:00:00Z\"}", NULL, BT_PR_CONTRADICTORY},
               {"{\"state\": \"Merged\", \"mergeCommit\": \"" ID "\"}", NULL, BT_PR_MERGED},
               {"{\"state\": \"NOT_FOUND\"}", NULL, BT_PR_MISSING},
               {"{\"state\": \"draft\"}", NULL, BT_PR_UNKNOWN},
               {"{\"state\": null}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{}", "pr:unreadable", BT_PR_UNKNOWN},
               {"[]", "pr:unreadable", BT_PR_UNKNOWN},
               {"", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"headRefOid\": \"\"}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"headRefOid\": 4}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"mergeCommit\": {}}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"mergeCommit\": {\"oid\": \"abc\"}}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"number\": 4.5}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"number\": null}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"body\": 4}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"baseRefName\": []}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"fetchedAt\": \"today\"}", "pr:unreadable", BT_PR_UNKNOWN},
               {"{\"state\": \"OPEN\", \"revertedBy\": true}", "pr:unreadable", BT_PR_UNKNOWN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_pr pr = snapshot(cases[i].text, 0);
    if (!bt_text_equals(pr.fault, cases[i].fault))
      print_message("%s\n", cases[i].text);
    assert_true(bt_text_equals(pr.fault, cases[i].fault));
    if (pr.fault == NULL)
      assert_int_equal(pr.state, cases[i].state);
  }
  assert_null(snapshot("{\"state\": \"OPEN\"}", 900).fault);
  assert_string_equal(snapshot("{\"state\": \"OPEN\"}", 901).fault, "pr:snapshot-old");
  assert_null(snapshot("{\"state\": \"OPEN\"}", -5000).fault); /* from the future: fresh */
  struct bt_pr pr = snapshot("{\"state\": \"OPEN\", \"number\": 42}", 0);
  assert_true(bt_pr_speaks_of(&pr, "42"));
  assert_false(bt_pr_speaks_of(&pr, "43"));
}

static void a_name_without_its_user(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"word@github.com/a/b", "github.com/a/b"},
                                         {"user:word@github.com/a/b", "github.com/a/b"},
                                         {"a@b@h.example/x", "h.example/x"},
                                         {"git@github.com:a/b", "git@github.com:a/b"},
                                         {"git@h:2222/x", "git@h:2222/x"},
                                         {"github.com/a@b/c", "github.com/a@b/c"},
                                         {"/srv/a@b", "/srv/a@b"},
                                         {"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(bt_repository_without_user(cases[i][0]), cases[i][1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_name_without_its_user),
                                     cmocka_unit_test(every_member_missing_and_of_every_type),
                                     cmocka_unit_test(elements),
                                     cmocka_unit_test(values),
                                     cmocka_unit_test(a_closed_one_is_closed),
                                     cmocka_unit_test(texts_that_are_no_json),
                                     cmocka_unit_test(limits_and_their_order),
                                     cmocka_unit_test(cut_and_flipped),
                                     cmocka_unit_test(long_and_many),
                                     cmocka_unit_test(written_back_byte_for_byte),
                                     cmocka_unit_test(secrets_are_left_out),
                                     cmocka_unit_test(which_fences_count),
                                     cmocka_unit_test(put_in_and_found_again),
                                     cmocka_unit_test(snapshots)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bt_arena_free(arena);
  return failed;
}
