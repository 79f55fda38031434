/* tests/fuzz/fuzz_manifest.c - a manifest line: the short way and the tree agree, and a plain line is its printed form.
 */
#include <string.h>

#include "core/base/json.h"
#include "core/store/evidence_log.h"
#include "core/store/manifest.h"
#include "core/store/manifest_entry.h"
#include "core/store/manifest_scan.h"
#include "tests/fuzz/fuzz.h"

static void read_line(const char *line, size_t length, struct bt_key key, bool parse, struct bt_entry_facts *facts) {
  struct bt_entry_reader reader;
  bt_entry_reader_init(&reader, key);
  reader.always_parse = parse;
  FUZZ_CHECK(bt_entry_read(&reader, line, length, facts, NULL) == BT_OK);
  bt_entry_reader_dispose(&reader);
}

static void check_both_ways(const char *line, size_t length, struct bt_key key) {
  struct bt_entry_facts quick, tree;
  read_line(line, length, key, false, &quick);
  read_line(line, length, key, true, &tree);
  FUZZ_CHECK(quick.shape == tree.shape);
  FUZZ_CHECK(quick.seq_valid == tree.seq_valid && (!tree.seq_valid || quick.seq == tree.seq));
  FUZZ_CHECK(quick.prev == tree.prev && strcmp(quick.prev_hash, tree.prev_hash) == 0);
  FUZZ_CHECK(quick.has_anchor == tree.has_anchor && quick.is_v2 == tree.is_v2);
  FUZZ_CHECK(quick.signed_ == tree.signed_);
}

static void check_plain(const char *line, size_t length) {
  struct bt_entry_scan scan;
  if (!bt_entry_scan(&scan, line, length))
    return;
  FUZZ_CHECK(bt_bytes_are_utf8(line, length));
  struct bt_json *tree = bt_json_parse(line, length, NULL);
  FUZZ_CHECK(tree != NULL);
  for (int i = 0; i < BT_MEMBER_COUNT; i++) {
    const struct bt_json *value = bt_json_get(tree, bt_entry_member_name((enum bt_entry_member)i));
    struct bt_str printed;
    FUZZ_CHECK((value == NULL) == (scan.members[i].data == NULL));
    if (value == NULL)
      continue;
    bt_str_init(&printed, 2 * length + 64);
    bt_json_print_compact(&printed, value);
    FUZZ_CHECK(printed.length == scan.members[i].length &&
               memcmp(printed.data, scan.members[i].data, printed.length) == 0);
    bt_str_dispose(&printed);
  }
  bt_json_free(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char hash[BT_SHA256_HEX];
  const char *line = (const char *)data;
  if (memchr(data, '\n', size) != NULL || bt_line_is_blank(line, size))
    return 0;
  FUZZ_CHECK(bt_line_hash(line, size, hash));
  check_both_ways(line, size, (struct bt_key){0});
  check_both_ways(line, size, (struct bt_key){.bytes = "test-key", .length = 8});
  check_plain(line, size);
  (void)bt_line_time(line, size);
  return 0;
}
