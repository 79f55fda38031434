/* core/harness/tail.h - the last things said and done in a session, from the end of its transcript.
 *
 * For reading along, not for any value that is counted: at most BT_TAIL_WINDOW bytes of the end are read. Knows each
 * format's shape just enough to tell who said what. Texts are as the session wrote them (internal text): hostile until
 * made visible. */
#ifndef BATON_CORE_HARNESS_TAIL_H
#define BATON_CORE_HARNESS_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/model/transcript.h"

#define BT_TAIL_WINDOW ((size_t)262144)
#define BT_TAIL_ENTRIES 60                /* the latest */
#define BT_TAIL_TEXT_BYTES ((size_t)8192) /* of each; the rest is left out and said */

struct bt_arena;

enum bt_tail_kind { BT_TAIL_PROMPT, BT_TAIL_REPLY, BT_TAIL_CALL, BT_TAIL_RESULT, BT_TAIL_NOTE };

struct bt_tail_entry {
  enum bt_tail_kind kind;
  int64_t time_ms;  /* BT_TIME_UNKNOWN */
  const char *name; /* of a call's tool; what a note is about; NULL */
  const char *text; /* never NULL */
  size_t length;
};

struct bt_tail {
  const struct bt_tail_entry *entries; /* oldest first */
  size_t count;
};

/* `path`: as in struct bt_harness_row (internal text). Everything lies in `arena`. BT_MISSING, BT_UNSAFE, BT_IO,
 * BT_NOMEM. */
enum bt_code bt_tail_read(struct bt_tail *tail, struct bt_arena *arena, const char *path,
                          struct bt_error *err) BT_NODISCARD;

#endif
