/* tests/unit/test_manifest_entry.c - the short way and the tree say the same of every line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/json.h"
#include "core/store/manifest_entry.h"
#include "core/store/manifest_scan.h"
#include "tests/support/chain_box.h"

static struct bt_key the_key(void) {
  return (struct bt_key){.bytes = CHAIN_KEY, .length = strlen(CHAIN_KEY)};
}

static bool facts_equal(const struct bt_entry_facts *a, const struct bt_entry_facts *b) {
  return a->shape == b->shape && a->seq_valid == b->seq_valid && (!a->seq_valid || a->seq == b->seq) &&
         a->prev == b->prev && strcmp(a->prev_hash, b->prev_hash) == 0 && a->has_anchor == b->has_anchor &&
         a->is_v2 == b->is_v2 && a->signed_ == b->signed_;
}

/* Both ways, with and without a key. Answers the facts with the key. */
static struct bt_entry_facts both_ways(const char *line, size_t length) {
  struct bt_entry_facts short_way, tree;
  for (int keyed = 0; keyed < 2; keyed++) {
    struct bt_entry_reader quick, slow;
    bt_entry_reader_init(&quick, keyed ? the_key() : (struct bt_key){0});
    bt_entry_reader_init(&slow, keyed ? the_key() : (struct bt_key){0});
    slow.always_parse = true;
    assert_int_equal(bt_entry_read(&quick, line, length, &short_way, NULL), BT_OK);
    assert_int_equal(bt_entry_read(&slow, line, length, &tree, NULL), BT_OK);
    if (!facts_equal(&short_way, &tree))
      fail_msg("the two ways differ on: %.*s", (int)length, line);
    bt_entry_reader_dispose(&quick);
    bt_entry_reader_dispose(&slow);
  }
  return tree;
}

static struct bt_entry_facts both(const char *line) {
  return both_ways(line, strlen(line));
}

/* What the short way may take: then the raw values are what the printer prints. */
static void a_plain_line_is_its_own_printed_form(const char *line, size_t length) {
  struct bt_entry_scan scan;
  if (!bt_entry_scan(&scan, line, length))
    return;
  struct bt_json *tree = bt_json_parse(line, length, NULL);
  assert_non_null(tree);
  for (int i = 0; i < BT_MEMBER_COUNT; i++) {
    const struct bt_json *value = bt_json_get(tree, bt_entry_member_name((enum bt_entry_member)i));
    assert_int_equal(value == NULL, scan.members[i].data == NULL);
    if (value == NULL)
      continue;
    struct bt_str printed;
    bt_str_init(&printed, 1 << 20);
    bt_json_print_compact(&printed, value);
    assert_int_equal(printed.length, scan.members[i].length);
    assert_memory_equal(printed.data, scan.members[i].data, printed.length);
    bt_str_dispose(&printed);
  }
  bt_json_free(tree);
}

static const char *const seeds[] = {
    "{\"seq\":1,\"gate\":\"g\",\"ts\":\"t\",\"ticket\":\"T-1\",\"data\":{\"a\":[1,2,{\"b\":null}],\"c\":true},"
    "\"files\":{},"
    "\"prev\":null,\"sig\":\"00\"}",
    "{\"seq\":2,\"gate\":\"a\\u0001\\n\\\"\\\\\",\"data\":{\"n\":0.5,\"m\":-1e-7,\"k\":1e+21},\"prev\":\"x\"}",
    "{\"files\":{},\"seq\":12,\"prev\":\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\",\"note\":"
    "1}",
    "{\"seq\":3,\"data\":\"\xc3\xa9\xf0\x9f\x98\x80\xe2\x80\xa8\",\"anchor\":{\"segment\":\"root\"},\"sigVersion\":2,"
    "\"sig\":null}",
    "{}",
    "{\"seq\":1,\"data\":{\"2\":1,\"1\":2},\"prev\":null}",
    "{\"seq\":1,\"data\":{\"a\":1,\"a\":2},\"prev\":null}",
    "{\"seq\":1,\"data\":\"\\ud800\\u00e9\\/\",\"prev\":null}",
    "{ \"seq\" : 1 , \"prev\" : null }\r"};

static void seeds_and_their_mutations(void **state) {
  (void)state;
  static const char bytes[] = "{}[]\",:\\u0019eE+-. \t\r\nabtrfnsl\x80\xc3\xed\xf4\xff\x01";
  uint64_t random = 88172645463325252u;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    size_t length = strlen(seeds[i]);
    char *line = malloc(length + 8);
    assert_non_null(line);
    (void)both(seeds[i]);
    for (int round = 0; round < 3000; round++) {
      size_t now = length;
      memcpy(line, seeds[i], length);
      for (int k = 0; k < 1 + round % 3; k++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        size_t at = (size_t)(random >> 33) % now;
        char byte = bytes[(random >> 20) % (sizeof bytes - 1)];
        if (random % 3 == 0 && now > 2) {
          memmove(line + at, line + at + 1, now - at - 1);
          now--;
        } else if (random % 3 == 1 && now < length + 8) {
          memmove(line + at + 1, line + at, now - at);
          line[at] = byte;
          now++;
        } else {
          line[at] = byte;
        }
      }
      (void)both_ways(line, now);
      a_plain_line_is_its_own_printed_form(line, now);
    }
    free(line);
  }
}

static void signatures_hold_both_ways(void **state) {
  (void)state;
  static const char *const more[] = {NULL,
                                     "\"ticket\":\"\xc3\xa9\",",
                                     "\"note\":\"not covered by version 1\",",
                                     "\"sigVersion\":2,",
                                     "\"anchor\":{\"segment\":\"root\",\"seq\":1,\"lineHash\":\"x\"},\"sigVersion\":2,",
                                     "\"sigVersion\":1,\"branch\":\"b\","};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    struct bt_str line;
    bt_str_init(&line, 65536);
    chain_entry_text(&line, "1", "null", more[i], CHAIN_KEY);
    assert_int_equal(both(line.data).signed_, BT_ENTRY_SIG_HOLDS);
    line.data[line.length - 3] ^= 1;
    assert_int_equal(both(line.data).signed_, BT_ENTRY_SIG_WRONG);
    bt_str_clear(&line);
    chain_entry_text(&line, "1", "null", more[i], "another key");
    assert_int_equal(both(line.data).signed_, BT_ENTRY_SIG_WRONG);
    bt_str_dispose(&line);
  }
}

/* A line of another printer: blanks, escapes, member order. What was signed is the printed form. */
static void a_foreign_spelling_verifies_by_its_printed_form(void **state) {
  (void)state;
  struct bt_str payload, line;
  char sig[BT_SHA256_HEX];
  bt_str_init(&payload, 4096);
  bt_str_init(&line, 4096);
  bt_str_puts(&payload, "{\"seq\":1,\"gate\":\"g\",\"data\":{\"1\":\"\xc3\xa9\",\"x\":1.5},\"prev\":null}");
  assert_true(bt_sign_hex(the_key(), &payload, sig));
  bt_str_printf(&line,
                "{\"prev\": null, \"sig\": \"%s\", \"data\": {\"x\":1.50, \"1\":\"\\u00E9\"}, \"g\\u0061te\":\"g\","
                "\"seq\":1e0}\r",
                sig);
  struct bt_entry_facts facts = both(line.data);
  assert_int_equal(facts.signed_, BT_ENTRY_SIG_HOLDS);
  assert_true(facts.seq_valid && facts.seq == 1);
  bt_str_dispose(&payload);
  bt_str_dispose(&line);
}

static void shapes_and_links(void **state) {
  (void)state;
  assert_int_equal(both("x").shape, BT_ENTRY_MALFORMED);
  assert_int_equal(both("[]").shape, BT_ENTRY_NOT_OBJECT);
  assert_int_equal(both("{}").prev, BT_PREV_ABSENT);
  assert_int_equal(both("{\"prev\":null}").prev, BT_PREV_NULL);
  assert_int_equal(both("{\"prev\":1}").prev, BT_PREV_OTHER);
  assert_int_equal(both("{\"seq\":1,\"prev\":1}").prev, BT_PREV_OTHER);
  assert_false(both("{\"seq\":null}").seq_valid);
  assert_false(both("{\"seq\":9007199254740993e400}").seq_valid);
  assert_true(both("{\"seq\":9007199254740993}").seq == 9007199254740992.0);
  assert_true(both("{\"seq\":1,\"anchor\":null}").has_anchor);
  assert_int_equal(both("{\"seq\":1,\"seq\":2,\"prev\":null}").seq, 2); /* the last one counts */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeds_and_their_mutations), cmocka_unit_test(signatures_hold_both_ways),
      cmocka_unit_test(a_foreign_spelling_verifies_by_its_printed_form), cmocka_unit_test(shapes_and_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
