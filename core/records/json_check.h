/* core/records/json_check.h - is a stream of bytes one strict JSON value, and where do its members stand.
 *
 * For payloads of any size: nothing is kept but the nesting and the places of the top members.
 * Rules: spec/session-records.md 2.2, 9.5. */
#ifndef BATON_CORE_RECORDS_JSON_CHECK_H
#define BATON_CORE_RECORDS_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

#define BT_JSON_CHECK_DEPTH 4096
#define BT_JSON_CHECK_MEMBERS 32

struct bt_json_member_span {
  char key[32];       /* as it stands between its quotes; cut when longer */
  int64_t start, end; /* of the value */
};

struct bt_json_check {
  int state;
  unsigned depth, literal_at, hex_left;
  const char *literal;
  bool is_key, is_bad;
  unsigned char is_object[BT_JSON_CHECK_DEPTH]; /* of each open container */
  int64_t offset, value_start;
  size_t key_length;
  struct bt_json_member_span members[BT_JSON_CHECK_MEMBERS]; /* of the root object, the first so many */
  size_t member_count;
};

void bt_json_check_init(struct bt_json_check *check);
bool bt_json_check_feed(struct bt_json_check *check, const char *bytes, size_t length); /* false: no JSON */
bool bt_json_check_end(struct bt_json_check *check);                                    /* true: one whole value */

/* The last member of that key, or NULL. */
const struct bt_json_member_span *bt_json_check_member(const struct bt_json_check *check, const char *key);

/* Checks `size` bytes of a file. BT_OK, BT_CORRUPT, BT_IO, BT_NOMEM. */
enum bt_code bt_json_check_file(struct bt_json_check *check, int fd, int64_t size, const char *name,
                                struct bt_error *err) BT_NODISCARD;

#endif
